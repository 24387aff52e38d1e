"""Databases and the processes that share them: the tests run on each engine."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from ds_events.database import Database, open_database
from ds_events.store import EventStore
from tests.concurrency.crowd import Crowd


@pytest.fixture(scope="session")
def crowd() -> Iterator[Crowd]:
    """Give processes that are ready to work on a database."""
    made = Crowd()
    yield made
    made.close()


@pytest.fixture(params=["sqlite", "postgres"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Give the URL of another empty database at each call."""
    if request.param == "postgres":
        made: Callable[[], str] = request.getfixturevalue("new_postgres_url")
        return made
    numbers = count(1)
    return lambda: str(tmp_path / f"games-{next(numbers)}.db")


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    """Give the URL of a database that is ready and empty."""
    made = new_url()
    open_database(made).close()
    return made


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """Give the database, as this process sees it."""
    made = open_database(url)
    yield made
    made.close()


@pytest.fixture
def store(database: Database) -> EventStore:
    return EventStore(database)


@pytest.fixture(scope="package", autouse=True)
def unmeasured() -> Iterator[None]:
    """Start processes that are not measured for coverage: those killed would leave half files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        yield
