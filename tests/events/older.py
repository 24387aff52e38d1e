"""Databases as earlier releases left them: of an older schema, with games in it."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from alembic import command
from sqlalchemy import column, insert, inspect, select, table

from ds_events import migrate
from ds_events.database import Database, open_database
from ds_events.schema import metadata
from ds_events.store import EventStore


def make_older(url: str, version: str, play: Callable[[EventStore], object]) -> Database:
    """Return a new database of a schema version, with the games that `play` records.

    Only the present schema can be played on, so they are recorded in another database, and
    what the older tables have of them is copied.
    """
    database = Database(url)
    with database.write() as connection:
        settings = migrate.config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, version)
    with tempfile.TemporaryDirectory() as folder:
        present = open_database(Path(folder) / "present.db")
        play(EventStore(present))
        _copy(present, database)
        present.close()
    return database


def _copy(source: Database, target: Database) -> None:
    with source.read() as present, target.write() as older:
        there = inspect(older)
        tables = set(there.get_table_names())
        for whole in metadata.sorted_tables:
            if whole.name not in tables:
                continue
            names = {known["name"] for known in there.get_columns(whole.name)}
            kept = [known for known in whole.columns if known.name in names]
            older_table = table(whole.name, *(column(known.name, known.type) for known in kept))
            rows = present.execute(select(*kept)).mappings().all()
            if rows:
                older.execute(insert(older_table), [dict(row) for row in rows])
