"""The databases of the tests of the record, for the tests of its migrations."""

from tests.events.conftest import database, new_database, new_url

__all__ = ["database", "new_database", "new_url"]
