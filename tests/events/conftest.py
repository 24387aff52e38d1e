"""Databases for the tests of the record: every engine has to pass the same contract.

An engine is an entry of `ENGINES` and a fixture `new_ENGINE_url` that makes empty databases.
What only one engine can do stands in files that name it.
"""

import shutil
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


ENGINES: Final = ("sqlite", "postgres")
"""Every test that takes a database runs on each of them."""


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """Give the name of the engine that a test runs on."""
    return str(request.param)


@pytest.fixture
def new_url(engine: str, request: pytest.FixtureRequest) -> NewUrl:
    """Give the URL of another empty database at each call."""
    source: NewUrl = request.getfixturevalue(f"new_{engine}_url")
    return source


@pytest.fixture
def new_sqlite_url(tmp_path: Path) -> NewUrl:
    """Give the path of another SQLite file that is not there yet at each call."""
    numbers = count(1)
    return lambda: str(tmp_path / f"games-{next(numbers)}.db")


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SQLite file that is ready, to be copied: that is faster than to migrate."""
    path = tmp_path_factory.mktemp("migrated") / "games.db"
    open_database(path).close()
    return path


@pytest.fixture
def new_database(
    engine: str, new_url: NewUrl, request: pytest.FixtureRequest
) -> Iterator[NewDatabase]:
    """Give another database that is ready and empty at each call."""
    made: list[Database] = []

    def make() -> Database:
        url = new_url()
        if engine == "sqlite":
            shutil.copyfile(request.getfixturevalue("migrated_file"), url)
        made.append(open_database(url))
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
