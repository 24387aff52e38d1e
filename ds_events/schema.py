"""The tables: an insert-only log, the projection beside it, and what keeps them so."""

from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    TypeDecorator,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from ds_events.times import Micros, from_datetime, to_datetime

EventRow: TypeAlias = tuple[int, int, str, int, Micros]
"""A row of `events`: game, seq, move, score after it, time."""

LogRow: TypeAlias = tuple[int, str, int, Micros]
"""The same without the game: seq, move, score after it, time."""


class KeptGame(NamedTuple):
    """What is read of a game to load it: its row, its player's name, some of its summary."""

    id: int
    player_id: int
    code: str | None
    mode: str | None
    deck: str | None
    label: str | None
    name: str | None
    version: int | None
    head: str | None
    """In hexadecimal."""
    idle: Micros | None
    started_at: Micros


HEAD: Final = "0004"
"""The schema version that this program reads and writes."""

# STRICT tables of SQLite know INTEGER alone, which holds 64 bits.
_BIG: Final = BigInteger().with_variant(Integer(), "sqlite")
_SMALL: Final = SmallInteger().with_variant(Integer(), "sqlite")


class Instant(TypeDecorator[Micros]):
    """A time: `timestamptz` on Postgres, integer microseconds on SQLite, `Micros` in Python."""

    impl = BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column type by database."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(DateTime(timezone=True))
        return dialect.type_descriptor(Integer())

    def process_bind_param(self, value: Micros | None, dialect: Dialect) -> Any:
        """Return what the database's driver takes."""
        if value is None or dialect.name != "postgresql":
            return value
        return to_datetime(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Micros | None:
        """Return the microseconds of what the driver gave."""
        return from_datetime(value) if isinstance(value, datetime) else value


class micros(FunctionElement[Micros]):  # noqa: N801 (it reads as a function of SQL)
    """A time as `Micros` in the database already: to make datetimes of many takes long."""

    inherit_cache = True
    type = BigInteger()


@compiles(micros)
def _kept_so(element: micros, compiler: SQLCompiler, **how: Any) -> str:
    return compiler.process(element.clauses, **how)


@compiles(micros, "postgresql")
def _counted(element: micros, compiler: SQLCompiler, **how: Any) -> str:
    time = compiler.process(element.clauses, **how)
    return f"(extract(epoch FROM {time}) * 1000000)::bigint"


metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

players: Final = Table(
    "players",
    metadata,
    Column("id", _BIG, primary_key=True, autoincrement=False),
    Column("name", Text, comment="NULL once erased"),
    sqlite_strict=True,
)

games: Final = Table(
    "games",
    metadata,
    Column("id", _BIG, primary_key=True, autoincrement=False),
    Column("player_id", _BIG, nullable=False),
    Column("code", Text),
    Column("mode", Text),
    Column("deck", Text),
    Column("label", Text),
    Column("started_at", Instant, nullable=False),
    CheckConstraint(
        "(code IS NOT NULL AND mode IS NULL AND deck IS NULL AND label IS NULL)"
        " OR (code IS NULL AND mode IS NOT NULL AND deck IS NOT NULL)",
        name="code_or_deck",
    ),
    sqlite_strict=True,
)

events: Final = Table(
    "events",
    metadata,
    Column("game_id", _BIG, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("move", Text, nullable=False),
    Column("score", Integer, nullable=False),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("game_id", "seq"),
    # Postgres would take longer to look the game up than to store the event.
    ForeignKeyConstraint(["game_id"], ["games.id"]).ddl_if(dialect="sqlite"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

summaries: Final = Table(
    "summaries",
    metadata,
    Column("game_id", _BIG, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("player_id", _BIG, nullable=False),
    Column("mode", Text, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("version", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("score", Integer, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("undos", Integer, nullable=False),
    Column("recycles", Integer, nullable=False),
    Column("take_backs", Integer, nullable=False),
    Column("home", _SMALL, nullable=False),
    Column("turned_up", _SMALL, nullable=False),
    Column("first_at", Instant),
    Column("last_at", Instant),
    Column("ended_at", Instant),
    Column("head", LargeBinary, nullable=False),
    Column("idle", _BIG, nullable=False),
    Index(None, "player_id", "started_at", "game_id"),
    Index(None, "player_id", "status", "started_at", "game_id"),
    Index(None, "started_at", "game_id"),
    sqlite_strict=True,
)

seals: Final = Table(
    "seals",
    metadata,
    Column("game_id", _BIG, ForeignKey("games.id"), nullable=False),
    Column("sealed_at", Instant, nullable=False),
    Column("version", Integer, nullable=False),
    Column("head", LargeBinary, nullable=False),
    PrimaryKeyConstraint("game_id", "sealed_at"),
    Index(None, "sealed_at", "game_id"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

SQLITE_ONLY: Final = ("fk_events_game_id_games",)
"""The constraints that a Postgres database does not have."""

APPEND_ONLY: Final = ("games", "events", "seals")
"""The tables that nothing but an INSERT may ever change."""

TRIGGERS: Final = {
    "sqlite": (
        *(f"{name}_refuse_{change}" for name in APPEND_ONLY for change in ("update", "delete")),
        "games_refuse_replace",
    ),
    "postgresql": tuple(
        f"{name}_refuse_{change}"
        for name in APPEND_ONLY
        for change in ("update", "delete", "truncate")
    ),
}
"""The triggers that keep them so, by database."""
