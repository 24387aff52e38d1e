"""A database of records: connections, transactions, and what can go wrong with them."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    create_engine,
    event,
    inspect,
    make_url,
    select,
    table,
)
from sqlalchemy import column as sql_column
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from ds_events.errors import (
    BadDatabaseUrl,
    ConstraintViolated,
    DatabaseError,
    Locked,
    NotARecord,
    OutcomeUnknown,
    SchemaAhead,
    SchemaBehind,
)
from ds_events.schema import HEAD

LOCK_TIMEOUT: Final = 10.0
"""Seconds that a transaction waits for another process before it fails as `Locked`."""

SQLITE_NEEDED: Final = (3, 37, 0)
"""The first SQLite with STRICT tables."""

_VERSION_TABLE: Final = table("alembic_version", sql_column("version_num"))


class Database:
    """One database of records, given by URL or by the path of an SQLite file.

    Nothing is opened before the first transaction. `read` and `write` are the only ways in:
    both are whole transactions, committed at the end of the block and rolled back if it
    raises; `write` takes its lock at the start. What the driver raises comes out as one of
    the errors of `ds_events.errors`. Raises `BadDatabaseUrl` for a URL that names neither
    SQLite nor Postgres.
    """

    def __init__(self, url: str | Path, *, timeout: float = LOCK_TIMEOUT) -> None:
        self.url = parse_url(str(url))
        self.timeout = timeout
        self.engine = self._make_engine()

    @property
    def is_sqlite(self) -> bool:
        """Whether this is an SQLite file."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def path(self) -> Path | None:
        """The SQLite file, or `None` on a server."""
        return Path(str(self.url.database)) if self.is_sqlite else None

    def __str__(self) -> str:
        """Name the database without its password."""
        return str(self.path) if self.is_sqlite else self.url.render_as_string(hide_password=True)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection in a transaction that only reads: one snapshot of the record."""
        with self._transaction(writes=False) as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Yield a connection in a transaction that may write, committed at the end."""
        with self._transaction(writes=True) as connection:
            yield connection

    def version(self, connection: Connection) -> str | None:
        """Return the schema version of the database, or `None` if it is empty.

        Raises `NotARecord` if it holds something else.
        """
        tables = inspect(connection).get_table_names()
        if _VERSION_TABLE.name not in tables:
            if tables:
                raise NotARecord(
                    f"{self} is a database of something else: it has the table {tables[0]!r} "
                    "and no records of games; name another with --db"
                )
            return None
        return connection.scalar(select(_VERSION_TABLE.c.version_num))

    def ensure_schema(self) -> None:
        """Create the schema in an empty database, and refuse one of another version.

        Raises `SchemaBehind` or `SchemaAhead`, which say what to do.
        """
        with self.read() as connection:
            found = self.version(connection)
        if found is None:
            # Only a new database pays for loading alembic.
            from ds_events.migrate import upgrade

            upgrade(self)
        elif found < HEAD:
            raise SchemaBehind(
                f"{self} has the schema version {found}, and this program needs {HEAD}: "
                f"run `ds db upgrade --db {self}`"
            )
        elif found > HEAD:
            raise SchemaAhead(
                f"{self} has the schema version {found}, newer than {HEAD}, the last that this "
                f"program knows: install a release of double-solitaire-record that has {found}"
            )

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        with self._translated(), self.engine.connect() as plain:
            connection = plain.execution_options(ds_writes=writes)
            with connection.begin() as transaction:
                yield connection
                if writes:
                    self._commit(transaction.commit)

    def _commit(self, commit: Any) -> None:
        try:
            commit()
        except DBAPIError as error:
            if error.connection_invalidated:
                raise OutcomeUnknown(
                    f"the connection to {self} was lost while the change was being committed: "
                    "it may be stored or not; look at the game before you play on"
                ) from error
            raise

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn the driver's errors into ours."""
        try:
            yield
        except DBAPIError as error:
            raise self._explain(error) from error

    def _explain(self, error: DBAPIError) -> DatabaseError:
        cause = error.orig
        if isinstance(error, IntegrityError):
            return ConstraintViolated(f"{self} refuses a row: {str(cause).strip()}")
        name = getattr(cause, "sqlite_errorname", "")
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return Locked(
                f"{self} has been locked by another process for more than {self.timeout:g} "
                "seconds: nothing was changed; try again when it has finished"
            )
        if name == "SQLITE_NOTADB":
            return NotARecord(f"{self} is no SQLite database: name another file with --db")
        reasons = {
            "SQLITE_FULL": "the disk is full; nothing was changed",
            "SQLITE_READONLY": "it is read-only for this user; nothing was changed",
            "SQLITE_CANTOPEN": "it cannot be opened; check that the folder exists and allows it",
            "SQLITE_CORRUPT": "the file is damaged; restore it from a copy",
            "SQLITE_IOERR": "the disk fails or is full; nothing was changed",
        }
        for prefix, reason in reasons.items():
            if name.startswith(prefix):
                return DatabaseError(f"{self}: {reason}")
        return DatabaseError(f"{self}: {str(cause).strip()}")

    def _make_engine(self) -> Engine:
        if not self.is_sqlite:
            try:
                return create_engine(self.url)
            except ModuleNotFoundError as error:
                raise DatabaseError(
                    f"{error.name} is needed for Postgres: "
                    "pip install 'double-solitaire-record[postgres]'"
                ) from error
        if sqlite3.sqlite_version_info < SQLITE_NEEDED:
            raise DatabaseError(
                f"SQLite {sqlite3.sqlite_version} is too old: "
                f"{'.'.join(map(str, SQLITE_NEEDED))} or later is needed"
            )
        engine = create_engine(self.url, connect_args={"timeout": self.timeout})
        event.listen(engine, "connect", self._on_connect)
        event.listen(engine, "begin", _begin)
        return engine

    def _on_connect(self, connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        """Set up an SQLite connection: WAL, synced on every commit, guards on."""
        assert isinstance(connection, sqlite3.Connection)
        # Transactions are begun by `_begin`; left to itself the driver would begin late.
        connection.isolation_level = None
        _use_wal(connection, self.timeout)
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        # Else INSERT OR REPLACE would delete rows past the append-only triggers.
        connection.execute("PRAGMA recursive_triggers=ON")


def open_database(url: str | Path, *, timeout: float = LOCK_TIMEOUT) -> Database:
    """Return a database that is ready for use, a new one created on the spot.

    Raises `BadDatabaseUrl`, `SchemaBehind`, `SchemaAhead`, `NotARecord` or another
    `DatabaseError`; a database that cannot be read is never replaced.
    """
    database = Database(url, timeout=timeout)
    database.ensure_schema()
    return database


def parse_url(text: str) -> URL:
    """Return the URL that a text gives, a plain path being an SQLite file.

    >>> parse_url("games.db").database
    'games.db'
    >>> parse_url("mysql://here/games")
    Traceback (most recent call last):
    ...
    ds_events.errors.BadDatabaseUrl: mysql is no database that can hold records: ...
    """
    if "://" not in text:
        if not text:
            raise BadDatabaseUrl("the name of the database is empty: give a path or a URL")
        return URL.create("sqlite", database=str(Path(text).expanduser()))
    try:
        url = make_url(text)
        backend = url.get_backend_name()
        if backend == "postgresql" and url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError, NoSuchModuleError):
        raise BadDatabaseUrl(
            "the database URL cannot be read: write sqlite:///FILE, "
            "postgresql://USER@HOST/NAME or a plain path"
        ) from None
    if backend not in ("sqlite", "postgresql"):
        raise BadDatabaseUrl(
            f"{backend} is no database that can hold records: write sqlite:///FILE, "
            "postgresql://USER@HOST/NAME or a plain path"
        )
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadDatabaseUrl("a database in memory keeps no record: write sqlite:///FILE")
    return url


def _begin(connection: Connection) -> None:
    """Begin as SQLite should: a writer takes its lock now, not when it first writes."""
    writes = connection.get_execution_options().get("ds_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _use_wal(connection: sqlite3.Connection, timeout: float) -> None:
    """Switch the file to WAL; on a new file this can ignore the time-out, so wait here."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorname.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return
