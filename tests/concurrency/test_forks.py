"""A program that forks with a database open: both processes go on, and neither harms the other."""

import subprocess
import sys

from sqlalchemy import select

from ds_events.database import open_database
from ds_events.schema import players, summaries
from tests.cli.running import environment
from tests.concurrency.forking import ALONE, TOGETHER
from tests.events.building import audited


def test_both_processes_go_on_and_nothing_is_lost(url: str) -> None:
    program = [sys.executable, "-W", "error", "-m", "tests.concurrency.forking", url]
    ran = subprocess.run(
        program, capture_output=True, text=True, env=environment(), timeout=60, check=False
    )

    # What it wrote ends when the child has died as well.
    told = dict(line.split() for line in ran.stdout.splitlines())
    assert (ran.returncode, ran.stderr) == (0, "")
    assert told == {"parent": str(TOGETHER), "child": str(TOGETHER + ALONE)}
    database = open_database(url)
    kept = select(players.c.name, summaries.c.version).where(summaries.c.player_id == players.c.id)
    with database.read() as connection:
        there = {name: str(version) for name, version in connection.execute(kept)}
    assert there == told
    assert audited(database).faults == []
    database.close()
