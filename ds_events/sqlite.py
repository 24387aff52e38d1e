"""What is particular to SQLite: how it is set up, and what its errors mean."""

import os
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final
from weakref import WeakSet

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry, Pool

from ds_events.bare import Bare
from ds_events.errors import DatabaseError, Locked, NotARecord
from ds_events.schema import EventRow, LogRow

NEEDED: Final = (3, 37, 0)
"""The first version with STRICT tables."""

APPLICATION_ID: Final = 0x4453_5231
"""What marks an SQLite file as a record in its header (`PRAGMA application_id`)."""

_PAGE_SIZE: Final = 2048
"""Bytes of a page of a new file. A move changes two pages, of the summaries and of the log, and
each is written as a whole: with SQLite's usual 4096 twice as much would go to the disk."""

TRIGGERS: Final = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
"""The names of the triggers that are there."""

_SYNCHRONOUS: Final = {0: "OFF", 1: "NORMAL", 2: "FULL", 3: "EXTRA"}

_INSERT_EVENTS: Final = "INSERT INTO events (game_id, seq, move, score, at) VALUES (?, ?, ?, ?, ?)"

_AT_ONCE: Final = 100
"""Rows that are inserted with one statement."""

_INSERT_MANY: Final = _INSERT_EVENTS + ", (?, ?, ?, ?, ?)" * (_AT_ONCE - 1)

PLACE: Final = "?"
"""What stands for a value in a statement."""

MICROS: Final = "{}"
"""How a statement asks for a time as `Micros`: it is kept so."""

JSON_ARRAY: Final = "json_array"
HEX: Final = "hex({})"
"""What makes JSON of values, and text of bytes."""

_BEGIN: Final = "ds_begin"
"""The execution option that says how a transaction is begun."""

READING: Final = {_BEGIN: "BEGIN"}
WRITING: Final = {_BEGIN: "BEGIN IMMEDIATE"}
"""The execution options of transactions: a writer takes its lock at the beginning."""

_REASONS: Final = {
    "SQLITE_FULL": "the disk is full; nothing was changed",
    "SQLITE_READONLY": "it is read-only for this user; nothing was changed",
    "SQLITE_CANTOPEN": "it cannot be opened; check that the folder exists and allows it",
    "SQLITE_CORRUPT": "the file is damaged; restore it from a copy",
    "SQLITE_IOERR": "the disk fails or is full; nothing was changed",
}
"""What the errors that a person can meet mean, by the beginning of their names."""

_DAMAGE: Final = ("Could not decode to UTF-8", "JSON cannot hold BLOB values")
"""What is said, without a name, of a damaged file with other bytes where text should be."""


class _Connection(sqlite3.Connection):
    """A connection of which is known whether it is open, and which process opened it."""

    def __init__(self, database: str, *how: Any, **named: Any) -> None:
        super().__init__(database, *how, **named)
        self.path = os.path.realpath(database)
        self.opener = os.getpid()
        _open.add(self)

    def close(self) -> None:
        """Close it for good."""
        super().close()
        _open.discard(self)


_open: Final["WeakSet[_Connection]"] = WeakSet()

_inherited: Final[list[tuple[Iterable[Bare], Pool]]] = []
"""What databases had open and did not use when this process was forked from another."""


def inherit(idle: Iterable[Bare], pool: Pool) -> None:
    """In a process that was forked: take over connections that its parent opened and uses on.

    As long as SQLite has them open it takes the locks of the parent for its own, so they are
    closed before this process opens one itself. It may never come to that, and to close them
    could wait for what a thread of the parent held: then nothing is done.
    """
    _inherited.append((idle, pool))


def _close_inherited(path: str) -> None:
    """Close what can be; raises `DatabaseError` if something of the same file stays open."""
    while _inherited:
        idle, pool = _inherited.pop()
        for bare in idle:
            bare.connection.close()
        pool.dispose()
    own, here = os.path.realpath(path), os.getpid()
    if any(left.path == own and left.opener != here for left in _open):
        raise DatabaseError(
            f"{path} was in use, or left open, when this process was forked from another one, "
            "and SQLite cannot lock it here: nothing was changed; close it before the fork, or "
            "start the process anew (`multiprocessing` calls that spawn)"
        )


