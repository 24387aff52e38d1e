"""The crash harness: start processes, kill them at some moment, see whether anything is lost.

The moments are drawn from how long the work took before: some from the whole life of a
process, most from the time after it has first written, since little else can go wrong while
Python is still being loaded.
"""

import signal
import subprocess
import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from random import Random
from typing import Final

from ds_events.errors import StoreError
from tests.crash import checks
from tests.crash.keeping import BackingUp, Rebuilding, Sealing, Starting, Upgrading
from tests.crash.places import Place
from tests.crash.playing import Appending, Importing, ImportingMore, Moving, Simulating
from tests.crash.scenario import DS, Ended, Scenario, start

SCENARIOS: Final[tuple[type[Scenario], ...]] = (
    Appending,
    Moving,
    Importing,
    ImportingMore,
    Simulating,
    Upgrading,
    Starting,
    Rebuilding,
    BackingUp,
    Sealing,
)

_IN_TURN: Final = tuple(name for other in SCENARIOS[1:] for name in (Appending, other))
"""The order in a long run: what acknowledges most comes most often."""

_ENDLESS: Final = 0.6
"""Seconds after which a process that never ends is killed at the latest, once it writes."""

_PATIENCE: Final = 120.0
"""Seconds after which a process that should have ended hangs."""

_SECOND_KILL: Final = 0.15
"""How often the next process, which finds what the killed one left, is killed as well."""


@dataclass
class Tally:
    """What a crash run has seen."""

    kills: Counter[str] = field(default_factory=Counter)
    """By scenario."""

    inside: Counter[str] = field(default_factory=Counter)
    """Those of the kills that came after the first write."""

    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.kills + other.kills,
            self.inside + other.inside,
            self.acknowledged + other.acknowledged,
            self.lost + other.lost,
        )


@dataclass
class Timing:
    """How long a command takes to its first write and to its end, in seconds."""

    sign: float = 0.0
    end: float = 0.0

    def learn(self, sign: float | None, end: float | None) -> None:
        """Lean towards what was measured last: the machine may be busier than before."""
        if sign is not None:
            self.sign = sign if not self.sign else (self.sign + sign) / 2
        if end is not None:
            self.end = end if not self.end else (self.end + end) / 2
        self.end = max(self.end, self.sign + 0.05)


