"""The physical limit: the rows of the events and nothing else, through the driver alone.

One table with the columns and the key of `events`, no rules, no summary, no hash chain, no
guards and no other table. Nothing that stores the same columns can be faster than this.
"""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol, TypeAlias

import psycopg

from tests.bench.places import Place

Row: TypeAlias = tuple[int, int, str, int, int]
"""A row of `events`: game, seq, move, score, time in microseconds."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_KEPT_BY_SQLITE: Final = """
    CREATE TABLE events (
        game_id INTEGER NOT NULL, seq INTEGER NOT NULL, move TEXT NOT NULL,
        score INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (game_id, seq)
    ) STRICT, WITHOUT ROWID
"""
_KEPT_BY_POSTGRES: Final = """
    CREATE TABLE events (
        game_id bigint NOT NULL, seq integer NOT NULL, move text NOT NULL,
        score integer NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (game_id, seq)
    )
"""


class Raw(Protocol):
    """A bare table of events."""

    name: str

    def ready(self, rows: Sequence[Row]) -> list[Any]:
        """Return rows as the driver takes them, which is no part of what is timed."""

    def load(self, rows: Sequence[Any]) -> None:
        """Insert many rows in one transaction, the fastest way the driver has."""

    def close(self) -> None:
        """Close the connection."""


class RawSqlite:
    """The table in SQLite, one prepared INSERT."""

    name = "raw sqlite3"

    _INSERT: Final = "INSERT INTO events VALUES (?, ?, ?, ?, ?)"

    def __init__(self, place: Place) -> None:
        self._connection = sqlite3.connect(place.address, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        place.check_durable(self.name, lambda ask: self._connection.execute(ask).fetchone()[0])
        self._connection.execute(_KEPT_BY_SQLITE)

    def ready(self, rows: Sequence[Row]) -> list[Any]:
        return list(rows)

    def load(self, rows: Sequence[Any]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany(self._INSERT, rows)
        self._connection.execute("COMMIT")

    def close(self) -> None:
        self._connection.close()


class RawPostgres:
    """The table in Postgres: binary COPY."""

    name = "raw psycopg"

    _COPY: Final = "COPY events FROM STDIN (FORMAT BINARY)"
    _TYPES: Final = ("int8", "int4", "text", "int4", "timestamptz")

    def __init__(self, place: Place) -> None:
        self._connection = psycopg.connect(place.address, autocommit=True)
        place.check_durable(self.name, self._ask)
        self._connection.execute(_KEPT_BY_POSTGRES)

    def ready(self, rows: Sequence[Row]) -> list[Any]:
        return [(*rest, _EPOCH + timedelta(microseconds=at)) for *rest, at in rows]

    def load(self, rows: Sequence[Any]) -> None:
        with self._connection.cursor() as cursor, cursor.copy(self._COPY) as copy:
            copy.set_types(self._TYPES)
            for row in rows:
                copy.write_row(row)

    def close(self) -> None:
        self._connection.close()

    def _ask(self, statement: str) -> object:
        [answer] = self._connection.execute(statement.encode()).fetchone() or [None]
        return answer


def open_raw(place: Place) -> Raw:
    """Return the bare table in an empty place."""
    return RawSqlite(place) if place.is_sqlite else RawPostgres(place)
