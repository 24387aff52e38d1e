"""Looking after a database: what it is and holds, and a consistent copy of it."""

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from ds_events.database import Database
from ds_events.errors import DatabaseError, UnreadableFile
from ds_events.schema import HEAD, events, games, players


@dataclass(frozen=True, slots=True)
class Info:
    """A database: where, which engine and schema, how large, how durable.

    `schema` is `None` and the counts are 0 in an empty database; counts are `None` where
    the schema is another than this program's. `size` is in bytes.
    """

    database: str
    engine: str
    schema: str | None
    schema_needed: str
    size: int
    players: int | None
    games: int | None
    events: int | None
    settings: dict[str, Any]


def describe(database: Database) -> Info:
    """Return what a database is and holds; one of another schema is described as well."""
    with database.read() as connection:
        schema = database.version(connection)
        counted = _count(connection) if schema == HEAD else (None, None, None)
        engine, size, settings = database.backend.describe(connection)
    return Info(str(database), engine, schema, HEAD, size, *counted, settings=settings)


def _count(connection: Connection) -> tuple[int | None, int | None, int | None]:
    found = [
        connection.scalar(select(func.count()).select_from(table))
        for table in (players, games, events)
    ]
    return found[0], found[1], found[2]


def backup(database: Database, target: Path) -> None:
    """Write a consistent copy of an SQLite database while others may write to it.

    The copy appears whole or not at all. Raises `UnreadableFile` if `target` exists or
    cannot be written, and `DatabaseError` on a server.
    """
    if not database.is_sqlite:
        raise DatabaseError(f"{database} is no file: `ds export --all -o FILE` copies its games")
    if target.exists():
        raise _taken(target)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        _copy(database, partial)
        # Unlike a rename, a link never replaces a file that came to be in the meantime.
        os.link(partial, target)
    except FileExistsError:
        raise _taken(target) from None
    except OSError as error:
        raise UnreadableFile(f"{target} cannot be written: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)


def _copy(database: Database, partial: Path) -> None:
    with database.read() as connection:
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)
        try:
            with closing(sqlite3.connect(partial)) as copy:
                source.backup(copy)
        except sqlite3.OperationalError as error:
            raise UnreadableFile(f"{partial} cannot be written: {error}") from error


def _taken(target: Path) -> UnreadableFile:
    return UnreadableFile(f"{target} exists already: name a new file")
