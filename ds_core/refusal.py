"""What a refusal says: which rule a move breaks, on which cards, and what would do instead."""

from collections.abc import Sequence

from ds_core.card import CARD_SUIT, CARD_TEXT, TAKES, Card
from ds_core.errors import IllegalMove
from ds_core.move import Move


def refused_run(move: Move, face_up: int) -> IllegalMove:
    """Say that a column has no such run, but so many face-up cards (R7)."""
    have = f"{face_up} face-up card{'' if face_up == 1 else 's'}" if face_up else "no card"
    return IllegalMove(move.text, "R7", f"column {move.source + 1} has {have}, not {move.count}")


def refused_home(move: Move, card: Card, foundations: Sequence[int]) -> IllegalMove:
    """Say that neither foundation of a card's row takes it as they stand (R12)."""
    row = CARD_SUIT[card] * 2
    return IllegalMove(
        move.text,
        "R12",
        f"no foundation takes {CARD_TEXT[card]}: they are built from the ace up, and "
        f"F{row + 1} stands at {foundations[row]}, F{row + 2} at {foundations[row + 1]}",
        (CARD_TEXT[card],),
    )


def refused_column(move: Move, card: Card, target: Sequence[Card]) -> IllegalMove:
    """Say that a column does not take a card (R6), or not as its first (R11)."""
    if not target:
        return IllegalMove(
            move.text,
            "R11",
            f"only a king may go to the empty column {move.target + 1}, not {CARD_TEXT[card]}",
            (CARD_TEXT[card],),
        )
    top = CARD_TEXT[target[-1]]
    taken = " or ".join([CARD_TEXT[fitting] for fitting in TAKES[target[-1]]])
    return IllegalMove(
        move.text,
        "R6",
        f"{CARD_TEXT[card]} does not fit on the {top} of column {move.target + 1}, "
        f"which takes {taken or 'nothing'}",
        (CARD_TEXT[card], top),
    )
