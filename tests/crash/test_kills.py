"""Processes killed at random moments: what was acknowledged is there, nothing by half."""

import pytest

from tests.crash.harness import SCENARIOS, Harness, Timing
from tests.crash.keeping import Starting
from tests.crash.places import Place
from tests.crash.playing import Appending, ImportingMore, Moving, Simulating
from tests.crash.scenario import Scenario

SEED = 20261130

KILLS: dict[type[Scenario], int] = {Appending: 22, Moving: 2, Starting: 2, Simulating: 2}
"""How many of each; of all others one. A long run has more."""

SHORT = [scenario for scenario in SCENARIOS if scenario is not ImportingMore]
"""The scenarios that take a second or two; a long run has the other as well."""


@pytest.fixture(scope="module")
def timings() -> dict[type[Scenario], Timing]:
    """How long the scenarios take, measured in the first place and taken over in the other."""
    return {}


@pytest.fixture(scope="module")
def harness(place: Place, timings: dict[type[Scenario], Timing]) -> Harness:
    return Harness(place, SEED, timings)


@pytest.mark.parametrize("scenario", SHORT, ids=lambda scenario: scenario.__name__)
def test_a_kill_at_any_moment_loses_nothing(harness: Harness, scenario: type[Scenario]) -> None:
    kills = KILLS.get(scenario, 1)

    tally = harness.run(kills, [scenario])

    assert tally.lost == []
    assert tally.kills[scenario.__name__] >= kills
    if scenario is Appending:
        assert tally.acknowledged > tally.kills.total()
        assert tally.inside[scenario.__name__] > 0
