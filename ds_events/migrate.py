"""The schema's versions: which there are, and how a database comes to the newest.

Loads alembic, which no ordinary command needs.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from ds_events.database import Database
from ds_events.errors import SchemaAhead
from ds_events.schema import HEAD


def scripts_folder() -> Path:
    """Return the folder of the migrations: in the installed package or in the checkout."""
    here = Path(__file__).resolve().parent
    installed = here / "migrations"
    return installed if installed.is_dir() else here.parent / "migrations"


def config() -> Config:
    """Return alembic's configuration, made here so that no ini file is needed."""
    made = Config()
    # Alembic reads the value with a percent sign as the start of an interpolation.
    made.set_main_option("script_location", str(scripts_folder()).replace("%", "%%"))
    return made


def head() -> str:
    """Return the newest schema version that there is a migration for."""
    return str(ScriptDirectory.from_config(config()).get_current_head())


def upgrade(database: Database) -> str | None:
    """Bring a database to the newest schema, whole or not at all.

    Returns the version that it had, `None` if it was empty. Raises `SchemaAhead` for a
    database newer than this program.
    """
    made = config()
    with database.write() as connection:
        database.backend.lock_schema(connection)
        found = database.version(connection)
        if found is not None and found > HEAD:
            raise SchemaAhead(
                f"{database} has the schema version {found}, newer than {HEAD}, the last that "
                "this program knows; nothing was changed"
            )
        if found != HEAD:
            made.attributes["connection"] = connection
            command.upgrade(made, "head")
    return found
