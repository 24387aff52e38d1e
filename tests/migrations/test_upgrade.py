"""Migrations: a database that they make is the one that the program expects."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import main as alembic
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select, text

from ds_events import migrate
from ds_events.database import Database, open_database
from ds_events.errors import SchemaBehind
from ds_events.schema import HEAD, SQLITE_ONLY, TRIGGERS, metadata, summaries
from ds_events.store import EventStore
from tests.events.building import audited, coded, contents, take_in, url_of
from tests.events.conftest import NewUrl
from tests.events.many_games import some_games
from tests.events.older import make_older

CATALOG = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
    "postgresql": (
        "SELECT tgname, tgenabled FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
        "WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace ORDER BY tgname"
    ),
}


VERSIONS = [
    script.revision
    for script in reversed([*ScriptDirectory.from_config(migrate.config()).walk_revisions()])
]


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a copy of the migrations in a folder with an awkward name, which is then used."""
    folder = tmp_path / "100% of it, %(here)s" / "migrations"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(migrate.scripts_folder(), folder, ignore=ignored)
    monkeypatch.setattr(migrate, "scripts_folder", lambda: folder)
    return folder


def _triggers(database: Database) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        found = connection.execute(text(CATALOG[connection.dialect.name]))
        return [tuple(row) for row in found]


def _tables(database: Database) -> set[str]:
    with database.read() as connection:
        return set(inspect(connection).get_table_names())


def test_the_newest_migration_is_the_version_that_the_program_needs() -> None:
    assert migrate.head() == HEAD


def test_the_migrations_are_one_line_that_begins_with_nothing() -> None:
    scripts = ScriptDirectory.from_config(migrate.config())

    before = [scripts.get_revision(version).down_revision for version in VERSIONS]

    assert sorted(VERSIONS) == VERSIONS
    assert before == [None, *VERSIONS[:-1]]


def test_a_migrated_database_is_what_the_tables_say(database: Database) -> None:
    with database.read() as connection:
        there = {
            str(key["name"])
            for table in metadata.tables
            for key in inspect(connection).get_foreign_keys(table)
        }
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        missing = [(change, item.name) for change, item in compare_metadata(context, metadata)]
    keys = {
        str(key.name) for table in metadata.tables.values() for key in table.foreign_key_constraints
    }
    left_out = set() if database.is_sqlite else set(SQLITE_ONLY)
    assert there == keys - left_out
    assert missing == [("add_fk", name) for name in left_out]


def test_all_guards_are_there_after_the_upgrade(database: Database) -> None:
    names = [name for name, _ in _triggers(database)]

    assert names == sorted(TRIGGERS[database.engine.dialect.name])


def test_an_upgrade_tells_which_version_there_was(new_url: NewUrl) -> None:
    database = Database(new_url())

    assert database.upgrade() is None
    assert database.upgrade() == HEAD
    database.close()


def test_a_second_upgrade_changes_nothing(database: Database) -> None:
    store = EventStore(database)
    game = store.create("mika", coded())
    store.append(game.id, ["D"], expected_version=0)
    before = contents(database), _triggers(database), _tables(database)

    database.upgrade()

    assert (contents(database), _triggers(database), _tables(database)) == before


def test_migrations_work_from_a_folder_with_an_awkward_name(copied: Path, new_url: NewUrl) -> None:
    assert migrate.head() == HEAD

    database = open_database(new_url())

    EventStore(database).create("mika", coded())
    assert audited(database).faults == []
    database.close()


@pytest.mark.parametrize("number", range(len(VERSIONS)))
def test_an_upgrade_that_fails_leaves_nothing_behind(
    copied: Path, new_url: NewUrl, number: int
) -> None:
    url = new_url()
    script = sorted((copied / "versions").glob("*.py"))[number]
    right = script.read_text("utf-8")
    broken = "\n\n_made = upgrade\n\n\ndef upgrade():\n    _made()\n    1 / 0\n"
    script.write_text(right + broken, "utf-8")
    database = Database(url)

    with pytest.raises(ZeroDivisionError):
        database.upgrade()

    assert _tables(database) == set()
    database.close()
    script.write_text(right, "utf-8")
    database = open_database(url)
    assert [name for name, _ in _triggers(database)] == sorted(
        TRIGGERS[database.engine.dialect.name]
    )
    database.close()


def _there_and_back() -> dict[str, Any]:
    """Return a game whose times run from one end of the calendar to the other and back.

    Its gaps add up to more than a database's number holds.
    """
    ends = ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z")
    events = [{"seq": seq, "move": "DU"[seq % 2 - 1], "at": ends[seq % 2]} for seq in range(1, 101)]
    return {"format": "ds-game/1", "code": "DS1-D1N-AAAAAAB", "events": events} | {
        "id": "0000000000001",
        "started_at": ends[0],
    }


