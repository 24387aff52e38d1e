"""The audit of a database against merely fetching its rows with the same driver.

Fetching is the physical limit: every audit has to read all rows, and then fold each game,
hash each event and compare. Both read the same tables of the same database, ours game by game
as it always does, the driver in one sweep. Between the two are the limits of `tests.bench.bare`,
which read game by game, play and hash. With more than one process the same is handed out;
processes are there before the time begins, as they are for most of a long audit. How much two
processes can do of what one can at all is told by those who only compute.
"""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from io import BytesIO
from typing import Any, Final

import psycopg

from ds_core import confirm, is_compiled
from ds_events.audit import audit_database
from ds_events.database import Database, open_database
from ds_events.lines import read_lines
from ds_events.store import EventStore
from ds_events.transfer import import_records
from ds_events.workers import processes, spread
from tests.bench.bare import COMPARED, INGREDIENTS, compared_audit, trusting_audit
from tests.bench.measure import OURS, Outcome, Work, race
from tests.bench.places import Places, postgres_places, sqlite_places
from tests.bench.recorded import RECORDED, lines

DRIVER: Final = "fetching alone"
ONE: Final = "1 job"
TWO: Final = "2 jobs"
ONE_COMPUTES: Final = "1 that only computes"
TWO_COMPUTE: Final = "2 that only compute"

TABLES: Final = ("players", "games", "summaries", "events")
AT_ONCE: Final = 2000
"""Rows that the driver hands out at once, so that memory stays the same."""

AGAIN: Final = 5
PIECE: Final = 250
"""How often those who only compute go through the games, and how many they take at once."""

AUDIT_TARGET: Final = 0.5 if is_compiled() else 0.33
JOBS_TARGET: Final = 1.7


def benches(quick: bool) -> Iterator[Outcome]:
    """Yield the outcome of each race on SQLite, then on Postgres."""
    games, rounds = (200, 2) if quick else (2400, 7)
    for engine, all_places in (("sqlite", sqlite_places), ("postgres", postgres_places)):
        with all_places() as places, ExitStack() as stack:
            database = _filled(places, games)
            stack.callback(database.close)
            workers = stack.enter_context(processes(2))
            # The first pieces start the processes.
            audit_database(database, workers)

            def ours(jobs: int, database: Database = database, workers: Any = workers) -> Work:
                def work() -> int:
                    report = audit_database(database, workers if jobs > 1 else None)
                    assert report.faults == []
                    return report.events

                return work

            fetching = _sqlite_fetches if database.is_sqlite else _postgres_fetches
            outcome = race(
                f"audit [{engine}]",
                {
                    OURS: lambda: ours(1),
                    DRIVER: lambda: lambda: fetching(database),  # noqa: B023
                    INGREDIENTS: trusting_audit(database),
                    COMPARED: compared_audit(database),
                },
                rounds,
                counted="events",
            )
            yield outcome.faster(OURS, DRIVER, AUDIT_TARGET).limited(INGREDIENTS, COMPARED)
            outcome = race(
                f"audit, processes [{engine}]",
                {
                    ONE: lambda: ours(1),
                    TWO: lambda: ours(2),
                    ONE_COMPUTES: lambda: lambda: _compute(games, None),
                    TWO_COMPUTE: lambda: lambda: _compute(games, workers),  # noqa: B023
                },
                rounds,
                counted="events",
            )
            limit = outcome.costs[ONE_COMPUTES] / outcome.costs[TWO_COMPUTE]
            outcome.faster(TWO, ONE, JOBS_TARGET, limit)
            yield outcome.faster(TWO_COMPUTE, ONE_COMPUTES)


def _filled(places: Places, games: int) -> Database:
    database = open_database(places().address)
    store = EventStore(database)
    for _ in range(games // 100):
        report = import_records(store, read_lines(BytesIO(b"".join(lines(100)))), "bench")
        assert report.added == 100, report.faults
    return database


def _compute(games: int, workers: Executor | None) -> int:
    """Hold recorded games against the rules, which asks nothing of a disk or of a server.

    There are so many that it takes about as long as an audit.
    """
    pieces = [range(first, first + PIECE) for first in range(0, games * AGAIN, PIECE)]
    return sum(spread(workers, _compared, pieces))


def _compared(numbers: range) -> int:
    """Compare as many games, and return how many events they have."""
    played = [RECORDED[number % len(RECORDED)] for number in numbers]
    for record in played:
        assert confirm(record.deal, record.claims)
    return sum(len(record.claims) for record in played)


def _sqlite_fetches(database: Database) -> int:
    with closing(sqlite3.connect(str(database))) as connection:
        return [_fetch(connection.execute(f"SELECT * FROM {name}")) for name in TABLES][-1]


def _postgres_fetches(database: Database) -> int:
    url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url) as connection:
        counted = 0
        for name in TABLES:
            with connection.cursor(name="fetching") as cursor:
                cursor.execute(f"SELECT * FROM {name}")
                counted = _fetch(cursor)
        return counted


def _fetch(cursor: Any) -> int:
    counted = 0
    while rows := cursor.fetchmany(AT_ONCE):
        counted += len(rows)
    return counted
