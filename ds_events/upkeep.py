"""Looking after a database: what it is and holds, a copy of it, a name taken out of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select, update

from ds_events import sqlite
from ds_events.database import Database
from ds_events.errors import PlayerNotFound
from ds_events.files import whole_file, write_whole
from ds_events.ids import erased_name
from ds_events.record import player_of
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


def erase_name(database: Database, name: str) -> tuple[str, bool]:
    """Erase a player's name; return how the player is shown then, and whether all is gone.

    It is not where somebody still reads an SQLite file as it was before: the name's bytes
    stay in the write-ahead log until that has been emptied. Games, chains and seals rest on
    the id, and stay. Raises `PlayerNotFound` for a name
    that no player has.
    """
    player = player_of(name)
    with database.write() as connection:
        if database.is_sqlite:
            # Else the bytes of the name would stay in the file until they are written over.
            connection.exec_driver_sql("PRAGMA secure_delete=ON")
        named = (players.c.id == player.id) & players.c.name.is_not(None)
        if not connection.execute(update(players).where(named).values(name=None)).rowcount:
            raise PlayerNotFound(f"there is no player {name!r}: `ds games --everyone` shows all")
    is_gone = not database.is_sqlite or sqlite.empty_wal(database.engine)
    return erased_name(player.id), is_gone


def backup(database: Database, target: Path) -> None:
    """Write a consistent copy of a database while others may write to it.

    On SQLite the copy is a database, on Postgres all games of one snapshot as ds-game/1,
    packed if the name ends in `.gz`. It appears whole or not at all. Raises
    `UnreadableFile` if `target` exists, and `OSError` if it cannot be written.
    """
    if database.is_sqlite:
        with whole_file(target.resolve(), replace=False) as copy, database.read() as connection:
            sqlite.copy(connection, copy)
    else:
        # Only here: nothing else of this has to do with lines of JSON.
        from ds_events.transfer import export_records

        with write_whole(target, replace=False) as file, database.read() as connection:
            for record in export_records(connection):
                file.write(record.encode() + b"\n")