def make_engine(url: URL, timeout: float) -> Engine:
    """Return an engine whose connections are durable and keep the log's guards."""
    if sqlite3.sqlite_version_info < NEEDED:
        raise DatabaseError(
            f"SQLite {sqlite3.sqlite_version} is too old: "
            f"{'.'.join(map(str, NEEDED))} or later is needed"
        )

    def set_up(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        assert isinstance(connection, sqlite3.Connection)
        _refuse_other_files(str(url.database))
        # Transactions are begun by `_begin`; left to itself the driver would begin late.
        connection.isolation_level = None
        is_new = _pragma(connection, "page_count") == 0
        if is_new:
            connection.execute(f"PRAGMA page_size={_PAGE_SIZE}")
        # A database of something else is left as it is: `Database.version` refuses it.
        if is_new or _pragma(connection, "application_id") == APPLICATION_ID:
            _use_wal(connection, timeout)
        connection.execute("PRAGMA synchronous=FULL")
        # On macOS what is synced would otherwise stay in the disk's own memory.
        connection.execute("PRAGMA fullfsync=ON")
        connection.execute("PRAGMA foreign_keys=ON")
        # Else INSERT OR REPLACE would delete rows past the append-only triggers.
        connection.execute("PRAGMA recursive_triggers=ON")

    def prepare(*_: Any) -> None:
        _close_inherited(str(url.database))

    engine = create_engine(url, connect_args={"timeout": timeout, "factory": _Connection})
    event.listen(engine, "do_connect", prepare)
    event.listen(engine, "connect", set_up)
    event.listen(engine, "begin", _begin)
    return engine


def explain(error: BaseException | None, database: str, timeout: float) -> DatabaseError | None:
    """Return what an error of the driver means, or `None` where it says it best itself."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Locked(
            f"{database} has been locked by another process for more than {timeout:g} "
            "seconds: nothing was changed; try again when it has finished"
        )
    if name == "SQLITE_NOTADB":
        return _no_database(database)
    if str(error).startswith(_DAMAGE):
        return DatabaseError(f"{database}: {_REASONS['SQLITE_CORRUPT']}")
    for prefix, reason in _REASONS.items():
        if name.startswith(prefix):
            return DatabaseError(f"{database}: {reason}")
    return None


def describe(connection: Connection) -> tuple[str, int, dict[str, Any]]:
    """Return the engine with its version, the size in bytes, and what makes it durable."""

    def pragma(name: str) -> Any:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()

    settings = {
        "journal_mode": pragma("journal_mode"),
        "synchronous": _SYNCHRONOUS[pragma("synchronous")],
    }
    size = pragma("page_count") * pragma("page_size")
    return f"SQLite {sqlite3.sqlite_version}", size, settings


def copy(connection: Connection, target: Path) -> None:
    """Copy the database as a read transaction sees it into a file, whoever writes to it."""
    source = connection.connection.driver_connection
    assert isinstance(source, sqlite3.Connection)
    with closing(sqlite3.connect(target)) as copied:
        source.backup(copied)


def empty_wal(engine: Engine) -> bool:
    """Bring the write-ahead log into the file and empty it; return whether that was possible.

    It is not while somebody still reads what was there before.
    """
    with closing(engine.raw_connection()) as connection:
        is_busy, *_ = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not is_busy


def leave_transactions(connection: sqlite3.Connection) -> None:
    """Let each statement be a transaction of its own: it is as none has been begun."""


def cursor(connection: sqlite3.Connection) -> sqlite3.Cursor:
    """Return a cursor for statements of our own."""
    return connection.cursor()


def append(
    bare: Bare,
    game_id: int,
    log: Sequence[LogRow],
    changes: Mapping[str, Any],
    expected: int,
) -> bool:
    """Append to a log and change columns of its summary, if that is at version `expected`.

    Returns whether it was; else nothing is changed.
    """
    bare.run("BEGIN IMMEDIATE")
    advanced = bare.run(_advancing(*changes), (*changes.values(), game_id, expected))
    is_expected: bool = advanced.rowcount == 1
    if is_expected:
        for row in log:
            bare.run(_INSERT_EVENTS, (game_id, *row))
    bare.run("COMMIT")
    return is_expected


def insert_events(connection: Connection, rows: Sequence[EventRow]) -> None:
    """Insert rows into the log, many with a statement: that takes half the time."""
    cursor = connection.connection.cursor()
    in_whole_statements = len(rows) - len(rows) % _AT_ONCE
    for start in range(0, in_whole_statements, _AT_ONCE):
        cursor.execute(_INSERT_MANY, list(chain.from_iterable(rows[start : start + _AT_ONCE])))
    cursor.executemany(_INSERT_EVENTS, rows[in_whole_statements:])


@cache
def _advancing(*columns: str) -> str:
    values = ", ".join(f"{column} = ?" for column in columns)
    return f"UPDATE summaries SET {values} WHERE game_id = ? AND version = ?"


def be_the_only_one(connection: Connection) -> None:
    """Keep others from changing the schema and from sealing: a write transaction does already."""


def keep_others_out(connection: Connection, timeout: float) -> None:
    """Keep others from the tables until the transaction ends: a write transaction does already."""


def _begin(connection: Connection) -> None:
    """Begin as SQLite should, which the driver is kept from."""
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))


def _no_database(path: str) -> NotARecord:
    return NotARecord(f"{path} is no SQLite database: name another file with --db")


def _refuse_other_files(path: str) -> None:
    """Refuse a file that SQLite would take for empty and write over: one of a single byte.

    The file is looked at, and not opened: a file that is opened beside SQLite and closed again
    takes the locks of the whole process with it, and another process that ends would then
    remove the write-ahead log that this one still writes to.
    """
    try:
        size = os.stat(path).st_size
    except OSError:
        # SQLite says better what is wrong with it.
        return
    if size == 1:
        raise _no_database(path)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


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
