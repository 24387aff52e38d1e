"""Idle time: how much of a game's duration nobody played, beside its other figures."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

IDLE_AFTER = 300_000_000
"""Microseconds: a gap between two events that is longer is idle time as a whole."""

LONGEST = 315_537_897_599_999_999
"""The length of the calendar: times that run backwards could add up to more than a number holds."""

KEPT = (
    *("game_id", "player_id", "mode", "started_at", "version", "status", "score", "moves"),
    *("undos", "recycles", "take_backs", "home", "turned_up", "first_at", "last_at", "ended_at"),
    "head",
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        _on_postgres()
    else:
        _on_sqlite()


def _on_postgres() -> None:
    """Add the column with a default that all rows share, and write only those that differ."""
    op.add_column(
        "summaries", sa.Column("idle", sa.BigInteger(), nullable=False, server_default="0")
    )
    op.execute(
        f"""
        UPDATE summaries SET idle = least(gaps.idle, {LONGEST})
        FROM (
            SELECT game_id, sum((extract(epoch FROM gap) * 1000000)::bigint) AS idle
            FROM (
                SELECT game_id, at - lag(at) OVER (PARTITION BY game_id ORDER BY seq) AS gap
                FROM events
            ) AS followed
            WHERE gap > interval '{IDLE_AFTER} microseconds' GROUP BY game_id
        ) AS gaps
        WHERE summaries.game_id = gaps.game_id
        """
    )
    op.alter_column("summaries", "idle", server_default=None)


def _on_sqlite() -> None:
    """Make the table anew: SQLite adds no column without a default, and drops no default."""
    op.create_table(
        "summaries_0003",
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("started_at", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("undos", sa.Integer(), nullable=False),
        sa.Column("recycles", sa.Integer(), nullable=False),
        sa.Column("take_backs", sa.Integer(), nullable=False),
        sa.Column("home", sa.Integer(), nullable=False),
        sa.Column("turned_up", sa.Integer(), nullable=False),
        sa.Column("first_at", sa.Integer()),
        sa.Column("last_at", sa.Integer()),
        sa.Column("ended_at", sa.Integer()),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column("idle", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_summaries"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_summaries_game_id_games"),
        sqlite_strict=True,
    )
    kept = ", ".join(f"summaries.{name}" for name in KEPT)
    # A row of no game, which only a damaged file has and which says nothing, stays behind.
    # Seconds and the rest are added up apart: so nothing overflows on the way to `min`, which
    # takes what has become too large a whole number, and so a floating one, for larger.
    op.execute(
        f"""
        INSERT INTO summaries_0003
        SELECT {kept}, coalesce(gaps.idle, 0)
        FROM summaries JOIN games ON games.id = summaries.game_id LEFT JOIN (
            SELECT
                game_id,
                min({LONGEST}, sum(gap / 1000000) * 1000000 + sum(gap % 1000000)) AS idle
            FROM (
                SELECT game_id, at - lag(at) OVER (PARTITION BY game_id ORDER BY seq) AS gap
                FROM events
            )
            WHERE gap > {IDLE_AFTER} GROUP BY game_id
        ) AS gaps ON gaps.game_id = summaries.game_id
        """
    )
    op.drop_table("summaries")
    op.rename_table("summaries_0003", "summaries")
    for columns in (
        ["player_id", "started_at", "game_id"],
        ["player_id", "status", "started_at", "game_id"],
        ["started_at", "game_id"],
    ):
        op.create_index(f"ix_summaries_{'_'.join(columns)}", "summaries", columns)
