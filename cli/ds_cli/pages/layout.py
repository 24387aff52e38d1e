"""Where cards lie on the table, in the units of `cards`.

Nine columns; at their right the foundations in four rows of two (R12), and under them stock and
waste, which in draw-3 fans downwards (R15).
"""

from math import floor
from typing import Final

from ds_cli.pages.cards import HEIGHT, WIDTH
from ds_core import ColumnView, Mode, View

MARGIN: Final = 14
_GAP: Final = 10
_SIDE: Final = MARGIN + 9 * (WIDTH + _GAP) + 24
_TALON: Final = 656
"""How far down stock and waste lie; their counts stand above them."""

TABLE_WIDTH: Final = _SIDE + 2 * WIDTH + _GAP + MARGIN
WASTE_STEP: Final = 46

PLACES: Final[dict[str, tuple[int, int]]] = {
    **{f"T{i + 1}": (MARGIN + i * (WIDTH + _GAP), MARGIN) for i in range(9)},
    **{
        f"F{i + 1}": (_SIDE + i % 2 * (WIDTH + _GAP), MARGIN + i // 2 * (HEIGHT + _GAP))
        for i in range(8)
    },
    "S": (_SIDE, _TALON),
    "W": (_SIDE + WIDTH + _GAP, _TALON),
}
"""The top left corner of each pile, named as for a tap: `S`, `W`, `T1` to `T9`, `F1` to `F8`."""

COUNTS: Final = {pile: (PLACES[pile][0] + WIDTH // 2, _TALON - 13) for pile in ("S", "W")}
"""Where the number of cards in stock and waste stands: the middle of its base line."""

_DOWN_STEP: Final = 24
_KNOWN_STEP: Final = 44
_UP_STEP: Final = 50
_LEAST_DOWN_STEP: Final = 8


def table_height(mode: Mode) -> int:
    """Return how high the table of a mode is: as high as its waste needs."""
    return _TALON + HEIGHT + (mode.draw - 1) * WASTE_STEP + MARGIN


def column_steps(mode: Mode, column: ColumnView, *, revealed: bool = False) -> tuple[float, float]:
    """Return how far a face-down and a face-up card of a column are moved from the one before.

    Face-down cards that are revealed leave room to be read. A column that would leave the
    table is pressed together, first its face-down cards.
    """
    down, up = column.down, len(column.up)
    room = table_height(mode) - 2 * MARGIN - HEIGHT
    below = max(up - 1, 0)
    wanted = _KNOWN_STEP if revealed else _DOWN_STEP
    if down * wanted + below * _UP_STEP <= room:
        return wanted, _UP_STEP
    down_step = max((room - below * _UP_STEP) / down, _LEAST_DOWN_STEP) if down else wanted
    up_step = min((room - down * down_step) / below, _UP_STEP) if below else _UP_STEP
    # Cut off and not rounded, so that the last card stays on the table.
    return floor(down_step * 100) / 100, floor(up_step * 100) / 100


def fanned(seen: View) -> int:
    """Return how many cards of the waste are spread out: in draw-3 the last three (R15)."""
    return min(seen.mode.draw, len(seen.waste))
