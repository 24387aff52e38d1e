"""How cards and piles are drawn: with symbols where the output can show them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ds_cli.output import Span, can_write
from ds_core import RANKS, Card, View

SYMBOLS: Final = "♠♥♦♣"
"""The suits in the order of R12."""

_BACK: Final = "░░"
_MORE: Final = "⋮×"

CELL: Final = 6
"""Characters a column takes; the nine of them fit 80."""

LEAST_ROWS: Final = 4
"""Rows in which any column can be drawn: its face-down cards, first card, middle, last card."""

Cell = list[Span]


def card_name(card: Card, suits: str = SYMBOLS) -> str:
    """Return a card as people write it.

    >>> card_name(22), card_name(22, "SHDC")
    ('10♥', '10H')
    """
    return RANKS[card % 13].replace("T", "10") + suits[card // 13]


class Drawing:
    """How cards are drawn: with suit symbols where the output can show them."""

    def __init__(self) -> None:
        symbols = can_write(SYMBOLS + _BACK)
        self.suits = SYMBOLS if symbols else "SHDC"
        self.back = _BACK if symbols else "##"
        self.more, self.times = _MORE if can_write(_MORE) else ":x"

    def name(self, card: Card) -> str:
        """Return a card in two characters."""
        return RANKS[card % 13] + self.suits[card // 13]

    def card(self, card: Card) -> Span:
        """Return a face-up card, two characters, in its colour."""
        return self.name(card), "bold red" if card // 13 in (1, 2) else "bold"


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked on a board: the last `count` cards of a pile, and a card turned up.

    Piles are named as in `ds_events.replay.Moved`.
    """

    pile: str = ""
    count: int = 0
    turned_up: str | None = None

    def style(self, pile: str, depth: int = 1) -> str:
        """Return the style of a pile's card, counted from its last, which is 1."""
        if pile == self.pile and depth <= self.count:
            return " reverse"
        return " underline" if pile == self.turned_up and depth == 1 else ""


def column_rows(
    seen: View, drawing: Drawing, marks: Marks, height: int | None = None
) -> Iterator[list[Cell]]:
    """Yield the rows of the nine columns, from the bottom cards to the top ones.

    With a height, no column has more rows: of one that is longer, the face-down cards become
    one row with their number, and if that is not enough, so does the middle of its face-up
    cards. Its first and last face-up card always stay. The least height is `LEAST_ROWS`.
    """
    columns = [_column(seen, drawing, marks, number, height) for number in range(len(seen.columns))]
    for depth in range(max(map(len, columns))):
        yield [cells[depth] if depth < len(cells) else [(" " * CELL, "dim")] for cells in columns]


def _column(
    seen: View, drawing: Drawing, marks: Marks, number: int, height: int | None
) -> list[Cell]:
    column = seen.columns[number]
    if not len(column):
        return [[("  --  ", "dim")]]
    down = _face_down(seen, drawing, number)
    up = _face_up(column.up, drawing, marks, f"T{number + 1}")
    if height is None or len(down) + len(up) <= height:
        return down + up
    if len(down) > 1:
        down = [_folded_down(seen, drawing, len(down))]
    room = height - len(down)
    return down + (up if len(up) <= room else _folded_up(up, drawing, room))


def _face_down(seen: View, drawing: Drawing, number: int) -> list[Cell]:
    if seen.hidden is None:
        return [[(f"  {drawing.back}  ", "dim")]] * seen.columns[number].down
    return [[(f" ({drawing.name(card)}) ", "dim")] for card in seen.hidden.columns[number]]


def _face_up(cards: Sequence[Card], drawing: Drawing, marks: Marks, pile: str) -> list[Cell]:
    cells = []
    for place, card in enumerate(cards):
        text, style = drawing.card(card)
        style += marks.style(pile, len(cards) - place)
        cells.append([("  ", ""), (text, style), ("  ", "")])
    return cells


def _folded_down(seen: View, drawing: Drawing, count: int) -> Cell:
    """Face-down cards in one row; where they are revealed, in the brackets that say so."""
    number = f"{drawing.times}{count}"
    text = f"  {drawing.back}{number}" if seen.hidden is None else f" ({number})"
    return [(f"{text:{CELL}}", "dim")]


def _folded_up(cells: list[Cell], drawing: Drawing, room: int) -> list[Cell]:
    """Face-up cards in so many rows, of which one stands for the middle ones."""
    first = max(1, (room - 1) // 2)
    last = max(1, room - 1 - first)
    middle = cells[first:-last]
    marked = any("reverse" in cell[1][1] for cell in middle)
    fold = f"{drawing.more}{drawing.times}{len(middle)}"
    row = [("  ", ""), (fold, "dim reverse" if marked else "dim"), (" " * (4 - len(fold)), "")]
    return [*cells[:first], row, *cells[-last:]]
