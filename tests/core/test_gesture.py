"""Taps, double taps and drags: R29 to R32."""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ds_core import MOVES, PILES, Game, NotationError, double_tap, drag, parse_move, tap, view
from tests import naive
from tests.core.building import (
    ALL_MODES,
    DULL,
    board,
    coded,
    refused,
    snapshot,
    start,
    texts,
    tops,
    walk,
)

COLUMN_PILES = [f"T{number}" for number in range(1, 10)]
FOUNDATION_PILES = [f"F{number}" for number in range(1, 9)]


Gesture: TypeAlias = Callable[[Game, str], str | None]


def tapped(game: Game, pile: str) -> str | None:
    move = tap(view(game), pile)
    return move.text if move else None


def double_tapped(game: Game, pile: str) -> str | None:
    move = double_tap(view(game), pile)
    return move.text if move else None


def test_there_are_19_piles() -> None:
    assert sorted(PILES) == sorted(["S", "W", *COLUMN_PILES, *FOUNDATION_PILES])


@pytest.mark.parametrize("pile", ["", "s", "T0", "T10", "F0", "F9", "T", "F", "W1", "T1 ", "X"])
def test_a_text_that_is_no_pile_is_refused(pile: str) -> None:
    seen = view(start())

    with pytest.raises(NotationError) as caught:
        tap(seen, pile)
    assert caught.value.text == pile
    with pytest.raises(NotationError):
        double_tap(seen, pile)


@pytest.mark.parametrize("gesture", [tapped, double_tapped])
@pytest.mark.parametrize(
    ("mode", "moves", "expected"),
    [
        ("D1N", "", "D"),
        ("D3N", "D " * 19, "D"),
        ("D1N", "D " * 59, "R"),
        ("D3N", "D " * 20, "R"),
        ("D1V", "D " * 58, "D"),
        ("D1V", "D " * 59, None),
        ("D3V", "D " * 20, None),
        ("D1N", "X", None),
    ],
)
def test_r29_a_tap_on_the_stock_draws_or_turns_back(
    mode: str, moves: str, expected: str | None, gesture: Gesture
) -> None:
    assert gesture(start(mode, moves=moves), "S") == expected


