"""How alembic reaches the database: a connection that is handed over, or `-x url=`."""

from alembic import context
from sqlalchemy import Connection

from ds_events.database import Database
from ds_events.schema import SQLITE_ONLY, metadata


def _run(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    context.configure(
        connection=connection,
        target_metadata=metadata,
        include_object=lambda _, name, *__: is_sqlite or name not in SQLITE_ONLY,
        # SQLite alters a table by copying it, and the copy loses the triggers: each
        # migration that does so has to make them again.
        render_as_batch=False,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


handed_over: Connection | None = context.config.attributes.get("connection")
if handed_over is not None:
    _run(handed_over)
else:
    database = Database(context.get_x_argument(as_dictionary=True).get("url", ""))
    try:
        with database.write() as own:
            _run(own)
    finally:
        database.close()
