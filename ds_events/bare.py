"""A connection of the driver's own, for what is done so often that more would be too much."""

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, TypeAlias

from sqlalchemy import Connection


class Bare:
    """A driver's connection, and the module of ours with what is particular to its database.

    Each statement has a cursor that is kept for it: the driver of Postgres finds out anew with
    every cursor how values are sent and rows are read. In a `with` block it is lent, and
    `give_back` is told at its end what was raised in it, if anything; `writes` says whether
    that may have changed something.
    """

    __slots__ = ("_cursors", "_give_back", "backend", "connection", "writes")

    def __init__(
        self, connection: Any, backend: ModuleType, give_back: "GiveBack | None" = None
    ) -> None:
        self.connection = connection
        self.backend = backend
        self.writes = False
        self._give_back = give_back
        self._cursors: dict[str, Any] = {}

    def __enter__(self) -> "Bare":
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._give_back is not None:
            self._give_back(self, error)

    def run(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """Run a statement and return its cursor.

        What it answers has to be fetched as a whole before the same statement is run again.
        """
        cursor = self._cursors.get(statement)
        if cursor is None:
            cursor = self._cursors[statement] = self.backend.cursor(self.connection)
        cursor.execute(statement, values)
        return cursor


GiveBack: TypeAlias = Callable[[Bare, BaseException | None], None]

Asked: TypeAlias = Connection | Bare
"""What a statement of the driver's own can be asked of."""
