"""The best and the worst stretch of a ledger, against all runs that there are."""

from random import Random

import pytest

from ds_events.stretch import Stretch, best_stretch, worst_stretch


def by_trying(scores: list[int], sign: int) -> Stretch | None:
    """Return the run of the greatest gain, or loss for -1, found among all of them.

    Of equal ones the one that ends first, then the shortest.
    """
    runs = [
        Stretch(first, last, sum(scores[first : last + 1]))
        for first in range(len(scores))
        for last in range(first, len(scores))
    ]
    worth = [run for run in runs if sign * run.change > 0]
    return min(worth, key=lambda run: (-sign * run.change, run.last, run.games), default=None)


@pytest.mark.parametrize("seed", range(300))
def test_it_is_the_best_of_all_runs(seed: int) -> None:
    chance = Random(seed)
    # Few values, so that there are many runs of the same gain, and games that change nothing.
    scores = [5 * chance.randint(-4, 4) for _ in range(chance.randint(0, 14))]
    assert best_stretch(scores) == by_trying(scores, 1)
    assert worst_stretch(scores) == by_trying(scores, -1)


def test_where_nothing_was_won_or_lost_there_is_none() -> None:
    assert best_stretch([]) is worst_stretch([]) is None
    assert best_stretch([-104, 0]) is None
    assert worst_stretch([416, 0]) is None


def test_a_run_goes_on_through_a_loss_that_it_outweighs() -> None:
    assert best_stretch([10, -4, 20]) == Stretch(0, 2, 26)
    assert best_stretch([10, -12, 20]) == Stretch(2, 2, 20)
    assert worst_stretch([-104, 416, -104, -104]) == Stretch(2, 3, -208)
