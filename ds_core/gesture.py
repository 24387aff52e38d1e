"""Taps, double taps and drags, each resolved to at most one move (R29-R32)."""

from typing import Final

from ds_core.card import CARD_RANK, KING
from ds_core.deal import COLUMNS
from ds_core.errors import NotationError
from ds_core.move import FOUNDATIONS, FT, LONGEST_RUN, TF, TT, WF, WT, D, Move, R
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


def drag(source: str, count: int, target: str) -> Move | None:
    """Return the move that dragging the last `count` cards of a pile to another makes (R32).

    A card dropped on any foundation goes to the one that takes it (R13). Whether the rules
    allow the move shows when it is played; `None` is what cannot even be asked for: onto the
    pile itself, onto the stock or the waste, from the stock, between foundations (R14), and
    more than one card to or from a foundation or from the waste. Raises `NotationError` for
    a text that is no pile.

    >>> drag("T3", 4, "T7"), drag("W", 1, "F1"), drag("T3", 2, "F1")
    (parse_move('T3T7x4'), parse_move('WF'), None)
    """
    for pile in (source, target):
        if pile not in PILES:
            raise NotationError(pile)
    if source[0] == "T" and target[0] == "T":
        is_run = source != target and 1 <= count <= LONGEST_RUN
        return TT[int(source[1]) - 1][int(target[1]) - 1][count - 1] if is_run else None
    if count != 1:
        return None
    if target[0] == "F":
        if source == WASTE:
            return WF
        return TF[int(source[1]) - 1] if source[0] == "T" else None
    if target[0] != "T":
        return None
    if source == WASTE:
        return WT[int(target[1]) - 1]
    return FT[int(source[1]) - 1][int(target[1]) - 1] if source[0] == "F" else None
