"""What a vandal with full rights can do to a database behind the program's back."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from sqlalchemy import Connection, Table, create_engine, delete, insert, text, update
from sqlalchemy.pool import NullPool

from ds_events.database import Database
from ds_events.schema import APPEND_ONLY, TRIGGERS, events


@contextmanager
def unguarded(database: Database) -> Iterator[Connection]:
    """Yield a connection on which no trigger and no foreign key guards the record.

    The guards are there again afterwards, so that only what was changed is to be found.
    """
    engine = create_engine(database.url, poolclass=NullPool)
    with engine.begin() as connection:
        # Another program's connection to SQLite does not look at foreign keys.
        put_back = _lift_guards(connection)
        yield connection
        for statement in put_back:
            connection.exec_driver_sql(statement)


def drop_trigger(database: Database, name: str) -> None:
    """Remove one guard for good."""
    engine = create_engine(database.url, poolclass=NullPool)
    with engine.begin() as connection:
        owner = f" ON {name.partition('_')[0]}" if connection.dialect.name != "sqlite" else ""
        connection.exec_driver_sql(f"DROP TRIGGER {name}{owner}")


def change(database: Database, table: Table, game_id: int, **values: Any) -> None:
    """Overwrite columns in all rows of a game."""
    key = table.c.id if table.name == "games" else table.c.game_id
    with unguarded(database) as connection:
        changed = connection.execute(update(table).where(key == game_id).values(values))
        assert changed.rowcount


def change_event(database: Database, game_id: int, seq: int, /, **values: Any) -> None:
    """Overwrite columns of one event."""
    with unguarded(database) as connection:
        one = update(events).where(events.c.game_id == game_id, events.c.seq == seq)
        assert connection.execute(one.values(values)).rowcount == 1


def remove(database: Database, table: Table, *where: Any) -> None:
    """Delete rows."""
    with unguarded(database) as connection:
        assert connection.execute(delete(table).where(*where)).rowcount


def add(database: Database, table: Table, **values: Any) -> None:
    """Insert a row."""
    with unguarded(database) as connection:
        connection.execute(insert(table).values(values))


def _lift_guards(connection: Connection) -> list[str]:
    """Take the guards away, and return the statements that put them back."""
    if connection.dialect.name == "sqlite":
        found = text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        guards = connection.execute(found).all()
        for name, _ in guards:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        return [statement for _, statement in guards]
    guarded = (*APPEND_ONLY, "summaries")
    for name in guarded:
        connection.exec_driver_sql(f"ALTER TABLE {name} DISABLE TRIGGER ALL")
    return [
        *(f"ALTER TABLE {name} ENABLE TRIGGER ALL" for name in guarded),
        *(
            f"ALTER TABLE {name.partition('_')[0]} ENABLE ALWAYS TRIGGER {name}"
            for name in TRIGGERS[connection.dialect.name]
        ),
    ]


def force(database: Database, statement: str) -> None:
    """Write into an SQLite file what its columns refuse, as a flipped bit can."""
    with closing(sqlite3.connect(str(database.path), isolation_level=None)) as connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        guarded = guards.fetchall()
        for name, _ in guarded:
            connection.execute(f"DROP TRIGGER {name}")
        tables = "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
        strict = connection.execute(tables).fetchall()
        _define(connection, [(name, _loosened(sql)) for name, sql in strict])
    with closing(sqlite3.connect(str(database.path), isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        assert connection.execute(statement).rowcount == 1
        _define(connection, strict)
    with closing(sqlite3.connect(str(database.path), isolation_level=None)) as connection:
        for _, sql in guarded:
            connection.execute(sql)


def _define(connection: sqlite3.Connection, tables: Sequence[tuple[str, str]]) -> None:
    """Say what tables hold without a look at what they do hold."""
    connection.execute("PRAGMA writable_schema=ON")
    for name, sql in tables:
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql, name))
    [version] = connection.execute("PRAGMA schema_version").fetchone()
    connection.execute(f"PRAGMA schema_version={version + 1}")


def _loosened(sql: str) -> str:
    """Return the definition of a table that takes anything."""
    loose = re.sub(r"(?<!IS )NOT NULL", "", sql)
    return re.sub(r",\s*STRICT|STRICT\s*,|STRICT", "", loose)