@pytest.mark.parametrize("version", VERSIONS[:-1])
def test_an_older_database_is_upgraded_with_its_games(new_url: NewUrl, version: str) -> None:
    games = some_games(7, 30)
    lines = [*(game.line for game in games), _there_and_back()]
    database = make_older(new_url(), version, lambda store: take_in(store, lines))
    with pytest.raises(SchemaBehind, match=f"version {version}.*needs {HEAD}"):
        open_database(url_of(database))

    assert database.upgrade() == version

    database.ensure_schema()
    store = EventStore(database)
    with database.read() as connection:
        idle = dict(connection.execute(select(summaries.c.game_id, summaries.c.idle)).all())
    # All 3,652,059 days of the calendar, but for the microsecond at its end.
    assert idle.pop(1) == 3_652_059 * 86_400_000_000 - 1
    assert idle == {game.id: game.idle for game in games}
    assert any(idle.values())
    for game in games:
        moves = [event["move"] for event in game.line["events"]]
        assert [event.move for event in store.read(game.id)] == moves
    going = next(game for game in games if game.status == "open" and game.moves)
    assert store.append(going.id, ["X"], expected_version=going.version).game.status == "abandoned"
    assert audited(database).faults == []
    assert [name for name, _ in _triggers(database)] == sorted(
        TRIGGERS[database.engine.dialect.name]
    )
    database.close()


def test_alembics_own_command_line_upgrades_a_database_by_url(
    tmp_path: Path, new_url: NewUrl
) -> None:
    url = new_url()
    settings = tmp_path / "alembic.ini"
    settings.write_text(
        f"[alembic]\nscript_location = {migrate.scripts_folder()}\n", encoding="utf-8"
    )

    for _ in range(2):
        alembic(["-c", str(settings), "-x", f"url={url}", "upgrade", "head"])
    alembic(["-c", str(settings), "-x", f"url={url}", "check"])

    database = open_database(url)
    EventStore(database).create("mika", coded())
    assert audited(database).faults == []
    database.close()


def test_an_installed_package_has_its_migrations_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ds_events" / "migrations").mkdir(parents=True)
    monkeypatch.setattr(migrate, "__file__", str(tmp_path / "ds_events" / "migrate.py"))

    assert migrate.scripts_folder() == (tmp_path / "ds_events" / "migrations").resolve()


def _described(connection: Connection) -> dict[str, Any]:
    """Return all that SQLite knows of the tables, in no particular order."""

    def pragma(name: str, of: str) -> list[Any]:
        return sorted(tuple(row) for row in connection.exec_driver_sql(f"PRAGMA {name}({of})"))

    found: dict[str, Any] = {}
    for table in inspect(connection).get_table_names():
        if table == "alembic_version":
            continue
        indexes = [
            (unique, origin, pragma("index_xinfo", name))
            for _, name, unique, origin, _ in pragma("index_list", table)
        ]
        found[table] = {
            "columns": pragma("table_xinfo", table),
            "keys": pragma("foreign_key_list", table),
            "indexes": sorted(indexes),
            "names": sorted(name for _, name, *_ in pragma("index_list", table)),
            "kind": pragma("table_list", table),
            "checks": sorted(
                (check["name"], check["sqltext"])
                for check in inspect(connection).get_check_constraints(table)
            ),
            "key": inspect(connection).get_pk_constraint(table),
            "named": sorted(
                str(key["name"]) for key in inspect(connection).get_foreign_keys(table)
            ),
        }
    return found


def test_on_sqlite_a_migrated_database_is_the_one_that_the_metadata_makes(tmp_path: Path) -> None:
    migrated = open_database(tmp_path / "migrated.db")
    made = Database(tmp_path / "made.db")
    with made.write() as connection:
        metadata.create_all(connection)

    with made.read() as one, migrated.read() as other:
        right, there = _described(one), _described(other)

    made.close()
    migrated.close()
    assert sorted(there) == sorted(metadata.tables)
    assert there == right


def test_on_sqlite_every_table_is_strict_and_the_log_has_no_rowid(tmp_path: Path) -> None:
    database = open_database(tmp_path / "games.db")

    with database.read() as connection:
        listed = connection.exec_driver_sql("PRAGMA table_list").mappings().all()
    database.close()

    tables = {row["name"]: row for row in listed if row["name"] in metadata.tables}
    assert {name: row["strict"] for name, row in tables.items()} == dict.fromkeys(
        metadata.tables, 1
    )
    assert tables["events"]["wr"] == 1
