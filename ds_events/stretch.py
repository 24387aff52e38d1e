"""The best and the worst stretch of a ledger."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of consecutive games: its first and last, counted from 0, and what it changed."""

    first: int
    last: int
    change: int

    @property
    def games(self) -> int:
        """How many games it holds."""
        return self.last - self.first + 1


def best_stretch(scores: Sequence[int]) -> Stretch | None:
    """Return the run of consecutive games that won the most, `None` where no game won anything.

    Of runs that won as much, the one that ends first, and of these the shortest.

    >>> best_stretch([-104, 36, -4, 416, -104])
    Stretch(first=1, last=3, change=448)
    """
    best: Stretch | None = None
    start = change = 0
    for place, score in enumerate(scores):
        # What has not won anything so far only takes away from what follows.
        if change <= 0:
            start, change = place, 0
        change += score
        if change > (0 if best is None else best.change):
            best = Stretch(start, place, change)
    return best


def worst_stretch(scores: Sequence[int]) -> Stretch | None:
    """Return the run of consecutive games that lost the most, `None` where no game lost anything.

    >>> worst_stretch([-104, 36, -4, 416, -104])
    Stretch(first=0, last=0, change=-104)
    """
    found = best_stretch([-score for score in scores])
    return None if found is None else Stretch(found.first, found.last, -found.change)
