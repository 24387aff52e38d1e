"""Others who open the record and close it again: they take nothing with them."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ds_events.database import open_database
from tests.cli.running import environment
from tests.crash import checks
from tests.crash.appending import parse_told
from tests.crash.places import Place
from tests.crash.scenario import DS
from tests.crash.templates import READY

SEED = 11


def _wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_what_is_acknowledged_stays_whoever_comes_and_goes(place: Place, tmp_path: Path) -> None:
    url = place.new(READY)
    said = tmp_path / "said"
    program = [sys.executable, "-m", "tests.crash.appending", url, str(SEED)]
    with said.open("wb") as writing:
        playing = subprocess.Popen(program, stdout=writing, env=environment())
    # By its second game a program has opened all the connections that it needs.
    _wait_until(lambda: "\n1 " in said.read_text())
    for _ in range(2):
        games = [*DS, "games", "--everyone", "--db", url]
        subprocess.run(games, check=True, capture_output=True, env=environment(), timeout=60)
    when_they_had_gone = said.stat().st_size
    _wait_until(lambda: said.stat().st_size > when_they_had_gone + 1000)
    playing.kill()
    playing.wait()
    place.settle(url)

    told = parse_told(said.read_text())
    assert told.error is None
    database = open_database(url)
    assert checks.appended(database, SEED, told) == []
    database.close()
    assert checks.sound(place, url) == []
    assert checks.goes_on(url) == []
    place.drop(url)
