"""What a database is and holds, and a consistent copy of it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ds_events.database import Database, open_database
from ds_events.errors import UnreadableFile
from ds_events.schema import HEAD
from ds_events.store import EventStore
from ds_events.upkeep import backup, describe
from tests.events.building import FakeClock, audited, coded, contents, exported
from tests.events.conftest import NewUrl


def test_a_database_is_described_with_what_it_holds(store: EventStore) -> None:
    for name in ("mika", "noor", "mika"):
        game = store.create(name, coded())
        store.append(game.id, ["D", "D"], expected_version=0)

    told = describe(store.database)

    assert (told.players, told.games, told.events) == (2, 3, 6)
    assert told.schema == told.schema_needed == HEAD
    assert told.database == str(store.database)
    assert told.size > 4096


def test_an_empty_database_is_described_too(new_url: NewUrl) -> None:
    database = Database(new_url())

    told = describe(database)
    database.close()

    assert (told.schema, told.schema_needed) == (None, HEAD)
    assert not any((told.players, told.games, told.events))


def test_a_database_of_another_schema_is_described_without_counts(store: EventStore) -> None:
    store.create("mika", coded())
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")

    told = describe(store.database)

    assert told.schema == "9999"
    assert (told.players, told.games, told.events) == (None, None, None)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[EventStore]:
    """Give a store on an SQLite file with a game in it."""
    store = EventStore(open_database(tmp_path / "games.db"), FakeClock())
    game = store.create("mika", coded())
    store.append(game.id, ["D", "T2T3"], expected_version=0)
    yield store
    store.database.close()


def test_on_sqlite_the_settings_are_those_that_make_it_durable(played: EventStore) -> None:
    told = describe(played.database)

    assert told.engine == f"SQLite {sqlite3.sqlite_version}"
    assert told.settings == {"journal_mode": "wal", "synchronous": "FULL"}


def test_a_copy_holds_what_has_been_committed_and_is_a_database_of_its_own(
    played: EventStore, tmp_path: Path
) -> None:
    copy = tmp_path / "copy" / "games copy.db"
    copy.parent.mkdir()
    other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)

    with closing(other):
        # Another program is in the middle of a change, which is not to be copied.
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO players VALUES (1, 'noor')")
        backup(played.database, copy)
        other.execute("ROLLBACK")

    assert [path.name for path in copy.parent.iterdir()] == ["games copy.db"]
    again = open_database(copy)
    assert contents(again) == contents(played.database)
    assert exported(again) == exported(played.database)
    assert audited(again).faults == []
    game = EventStore(again).create("noor", coded())
    assert len(contents(played.database)["games"]) == 1
    assert game.version == 0
    again.close()


def test_a_copy_never_replaces_a_file(played: EventStore, tmp_path: Path) -> None:
    target = tmp_path / "there"
    target.write_bytes(b"mine")

    with pytest.raises(UnreadableFile, match="exists already"):
        backup(played.database, target)

    played.database.close()
    assert target.read_bytes() == b"mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.db", "there"]


def test_a_file_that_came_to_be_in_the_meantime_is_not_replaced(
    played: EventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "there"
    target.write_bytes(b"mine")
    monkeypatch.setattr(Path, "exists", lambda _: False)

    with pytest.raises(UnreadableFile, match="exists already"):
        backup(played.database, target)

    monkeypatch.undo()
    played.database.close()
    assert target.read_bytes() == b"mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.db", "there"]


def test_a_copy_into_a_folder_that_is_not_there_is_refused(
    played: EventStore, tmp_path: Path
) -> None:
    with pytest.raises(UnreadableFile, match="cannot be written"):
        backup(played.database, tmp_path / "missing" / "copy.db")

    played.database.close()
    assert [path.name for path in tmp_path.iterdir()] == ["games.db"]
