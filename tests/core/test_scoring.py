"""What operations are worth: R19 to R22."""

import pytest

from ds_core import SCORINGS, STANDARD, VEGAS, Game, parse_moves
from tests import records
from tests.core.building import ALL_MODES, run, start, waiting

# Columns, the card drawn first, what is played before, the operation, and what it adds under
# standard scoring and under Vegas.
WORTH = [
    ("a draw", {}, "", "", "D", 0, 0),
    ("waste to foundation", {}, "AS", "D", "WF", 10, 5),
    ("waste to column", {1: "9H"}, "8S", "D", "WT1", 5, 0),
    ("column to foundation", {1: "AS"}, "", "", "T1F", 10, 5),
    ("column to foundation, a card turned up", {2: "KS AS"}, "", "", "T2F", 15, 5),
    ("column to column", {1: "8S", 2: "9H"}, "", "", "T1T2", 0, 0),
    ("column to column, a card turned up", {1: "9H", 2: "KS 8S"}, "", "", "T2T1", 5, 0),
    ("a king to an empty column", {1: "AS", 2: "QH KS"}, "", "T1F", "T2T1", 5, 0),
    ("foundation to column", {1: "AS", 2: "2H"}, "", "T1F", "F1T2", 0, 0),
    ("the same card home again", {1: "AS", 2: "2H"}, "", "T1F F1T2", "T2F", 10, 5),
    ("abandoning", {1: "AS"}, "", "T1F", "X", 0, 0),
]


@pytest.mark.parametrize(
    ("columns", "drawn", "setup", "move", "points"),
    [case[1:6] for case in WORTH],
    ids=[case[0] for case in WORTH],
)
@pytest.mark.parametrize("mode", ["D1N", "D3N"])
def test_r19_what_each_operation_is_worth_under_standard_scoring(
    mode: str, columns: dict[int, str], drawn: str, setup: str, move: str, points: int
) -> None:
    game = start(mode, columns, waiting(mode, drawn) if drawn else "", setup)
    before = game.score

    run(game, move)

    assert game.score - before == points


@pytest.mark.parametrize(
    ("columns", "drawn", "setup", "move", "dollars"),
    [(*case[1:5], case[6]) for case in WORTH],
    ids=[case[0] for case in WORTH],
)
def test_r22_only_a_card_to_a_foundation_scores_under_vegas(
    columns: dict[int, str], drawn: str, setup: str, move: str, dollars: int
) -> None:
    game = start("D1V", columns, drawn, setup)
    before = game.score

    run(game, move)

    assert game.score - before == dollars


def test_r19_standard_starts_at_0() -> None:
    assert start("D1N").score == start("D3N").score == 0


def test_r14_taking_back_and_sending_home_again_scores_again() -> None:
    game = start(columns={1: "AS", 2: "2H"}, moves="T1F")
    assert game.score == 10

    run(game, "F1T2 T2F F1T2 T2F")

    assert game.score == 30


@pytest.mark.parametrize(
    ("homeward", "left"),
    [(0, 0), (5, 0), (9, 0), (10, 0), (11, 10), (13, 30)],
)
def test_r20_turning_back_costs_100_but_never_more_than_there_is(homeward: int, left: int) -> None:
    spades = " ".join(rank + "S" for rank in "A23456789TJQK")
    game = start(stock=spades, moves="D WF " * homeward + "D " * (59 - homeward))
    assert game.score == 10 * homeward

    run(game, "R")

    assert game.score == left


def test_r20_turning_back_at_0_is_an_operation_all_the_same() -> None:
    game = start(moves="D " * 59)

    run(game, "R")

    assert (game.score, game.moves, game.undoable, game.recycles) == (0, 60, 60, 1)


def test_r20_turning_back_again_costs_again() -> None:
    spades = " ".join(rank + "S" for rank in "A23456789TJQK")
    hearts = " ".join(rank + "H" for rank in "A23456789TJQK")
    game = start(stock=f"{spades} {hearts}", moves="D WF " * 26 + "D " * 33)
    assert game.score == 260

    run(game, "R " + "D " * 33)
    assert game.score == 160
    run(game, "R " + "D " * 33)
    assert game.score == 60
    run(game, "R")
    assert game.score == 0


