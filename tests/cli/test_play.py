"""`ds move`, `ds draw`, `ds undo` and `ds abandon` (R23-R28, R37)."""

import re

import pytest

from tests.cli.games import (
    CODE,
    GAME_KEYS,
    MODES,
    as_line,
    board_json,
    dealt,
    game,
    played,
    shown_json,
    vector,
)
from tests.cli.running import Ds


@pytest.fixture
def started(ds: Ds) -> str:
    """The id of an open game of `CODE`."""
    return str(ds.json("new", CODE)["id"])


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["T2T3", "D", "D", "WT7"], None),
        (["T2T3 D", "D\n\tWT7"], None),
        (["-"], "T2T3 D D WT7"),
        (["-"], "T2T3\r\nD\r\n\r\nD   WT7\r\n"),
        (["T2T3", "-", "WT7"], "D D"),
    ],
)
def test_moves_come_from_arguments_and_stdin_in_order(
    ds: Ds, started: str, arguments: list[str], stdin: str | None
) -> None:
    moves = ["T2T3", "D", "D", "WT7"]
    shown = ds.json("move", *arguments, stdin=stdin)
    assert list(shown) == [*GAME_KEYS, "played"]
    assert shown == {**shown_json(game(*moves), started), "played": moves}
    assert ds.moves() == moves


def test_people_see_the_board_after_the_moves(ds: Ds, started: str) -> None:
    out = ds.ok("move", "T2T3", "D").out
    assert started in out
    assert "score 5" in out
    assert "moves 2" in out
    assert "stock 58" in out
    # QD was turned up by the move and 9C by the draw.
    assert "Q♦" in out
    assert "9♣" in out


@pytest.mark.parametrize("refused", ["WF", "T1T9", "R", "T9T8x2", "F1T1"])
def test_at_the_first_refusal_no_move_is_played(ds: Ds, started: str, refused: str) -> None:
    ds.ok("move", "D")
    message = ds.fails(1, "move", "T2T3", "D", refused, "D")
    assert refused in message
    assert started not in message
    assert ds.moves() == ["D"]


def test_a_refusal_among_several_moves_says_which_it_is(ds: Ds, started: str) -> None:
    """The same text may stand there more than once: the message tells where."""
    # The third card of the stock is 9S: no foundation takes any of the first three cards.
    message = ds.fails(1, "move", "D", "D", "D", "WF", "D", "WF", "D")
    assert "WF is refused (R12)" in message
    assert re.search(r"\b4(th)?\b|fourth", message), message


@pytest.mark.parametrize(
    "text", ["X9", "d", "T1T1", "T10F", "F1F2", "T1T2x1", "Ｔ1F", "D,D", "T1 T2"]
)
def test_an_unreadable_move_is_wrong_usage_before_anything_is_played(
    ds: Ds, started: str, text: str
) -> None:
    message = ds.fails(2, "move", "D", text)
    assert text.split()[0] in message
    assert "R37" in message
    assert "T3T7x4" in message
    assert ds.moves() == []


@pytest.mark.parametrize(
    ("arguments", "stdin"), [([], None), ([""], None), (["-"], ""), (["-"], " \n")]
)
def test_no_move_at_all_is_wrong_usage(
    ds: Ds, started: str, arguments: list[str], stdin: str | None
) -> None:
    assert "MOVE" in ds.fails(2, "move", *arguments, stdin=stdin).upper()


def test_stdin_that_is_no_text_is_wrong_usage(ds: Ds, started: str) -> None:
    message = ds.fails(2, "move", "-", stdin=b"D \xff\xfe")
    assert "should not happen" not in message


def test_expect_plays_only_at_that_seq(ds: Ds, started: str) -> None:
    assert ds.json("move", "D", "--expect", "0")["seq"] == 1
    assert ds.json("move", "D", "U", "--expect", "1")["seq"] == 3
    for wrong in ("0", "2", "4", "99"):
        message = ds.fails(1, "move", "D", "--expect", wrong)
        for said in (started, wrong, "3"):
            assert said in message
    assert ds.json("move", "D", "--expect", "3")["seq"] == 4


def test_a_lost_race_is_told_before_a_refusal(ds: Ds, started: str) -> None:
    """Who was overtaken has to know that first: the move was meant for another board."""
    ds.ok("move", "D")
    assert "seq 1" in ds.fails(1, "move", "R", "--expect", "0")


@pytest.mark.parametrize("number", ["-1", "x", "1.5", ""])
def test_expect_takes_a_whole_number(ds: Ds, started: str, number: str) -> None:
    assert "--expect" in ds.fails(2, "move", "D", "--expect", number)


@pytest.mark.parametrize("mode", MODES)
def test_draw_turns_one_card_or_three(ds: Ds, mode: str) -> None:
    code = f"DS1-{mode}-AAAAAAB"
    started = ds.json("new", code)["id"]
    shown = ds.json("draw")
    expected = board_json(played(game("D", code=code)))
    assert shown["waste"] == (["9C", "8D", "9S"] if mode.startswith("D3") else ["9C"])
    assert list(shown) == [*GAME_KEYS, "played"]
    assert {key: shown[key] for key in expected} == expected
    assert (shown["id"], shown["played"]) == (started, ["D"])