@pytest.mark.parametrize("gesture", [tapped, double_tapped])
def test_r29_with_nothing_left_to_draw_or_turn_back_it_does_nothing(gesture: Gesture) -> None:
    low = " ".join(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")
    game = start(stock=low + " AS 2S 3S 4S 5S 6S 7S", moves="D WF " * 59)

    assert gesture(game, "S") is None


def test_r30_a_tap_sends_a_card_home_if_a_foundation_takes_it() -> None:
    game = start(columns={1: "AS", 2: "2H"}, stock="AD", moves="D")

    assert tapped(game, "W") == "WF"
    assert tapped(game, "T1") == "T1F"


def test_r30_otherwise_a_tap_does_nothing_though_a_column_would_take_the_card() -> None:
    game = start(columns={1: "8S", 2: "9H"}, stock="8C", moves="D")

    assert {"T1T2", "WT2"} <= set(texts(game))
    assert tapped(game, "T1") is None
    assert tapped(game, "W") is None


def test_r30_tapping_anything_else_does_nothing() -> None:
    game = start(columns={1: "AS", 2: "2H"}, moves="T1F")
    assert "F1T2" in texts(game)

    assert {tapped(game, pile) for pile in FOUNDATION_PILES} == {None}
    assert {double_tapped(game, pile) for pile in FOUNDATION_PILES} == {None}
    assert tapped(game, "T1") is None  # empty
    assert double_tapped(game, "T1") is None
    assert tapped(game, "W") is None  # empty
    assert double_tapped(game, "W") is None


def test_r31_a_double_tap_sends_home_before_anything_else() -> None:
    game = start(columns={1: "AS", 2: "2H", 9: "2D"}, stock="AC", moves="D")

    assert {"T1T9", "WT9"} <= set(texts(game))
    assert double_tapped(game, "T1") == "T1F"
    assert double_tapped(game, "W") == "WF"


def test_r31_of_the_columns_that_take_a_card_it_goes_to_the_longest() -> None:
    columns = tops(DULL) | {1: "8S", 4: "9H", 7: "9D", 2: "9H"}
    game = start(columns=columns, stock="8C", moves="D")

    assert double_tapped(game, "T1") == "T1T7"
    assert double_tapped(game, "W") == "WT7"


def test_r31_face_down_cards_count_for_the_length() -> None:
    # Column 1 shows three cards, column 4 one on top of three face-down cards.
    columns = tops(DULL) | {1: "JH", 2: "TS", 3: "9D", 4: "9H"}
    game = start(columns=columns, stock="8S", moves="T2T1 T3T1 D")

    assert {"WT1", "WT4"} <= set(texts(game))
    assert double_tapped(game, "W") == "WT4"


def test_r31_the_leftmost_of_two_equal_columns_takes_it() -> None:
    columns = tops(DULL) | {2: "9C", 3: "TH", 4: "TD 9S", 5: "8H"}
    game = start(columns=columns, moves="T2T3")
    # Columns 3 and 4 are four cards long each, and both end in a black nine.
    assert [len(column) for column in game.columns[2:4]] == [4, 4]

    assert double_tapped(game, "T5") == "T5T3"


def test_r31_a_king_goes_to_the_leftmost_empty_column() -> None:
    columns = tops(DULL) | {1: "AC", 2: "2H AH", 5: "QS KH"}
    game = start(columns=columns, stock="KD", moves="D T2F T2F T1F")

    assert double_tapped(game, "T5") == "T5T1"
    assert double_tapped(game, "W") == "WT1"


def test_r31_a_king_goes_home_first_too() -> None:
    hearts = " ".join(rank + "H" for rank in "A23456789TJQK")
    game = start(columns={1: "AC"}, stock=hearts, moves="T1F " + "D WF " * 12 + "D")
    assert "WT1" in texts(game)

    assert double_tapped(game, "W") == "WF"


def test_r31_a_king_alone_in_its_column_stays() -> None:
    game = start(columns=tops(DULL) | {1: "KH", 2: "2H AH"}, moves="T2F T2F")
    assert "T1T2" in texts(game)

    assert double_tapped(game, "T1") is None


def test_r31_no_other_card_goes_to_an_empty_column() -> None:
    game = start(columns=tops(DULL) | {1: "AC"}, stock="QH", moves="T1F D")

    assert double_tapped(game, "T5") is None  # a black queen, which no top takes
    assert double_tapped(game, "W") == "WT4"  # of three black kings on the longest
    assert [text for text in texts(game) if text[-2:] == "T1"] == [
        "T2T1",
        "T3T1",
        "T4T1",
    ]


def test_r31_only_the_last_card_moves_never_a_run() -> None:
    columns = tops(DULL) | {1: "9H", 2: "8S", 3: "TC", 4: "TS"}
    game = start(columns=columns, moves="T2T1")
    assert {"T1T3x2", "T1T4x2"} <= set(texts(game))

    assert double_tapped(game, "T1") is None


def test_r31_a_card_may_leave_a_run_for_a_longer_column() -> None:
    columns = tops(DULL) | {1: "9H", 2: "8S", 7: "9D"}
    game = start(columns=columns, moves="T2T1")

    assert double_tapped(game, "T1") == "T1T7"


@pytest.mark.parametrize("mode", ALL_MODES)
@given(number=st.integers(0, 2**35 - 1), steps=st.integers(0, 150), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=30)
def test_r32_every_gesture_is_a_legal_move_or_nothing_chosen_as_the_rules_say(
    mode: str, number: int, steps: int, seed: int
) -> None:
    chance = Random(seed)
    game = Game(coded(mode, number))
    walk(game, steps, chance)
    model = naive.start(mode, ())._replace(board=board(game))

    for pile in PILES:
        assert tapped(game, pile) == naive.tap(model, pile)
        assert double_tapped(game, pile) == naive.double_tap(model, pile)
        assert {tapped(game, pile), double_tapped(game, pile)} <= {None, *texts(game)}


@pytest.mark.parametrize("pile", PILES)
def test_r24_no_gesture_does_anything_in_a_closed_game(pile: str) -> None:
    game = start(columns={1: "AS"}, stock="AH", moves="D X")

    assert tapped(game, pile) is None
    assert double_tapped(game, pile) is None


@pytest.mark.parametrize("pile", PILES)
def test_r32_a_gesture_only_says_which_move_is_meant(pile: str) -> None:
    game = start(columns={1: "AS", 2: "2H"}, stock="AC", moves="D")
    before = snapshot(game)

    moves = {tapped(game, pile), double_tapped(game, pile)}

    assert snapshot(game) == before
    assert moves <= {None, *texts(game)}


def test_r32_a_drop_that_no_rule_allows_changes_and_logs_nothing() -> None:
    game = start(columns={1: "9H", 2: "9D"})

    assert refused(game, "T1T2") == "R6"

    assert (game.seq, game.moves) == (0, 0)


def test_every_move_of_a_card_can_be_dragged() -> None:
    """R32: each has its source, its cards and its target, and no two have the same."""
    dragged: dict[str, set[tuple[str, int]]] = {}
    for source in PILES:
        for count in range(1, 14):
            for target in PILES:
                move = drag(source, count, target)
                if move is not None:
                    dragged.setdefault(move.text, set()).add((source, count))
    assert set(dragged) == set(MOVES) - {"D", "R", "U", "X"}
    assert all(len(ways) == 1 for ways in dragged.values())


@pytest.mark.parametrize(
    ("source", "count", "target", "text"),
    [
        ("T3", 4, "T7", "T3T7x4"),
        ("T3", 1, "T7", "T3T7"),
        ("T9", 1, "F8", "T9F"),
        ("W", 1, "F3", "WF"),
        ("W", 1, "T5", "WT5"),
        ("F2", 1, "T5", "F2T5"),
    ],
)
def test_a_drag_is_the_move_that_its_piles_name(
    source: str, count: int, target: str, text: str
) -> None:
    assert drag(source, count, target) == parse_move(text)


@pytest.mark.parametrize(
    ("source", "count", "target"),
    [
        ("T3", 1, "T3"),
        ("T3", 14, "T4"),
        ("T3", 0, "T4"),
        ("T3", 2, "F1"),
        ("T3", 1, "W"),
        ("T3", 1, "S"),
        ("S", 1, "T3"),
        ("S", 1, "W"),
        ("W", 2, "T3"),
        ("W", 1, "W"),
        ("W", 1, "S"),
        ("F1", 1, "F2"),
        ("F1", 2, "T3"),
        ("F1", 1, "F1"),
    ],
)
def test_what_is_no_move_cannot_be_dragged(source: str, count: int, target: str) -> None:
    """R14: not even between foundations."""
    assert drag(source, count, target) is None


@pytest.mark.parametrize(("source", "target"), [("T0", "T1"), ("T1", "F9"), ("", "T1")])
def test_a_drag_names_piles(source: str, target: str) -> None:
    with pytest.raises(NotationError):
        drag(source, 1, target)
