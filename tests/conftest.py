"""The Postgres server of a test run, started when the first test wants it."""

import os
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import URL, make_url

from tests.postgres import ENVIRONMENT, Server, drop_database, new_database, new_schema


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[URL]:
    """Give the URL of a server on which databases can be created."""
    given = os.environ.get(ENVIRONMENT)
    if given:
        yield make_url(given)
        return
    server = Server()
    yield server.url
    server.stop()


@pytest.fixture(scope="session")
def postgres_database(postgres_server: URL) -> Iterator[str]:
    """Give the URL of a database of this run, in which each test has a schema of its own."""
    url = new_database(postgres_server)
    yield url
    if os.environ.get(ENVIRONMENT):
        # A server of our own goes as a whole, and faster.
        drop_database(url)


@pytest.fixture
def new_postgres_url(postgres_database: str) -> Callable[[], str]:
    """Give the URL of another empty place on Postgres at each call.

    It is a schema, which is made and forgotten many times faster than a database.
    """
    return lambda: new_schema(postgres_database)
