"""Undo and the move counter: R26, R27, R28."""

import pytest

from ds_core import IllegalMove, parse_move
from tests.core.building import ALL_MODES, refused, run, start, table, texts, waiting

SPADES = " ".join(rank + "S" for rank in "A23456789TJQK")

# One of each kind of operation: columns, the card drawn first, what is played before, itself.
OPERATIONS = {
    "draw": ({}, "", "", "D"),
    "draw onto a waste": ({}, "", "D", "D"),
    "the twentieth draw": ({}, "", "D " * 19, "D"),
    "waste to foundation": ({}, "AS", "D", "WF"),
    "waste to the second foundation": ({1: "AS"}, "AS", "T1F D", "WF"),
    "waste to column": ({1: "9H"}, "8S", "D", "WT1"),
    "king from the waste": ({1: "AS"}, "KH", "T1F D", "WT1"),
    "column to foundation": ({1: "AS"}, "", "", "T1F"),
    "column to foundation, a card turned up": ({2: "KS AS"}, "", "", "T2F"),
    "column to the second foundation": ({1: "AS", 2: "9S AS"}, "", "T1F", "T2F"),
    "column to column": ({1: "8S", 2: "9H"}, "", "", "T1T2"),
    "column to column, a card turned up": ({1: "9H", 2: "9S 8S"}, "", "", "T2T1"),
    "a run": ({1: "9H", 2: "8S", 3: "7D", 4: "9D"}, "", "T2T1 T3T1", "T1T4x2"),
    "a run, a card turned up": ({2: "5S 8S", 3: "7D", 4: "9D"}, "", "T3T2", "T2T4x2"),
    "part of a run": ({1: "9H", 2: "8S", 3: "7D", 4: "8C"}, "", "T2T1 T3T1", "T1T4"),
    "a king's column": ({1: "AS", 2: "4D KH", 3: "QS"}, "", "T1F T3T2", "T2T1x2"),
    "foundation to column": ({1: "AS", 2: "2H"}, "", "T1F", "F1T2"),
    "second foundation to column": ({1: "AS", 2: "2H", 3: "AS"}, "", "T1F T3F", "F2T2"),
}


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_r26_undo_gives_back_the_board_and_the_score_exactly(name: str, mode: str) -> None:
    columns, drawn, setup, move = OPERATIONS[name]
    game = start(mode, columns, waiting(mode, drawn) if drawn else "", setup)
    before, could = table(game), texts(game)

    run(game, move)
    assert table(game) != before
    run(game, "U")

    assert table(game) == before
    assert texts(game) == could


@pytest.mark.parametrize(
    ("mode", "setup", "score"),
    [
        ("D1N", "", 0),
        ("D1N", "D WF " * 4, 40),
        ("D1N", "D WF " * 10, 100),
        ("D1N", "D WF " * 13, 130),
        ("D3N", "", 0),
        ("D3N", "T1F", 10),
    ],
)
def test_r26_undo_of_turning_back_gives_back_what_it_really_cost(
    mode: str, setup: str, score: int
) -> None:
    game = start(mode, {1: "AH"}, SPADES, setup)
    while game.stock:
        run(game, "D")
    before = table(game)
    assert game.score == score

    run(game, "R")
    assert (game.score, game.recycles) == (max(score - 100, 0), 1)
    run(game, "U")

    assert table(game) == before


def test_r26_operations_are_taken_back_latest_first() -> None:
    game = start(columns={1: "AS", 2: "KS AH"})
    boards = [table(game)]
    for move in ("T1F", "D", "T2F", "D"):
        run(game, move)
        boards.append(table(game))

    for board in reversed(boards[:-1]):
        run(game, "U")
        assert table(game) == board

    assert refused(game, "U") == "R26"


def test_r26_undo_after_undo_takes_back_the_one_before() -> None:
    game = start(columns={1: "AS"}, moves="D D U T1F U U")

    assert table(game) == table(start(columns={1: "AS"}))
    assert (game.moves, game.undos) == (3, 3)


