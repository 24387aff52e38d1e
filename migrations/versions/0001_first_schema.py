"""The first schema: players, the append-only log of games and events, their summaries."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = ("games", "events")


def upgrade() -> None:
    on_postgres = op.get_bind().dialect.name == "postgresql"
    big: TypeEngine[int] = sa.BigInteger() if on_postgres else sa.Integer()
    small: TypeEngine[int] = sa.SmallInteger() if on_postgres else sa.Integer()
    instant: TypeEngine[Any] = sa.DateTime(timezone=True) if on_postgres else sa.Integer()
    op.create_table(
        "players",
        sa.Column("id", big, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), comment="NULL once erased"),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sqlite_strict=True,
    )
    op.create_table(
        "games",
        sa.Column("id", big, autoincrement=False, nullable=False),
        sa.Column("player_id", big, nullable=False),
        sa.Column("code", sa.Text()),
        sa.Column("mode", sa.Text()),
        sa.Column("deck", sa.Text()),
        sa.Column("label", sa.Text()),
        sa.Column("started_at", instant, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.CheckConstraint(
            "(code IS NOT NULL AND mode IS NULL AND deck IS NULL AND label IS NULL)"
            " OR (code IS NULL AND mode IS NOT NULL AND deck IS NOT NULL)",
            name=op.f("ck_games_code_or_deck"),
        ),
        sqlite_strict=True,
    )
    op.create_table(
        "events",
        sa.Column("game_id", big, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("move", sa.Text(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("at", instant, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id_games"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "summaries",
        sa.Column("game_id", big, autoincrement=False, nullable=False),
        sa.Column("player_id", big, nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("started_at", instant, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("undos", sa.Integer(), nullable=False),
        sa.Column("recycles", sa.Integer(), nullable=False),
        sa.Column("take_backs", sa.Integer(), nullable=False),
        sa.Column("home", small, nullable=False),
        sa.Column("turned_up", small, nullable=False),
        sa.Column("first_at", instant),
        sa.Column("last_at", instant),
        sa.Column("ended_at", instant),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_summaries"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_summaries_game_id_games"),
        sqlite_strict=True,
    )
    for columns in (
        ["player_id", "started_at", "game_id"],
        ["player_id", "status", "started_at", "game_id"],
        ["started_at", "game_id"],
    ):
        op.create_index(f"ix_summaries_{'_'.join(columns)}", "summaries", columns)
    if on_postgres:
        _guard_on_postgres()
    else:
        _guard_on_sqlite()


def _guard_on_sqlite() -> None:
    op.execute(f"PRAGMA application_id = {0x4453_5231}")
    for name in APPEND_ONLY:
        for change in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER {name}_refuse_{change} BEFORE {change.upper()} ON {name} "
                f"BEGIN SELECT RAISE(ABORT, '{name} is append-only'); END"
            )
    # REPLACE deletes past the delete trigger on a connection without recursive_triggers.
    op.execute(
        "CREATE TRIGGER games_refuse_replace BEFORE INSERT ON games "
        "WHEN EXISTS (SELECT 1 FROM games WHERE id = NEW.id) "
        "BEGIN SELECT RAISE(ABORT, 'games is append-only'); END"
    )


def _guard_on_postgres() -> None:
    op.execute(
        "CREATE FUNCTION ds_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    for name in APPEND_ONLY:
        for change, each in (("update", "ROW"), ("delete", "ROW"), ("truncate", "STATEMENT")):
            trigger = f"{name}_refuse_{change}"
            op.execute(
                f"CREATE TRIGGER {trigger} BEFORE {change.upper()} ON {name} "
                f"FOR EACH {each} EXECUTE FUNCTION ds_refuse()"
            )
            op.execute(f"ALTER TABLE {name} ENABLE ALWAYS TRIGGER {trigger}")
