"""Move notation: R37."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ds_core import MOVES, Move, NotationError, parse_move, parse_moves
from ds_core.move import (
    ABANDON,
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    DRAW,
    FOUNDATION_TO_COLUMN,
    TURN_BACK,
    UNDO,
    WASTE_TO_COLUMN,
    WASTE_TO_FOUNDATION,
)
from tests.naive import NOTATION


def test_r37_there_are_1031_moves() -> None:
    # D R WF U X, nine WT, nine TF, 9 x 8 column pairs of 1 to 13 cards, 8 x 9 FT.
    assert len(MOVES) == 5 + 9 + 9 + 9 * 8 * 13 + 8 * 9 == 1031
    assert set(MOVES) == set(NOTATION)


def test_r37_every_move_reads_back_from_its_text() -> None:
    for text in NOTATION:
        move = parse_move(text)
        assert (str(move), move.text) == (text, text)
        assert parse_moves(text) == [move]


@pytest.mark.parametrize(
    ("text", "kind", "source", "target", "count"),
    [
        ("D", DRAW, 0, 0, 1),
        ("R", TURN_BACK, 0, 0, 1),
        ("WF", WASTE_TO_FOUNDATION, 0, 0, 1),
        ("WT5", WASTE_TO_COLUMN, 0, 4, 1),
        ("T3F", COLUMN_TO_FOUNDATION, 2, 0, 1),
        ("T3T7", COLUMN_TO_COLUMN, 2, 6, 1),
        ("T3T7x4", COLUMN_TO_COLUMN, 2, 6, 4),
        ("T9T1x13", COLUMN_TO_COLUMN, 8, 0, 13),
        ("F2T5", FOUNDATION_TO_COLUMN, 1, 4, 1),
        ("F8T9", FOUNDATION_TO_COLUMN, 7, 8, 1),
        ("U", UNDO, 0, 0, 1),
        ("X", ABANDON, 0, 0, 1),
    ],
)
def test_r37_what_each_notation_means(
    text: str, kind: int, source: int, target: int, count: int
) -> None:
    move = parse_move(text)

    assert (move.kind, move.source, move.target, move.count) == (kind, source, target, count)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "d",
        "wf",
        "t3f",
        "T3T7X4",
        "D ",
        " D",
        "D\n",
        "DD",
        "W",
        "T",
        "F",
        "F1",
        "T1",
        "T1F1",
        "WF1",
        "W1",
        "WT",
        "WT0",
        "WT10",
        "TF",
        "T0F",
        "T10F",
        "T3T3",
        "T3T3x2",
        "T3T7x0",
        "T3T7x1",
        "T3T7x01",
        "T3T7x02",
        "T3T7x14",
        "T3T7x",
        "T3T7 x4",
        "T3T7x-2",
        "T3T7x4.0",
        "T0T1",
        "T1T0",
        "F0T1",
        "F9T1",
        "F1T0",
        "F1F2",
        "F1W",
        "FT1",
        "T1W",
        "ST1",
        "UU",
        "O-O",
        "Ｄ",
        "T３F",
        "T١F",
        "T3T7×4",
        "\ufeffD",
        "D\u200b",
    ],
)
def test_r37_anything_else_is_no_move(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text)

    assert caught.value.text == text
    assert caught.value.rule == "R37"
    assert repr(text) in str(caught.value)


@given(st.text(alphabet="DRUXWFTx0123456789 \n", max_size=8) | st.text(max_size=8))
@settings(deadline=None)
def test_r37_only_the_1031_texts_are_read(text: str) -> None:
    if text in NOTATION:
        assert parse_move(text).text == text
    else:
        with pytest.raises(NotationError):
            parse_move(text)


@given(st.lists(st.sampled_from(sorted(NOTATION))), st.sampled_from([" ", "\n", "\r\n", "\t \t"]))
@settings(deadline=None)
def test_r37_white_space_separates_moves_and_is_part_of_none(words: list[str], gap: str) -> None:
    moves = parse_moves(gap + gap.join(words) + gap)

    assert [move.text for move in moves] == words


@pytest.mark.parametrize("text", ["D d", "D,D", "D;U", "D T3T3 T0F"])
def test_r37_the_first_text_that_is_no_move_is_named(text: str) -> None:
    first = next(word for word in text.split() if word not in NOTATION)

    with pytest.raises(NotationError) as caught:
        parse_moves(text)

    assert caught.value.text == first


@pytest.mark.parametrize("text", sorted(NOTATION)[::37])
def test_a_move_is_the_same_object_wherever_it_comes_from(text: str) -> None:
    move = MOVES[text]

    assert parse_move("".join(text)) is move
    assert copy.copy(move) is move
    assert copy.deepcopy(move) is move
    assert pickle.loads(pickle.dumps(move)) is move
    assert eval(repr(move), {"parse_move": parse_move}) is move


def test_moves_differ_where_their_texts_do() -> None:
    assert len(set(MOVES.values())) == len(MOVES)
    assert all(isinstance(move, Move) for move in MOVES.values())