class Harness:
    """Crashes in one place; the same seed draws the same, though not the same moments.

    `timings` has how long each scenario takes; one that is not there yet is first run without
    a kill.
    """

    def __init__(
        self, place: Place, seed: int, timings: dict[type[Scenario], Timing] | None = None
    ) -> None:
        self.place = place
        self.tally = Tally()
        self._random = Random(seed)
        self._timings = {} if timings is None else timings
        self._current: dict[type[Scenario], tuple[Scenario, int]] = {}

    def run(self, kills: int, scenarios: Sequence[type[Scenario]] = _IN_TURN) -> Tally:
        """Kill so many processes, or somewhat more, the scenarios in turn."""
        names = {scenario.__name__ for scenario in scenarios}
        until = self._killed(names) + kills
        for scenario in cycle(scenarios):
            if self._killed(names) >= until:
                break
            self.crash(scenario)
        self._drop_all()
        return self.tally

    def crash(self, kind: type[Scenario]) -> None:
        """Run a scenario once, kill it, and see what is left."""
        scenario = self._scenario(kind)
        commands = scenario.begin()
        if kind not in self._timings:
            self._timings[kind] = Timing()
            ended = self._measure(scenario, commands)
        else:
            ended = self._kill(scenario, commands)
        self.place.settle(scenario.url)
        if kind is not Starting and self._random.random() < _SECOND_KILL:
            self._kill_the_next(scenario)
        lost = [
            f"it ended by itself with status {process.status}: {process.err}"
            for process in ended
            if process.status not in (0, -signal.SIGKILL)
        ]
        try:
            found = scenario.examine(ended)
            lost += found.lost
            self.tally.acknowledged += found.acknowledged
            lost += checks.sound(self.place, scenario.url)
            lost += checks.goes_on(scenario.url)
        except StoreError as error:
            lost.append(f"{type(error).__name__}: {error}")
        self.tally.lost += [f"{kind.__name__} on {scenario.url}: {what}" for what in lost]
        self._put_back(scenario, keep=bool(lost))

    def _killed(self, names: Collection[str]) -> int:
        return sum(self.tally.kills[name] for name in names)

    def _scenario(self, kind: type[Scenario]) -> Scenario:
        if kind not in self._current:
            self._current[kind] = kind(self.place, self._random), kind.uses
        return self._current[kind][0]

    def _put_back(self, scenario: Scenario, *, keep: bool) -> None:
        """Keep a database for further crashes, or for whoever looks into what was lost."""
        kind = type(scenario)
        left = self._current[kind][1] - 1
        if left and not keep:
            self._current[kind] = scenario, left
            return
        del self._current[kind]
        if not keep:
            self.place.settle(scenario.url)
            self.place.drop(scenario.url)

    def _drop_all(self) -> None:
        for scenario, _ in self._current.values():
            self.place.settle(scenario.url)
            self.place.drop(scenario.url)
        self._current.clear()

    def _measure(self, scenario: Scenario, commands: list[Sequence[str]]) -> list[Ended]:
        """Let a scenario come to its end, and learn how long it takes."""
        began = time.monotonic()
        before = scenario.activity()
        running = [start(command) for command in commands]
        self._wait_for_sign(scenario, running, before)
        sign = time.monotonic() - began
        if scenario.endless:
            self._timings[type(scenario)].learn(sign, sign + _ENDLESS)
            time.sleep(_ENDLESS)
            return self._kill_all(scenario, running, inside=True)
        ended = [_end(process) for process in running]
        self._timings[type(scenario)].learn(sign, time.monotonic() - began)
        return ended

    def _kill(self, scenario: Scenario, commands: list[Sequence[str]]) -> list[Ended]:
        """Kill a scenario at a moment drawn from how long it has taken before."""
        timing = self._timings[type(scenario)]
        began = time.monotonic()
        before = scenario.activity()
        running = [start(command) for command in commands]
        if self._random.random() < 0.2:
            moment = self._random.uniform(0, timing.end)
            self._sleep(running, began + moment)
        else:
            self._wait_for_sign(scenario, running, before)
            sign = time.monotonic()
            timing.learn(sign - began, None)
            self._sleep(running, sign + self._random.uniform(0, timing.end - timing.sign))
        inside = scenario.activity() != before
        if all(process.poll() is not None for process in running):
            timing.learn(None, time.monotonic() - began)
        return self._kill_all(scenario, running, inside=inside)

    def _kill_the_next(self, scenario: Scenario) -> None:
        """Kill a process that only reads, while it recovers what the killed one left."""
        before = scenario.activity()
        running = [start([*DS, "games", "--everyone", "--db", scenario.url])]
        self._wait_for_sign(scenario, running, before)
        self._sleep(running, time.monotonic() + self._random.uniform(0, 0.1))
        running[0].kill()
        self.tally.kills["Reading"] += _end(running[0]).status == -signal.SIGKILL
        self.place.settle(scenario.url)

    def _kill_all(
        self, scenario: Scenario, running: list["subprocess.Popen[str]"], *, inside: bool
    ) -> list[Ended]:
        """Kill processes one after the other, so that some are there when others die."""
        order = list(running)
        self._random.shuffle(order)
        for process in order:
            process.kill()
            if process is not order[-1]:
                time.sleep(self._random.uniform(0, 0.05))
        ended = [_end(process) for process in running]
        killed = sum(process.status == -signal.SIGKILL for process in ended)
        self.tally.kills[type(scenario).__name__] += killed
        self.tally.inside[type(scenario).__name__] += killed if inside else 0
        return ended

    def _wait_for_sign(
        self, scenario: Scenario, running: list["subprocess.Popen[str]"], before: object
    ) -> None:
        """Wait until something has been written, or all processes are gone."""
        deadline = time.monotonic() + _PATIENCE
        while scenario.activity() == before:
            if all(process.poll() is not None for process in running):
                return
            if time.monotonic() > deadline:
                raise TimeoutError(f"{running[0].args!r} hangs")
            time.sleep(0.001)

    def _sleep(self, running: list["subprocess.Popen[str]"], until: float) -> None:
        """Sleep until a moment, or until all processes are gone."""
        while (left := until - time.monotonic()) > 0:
            if all(process.poll() is not None for process in running):
                return
            time.sleep(min(left, 0.005))


def _end(process: "subprocess.Popen[str]") -> Ended:
    said, err = process.communicate(timeout=_PATIENCE)
    return Ended(said, err, process.returncode)