def test_drawing_from_an_empty_stock_is_refused(ds: Ds, started: str) -> None:
    ds.ok("move", *["D"] * 59)
    message = ds.fails(1, "draw")
    assert "D is refused (R18)" in message
    assert "stock" in message


def test_undo_takes_back_one_or_n(ds: Ds, started: str) -> None:
    ds.ok("move", "T2T3", "D", "D", "WT7")
    one = ds.json("undo")
    assert one == {**shown_json(game("T2T3", "D", "D", "WT7", "U"), started), "played": ["U"]}
    three = ds.json("undo", "3")
    events = ["T2T3", "D", "D", "WT7", *"UUUU"]
    assert three == {**shown_json(game(*events), started), "played": ["U", "U", "U"]}
    # R27: the counter stays where it was; the board and the score are the first ones.
    assert (three["moves"], three["score"], three["undoable"]) == (4, 0, 0)


def test_undo_takes_back_all_n_or_none(ds: Ds, started: str) -> None:
    ds.ok("move", "D", "D", "D")
    message = ds.fails(1, "undo", "4")
    for said in ("R26", "3", "4"):
        assert said in message
    assert ds.json("undo", "3")["undoable"] == 0


# The last is more than any machine can hold as a list of moves.
@pytest.mark.parametrize("count", ["1", "2", "1000000", f"{10**15}"])
def test_nothing_to_undo_is_refused_whatever_the_number(ds: Ds, started: str, count: str) -> None:
    assert "R26" in ds.fails(1, "undo", count)


@pytest.mark.parametrize("count", ["1", f"{10**15}"])
def test_a_closed_game_takes_no_undo_whatever_the_number(ds: Ds, started: str, count: str) -> None:
    ds.ok("move", "D", "X")
    assert "R24" in ds.fails(1, "undo", count, "--game", started)


@pytest.mark.parametrize("count", ["0", "-1", "two", "1.5", ""])
def test_undo_takes_a_whole_number_from_1(ds: Ds, started: str, count: str) -> None:
    ds.ok("draw")
    assert "N" in ds.fails(2, "undo", "--", count)


def test_abandon_closes_a_game_at_its_score(ds: Ds, started: str) -> None:
    ds.ok("move", "T2T3")
    shown = ds.json("abandon")
    assert shown == {**shown_json(game("T2T3", "X"), started), "played": ["X"]}
    assert (shown["status"], shown["score"], shown["undoable"]) == ("abandoned", 5, 0)
    for refused in (["move", "D"], ["draw"], ["undo"], ["abandon"], ["move", "X"]):
        message = ds.fails(1, *refused, "--game", started)
        assert "R24" in message
        assert "abandoned" in message


def test_without_an_open_game_the_message_says_what_to_type(ds: Ds, started: str) -> None:
    ds.ok("abandon")
    for command in (["move", "D"], ["draw"], ["undo"], ["abandon"], ["tap", "S"]):
        message = ds.fails(1, *command)
        assert "mika has no open game" in message
        assert "`ds new`" in message


@pytest.mark.parametrize(("label", "score"), [("D1N", 1220), ("D1V", 416), ("D3N", 1220)])
def test_a_game_is_won_by_typing_it(ds: Ds, label: str, score: int) -> None:
    """Each of these checked games is cleared without a take-back (R21, R22)."""
    said = vector(label=f"APP-{label}", status="won")
    start = {"id": "0000000000001", "events": []}
    begun = dealt(mode=label, deck=said["deck"], label=said["label"], **start)
    ds.ok("import", "-", stdin=as_line(begun))
    moves = [event["move"] for event in said["events"]]
    shown = ds.json("move", "-", stdin=" ".join(moves))
    assert (shown["status"], shown["score"], shown["foundations"]) == ("won", score, [13] * 8)
    assert shown["played"] == moves
    assert {key: shown[key] for key in board_json(played(said))} == board_json(played(said))
    # R24: what is won is closed, and nothing is undoable.
    assert shown["undoable"] == 0
    assert "R24" in ds.fails(1, "undo", "--game", "0000000000001")


def test_moves_and_undos_past_the_limit(ds: Ds, started: str) -> None:
    """R26: of 250 operations, 200 can be taken back; after 50 undos and 10 more, 160."""
    # One round is 59 draws and one turning back.
    rounds = [*["D"] * 59, "R"] * 5
    assert ds.json("move", *rounds[:250])["undoable"] == 200
    assert ds.json("undo", "50")["undoable"] == 150
    assert ds.json("move", *["D"] * 9, "T2T3")["undoable"] == 160
    message = ds.fails(1, "undo", "161")
    for said in ("R26", "160", "161"):
        assert said in message
    assert ds.json("undo", "160")["undoable"] == 0
    assert "R26" in ds.fails(1, "undo")
