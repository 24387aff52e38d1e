"""The databases of the tests of the record, for the tests of its migrations."""

from tests.events.conftest import (
    database,
    engine,
    migrated_file,
    new_database,
    new_sqlite_url,
    new_url,
)

__all__ = [
    "database",
    "engine",
    "migrated_file",
    "new_database",
    "new_sqlite_url",
    "new_url",
]
