"""Seals: the leaves of each seal, insert-only like the log."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    on_postgres = op.get_bind().dialect.name == "postgresql"
    big: TypeEngine[int] = sa.BigInteger() if on_postgres else sa.Integer()
    instant: TypeEngine[Any] = sa.DateTime(timezone=True) if on_postgres else sa.Integer()
    op.create_table(
        "seals",
        sa.Column("game_id", big, nullable=False),
        sa.Column("sealed_at", instant, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "sealed_at", name="pk_seals"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seals_game_id_games"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seals_sealed_at_game_id", "seals", ["sealed_at", "game_id"])
    if on_postgres:
        for change, each in (("update", "ROW"), ("delete", "ROW"), ("truncate", "STATEMENT")):
            trigger = f"seals_refuse_{change}"
            op.execute(
                f"CREATE TRIGGER {trigger} BEFORE {change.upper()} ON seals "
                f"FOR EACH {each} EXECUTE FUNCTION ds_refuse()"
            )
            op.execute(f"ALTER TABLE seals ENABLE ALWAYS TRIGGER {trigger}")
    else:
        for change in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER seals_refuse_{change} BEFORE {change.upper()} ON seals "
                "BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END"
            )
