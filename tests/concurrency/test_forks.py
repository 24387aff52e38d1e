"""A program that forks with a database open: both processes go on, and neither harms the other."""

import subprocess
import sys
from pathlib import Path

from sqlalchemy import select

from ds_events.database import open_database
from ds_events.schema import players, summaries
from tests.cli.running import environment
from tests.concurrency.forking import ALONE, TOGETHER
from tests.events.building import audited, child


def test_a_child_that_cannot_lock_a_file_is_refused(tmp_path: Path) -> None:
    program = child(
        """
import os, sys
from ds_events.database import open_database
from ds_events.errors import DatabaseError
from ds_events.store import EventStore
from tests.concurrency.work import DEAL

database = open_database(sys.argv[1])
game_id = EventStore(database).create("mika", DEAL).id
with database.read() as connection:
    connection.exec_driver_sql("SELECT count(*) FROM games").fetchall()
    if not os.fork():
        for mine in (database, open_database(sys.argv[2])):
            try:
                EventStore(mine).create("noor", DEAL)
                os.write(1, b"created")
            except DatabaseError as error:
                os.write(1, f"{error}; ".encode())
        os._exit(0)
    os.wait()
print(" ", EventStore(database).append(game_id, ["D"], expected_version=0).version)
        """,
        str(tmp_path / "games.db"),
        str(tmp_path / "other.db"),
    )
    said, err = program.communicate(timeout=60)

    refused, _, then = said.partition("; ")
    assert (program.returncode, err) == (0, "")
    assert refused.startswith(
        f"{tmp_path / 'games.db'} was in use, or left open, when this process"
    )
    assert "nothing was changed" in said
    # Another file is another matter, and so is the parent.
    assert then.endswith("created  1\n")
    database = open_database(tmp_path / "games.db")
    with database.read() as connection:
        assert connection.scalars(select(players.c.name)).all() == ["mika"]
    database.close()


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
