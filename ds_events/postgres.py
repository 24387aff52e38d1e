"""What is particular to Postgres: how it is set up, and what its errors mean."""

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from random import random
from struct import Struct
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, Pool

from ds_events.bare import Bare
from ds_events.errors import DatabaseError, Locked
from ds_events.schema import EventRow, Instant, LogRow, summaries
from ds_events.times import to_datetime

TRIGGERS: Final = (
    "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE tgenabled = 'A' AND relnamespace = current_schema()::regnamespace"
)
"""The names of the triggers that are there and fire always."""

READING: Final = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
WRITING: Final = {"isolation_level": "READ COMMITTED"}
"""The execution options of transactions."""

_LOCK: Final = 0x6473_5F6C_6F67
"""The key of the advisory lock for what only one process does at a time."""

_A_MOMENT: Final = 100
"""Milliseconds for which others may be kept waiting in vain."""

_LOCK_NOT_AVAILABLE: Final = "55P03"
_DEADLOCK_DETECTED: Final = "40P01"
_READ_ONLY: Final = "25006"
_INSUFFICIENT_PRIVILEGE: Final = "42501"
_DISK_FULL: Final = "53100"

_COLUMNS: Final = ("game_id", "seq", "move", "score", "at")
_INSTANTS: Final = frozenset(
    column.name for column in summaries.c if isinstance(column.type, Instant)
)
_COPY_EVENTS: Final = f"COPY events ({', '.join(_COLUMNS)}) FROM STDIN (FORMAT binary)"
PLACE: Final = "%s"
"""What stands for a value in a statement."""

_COPY_SIGNATURE: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_END: Final = b"\xff\xff"
_YEAR_2000: Final = 946_684_800_000_000
"""What Postgres counts its microseconds from."""

MICROS: Final = f"{{}} + interval '{_YEAR_2000} microseconds'"
"""How a statement asks for a time that `_raw_times` reads as `Micros`."""

JSON_ARRAY: Final = "json_build_array"
HEX: Final = "encode({}, 'hex')"
"""What makes JSON of values, and text of bytes."""

_inherited: Final[list[object]] = []
"""What databases had open when this process was forked from another."""

_ACKNOWLEDGE_WHAT_IS_STORED: Final = (
    "SELECT set_config('synchronous_commit', "
    "CASE found WHEN 'off' THEN 'on' ELSE found END, false) "
    "FROM current_setting('synchronous_commit') AS found"
)
"""What is set here stays so when the server is set anew."""

_REASONS: Final = {
    _READ_ONLY: "the server only reads for now; nothing was changed",
    _INSUFFICIENT_PRIVILEGE: "this role may not do that; nothing was changed",
    _DISK_FULL: "the server's disk is full; nothing was changed",
}
"""What the errors that a person can meet mean, by SQLSTATE."""


def make_engine(url: URL, timeout: float) -> Engine:
    """Return an engine whose connections wait for no lock longer than `timeout` seconds."""
    given = url.query.get("options", "")
    own = f"-c lock_timeout={int(timeout * 1000)} -c timezone=UTC"
    waiting = {"connect_timeout": max(2, int(timeout))}
    if "connect_timeout" in url.query:
        waiting = {}
    try:
        engine = create_engine(
            url.difference_update_query(["options"]),
            connect_args={"options": f"{given} {own}".strip(), **waiting},
        )
    except ModuleNotFoundError as error:
        raise DatabaseError(
            f"{error.name} is needed for Postgres: pip install 'double-solitaire-record[postgres]'"
        ) from error
    event.listen(engine, "connect", _durable)
    event.listen(engine, "connect", _raw_times)
    event.listen(engine, "checkin", _as_it_was)
    return engine


def inherit(idle: Iterable[Bare], pool: Pool) -> None:
    """In a process that was forked: take over connections that its parent opened and uses on.

    They are kept, and never closed: the server would take leave of the parent as well.
    """
    _inherited.append((idle, pool))


def explain(error: BaseException | None, database: str, timeout: float) -> DatabaseError | None:
    """Return what an error of the driver means, or `None` where it says it best itself."""
    state = getattr(error, "sqlstate", None)
    if state in (_LOCK_NOT_AVAILABLE, _DEADLOCK_DETECTED):
        return Locked(
            f"{database} has been locked by another process for more than {timeout:g} "
            "seconds: nothing was changed; try again when it has finished"
        )
    if state in _REASONS:
        return DatabaseError(f"{database}: {_REASONS[state]}")
    # The driver speaks of several tries, one a line, and of what to check besides.
    said = str(error).strip().partition("\n")[0]
    return DatabaseError(f"{database}: {said}; nothing was changed")


