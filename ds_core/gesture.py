"""Taps and double taps, each resolved to at most one legal move (R29-R32)."""

from typing import Final

from ds_core.card import CARD_RANK, KING
from ds_core.deal import COLUMNS
from ds_core.errors import NotationError
from ds_core.move import FOUNDATIONS, TF, TT, WF, WT, D, Move, R
from ds_core.view import View

STOCK: Final = "S"
WASTE: Final = "W"
PILES: Final = (
    STOCK,
    WASTE,
    *(f"T{column + 1}" for column in range(COLUMNS)),
    *(f"F{foundation + 1}" for foundation in range(FOUNDATIONS)),
)
"""What can be tapped: the stock, the waste, nine columns, eight foundations."""


def tap(view: View, pile: str) -> Move | None:
    """Return the move that a tap on a pile makes, or `None` where it does nothing (R29, R30).

    On the stock it draws or turns the waste back; on the last card of the waste or of a
    column it sends that card home. Raises `NotationError` for a text that is no pile.

    >>> tap(view(Game(deal_code(parse_code("DS1-D1N-AAAAAAB")))), "S")
    parse_move('D')
    """
    if pile not in PILES:
        raise NotationError(pile)
    if pile == STOCK:
        wanted = [D, R]
    elif pile == WASTE:
        wanted = [WF]
    elif pile[0] == "T":
        wanted = [TF[int(pile[1]) - 1]]
    else:
        wanted = []
    return next((move for move in wanted if move in view.legal), None)


def double_tap(view: View, pile: str) -> Move | None:
    """Return the move that a double tap on a pile makes, or `None` (R31).

    The last card goes home as with a tap; else onto the longest column that takes it, of
    equals the leftmost; a king to the leftmost empty column, unless it is alone in its
    own. Raises `NotationError` for a text that is no pile.

    >>> double_tap(view(Game(deal_code(parse_code("DS1-D1N-AAAAAAB")))), "T2")
    parse_move('T2T3')
    """
    home = tap(view, pile)
    if home is not None:
        return home
    if pile == WASTE:
        wanted = list(WT)
    elif pile[0] == "T":
        source = int(pile[1]) - 1
        column = view.columns[source]
        if len(column) == 1 and CARD_RANK[column.up[-1]] == KING:
            return None
        wanted = [runs[0] for runs in TT[source]]
    else:
        return None
    fitting = [move for move in wanted if move in view.legal]
    # max keeps the first of equals: the leftmost. Empty columns are all of length 0.
    return max(fitting, key=lambda move: len(view.columns[move.target]), default=None)
