"""What has gone wrong elsewhere, by number, as far as the command line is concerned.

The others stand where they belong: 10 with the refusals, 12 with the taps, 14 and 16 with
the reports, 15 with the database, 18 with new games, 19 with the environment, 20 with
imports, 21 with the processes.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ds_cli.main import main
from tests import naive
from tests.cli.games import (
    CODE,
    MODES,
    as_line,
    dealt,
    game,
    id_text,
    played,
    standing,
    vector,
    vectors,
    write,
)
from tests.cli.running import Ds, environment, process
from tests.records import golden_decks

UNCHANGED = ("score", "columns", "waste", "stock", "foundations", "undoable", "status")
"""What an undo brings back; the move counter and the log go on (R27, R28)."""


def test_1_there_is_no_move_between_foundations(ds: Ds) -> None:
    ds.ok("new", CODE)
    for move in ("F1F2", "F2F1", "F1F"):
        assert "R37" in ds.fails(2, "move", move)


@pytest.fixture(scope="module")
def mixed_record(tmp_path_factory: pytest.TempPathFactory, empty_record: Path) -> Path:
    """A record of checked positions in which moves of every kind are legal."""
    folder = tmp_path_factory.mktemp("cases")
    path = Path(shutil.copy(empty_record, folder / "games.db"))
    lines = write(folder / "games.jsonl", [standing(said, n) for n, said in MIXED])
    assert main(["import", lines, "--db", str(path)]) == 0
    return path


def _kinds(said: dict[str, Any]) -> set[str]:
    return {"".join(filter(str.isupper, move)) for move in said["legal"]}


def _mixed() -> list[tuple[int, dict[str, Any]]]:
    """Choose few positions that have all kinds of moves between them."""
    chosen: list[tuple[int, dict[str, Any]]] = []
    missing = {"D", "R", "WF", "WT", "TF", "TT", "FT"}
    for number, said in enumerate(vectors("positions"), 1):
        if _kinds(said) & missing:
            chosen.append((number, said))
            missing -= _kinds(said)
    assert missing <= {"R"}
    return chosen


MIXED = _mixed()


@pytest.mark.parametrize(("number", "said"), MIXED, ids=[str(n) for n, _ in MIXED])
def test_2_any_operation_and_its_undo_give_back_the_board(
    ds: Ds, mixed_record: Path, number: int, said: dict[str, Any]
) -> None:
    shutil.copy(mixed_record, ds.database)
    before = ds.json("show", "--game", id_text(number))
    for move in said["legal"]:
        after = ds.json("move", move, "U", "--game", id_text(number))
        wanted = before | {"undoable": min(before["undoable"], 199)}
        assert {key: after[key] for key in UNCHANGED} == {key: wanted[key] for key in UNCHANGED}
        assert after["moves"] == before["moves"] + 1
        before = after


def test_2_undo_of_turning_the_waste_back_at_the_score_floor(ds: Ds) -> None:
    """R20: it cost 5 points only, and so many come back."""
    ds.ok("new", CODE)
    ds.ok("move", "T2T3", *["D"] * 59)
    before = ds.json("show")
    assert before["score"] == 5
    assert ds.json("move", "R")["score"] == 0
    after = ds.json("undo")
    assert {key: after[key] for key in UNCHANGED} == {key: before[key] for key in UNCHANGED}


@pytest.mark.parametrize("mode", ["D1V", "D3V"])
def test_4_turning_back_under_vegas_is_refused_with_the_reason(ds: Ds, mode: str) -> None:
    ds.ok("new", f"DS1-{mode}-AAAAAAB")
    draws = ["D"] * (59 if mode == "D1V" else 20)
    ds.ok("move", *draws)
    message = ds.fails(1, "move", "R")
    assert "R17" in message
    assert "Vegas" in message
    assert ds.moves() == draws


def test_5_statistics_and_scores_keep_the_modes_apart(ds: Ds) -> None:
    said = [vector(label=f"APP-{mode}") for mode in MODES]
    ds.ok("import", "-", stdin="\n".join(map(as_line, said)))
    document = ds.json("stats", "--player", "vector")
    best = {mode: of["best_score"] for mode, of in document["modes"].items()}
    assert best == {"D1N": 1220, "D1V": 416, "D3N": 1220, "D3V": 416}
    # Points and dollars are never added up.
    assert not [key for key in document["total"] if "score" in key or "streak" in key]
    assert (document["total"]["staked"], document["total"]["net"]) == (208, 832)
    modes = [row["mode"] for row in ds.json("scores", "--player", "vector")["rows"]]
    assert sorted(modes) == sorted(MODES)


def test_6_draw_undo_draw_gives_the_same_cards_in_the_same_order(ds: Ds) -> None:
    ds.ok("new", "DS1-D3N-AAAAAAB")
    first = ds.json("draw")
    assert first["waste"] == golden_decks()["AAAAAAB"].split()[45:48]
    ds.ok("undo")
    assert ds.json("draw")["waste"] == first["waste"]


@pytest.mark.parametrize("left", [1, 2])
def test_7_a_draw_of_three_takes_what_is_left(ds: Ds, left: int) -> None:
    """R15: 59 cards are 19 draws of three and one of two; with one played, one of one."""
    moves = ["D"] * 19
    if left == 1:
        moves = _one_played_of_the_stock()
    ds.ok("import", "-", stdin=as_line(game(*moves, code="DS1-D3N-AAAAAAB", id=id_text(1))))
    before = ds.json("show", "--game", id_text(1))
    assert before["stock"] == left
    after = ds.json("draw", "--game", id_text(1))
    assert after["stock"] == 0
    assert len(after["waste"]) == len(before["waste"]) + left
    deck = ds.json("show", "--reveal", "--game", id_text(1))
    cards = [card for column in deck["columns"] for card in column["hidden"] + column["up"]]
    cards += deck["waste"] + deck["hidden_stock"]
    assert sorted(cards) == sorted(golden_decks()["AAAAAAB"].split())


def _one_played_of_the_stock() -> list[str]:
    """Return moves after which one card is left to draw: one of the stock went to a column.

    The first round draws all; the second one has 58 cards, 19 draws of three and one card.
    """
    said = game(code="DS1-D3N-AAAAAAB")
    position = played(said)
    moves: list[str] = []

    def play(move: str) -> None:
        nonlocal position
        position = naive.play(position, move)
        moves.append(move)

    while not any(move.startswith("WT") for move in naive.legal(position)):
        play("D")
    play(next(move for move in naive.legal(position) if move.startswith("WT")))
    while position.board.stock:
        play("D")
    play("R")
    while len(position.board.stock) > 1:
        play("D")
    return moves


def test_8_of_201_operations_of_mixed_kinds_200_can_be_taken_back(ds: Ds) -> None:
    said = next(game for game in vectors() if _operations(game) > 201 and _code(game))
    moves = [event["move"] for event in said["events"] if event["move"] not in "UX"]
    operations = _legal_prefix(said["code"], moves, 201)
    assert len({"".join(filter(str.isupper, move)) for move in operations}) >= 4
    ds.ok("import", "-", stdin=as_line(game(*operations, code=said["code"], id=id_text(1))))
    assert ds.json("show", "--game", id_text(1))["undoable"] == 200
    assert "R26" in ds.fails(1, "undo", "201", "--game", id_text(1))
    after = ds.json("undo", "200", "--game", id_text(1))
    assert after["undoable"] == 0
    assert after["score"] == ds.json("show", "--at", "1", "--game", id_text(1))["score"]
    message = ds.fails(1, "undo", "--game", id_text(1))
    assert "R26" in message
    assert "200" in message


def _operations(said: dict[str, Any]) -> int:
    return sum(event["move"] not in "UX" for event in said["events"])


def _code(said: dict[str, Any]) -> bool:
    return "code" in said


def _legal_prefix(code: str, moves: list[str], count: int) -> list[str]:
    """Return so many moves of a game, those left out that are illegal without its undos."""
    position = played(game(code=code))
    chosen: list[str] = []
    for move in moves:
        if len(chosen) < count and naive.refusal(position, move) is None:
            position = naive.play(position, move)
            chosen.append(move)
    while len(chosen) < count:
        move = "D" if position.board.stock else "R"
        position = naive.play(position, move)
        chosen.append(move)
    return chosen


def test_9_a_won_game_counts_once_and_stays_won(ds: Ds) -> None:
    said = vector(label="APP-D3N") | {"id": id_text(1)}
    ds.ok("import", "-", stdin=as_line(said))
    before = ds.json("stats", "--player", "vector")
    assert before["modes"]["D3N"]["won"] == 1
    for command in (["undo"], ["undo", "5"], ["move", "U"], ["draw"], ["abandon"]):
        assert "R24" in ds.fails(1, *command, "--game", id_text(1))
    assert ds.json("stats", "--player", "vector") == before


def test_11_the_audit_names_the_first_bad_event_and_why(ds: Ds, tmp_path: Path) -> None:
    """T9T3x2 would move a face-down card: column 9 has one face-up card."""
    said = game("D", "T9T3x2", "D", "D", id=id_text(3))
    ran = ds("audit", "--json", "--file", write(tmp_path / "solution.jsonl", [said]))
    (row,) = ran.json["faults"]
    assert (row["game"], row["line"], row["seq"], row["move"]) == (id_text(3), 1, 2, "T9T3x2")
    assert (row["kind"], row["expected"]) == ("illegal_move", "R7")
    assert "column 9" in row["message"]
    assert ran.json["unjudged"] == 2


def test_13_rates_stay_within_one_whatever_is_typed(ds: Ds) -> None:
    said = [vector(label=f"APP-{mode}") | {"player": "mika"} for mode in MODES]
    ds.ok("import", "-", stdin="\n".join(map(as_line, said)))
    ds.ok("import", "-", stdin="\n".join(map(as_line, said)))
    ds.ok("new", CODE)
    ds.ok("draw")
    document = ds.json("stats")
    assert [of["games"] for of in document["modes"].values()] == [2, 1, 1, 1]
    assert document["total"]["win_rate"] == 1.0
    ds.ok("abandon")
    assert ds.json("stats")["modes"]["D1N"]["win_rate"] == 0.5
    assert ds.json("stats")["total"]["win_rate"] == 0.8


@pytest.mark.parametrize("seed", ["0", "1", "4294967295"])
def test_17_a_code_deals_the_same_cards_with_any_hash_seed(seed: str) -> None:
    ran = process(
        "deal", "DS1-D1N-7777777", "--json", env=environment(PYTHONHASHSEED=seed, LC_ALL="C")
    )
    assert json.loads(ran.stdout)["deck"] == golden_decks()["7777777"]


def test_18_what_is_wrong_with_an_imported_deck_is_named(ds: Ds) -> None:
    cards = golden_decks()["AAAAAAA"].split()
    place = cards.index("7H")
    cards[place] = "9X"
    ran = ds("import", "-", stdin=as_line(dealt("D", cards=cards)))
    assert ran.status == 1
    assert "missing 7H" in ran.err
    assert f"'9X' at {place + 1}" in ran.err


def test_22_what_is_listed_is_what_the_log_says_after_every_command(ds: Ds) -> None:
    ds.ok("new", CODE)
    for command in (["draw"], ["move", "T2T3", "D"], ["undo", "2"], ["tap", "S"], ["abandon"]):
        shown = ds.json(*command)
        (row,) = ds.json("games")["rows"]
        for key in ("status", "score", "moves", "seq"):
            assert row[key] == shown[key]
        assert ds.json("audit")["faults"] == []
        assert ds.json("db", "rebuild")["rebuilt"] == 0
