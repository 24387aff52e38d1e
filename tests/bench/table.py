"""How long a person at `ds play` waits for a key: until the screen shows what is recorded.

A real process on a pseudo-terminal, with an SQLite record that commits durably. Each key draws,
turns the waste back or undoes; what is timed ends when the new counters are on the screen.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final

from tests.bench.measure import SECONDS, Outcome
from tests.cli.interactive import PATIENCE, Watched

CODE: Final = "DS1-D1N-AAAABOR"
WITHIN: Final = 0.05
"""Seconds within which a key has to be answered, in the median."""


def benches(quick: bool) -> Iterator[Outcome]:
    """Yield what a key costs."""
    keys = 40 if quick else 200
    with tempfile.TemporaryDirectory(prefix="ds-bench-") as folder:
        times = _answered(Path(folder) / "games.db", keys)
    outcome = Outcome(
        "a key at the table [sqlite]", SECONDS, {"a key": median(times), "limit": WITHIN}
    )
    yield outcome.dearer("a key", "limit", 1)


def _answered(record: Path, keys: int) -> list[float]:
    """Return the seconds after which each of some keys was answered."""
    times = []
    with Watched("play", CODE, "--db", str(record)) as table:
        table.until_shown("score 0")
        for number in range(1, keys + 1):
            seen = len(table.raw)
            expected = f"moves {number} ".encode()
            began = time.perf_counter()
            table.press(" ")
            while expected not in table.raw[seen:]:
                if time.perf_counter() - began > PATIENCE:
                    raise AssertionError(f"key {number} was not answered")
                time.sleep(0.0005)
            times.append(time.perf_counter() - began)
        table.press("q")
        table.status()
    return times
