"""What the races are counted with, on clocks and costs that are set by hand."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from tests.bench.measure import SECONDS, Contestant, Outcome, Ratio, race


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Give what lets time pass, which stands still otherwise."""
    passed = [0.0]
    monkeypatch.setattr("tests.bench.measure.time.perf_counter", lambda: passed[0])

    def wait(seconds: float) -> None:
        passed[0] += seconds

    return wait


def contestant(wait: Callable[[float], None], took: Iterator[float], units: int) -> Contestant:
    def ready() -> Callable[[], int]:
        wait(1000)

        def work() -> int:
            wait(next(took))
            return units

        return work

    return ready


def test_contestants_take_turns_in_an_order_that_changes() -> None:
    said: list[str] = []

    def talker(name: str) -> Contestant:
        def ready() -> Callable[[], int]:
            said.append(f"{name} is ready")

            def work() -> int:
                said.append(f"{name} works")
                return 1

            return work

        return ready

    race("talk", {name: talker(name) for name in "abc"}, 20)

    # One round more than is asked for: the first warms up.
    readied, worked = said[::2], said[1::2]
    rounds = [worked[start : start + 3] for start in range(0, 63, 3)]
    assert len(worked) == 63
    assert [each.split()[0] for each in readied] == [each.split()[0] for each in worked]
    assert {tuple(sorted(each)) for each in rounds} == {("a works", "b works", "c works")}
    # Each of them comes after each of the others at some time, also in the next round.
    assert len({(one, other) for one, other in pairwise(worked) if one != other}) == 6


def test_the_median_of_what_a_unit_took(clock: Callable[[float], None]) -> None:
    contestants = {
        "slow": contestant(clock, iter([99.0, 8.0, 100.0, 4.0]), 2),
        "fast": contestant(clock, iter([99.0, 1.0, 3.0, 2.0]), 4),
    }

    outcome = race("wait", contestants, 3, counted="waits")

    assert outcome == Outcome("wait", SECONDS, {"slow": 4.0, "fast": 0.5}, [], "waits")


def test_how_many_times_as_fast() -> None:
    outcome = Outcome("run", SECONDS, {"ours": 2.0, "theirs": 5.0})

    outcome.faster("ours", "theirs", 2.5).faster("theirs", "ours", 0.5).faster("ours", "theirs")

    assert outcome.ratios == [
        Ratio("run", "ours", "theirs", 2.5, 2.5),
        Ratio("run", "theirs", "ours", 0.4, 0.5),
        Ratio("run", "ours", "theirs", 2.5, None),
    ]
    assert [ratio.is_met for ratio in outcome.ratios] == [True, False, None]


def test_a_target_that_nobody_reaches() -> None:
    costs = {"ours": 2.0, "theirs": 5.0, "others": 9.0, "driver": 1.0, "driver and rules": 1.25}
    outcome = Outcome("run", SECONDS, costs)
    outcome.faster("ours", "theirs", 4.5).faster("ours", "others", 4.5).faster("ours", "theirs")

    outcome.limited("driver", "driver and rules")

    assert outcome.ratios == [
        Ratio("run", "ours", "theirs", 2.5, 4.5, limit=4.0),
        Ratio("run", "ours", "others", 4.5, 4.5, limit=7.2),
        Ratio("run", "ours", "theirs", 2.5, None),
        Ratio("run", "driver", "theirs", 5.0),
        Ratio("run", "driver", "others", 9.0),
        Ratio("run", "ours", "driver", 0.5),
        Ratio("run", "driver and rules", "theirs", 4.0),
        Ratio("run", "driver and rules", "others", 7.2),
        Ratio("run", "ours", "driver and rules", 0.625),
    ]
    assert [ratio.is_out_of_reach for ratio in outcome.ratios[:3]] == [True, False, False]


@pytest.mark.parametrize(("limit", "is_out_of_reach"), [(1.6, True), (1.7, False), (1.9, False)])
def test_a_limit_that_was_measured_elsewhere(limit: float, is_out_of_reach: bool) -> None:
    outcome = Outcome("audit", SECONDS, {"1 job": 3.0, "2 jobs": 2.0})

    [ratio] = outcome.faster("2 jobs", "1 job", 1.7, limit).ratios

    assert ratio.is_met is False
    assert ratio.is_out_of_reach is is_out_of_reach


def test_how_many_times_the_cost() -> None:
    outcome = Outcome("size", "bytes", {"ours": 30.0, "limit": 40.0})

    outcome.dearer("ours", "limit", 0.75).dearer("ours", "limit", 0.7).dearer("limit", "ours")

    assert outcome.ratios == [
        Ratio("size", "ours", "limit", 0.75, 0.75, at_most=True),
        Ratio("size", "ours", "limit", 0.75, 0.7, at_most=True),
        Ratio("size", "limit", "ours", 40 / 30, None, at_most=True),
    ]
    assert [ratio.is_met for ratio in outcome.ratios] == [True, False, None]
