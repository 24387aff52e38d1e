"""What is particular to Postgres: how it is set up, and what its errors mean."""

from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from ds_events.errors import DatabaseError, Locked

TRIGGERS: Final = (
    "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE tgenabled = 'A' AND relnamespace = current_schema()::regnamespace"
)
"""The names of the triggers that are there and fire always."""

_LOCK: Final = 0x6473_5F6C_6F67
"""The key of the advisory lock for what only one process does at a time."""

_LOCK_NOT_AVAILABLE: Final = "55P03"
_DEADLOCK_DETECTED: Final = "40P01"
_READ_ONLY: Final = "25006"
_INSUFFICIENT_PRIVILEGE: Final = "42501"
_DISK_FULL: Final = "53100"

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
    event.listen(engine, "checkin", _let_the_server_say)
    return engine


def options(*, writes: bool) -> dict[str, Any]:
    """Return the execution options of a transaction: a reader sees one snapshot."""
    if writes:
        return {"isolation_level": "READ COMMITTED"}
    return {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


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


def be_the_only_one(connection: Connection) -> None:
    """Keep others from changing the schema and from sealing until the transaction ends."""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")


def _let_the_server_say(connection: DBAPIConnection | None, _: ConnectionPoolEntry) -> None:
    """Leave it to the server's settings again whether a transaction may write.

    After a transaction that only reads, SQLAlchemy would ask for one that may, also where
    the server has been set to refuse them.
    """
    if connection is not None:
        connection.read_only = None
