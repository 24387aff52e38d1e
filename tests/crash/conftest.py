"""Places for databases that are crashed: the tests of this folder run in each of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import URL

from tests.crash.places import Folder, OnServer, Place
from tests.postgres import Server


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    """Give a place for databases of each engine."""
    folder = tmp_path_factory.mktemp(f"crash-{request.param}")
    if request.param == "sqlite":
        made: Place = Folder(folder)
    else:
        url: URL = request.getfixturevalue("postgres_server")
        made = OnServer(folder, url)
    yield made
    made.close()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    """Give a folder for SQLite files of the test's own."""
    made = Folder(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="session")
def own_server() -> Iterator[Server]:
    """Give a Postgres server that only these tests use, so that it may be killed."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="package", autouse=True)
def unmeasured() -> Iterator[None]:
    """Start processes that are not measured for coverage: those killed would leave half files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        yield
