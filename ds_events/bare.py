"""A connection of the driver's own, for what is done so often that more would be too much."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any, TypeAlias

from sqlalchemy import Connection


class Bare:
    """A driver's connection, and the module of ours with what is particular to its database.

    Each statement has a cursor that is kept for it: the driver of Postgres finds out anew with
    every cursor how values are sent and rows are read.
    """

    __slots__ = ("_cursors", "backend", "connection")

    def __init__(self, connection: Any, backend: ModuleType) -> None:
        self.connection = connection
        self.backend = backend
        self._cursors: dict[str, Any] = {}

    def run(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """Run a statement and return its cursor.

        What it answers has to be fetched as a whole before the same statement is run again.
        """
        cursor = self._cursors.get(statement)
        if cursor is None:
            cursor = self._cursors[statement] = self.backend.cursor(self.connection)
        cursor.execute(statement, values)
        return cursor


Asked: TypeAlias = Connection | Bare
"""What a statement of the driver's own can be asked of."""
