"""Empty databases for the contestants, equally durable for all of them."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

from sqlalchemy import make_url

from tests.postgres import ENVIRONMENT, Server, drop_database, new_database

_SQLITE: Final = {"journal_mode": "wal", "synchronous": "2"}
_POSTGRES: Final = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


class NotDurable(Exception):
    """A contestant would have an advantage: what it commits may be lost in a power cut."""


@dataclass(frozen=True, slots=True)
class Place:
    """An empty database: the path of an SQLite file, or a URL of Postgres."""

    address: str

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file."""
        return not self.address.startswith("postgresql")

    def check_durable(self, who: str, ask: Callable[[str], object]) -> None:
        """Raise `NotDurable` unless a commit of `who` here is on disk when it returns.

        SQLite with WAL and synchronous=FULL, Postgres with fsync, synchronous_commit and
        full_page_writes on. `ask` sends one statement through the connection that is in
        question and returns the one value that it answers.
        """
        settings, verb = (_SQLITE, "PRAGMA") if self.is_sqlite else (_POSTGRES, "SHOW")
        for name, wanted in settings.items():
            found = str(ask(f"{verb} {name}"))
            if found != wanted:
                raise NotDurable(f"{who}: {name} is {found}, and has to be {wanted}")


Places: TypeAlias = Callable[[], Place]
"""Gives another empty place at each call."""


@contextmanager
def sqlite_places(disk: Path | None = None) -> Iterator[Places]:
    """Give files in a folder that is removed at the end, on a disk or where TMPDIR says."""
    numbers = count(1)
    with tempfile.TemporaryDirectory(prefix="ds-bench-", dir=disk) as folder:
        yield lambda: Place(str(Path(folder) / f"{next(numbers)}.db"))


@contextmanager
def postgres_places() -> Iterator[Places]:
    """Give databases on a server started for them, or on the one that the tests are given."""
    given = os.environ.get(ENVIRONMENT)
    if given:
        made: list[str] = []

        def place() -> Place:
            made.append(new_database(make_url(given)))
            return Place(made[-1])

        try:
            yield place
        finally:
            for address in made:
                drop_database(address)
    else:
        server = Server()
        try:
            yield lambda: Place(new_database(server.url))
        finally:
            server.stop()
