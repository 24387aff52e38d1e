"""On Postgres an event no longer has its game looked up, which took longer than storing it.

Each row of a COPY cost a query of its own and a lock on the game's row. Whoever appends takes
the game's id from its summary, and whoever imports has inserted the game before; games are never
deleted, and the audit finds events without one. SQLite looks them up almost for nothing.
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint("fk_events_game_id_games", "events", type_="foreignkey")
