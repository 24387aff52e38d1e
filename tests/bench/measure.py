"""Races: the same work by several contestants in turn, and what their medians say.

Absolute times mean little on shared machines, so what is reported is a ratio: the contestants
take turns in one run, each as often as the others, and their medians are compared.
"""

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from statistics import median
from typing import Final, TypeAlias

Work: TypeAlias = Callable[[], int]
"""What is timed: it does some work and returns how many units of it were done."""

Contestant: TypeAlias = Callable[[], Work]
"""What makes the next round ready, which is not timed, and returns the work of it."""


class PeerMissing(Exception):
    """A peer to race against is not installed; its module raises this as it is loaded."""

    def __init__(self, error: ModuleNotFoundError) -> None:
        super().__init__(
            f"{error.name} is needed to race against: pip install 'double-solitaire-record[bench]'"
        )


@dataclass(frozen=True, slots=True)
class Ratio:
    """One comparison: `ratio` is how much faster than `against` `who` is (2: twice as fast).

    With `at_most` the numbers are costs, as sizes and start-up times are, and `ratio` is the
    cost of `who` over that of `against`. `target` is `None` where it is told for information.
    `limit` is the ratio of those who do no more than has to be done, where that was measured.
    """

    bench: str
    who: str
    against: str
    ratio: float
    target: float | None = None
    at_most: bool = False
    limit: float | None = None

    @property
    def is_out_of_reach(self) -> bool:
        """Whether the target is missed by those as well who do no more than has to be done."""
        return self.target is not None and self.limit is not None and self.limit < self.target

    @property
    def is_met(self) -> bool | None:
        """Whether the target is met, `None` without one."""
        if self.target is None:
            return None
        return self.ratio <= self.target if self.at_most else self.ratio >= self.target


@dataclass(slots=True)
class Outcome:
    """What a bench found: each contestant's median cost of a unit, and the comparisons.

    `counted` says what the units of work are where it is told how many of them are done in a
    second, such as `events`; the costs are seconds all the same.
    """

    bench: str
    unit: str
    costs: dict[str, float]
    ratios: list[Ratio] = field(default_factory=list)
    counted: str = ""

    def faster(
        self, who: str, against: str, target: float | None = None, limit: float | None = None
    ) -> "Outcome":
        """Add how many times as fast `who` is as `against`, at least `target` if there is one.

        `limit` is what was measured of those who do no more than has to be done.
        """
        ratio = self.costs[against] / self.costs[who]
        self.ratios.append(Ratio(self.bench, who, against, ratio, target, limit=limit))
        return self

    def limited(self, *limits: str) -> "Outcome":
        """Measure the targets so far against contestants who do no more than has to be done.

        Adds how many times as fast as the peers each of them is, and how near to it ours is.
        """
        aimed = [ratio for ratio in self.ratios if ratio.target is not None]
        for limit in limits:
            for ratio in aimed:
                self.faster(limit, ratio.against)
            self.faster(OURS, limit)
        for place, ratio in enumerate(self.ratios):
            if ratio in aimed:
                reached = min(self.costs[ratio.against] / self.costs[limit] for limit in limits)
                self.ratios[place] = replace(ratio, limit=reached)
        return self

    def dearer(self, who: str, against: str, target: float | None = None) -> "Outcome":
        """Add how many times the cost of `against` `who` costs, at most `target`."""
        ratio = self.costs[who] / self.costs[against]
        self.ratios.append(Ratio(self.bench, who, against, ratio, target, at_most=True))
        return self


OURS: Final = "ours"

SECONDS: Final = "s"
"""The unit of costs that were timed: seconds for each unit of work."""


def race(
    bench: str, contestants: Mapping[str, Contestant], rounds: int, *, counted: str = ""
) -> Outcome:
    """Let contestants work in turn for some rounds, after one that does not count.

    They are drawn anew for each round: nobody always comes after the same one, who may have
    left work to the disk.
    """
    costs: dict[str, list[float]] = {name: [] for name in contestants}
    names = list(contestants)
    order = Random(bench)
    for number in range(rounds + 1):
        order.shuffle(names)
        for name in names:
            work = contestants[name]()
            gc.collect()
            began = time.perf_counter()
            units = work()
            took = time.perf_counter() - began
            if number:
                costs[name].append(took / units)
    medians = {name: median(each) for name, each in costs.items()}
    return Outcome(bench, SECONDS, medians, counted=counted)
