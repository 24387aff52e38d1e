"""Where cards lie on the table, in character cells: nine columns, and a panel beside them.

The panel has the stock, the waste and the foundations, these in four rows of two (R12). All
positions count from the upper left corner of the table.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ds_core import STOCK, WASTE, Card, ColumnView, View

LEAST_WIDTH: Final = 80
LEAST_HEIGHT: Final = 20
"""What the table needs: on 80×24 there is room for it, with a line above and three below."""

COLUMNS: Final = 9

_WIDTHS: Final = (6, 10)
_HEIGHTS: Final = (3, 5)
"""The least and the most characters that a card takes where nothing lies on it."""

_FAN: Final = 4
"""How much of a card of the waste the one on top of it leaves in sight: its name."""

COLUMNS_AT: Final = 1
"""The row in which columns begin, below their numbers."""


@dataclass(frozen=True, slots=True)
class Spot:
    """What lies somewhere: a pile, and how many of its last cards from there on, 0 for none."""

    pile: str
    count: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A card, or an empty place, on the table: its upper left corner, and its rows in sight.

    `face` is the card, or `None` face down; `count` is how many cards of the pile begin with
    it, 0 for an empty place. A card of which the whole is in sight is `whole`.
    """

    pile: str
    count: int
    face: Card | None
    x: int
    y: int
    rows: int
    whole: bool


class Layout:
    """The places of everything that is seen, on a table of some size.

    Cards are as large as the size allows. Where columns are too long for it, their face-down
    cards take fewer rows than they are; `down_rows` has what is left for those of each.
    """

    def __init__(self, seen: View, width: int, height: int) -> None:
        self.seen = seen
        self.width, self.height = width, height
        self.pitch = _within(_WIDTHS, (width - 2) // 11 - 1) + 1
        self.card_width = self.pitch - 1
        self.card_height = _within(_HEIGHTS, (height - 3) // 6)
        self._left = max(0, (width - 11 * self.pitch - 1) // 2)
        self.panel = self._left + COLUMNS * self.pitch + 1
        self.waste_at = self.card_height
        self.foundations_at = 2 * self.card_height + 2
        self.down_rows = [self._down_rows(column) for column in seen.columns]
        self.placed = [*self._columns(), *self._stock(), *self._waste(), *self._foundations()]

    def column_x(self, column: int) -> int:
        """Return where a column stands, counted from 0."""
        return self._left + column * self.pitch

    def spot(self, x: int, y: int) -> Spot | None:
        """Return what a pointer is on, `None` between the piles."""
        for card in reversed(self.placed):
            if card.x <= x < card.x + self.card_width and card.y <= y < card.y + card.rows:
                return Spot(card.pile, card.count)
        return None

    def target(self, x: int, y: int) -> str | None:
        """Return the pile on which something is dropped: more than the cards themselves.

        A column is all that is below its number, the foundations are all around them.
        """
        if x >= self.panel - 1:
            return "F1" if y >= self.foundations_at - 1 else None
        column = (x - self._left) // self.pitch
        return f"T{column + 1}" if 0 <= column < COLUMNS else None

    def place(self, pile: str, count: int = 1) -> Placed:
        """Return where the card lies with which the last `count` cards of a pile begin.

        Where there are fewer, it is the last there is.
        """
        of_pile = [card for card in self.placed if card.pile == pile]
        return next((card for card in of_pile if card.count == count), of_pile[-1])

    def _down_rows(self, column: ColumnView) -> int:
        """How many rows there are for the face-down cards of a column, one each at most."""
        return min(column.down, self.height - COLUMNS_AT - max(1, len(column.up)))

    def _columns(self) -> Iterator[Placed]:
        step = 2 if all(self._has_room(column, 2) for column in self.seen.columns) else 1
        for i, column in enumerate(self.seen.columns):
            yield from self._column(i, column, step)

    def _has_room(self, column: ColumnView, step: int) -> bool:
        covered = column.down + step * max(0, len(column.up) - 1)
        return COLUMNS_AT + covered + self.card_height <= self.height

    def _column(self, number: int, column: ColumnView, step: int) -> Iterator[Placed]:
        pile, x = f"T{number + 1}", self.column_x(number)
        size, hidden = len(column), column.down - self.down_rows[number]
        if not size:
            yield Placed(pile, 0, None, x, COLUMNS_AT, self.card_height, True)
        y = COLUMNS_AT
        for i in range(hidden, size):
            is_last, is_up = i == size - 1, i >= column.down
            # The last card has what is left below it, up to a whole card.
            rows = min(self.card_height, self.height - y) if is_last else step if is_up else 1
            face = column.up[i - column.down] if is_up else None
            yield Placed(pile, size - i, face, x, y, rows, is_last)
            y += rows

    def _stock(self) -> Iterator[Placed]:
        count = min(1, self.seen.stock)
        yield Placed(STOCK, count, None, self.panel, 0, self.card_height, True)

    def _waste(self) -> Iterator[Placed]:
        fanned = self.seen.waste[-self.seen.mode.draw :]
        if not fanned:
            yield Placed(WASTE, 0, None, self.panel, self.waste_at, self.card_height, True)
        for i, card in enumerate(fanned):
            x, count = self.panel + i * _FAN, len(fanned) - i
            yield Placed(WASTE, count, card, x, self.waste_at, self.card_height, count == 1)

    def _foundations(self) -> Iterator[Placed]:
        for i, height in enumerate(self.seen.foundations):
            x = self.panel + i % 2 * self.pitch
            y = self.foundations_at + i // 2 * self.card_height
            face = i // 2 * 13 + height - 1 if height else None
            yield Placed(f"F{i + 1}", min(1, height), face, x, y, self.card_height, True)


def _within(bounds: tuple[int, int], number: int) -> int:
    least, most = bounds
    return max(least, min(most, number))
