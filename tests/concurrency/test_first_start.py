"""Many processes that start on an empty database at once: all succeed, in one schema."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial

from ds_events.database import open_database
from ds_events.ids import format_id
from ds_events.schema import HEAD, games
from tests.cli.running import environment
from tests.concurrency.crowd import SIZE, Crowd
from tests.concurrency.work import start
from tests.crash import checks
from tests.crash.scenario import DS
from tests.events.building import audited

ROUNDS = 3


def test_all_who_start_at_once_share_one_schema(crowd: Crowd, new_url: Callable[[], str]) -> None:
    for _ in range(ROUNDS):
        url = new_url()

        versions = crowd.all_at_once(*[partial(start, url)] * SIZE)

        assert versions == [HEAD] * SIZE
        database = open_database(url)
        with database.read() as connection:
            kept = connection.exec_driver_sql("SELECT version_num FROM alembic_version").all()
        assert [tuple(row) for row in kept] == [(HEAD,)]
        report = audited(database)
        database.close()
        assert (report.games, report.faults) == (SIZE, [])


def test_commands_that_start_at_once_all_succeed(new_url: Callable[[], str]) -> None:
    url = new_url()
    racing = [
        subprocess.Popen(
            [*DS, "new", checks.CODE, "--json", "--db", url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(DS_PLAYER="mika"),
        )
        for _ in range(4)
    ]

    ended = [(*process.communicate(timeout=120), process.returncode) for process in racing]

    assert [status for *_, status in ended] == [0] * 4, [err for _, err, _ in ended]
    database = open_database(url)
    there = {format_id(row[0]) for row in checks.rows(database, games)["games"]}
    assert there == {json.loads(out)["id"] for out, *_ in ended}
    assert audited(database).faults == []
    database.close()


IN_THREADS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from ds_events.audit import audit_database
from ds_events.database import open_database

def start(url):
    database = open_database(url)
    print(len(audit_database(database).faults))
    database.close()

with ThreadPoolExecutor() as pool:
    list(pool.map(start, sys.argv[1:]))
"""


def test_threads_that_start_at_once_each_in_a_database_of_its_own(
    new_url: Callable[[], str],
) -> None:
    """In a process of their own, since it is as a crash of the interpreter that it can fail."""
    ran = subprocess.run(
        [sys.executable, "-c", IN_THREADS, *[new_url() for _ in range(6)]],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=120,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.split() == ["0"] * 6
