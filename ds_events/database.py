"""A database of records: transactions, its schema, and what can go wrong with it."""

import os
import shlex
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Final
from weakref import WeakSet

from sqlalchemy import URL, Connection, inspect, select, table
from sqlalchemy import column as sql_column
from sqlalchemy.exc import DBAPIError

from ds_events import postgres, sqlite
from ds_events.bare import Bare
from ds_events.errors import (
    ConstraintViolated,
    DatabaseError,
    NotARecord,
    OutcomeUnknown,
    SchemaAhead,
    SchemaBehind,
)
from ds_events.schema import HEAD
from ds_events.urls import parse_url

LOCK_TIMEOUT: Final = 10.0
"""Seconds that a transaction waits for another process before it fails as `Locked`."""

_VERSION_TABLE: Final = table("alembic_version", sql_column("version_num"))
_OWN_TABLES: Final = frozenset({"players", "games", "events"})


class Database:
    """One database of records, given by URL or by the path of an SQLite file.

    Nothing is opened before it is first used. `read` and `write` are whole transactions,
    committed at the end of the block and rolled back if it raises; `write` takes its lock at
    the start on SQLite. `bare` is for the two things that are done all the time. A process that
    is forked opens connections of its own. What the driver raises comes out as one of the
    errors of `ds_events.errors`. Raises `BadDatabaseUrl` for a URL that names neither SQLite
    nor Postgres.
    """

    def __init__(self, url: str | Path, *, timeout: float = LOCK_TIMEOUT) -> None:
        self.url = parse_url(str(url))
        self.timeout = timeout
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.backend: ModuleType = sqlite if self.is_sqlite else postgres
        self.engine = self.backend.make_engine(self.url, timeout)
        self._idle: deque[Bare] = deque()
        """Bare connections that nobody uses: as many as were used at once."""
        _open.add(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as what it takes to open the same database there."""
        return _reopened, (self.url, self.timeout)

    @property
    def path(self) -> Path | None:
        """The SQLite file, or `None` on a server."""
        return Path(str(self.url.database)) if self.is_sqlite else None

    def __str__(self) -> str:
        """Name the database without its password."""
        if self.is_sqlite:
            return str(self.url.database)
        return self.url.set(drivername="postgresql").render_as_string(hide_password=True)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection in a transaction that only reads: one snapshot of the record."""
        with self._translated(), self.engine.connect() as plain:
            connection = plain.execution_options(**self.backend.READING)
            with connection.begin():
                yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Yield a connection in a transaction that may write, committed at the end.

        Raises `OutcomeUnknown` if the connection is lost while it is being committed.
        """
        with self._translated(), self.engine.connect() as plain:
            connection = plain.execution_options(**self.backend.WRITING)
            with connection.begin() as transaction:
                yield connection
                try:
                    transaction.commit()
                except DBAPIError as error:
                    # What a failed commit leaves behind is not to be worked on any further.
                    plain.invalidate()
                    if error.connection_invalidated:
                        raise self._outcome_unknown() from error
                    raise

    def bare(self, *, writes: bool = False) -> Bare:
        """Lend a connection to a `with` block, in no transaction: each statement is one.

        It is for what is done so often that a connection of SQLAlchemy's would take most of
        the time. Raises `OutcomeUnknown` if the connection is lost when it `writes`.
        """
        try:
            connection = self._idle.pop()
        except IndexError:
            with self._translated():
                connection = self._open_bare()
        connection.writes = writes
        return connection

    def version(self, connection: Connection) -> str | None:
        """Return the schema version of the database, or `None` if it is empty.

        Raises `NotARecord` if it holds something else.
        """
        there = inspect(connection)
        tables = there.get_table_names()
        if _OWN_TABLES.issubset(tables):
            return self._kept_version(connection, _VERSION_TABLE.name in tables)
        foreign = sorted({*tables, *there.get_view_names()} - {_VERSION_TABLE.name})
        if foreign:
            raise NotARecord(
                f"{self} is a database of something else, with {foreign[0]!r} in it, and holds "
                "no record of games: name another with --db"
            )
        return None

    def ensure_schema(self) -> None:
        """Create the schema in an empty database, and refuse one of another version.

        Raises `SchemaBehind` or `SchemaAhead`, which say what to do.
        """
        with self.read() as connection:
            found = self.version(connection)
        if found is None:
            self.upgrade()
        elif found < HEAD:
            raise SchemaBehind(
                f"{self} has the schema version {found}, and this program needs {HEAD}: "
                f"run `ds db upgrade --db {shlex.quote(str(self))}`"
            )
        elif found > HEAD:
            raise self._too_new(found)

    def upgrade(self) -> str | None:
        """Bring the database to the schema that this program needs, whole or not at all.

        Returns the version that it had, `None` if it was empty. Raises `SchemaAhead` for a
        database newer than this program.
        """
        with self.write() as connection:
            self.backend.be_the_only_one(connection)
            found = self.version(connection)
            if found is not None and found > HEAD:
                raise self._too_new(found)
            if found is not None and found < HEAD:
                self.backend.keep_others_out(connection, self.timeout)
            if found != HEAD:
                # Only a new or an old database pays for loading alembic.
                from ds_events import migrate

                migrate.upgrade(connection)
        return found

    def close(self) -> None:
        """Close all connections."""
        self._close_idle()
        self.engine.dispose()

    def leave_to_parent(self) -> None:
        """In a process that was forked: use no connection that the other one has opened."""
        self.backend.inherit(self._idle, self.engine.pool)
        self._idle = deque()
        self.engine.dispose(close=False)

    def _open_bare(self) -> Bare:
        """Open a connection that no pool looks after."""
        pooled = self.engine.raw_connection()
        pooled.detach()
        self.backend.leave_transactions(pooled.dbapi_connection)
        return Bare(pooled.dbapi_connection, self.backend, self._take_back)

    def _take_back(self, connection: Bare, error: BaseException | None) -> None:
        """Keep a connection for others, or close it and raise what an error is as one of ours."""
        if error is None:
            self._idle.append(connection)
            return
        is_lost = self._is_lost(error, connection)
        # Whatever it was in the middle of ends with it.
        self._close_bare(connection)
        if is_lost:
            self._close_idle()
        is_unknown = is_lost and connection.writes
        raise_as = self._outcome_unknown() if is_unknown else self._translation(error)
        if raise_as is not None:
            raise raise_as from error

    def _close_idle(self) -> None:
        while self._idle:
            self._close_bare(self._idle.pop())

    def _close_bare(self, connection: Bare) -> None:
        """Close one; that it is lost already is no matter."""
        driver: Any = self.engine.dialect.loaded_dbapi
        with suppress(driver.Error):
            connection.connection.close()

    def _is_lost(self, error: BaseException, connection: Bare) -> bool:
        driver: Any = self.engine.dialect.loaded_dbapi
        if not isinstance(error, driver.Error):
            return False
        lost: bool = self.engine.dialect.is_disconnect(error, connection.connection, None)
        return lost

    def _kept_version(self, connection: Connection, is_kept: bool) -> str:
        kept = select(_VERSION_TABLE.c.version_num)
        found: str | None = connection.scalar(kept) if is_kept else None
        if found is None:
            raise DatabaseError(
                f"{self} has the tables of a record and no schema version: it is damaged; "
                "restore it from a copy"
            )
        return found

    def _too_new(self, found: str) -> SchemaAhead:
        return SchemaAhead(
            f"{self} has the schema version {found}, newer than {HEAD}, the last that this "
            f"program knows: install a release of double-solitaire-record that has {found}"
        )

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn the driver's errors into ours."""
        try:
            yield
        except Exception as error:
            raise_as = self._translation(error)
            if raise_as is None:
                raise
            raise raise_as from error

    def _translation(self, error: BaseException) -> DatabaseError | None:
        """Return what an error of the driver is as one of ours, `None` for any other error."""
        driver: Any = self.engine.dialect.loaded_dbapi
        if isinstance(error, DBAPIError):
            return self._explain(error.orig)
        if isinstance(error, driver.Error):
            return self._explain(error)
        if isinstance(error, UnicodeDecodeError):
            # What drivers make of a damaged file that holds other bytes where text should be.
            return DatabaseError(f"{self}: the file is damaged; restore it from a copy")
        return None

    def _outcome_unknown(self) -> OutcomeUnknown:
        return OutcomeUnknown(
            f"the connection to {self} was lost while the change was being committed: "
            "it may be stored or not; look at the game before you play on"
        )

    def _explain(self, error: BaseException | None) -> DatabaseError:
        driver: Any = self.engine.dialect.loaded_dbapi
        if isinstance(error, driver.IntegrityError):
            return ConstraintViolated(f"{self} refuses a row: {str(error).strip()}")
        explained: DatabaseError | None = self.backend.explain(error, str(self), self.timeout)
        return explained or DatabaseError(f"{self}: {str(error).strip()}")


_open: Final["WeakSet[Database]"] = WeakSet()
"""The databases of this process."""


def _forked() -> None:
    for database in list(_open):
        database.leave_to_parent()


# Two processes on one connection would read each other's answers, and SQLite's locks are not
# handed down to a child.
os.register_at_fork(after_in_child=_forked)


def _reopened(url: URL, timeout: float) -> Database:
    return Database(url.render_as_string(hide_password=False), timeout=timeout)


def open_database(url: str | Path, *, timeout: float = LOCK_TIMEOUT) -> Database:
    """Return a database that is ready for use, a new one created on the spot.

    Raises `BadDatabaseUrl`, `SchemaBehind`, `SchemaAhead`, `NotARecord` or another
    `DatabaseError`; a database that cannot be read is never replaced.
    """
    database = Database(url, timeout=timeout)
    try:
        database.ensure_schema()
    except BaseException:
        database.close()
        raise
    return database
