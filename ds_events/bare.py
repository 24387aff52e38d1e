"""A connection of the driver's own, for what is done so often that more would be too much."""

from contextlib import suppress
from typing import Any, TypeAlias

from sqlalchemy import Connection, Dialect


class Bare:
    """A driver's connection, with what is asked of it named as SQLAlchemy's has it.

    `connection` gives cursors, and `dialect` says by its name which database it is.
    """

    __slots__ = ("connection", "dialect")

    def __init__(self, connection: Any, dialect: Dialect) -> None:
        self.connection = connection
        self.dialect = dialect

    def close(self) -> None:
        """Close it; that it is lost already is no matter."""
        driver: Any = self.dialect.loaded_dbapi
        with suppress(driver.Error):
            self.connection.close()


Asked: TypeAlias = Connection | Bare
"""What a statement of the driver's own can be asked of."""
