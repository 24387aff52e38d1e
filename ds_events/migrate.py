"""The migrations: which there are, and how they are run.

Loads alembic, which no ordinary command needs: `Database.upgrade` does, for those that do.
"""

from pathlib import Path
from threading import Lock
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

_one_at_a_time: Final = Lock()
"""Held while migrations run: what they say to `alembic.op` goes to the connection set last."""


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


def upgrade(connection: Connection) -> None:
    """Run what migrations are missing, in the transaction of the connection."""
    made = config()
    made.attributes["connection"] = connection
    with _one_at_a_time:
        command.upgrade(made, "head")
