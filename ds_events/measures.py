"""What is computed from numbers alone: shares, spreads, runs (docs/statistics.md)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from ds_events.times import Micros

_Z: Final = 1.959963984540054
"""How many standard deviations hold 95 % of a normal distribution, to either side."""


def interval(hits: int, tries: int) -> tuple[float, float] | None:
    """Return the Wilson score interval of a share, at 95 %; `None` without any try.

    >>> [round(bound, 4) for bound in interval(5, 12)]
    [0.1933, 0.6805]
    """
    if not tries:
        return None
    share, weight = hits / tries, _Z * _Z / tries
    centre = share + weight / 2
    reach = _Z * sqrt(share * (1 - share) / tries + weight / (4 * tries))
    low, high = (centre - reach) / (1 + weight), (centre + reach) / (1 + weight)
    # At the ends the bounds are 0 and 1 but for what rounding leaves.
    return low if hits else 0.0, high if hits < tries else 1.0


@dataclass(frozen=True, slots=True)
class Spread:
    """How numbers are spread, `None` without any: the highest, the mean and the quartiles."""

    best: int | None = None
    mean: float | None = None
    median: float | None = None
    q1: float | None = None
    q3: float | None = None


def spread(numbers: Iterable[int]) -> Spread:
    """Return how some numbers are spread.

    >>> spread([1, 2, 3, 10])
    Spread(best=10, mean=4.0, median=2.5, q1=1.75, q3=4.75)
    """
    ordered = sorted(numbers)
    if not ordered:
        return Spread()
    q1, median, q3 = (_quartile(ordered, quarters) for quarters in (1, 2, 3))
    return Spread(ordered[-1], sum(ordered) / len(ordered), median, q1, q3)


def _quartile(ordered: Sequence[int], quarters: int) -> float:
    place, between = divmod((len(ordered) - 1) * quarters, 4)
    below, above = ordered[place], ordered[min(place + 1, len(ordered) - 1)]
    return (below * (4 - between) + above * between) / 4


@dataclass(frozen=True, slots=True)
class Run:
    """Some games in a row, and the times of the first and the last, `None` for no games."""

    length: int = 0
    first: Micros | None = None
    last: Micros | None = None


def runs(games: Iterable[tuple[bool, Micros]]) -> tuple[Run, Run]:
    """Return the run that the last games are, and the first of the longest.

    Games are given in order, each by whether it carries a run on and its time.

    >>> current, longest = runs([(True, 1), (True, 2), (False, 3), (True, 4)])
    >>> current, longest
    (Run(length=1, first=4, last=4), Run(length=2, first=1, last=2))
    """
    longest = Run()
    length, first, last = 0, None, None
    for goes_on, at in games:
        if not goes_on:
            length, first, last = 0, None, None
            continue
        if not length:
            first = at
        length, last = length + 1, at
        if length > longest.length:
            longest = Run(length, first, last)
    return Run(length, first, last), longest
