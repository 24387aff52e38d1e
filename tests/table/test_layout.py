"""Where cards lie on the table: everything that is seen is there once, and can be pointed at."""

from collections import Counter
from dataclasses import fields

import pytest

from ds_cli.table.layout import Layout, Spot
from ds_core import ColumnView, View, fold, view
from tests.records import Position, positions

SIZES = [(80, 20), (80, 21), (100, 30), (132, 43), (200, 60)]


def _seen(position: Position) -> View:
    return view(fold(position.deal, position.moves))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("position", positions()[::3], ids=lambda p: p.name)
def test_every_card_that_is_seen_has_its_place(position: Position, size: tuple[int, int]) -> None:
    seen = _seen(position)
    layout = Layout(seen, *size)
    faces = Counter(card.face for card in layout.placed if card.face is not None)
    expected: Counter[int] = Counter(card for column in seen.columns for card in column.up)
    expected.update(seen.waste[-seen.mode.draw :])
    expected.update(i // 2 * 13 + height - 1 for i, height in enumerate(seen.foundations) if height)
    assert faces == expected
    for card in layout.placed:
        assert card.x >= 0
        assert card.x + layout.card_width <= size[0]
        assert card.y >= 0
        assert card.y + card.rows <= size[1]
        assert card.rows >= 1


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("position", positions()[::5], ids=lambda p: p.name)
def test_a_pointer_finds_what_lies_under_it(position: Position, size: tuple[int, int]) -> None:
    layout = Layout(_seen(position), *size)
    for card in layout.placed:
        assert layout.spot(card.x, card.y) == Spot(card.pile, card.count)
        if card.pile[0] == "T":
            assert layout.target(card.x, size[1] - 1) == card.pile
        elif card.pile[0] == "F":
            assert layout.target(card.x, card.y) == "F1"


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_longest_column_there_can_be(size: tuple[int, int]) -> None:
    """Eight cards face down and a run from the king to the ace on them, in every column."""
    longest = ColumnView(8, tuple(range(12, -1, -1)))
    start = _seen(positions()[0])
    seen = View(
        **{
            **{field.name: getattr(start, field.name) for field in fields(View)},
            "columns": (longest,) * 9,
        }
    )
    layout = Layout(seen, *size)
    for number in range(1, 10):
        column = [card for card in layout.placed if card.pile == f"T{number}"]
        assert [card.face for card in column if card.face is not None] == list(longest.up)
        assert len(column) == 13 + layout.down_rows[number - 1]
        assert max(card.y + card.rows for card in column) <= size[1]
        rows = [row for card in column for row in range(card.y, card.y + card.rows)]
        assert len(rows) == len(set(rows))


def test_no_card_between_the_piles() -> None:
    layout = Layout(_seen(positions()[0]), 80, 21)
    assert layout.spot(0, 0) is None
    assert layout.spot(5, 20) is None
    assert layout.target(0, 20) is None