def describe(connection: Connection) -> tuple[str, int, dict[str, Any]]:
    """Return the engine with its version, the size in bytes, and what makes it durable."""

    def show(name: str) -> Any:
        return connection.exec_driver_sql(f"SHOW {name}").scalar()

    size = connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar()
    settings = {name: show(name) for name in ("fsync", "synchronous_commit", "full_page_writes")}
    return f"PostgreSQL {show('server_version')}", int(size or 0), settings


def leave_transactions(connection: Any) -> None:
    """Let each statement be a transaction of its own."""
    connection.autocommit = True


def cursor(connection: Any) -> Any:
    """Return a cursor for statements of our own: what they ask for comes in binary."""
    return connection.cursor(binary=True)


def append(
    bare: Bare,
    game_id: int,
    log: Sequence[LogRow],
    changes: Mapping[str, Any],
    expected: int,
) -> bool:
    """Append to a log and change columns of its summary, if that is at version `expected`.

    Returns whether it was; else nothing is changed. It is one statement.
    """
    rows = [(seq, move, score, to_datetime(at)) for seq, move, score, at in log]
    # Arrays carry any number, but a single row is sent much faster as it is.
    is_one = len(rows) == 1
    appended = rows[0] if is_one else map(list, zip(*rows, strict=True))
    values = [_sent(column, value) for column, value in changes.items()]
    ran = bare.run(_appending(is_one, *changes), (*values, game_id, expected, *appended))
    return bool(ran.rowcount == len(rows))


@cache
def _appending(is_one: bool, *columns: str) -> str:
    values = ", ".join(f"{column} = %s" for column in columns)
    one = "(VALUES (%s::int, %s::text, %s::int, %s::timestamptz))"
    many = "unnest(%s::int[], %s::text[], %s::int[], %s::timestamptz[])"
    return (
        f"WITH advanced AS (UPDATE summaries SET {values} WHERE game_id = %s AND version = %s "
        f"RETURNING game_id) INSERT INTO events ({', '.join(_COLUMNS)}) "
        f"SELECT game_id, appended.* FROM advanced, {one if is_one else many} AS appended"
    )


def _sent(column: str, value: Any) -> Any:
    return to_datetime(value) if column in _INSTANTS and value is not None else value


def insert_events(connection: Connection, rows: Sequence[EventRow]) -> None:
    """Insert rows into the log by COPY."""
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(_COPY_EVENTS) as copy:
        copy.write(_as_copied(rows))


def _as_copied(rows: Iterable[EventRow]) -> bytes:
    """Return rows in the binary format of COPY: each value behind its length."""
    parts = [_COPY_SIGNATURE]
    for game_id, seq, move, score, at in rows:
        size = len(move)
        pack = _copied_row(size).pack
        parts.append(pack(5, 8, game_id, 4, seq, size, move.encode(), 4, score, 8, at - _YEAR_2000))
    parts.append(_COPY_END)
    return b"".join(parts)


@cache
def _copied_row(size: int) -> Struct:
    """The layout of a row whose move is so long."""
    return Struct(f"!hiqiii{size}siiiq")


def be_the_only_one(connection: Connection) -> None:
    """Keep others from changing the schema and from sealing until the transaction ends."""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")


def keep_others_out(connection: Connection, timeout: float) -> None:
    """Keep others from the tables until the transaction ends, before one of them is altered.

    Others lock them in any order, so whoever waited for one and held another could wait in a
    circle. All are taken at once or none, and again until the time is over.
    """
    deadline = time.monotonic() + timeout
    while True:
        try:
            with connection.begin_nested():
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_A_MOMENT}")
                connection.exec_driver_sql("LOCK TABLE events, games, summaries")
                connection.exec_driver_sql("SET LOCAL lock_timeout TO DEFAULT")
        except DBAPIError as error:
            state = getattr(error.orig, "sqlstate", None)
            is_locked = state in (_LOCK_NOT_AVAILABLE, _DEADLOCK_DETECTED)
            if not is_locked or time.monotonic() > deadline:
                raise
            time.sleep(random() / 10)
        else:
            return


def _durable(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Have no commit acknowledged before it is stored, however the server is set."""
    driver: Any = connection
    driver.autocommit = True
    driver.execute(_ACKNOWLEDGE_WHAT_IS_STORED)
    driver.autocommit = False


def _raw_times(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Read the times of binary answers as the numbers they are: microseconds since 2000.

    To make datetimes of them would take longer than all the rest. SQLAlchemy asks for text.
    """
    from psycopg.types.numeric import Int8BinaryLoader

    driver: Any = connection
    driver.adapters.register_loader("timestamptz", Int8BinaryLoader)


def _as_it_was(connection: DBAPIConnection | None, _: ConnectionPoolEntry) -> None:
    """Give a connection back as it was made: it begins transactions as the server is set.

    After a transaction that only reads, SQLAlchemy would ask for one that may write, also
    where the server has been set to refuse them.
    """
    if connection is not None and not connection.closed:
        connection.autocommit = False
        connection.read_only = None
