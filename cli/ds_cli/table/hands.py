"""What a person means by keys: a pile is picked, a number of its cards, and a target."""

from ds_cli.table.layout import Spot
from ds_core import WASTE, View


def face_up(seen: View, pile: str) -> int:
    """Return how many cards of a pile can be picked: of a column those that lie face up."""
    if pile[0] == "T":
        return len(seen.columns[int(pile[1]) - 1].up)
    if pile == WASTE:
        return min(1, len(seen.waste))
    return min(1, seen.foundations[int(pile[1]) - 1]) if pile[0] == "F" else 0


def resized(seen: View, spot: Spot, by: int) -> Spot:
    """Return a pile with some cards more or less picked; never none and never a back."""
    return Spot(spot.pile, max(1, min(face_up(seen, spot.pile), spot.count + by)))


def fitting(seen: View, source: str, target: str) -> int:
    """Return how many cards of a pile fit on a column; 1 where no number does.

    At most one does: a run falls by rank, and what takes it takes one rank (R6, R11).
    """
    pair = source + target
    return next((move.count for move in seen.legal if move.text.split("x")[0] == pair), 1)
