"""Databases for the tests of the record: every engine has to pass the same contract.

A further engine is one more entry of `ENGINES`, which maps its name to how the URL of a new,
empty database is made. What only one engine can do stands in files that name it.
"""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from ds_events.database import Database, open_database
from ds_events.store import EventStore
from tests.events.building import FakeClock

NewUrl: TypeAlias = Callable[[], str]
NewDatabase: TypeAlias = Callable[[], Database]
Reopen: TypeAlias = Callable[[Database], Database]


def _sqlite_urls(folder: Path) -> NewUrl:
    numbers = count(1)
    return lambda: str(folder / f"games-{next(numbers)}.db")


ENGINES: Final[dict[str, Callable[[Path], NewUrl]]] = {"sqlite": _sqlite_urls}


@pytest.fixture(params=sorted(ENGINES))
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> NewUrl:
    """Give the URL of another empty database at each call."""
    return ENGINES[request.param](tmp_path)


@pytest.fixture
def new_database(new_url: NewUrl) -> Iterator[NewDatabase]:
    """Give another database that is ready and empty at each call."""
    made: list[Database] = []

    def make() -> Database:
        made.append(open_database(new_url()))
        return made[-1]

    yield make
    for database in made:
        database.close()


@pytest.fixture
def database(new_database: NewDatabase) -> Database:
    """Give a database that is ready and empty."""
    return new_database()


@pytest.fixture
def reopen() -> Iterator[Reopen]:
    """Open a database once more, as another process would."""
    opened: list[Database] = []

    def again(database: Database) -> Database:
        url = database.url.render_as_string(hide_password=False)
        opened.append(open_database(url, timeout=database.timeout))
        return opened[-1]

    yield again
    for database in opened:
        database.close()


@pytest.fixture
def clock() -> FakeClock:
    """Give a clock that only the test moves."""
    return FakeClock()


@pytest.fixture
def store(database: Database, clock: FakeClock) -> EventStore:
    """Give an event store on an empty database."""
    return EventStore(database, clock)