def winning(mode: str) -> records.GameRecord:
    return next(
        record
        for record in records.games()
        if str(record.deal.mode) == mode and record.end.status == "won" and record.deal.label
    )


@pytest.mark.parametrize("mode", ["D1N", "D3N"])
def test_r21_a_cleared_game_without_detours_scores_exactly_1220(mode: str) -> None:
    record = winning(mode)
    game = Game(record.deal)
    for move in record.moves:
        game.play(move)

    texts = [move.text for move in record.moves]
    assert not [text for text in texts if text in "RU" or text[0] == "F"]
    assert not [text for text in texts if text.startswith("WT")]
    assert (game.status, game.score) == ("won", 104 * 10 + 36 * 5)


def test_r21_the_identity_holds_for_every_cleared_vector_without_take_backs() -> None:
    checked = 0
    for record in records.games():
        game = Game(record.deal)
        # What stands, as pairs of a move and the score before it.
        stands: list[tuple[str, int]] = []
        for move in record.moves:
            before = game.score
            game.play(move)
            if move.text == "U":
                stands.pop()
            else:
                stands.append((move.text, before))
        if game.status != "won" or game.deal.mode.scoring is VEGAS:
            continue
        if any(text[0] == "F" for text, _ in stands):
            continue
        waste_to_column = sum(text.startswith("WT") for text, _ in stands)
        turned_back = sum(min(100, before) for text, before in stands if text == "R")
        assert game.score == 1220 + 5 * waste_to_column - turned_back
        checked += 1
    assert checked >= 5


def test_r22_vegas_starts_at_minus_104() -> None:
    assert start("D1V").score == start("D3V").score == -104


@pytest.mark.parametrize(("home", "dollars"), [(1, -99), (20, -4), (21, 1), (39, 91)])
def test_r22_the_score_is_minus_104_and_5_for_each_card_home(home: int, dollars: int) -> None:
    stock = " ".join(rank + suit for suit in "SHD" for rank in "A23456789TJQK")

    game = start("D1V", stock=stock, moves="D WF " * home)

    assert (game.home, game.score) == (home, dollars)


@pytest.mark.parametrize("mode", ["D1V", "D3V"])
def test_r22_a_cleared_game_makes_416_dollars(mode: str) -> None:
    record = winning(mode)
    game = Game(record.deal)

    for move in record.moves:
        game.play(move)
        assert game.score == -104 + 5 * game.home

    assert (game.status, game.score) == ("won", 416)


def test_r22_a_take_back_loop_earns_more_than_the_cards_that_are_home() -> None:
    game = start("D1V", columns={1: "AS", 2: "2H"}, moves="T1F F1T2 T2F")

    assert (game.home, game.score) == (1, -94)


@pytest.mark.parametrize(
    ("score", "text"),
    [(-104, "-$104"), (-4, "-$4"), (0, "$0"), (1, "$1"), (416, "$416")],
)
def test_r22_vegas_is_shown_as_money(score: int, text: str) -> None:
    assert VEGAS.format(score) == text


@pytest.mark.parametrize(("score", "text"), [(0, "0"), (5, "5"), (1220, "1220")])
def test_standard_is_shown_as_points(score: int, text: str) -> None:
    assert STANDARD.format(score) == text


def test_both_scorings_are_found_by_name() -> None:
    assert {name: scoring.symbol for name, scoring in SCORINGS.items()} == {
        "standard": "N",
        "vegas": "V",
    }


@pytest.mark.parametrize("mode", ALL_MODES)
def test_r26_points_leave_with_the_operation_that_brought_them(mode: str) -> None:
    game = start(mode, columns={1: "AS", 2: "2H"})
    scores = [game.score]
    moves = parse_moves("T1F F1T2 T2F D")
    for move in moves:
        game.play(move)
        scores.append(game.score)

    for score in reversed(scores[:-1]):
        run(game, "U")
        assert game.score == score
