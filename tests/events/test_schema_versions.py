"""Databases of another schema version: refused, with what to do about it."""

import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from ds_events.database import Database, open_database
from ds_events.errors import SchemaAhead, SchemaBehind
from ds_events.schema import HEAD
from ds_events.store import EventStore
from tests.events.building import coded, contents, url_of


def _set_version(database: Database, version: str) -> None:
    with database.write() as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{version}'"))


def test_an_older_schema_is_refused_with_the_command_that_upgrades_it(store: EventStore) -> None:
    store.create("mika", coded())
    before = contents(store.database)
    _set_version(store.database, "0000")

    with pytest.raises(SchemaBehind) as caught:
        open_database(url_of(store.database))

    for told in ("version 0000", f"needs {HEAD}", "`ds db upgrade --db "):
        assert told in str(caught.value)
    assert contents(store.database) == before


def test_a_newer_schema_is_refused_with_the_version_that_is_needed(store: EventStore) -> None:
    store.create("mika", coded())
    before = contents(store.database)
    _set_version(store.database, "9999")

    with pytest.raises(SchemaAhead, match=r"install a release .* that has 9999"):
        open_database(url_of(store.database))
    with pytest.raises(SchemaAhead, match=r"install a release .* that has 9999"):
        store.database.upgrade()

    assert contents(store.database) == before


@pytest.mark.parametrize("name", ["games.db", "my games.db", "it's 100%.db"])
def test_the_command_can_be_pasted_as_it_stands(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    open_database(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")

    with pytest.raises(SchemaBehind) as caught:
        open_database(path)

    command = re.search("`(.*)`", str(caught.value))
    assert command
    assert shlex.split(command[1]) == ["ds", "db", "upgrade", "--db", str(path)]
