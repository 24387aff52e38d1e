"""The Postgres server of a test run, started when the first test wants it."""

import os
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import URL, make_url

from tests.postgres import ENVIRONMENT, Server, drop_database, new_database


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """Give a server of the tests' own, which a test may kill and start again."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> URL:
    """Give the URL of a server on which databases can be created."""
    given = os.environ.get(ENVIRONMENT)
    if given:
        return make_url(given)
    server: Server = request.getfixturevalue("postgres_server")
    return server.url


@pytest.fixture
def new_postgres_url(postgres: URL) -> Iterator[Callable[[], str]]:
    """Give the URL of another empty Postgres database at each call."""
    made: list[str] = []

    def make() -> str:
        made.append(new_database(postgres))
        return made[-1]

    yield make
    for url in made:
        drop_database(url)
