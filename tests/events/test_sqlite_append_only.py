"""SQLite: INSERT OR REPLACE, and programs that open the file without our settings."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from ds_events.database import Database, open_database
from ds_events.errors import DatabaseError
from ds_events.store import EventStore
from tests.events.building import FakeClock, audited, coded, contents


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Database]:
    """Give a file with two games, one of them with three events."""
    database = open_database(tmp_path / "games.db")
    store = EventStore(database, FakeClock())
    store.create("noor", coded())
    game = store.create("mika", coded())
    store.append(game.id, ["D", "T2T3", "U"], expected_version=0)
    yield database
    database.close()


@pytest.fixture
def foreign(record: Database) -> Iterator[sqlite3.Connection]:
    """Give a plain connection to the same file, as any other program would open."""
    with closing(sqlite3.connect(str(record))) as connection:
        yield connection


REPLACES = [
    "INSERT OR REPLACE INTO games SELECT * FROM games",
    "REPLACE INTO games SELECT id, 7, 'DS1-D1N-AAAAAAA', NULL, NULL, NULL, 0 FROM games",
    "INSERT OR REPLACE INTO events SELECT game_id, seq, move, 1000, at FROM events",
    "REPLACE INTO events SELECT * FROM events",
]


@pytest.mark.parametrize("statement", REPLACES)
def test_a_replace_on_our_connections_is_refused(record: Database, statement: str) -> None:
    before = contents(record)

    with pytest.raises(DatabaseError, match="append-only"), record.write() as connection:
        connection.execute(text(statement))

    assert contents(record) == before


@pytest.mark.parametrize(
    "statement",
    [
        *REPLACES[:2],
        "UPDATE games SET started_at = 0",
        "UPDATE events SET score = 1000",
        "UPDATE OR REPLACE events SET seq = 1",
        "DELETE FROM games",
        "DELETE FROM events",
    ],
)
def test_a_foreign_connection_is_refused_too(
    record: Database, foreign: sqlite3.Connection, statement: str
) -> None:
    before = contents(record)

    with pytest.raises(sqlite3.IntegrityError, match="append-only"), foreign:
        foreign.execute(statement)

    assert contents(record) == before
    assert audited(record).faults == []


def test_a_foreign_replace_of_an_event_is_found_by_the_audit(
    record: Database, foreign: sqlite3.Connection
) -> None:
    # Without recursive_triggers SQLite deletes the old row past the trigger; the score of
    # the replaced event is right, so only the chain can tell.
    with foreign:
        foreign.execute(
            "INSERT OR REPLACE INTO events "
            "SELECT game_id, seq, move, score, at + 1 FROM events WHERE seq = 2"
        )

    report = audited(record)

    assert [fault.finding.kind for fault in report.faults] == ["chain"]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO events SELECT game_id, 'four', move, score, at FROM events WHERE seq = 3",
        "INSERT INTO events SELECT game_id, 4, move, 'many', at FROM events WHERE seq = 3",
        "INSERT INTO events SELECT game_id, 4, move, score, 'now' FROM events WHERE seq = 3",
        "INSERT INTO events SELECT game_id, 4, NULL, score, at FROM events WHERE seq = 3",
        "INSERT INTO events SELECT game_id, 4, x'44', score, at FROM events WHERE seq = 3",
    ],
)
def test_the_file_keeps_to_the_types_of_its_columns(
    foreign: sqlite3.Connection, statement: str
) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=r"cannot store|NOT NULL"), foreign:
        foreign.execute(statement)

    assert foreign.execute("SELECT count(*) FROM events").fetchone() == (3,)