def test_r26_a_fresh_game_has_nothing_to_undo() -> None:
    game = start()

    assert game.undoable == 0
    assert refused(game, "U") == "R26"


def shuttle(count: int) -> str:
    """Return a number of operations that all can be played on an ace and a red two."""
    return " ".join((["F1T2", "T2F"] * count)[:count])


@pytest.mark.parametrize(
    ("operations", "undoable"), [(1, 1), (199, 199), (200, 200), (201, 200), (250, 200)]
)
def test_r26_at_most_the_latest_200_can_be_taken_back(operations: int, undoable: int) -> None:
    game = start(columns={1: "AS", 2: "2H"}, moves="T1F " + shuttle(operations - 1))
    assert game.undoable == undoable

    run(game, "U " * undoable)

    assert game.undoable == 0
    assert refused(game, "U") == "R26"
    left = ("T1F " + shuttle(249)).split()[: operations - undoable]
    assert table(game) == table(start(columns={1: "AS", 2: "2H"}, moves=" ".join(left)))


def test_r26_after_250_operations_50_undos_and_10_more_160_are_left() -> None:
    game = start(columns={1: "AS", 2: "2H"}, moves="T1F " + shuttle(249))
    assert game.undoable == 200

    run(game, "U " * 50)
    assert game.undoable == 150
    run(game, "D " * 10)

    assert game.undoable == 160
    run(game, "U " * 160)
    assert refused(game, "U") == "R26"


def test_r26_the_refusal_says_why_nothing_can_be_taken_back() -> None:
    fresh = start()
    with pytest.raises(IllegalMove, match="no operation stands"):
        fresh.play(parse_move("U"))
    far = start(columns={1: "AS", 2: "2H"}, moves="T1F " + shuttle(200) + " U" * 200)
    with pytest.raises(IllegalMove, match="latest 200"):
        far.play(parse_move("U"))


def test_r26_there_is_no_redo() -> None:
    game = start(columns={1: "AS"}, moves="T1F U")

    assert refused(game, "UU") == "R37"
    assert refused(game, "U") == "R26"
    assert "T1F" in texts(game)


def test_r27_undo_does_not_lower_the_move_counter() -> None:
    game = start(columns={1: "AS"}, moves="T1F D D")
    assert game.moves == 3

    run(game, "U U U")

    assert game.moves == 3
    run(game, "D")
    assert game.moves == 4


@pytest.mark.parametrize(
    ("mode", "setup", "move", "counted"),
    [
        ("D1N", "", "D", 1),
        ("D3N", "", "D", 1),  # three cards are one
        ("D3N", "D " * 19, "D", 1),
        ("D3N", "D " * 20, "R", 1),
        ("D1N", "", "T1F", 1),
        ("D1N", "T1F", "F1T2", 1),
        ("D1N", "T1F F1T2", "T2T3x2", 1),  # a run is one
        ("D1N", "D", "WT4", 1),
        ("D1N", "T1F", "U", 0),
        ("D1N", "T1F", "X", 0),
    ],
)
def test_r27_the_counter_counts_accepted_operations(
    mode: str, setup: str, move: str, counted: int
) -> None:
    game = start(mode, {1: "AS", 2: "2H", 3: "3C", 4: "9H"}, "8S", setup)
    before = game.moves

    run(game, move)

    assert game.moves - before == counted


def test_r27_a_refused_move_is_not_counted() -> None:
    game = start(columns={1: "9H"})

    assert refused(game, "T1F") == "R12"

    assert (game.moves, game.seq) == (0, 0)


def test_r28_undo_is_an_event_like_any_other() -> None:
    game = start(moves="D D")
    assert game.seq == 2

    run(game, "U")
    assert (game.seq, game.undos) == (3, 1)
    run(game, "U D")

    assert (game.seq, game.moves, game.undos) == (5, 3, 2)


def test_r28_every_event_has_its_number() -> None:
    game = start(columns={1: "AS"})
    for seq, move in enumerate(["D", "T1F", "U", "D", "U", "U", "X"], 1):
        run(game, move)
        assert game.seq == seq
