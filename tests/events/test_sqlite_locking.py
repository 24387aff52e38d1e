"""SQLite: a lock that is held too long is a clear error, and a writer takes its lock at once."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest

from ds_events.database import Database, open_database
from ds_events.errors import Locked
from ds_events.record import StoredGame
from ds_events.store import EventStore
from tests.events.building import coded, contents


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[EventStore]:
    """Give a store that waits for a lock only for a moment."""
    database = open_database(tmp_path / "games.db", timeout=0.1)
    yield EventStore(database)
    database.close()


@pytest.fixture
def game(hasty: EventStore) -> StoredGame:
    return hasty.create("mika", coded())


@pytest.fixture
def other(hasty: EventStore) -> Iterator[sqlite3.Connection]:
    """Give another program's connection, on which transactions begin when told to."""
    path = str(hasty.database)
    with closing(
        sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    ) as connection:
        yield connection


def test_a_write_that_waits_too_long_says_who_is_in_the_way(
    hasty: EventStore, game: StoredGame, other: sqlite3.Connection
) -> None:
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()

    with pytest.raises(Locked, match=r"games\.db.*another process.*0\.1 seconds.*try again"):
        hasty.append(game.id, ["D"], expected_version=0)

    assert 0.05 < time.monotonic() - began < 5
    other.execute("ROLLBACK")
    assert hasty.append(game.id, ["D"], expected_version=0).version == 1


def test_reading_goes_on_while_another_writes(
    hasty: EventStore, game: StoredGame, other: sqlite3.Connection
) -> None:
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO players VALUES (1, 'noor')")

    assert hasty.load(game.id).version == 0
    assert len(contents(hasty.database)["players"]) == 1

    other.execute("COMMIT")
    assert len(contents(hasty.database)["players"]) == 2


def test_a_writer_has_its_lock_before_it_first_reads(
    hasty: EventStore, game: StoredGame, other: sqlite3.Connection
) -> None:
    other.execute("PRAGMA busy_timeout=0")

    with hasty.database.write(), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    with hasty.database.read():
        other.execute("BEGIN IMMEDIATE")

    assert other.in_transaction


def test_a_lock_that_is_given_up_in_time_is_waited_for(
    tmp_path: Path, game: StoredGame, other: sqlite3.Connection
) -> None:
    patient = Database(tmp_path / "games.db", timeout=20)
    other.execute("BEGIN IMMEDIATE")
    release = Timer(0.2, other.execute, ["ROLLBACK"])
    release.start()

    after = EventStore(patient).append(game.id, ["D"], expected_version=0)

    release.join()
    patient.close()
    assert after.version == 1


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_new_file_that_another_has_locked_is_waited_for(tmp_path: Path, lock: str) -> None:
    # Switching to WAL needs the file alone, and ignores the time-out of the driver.
    path = tmp_path / "new.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute(f"BEGIN {lock}")
        release = Timer(0.2, other.execute, ["ROLLBACK"])
        release.start()

        database = open_database(path, timeout=20)

        release.join()
        with database.read() as connection:
            mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
        database.close()
    assert mode == "wal"


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_new_file_that_stays_locked_is_a_clear_error(tmp_path: Path, lock: str) -> None:
    path = tmp_path / "new.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"BEGIN {lock}")

        with pytest.raises(Locked, match=r"new\.db.*another process"):
            open_database(path, timeout=0.05)
