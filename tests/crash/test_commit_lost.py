"""The connection to a Postgres server breaks during a COMMIT: nobody knows, and nobody guesses."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from sqlalchemy import make_url

from ds_core import deal_code, parse_code
from ds_events.database import Database, open_database
from ds_events.errors import OutcomeUnknown
from ds_events.ids import format_id
from ds_events.record import StoredGame
from ds_events.seal import make_seal
from ds_events.store import EventStore
from ds_events.transfer import import_records
from tests.cli.running import environment
from tests.crash import checks
from tests.crash.proxy import Proxy
from tests.crash.scenario import DS
from tests.crash.templates import few_lines
from tests.events.building import contents
from tests.postgres import Server, drop_database, new_database

DEAL = deal_code(parse_code(checks.CODE))

Moment = Literal["before", "after"]


@pytest.fixture
def url(own_server: Server) -> Iterator[str]:
    made = new_database(own_server.url)
    open_database(made).close()
    yield made
    drop_database(made)


@pytest.fixture
def proxy(own_server: Server) -> Iterator[Proxy]:
    # Not in the test's own folder, since the path of a socket has to be short.
    with tempfile.TemporaryDirectory(prefix="ds-cut-") as folder:
        made = Proxy(Path(folder), own_server.url)
        yield made
        made.close()


@pytest.fixture
def through(url: str, proxy: Proxy) -> str:
    """The URL of the database by way of the proxy."""
    parsed = make_url(url).update_query_dict({"host": str(proxy.folder)})
    return parsed.render_as_string(hide_password=False)


@pytest.fixture
def database(through: str) -> Iterator[Database]:
    made = Database(through)
    yield made
    made.close()


@pytest.fixture
def game(database: Database) -> StoredGame:
    return EventStore(database).create("mika", DEAL)


@pytest.mark.parametrize(("moment", "stored"), [("before", 0), ("after", 2)])
def test_an_append_that_may_be_stored_is_there_whole_or_not_at_all(
    database: Database, game: StoredGame, proxy: Proxy, moment: Moment, stored: int
) -> None:
    store = EventStore(database)
    proxy.cut = moment

    with pytest.raises(OutcomeUnknown, match="may be stored or not"):
        store.append(game.id, ["D", "D"], expected_version=0)

    assert store.load(game.id).version == stored
    after = store.append(game.id, ["D"], expected_version=stored)
    assert after.version == stored + 1
    assert proxy.hung_up == 1


@pytest.mark.parametrize(("moment", "stored"), [("before", 0), ("after", 1)])
def test_a_game_is_not_started_again(
    database: Database, proxy: Proxy, moment: Moment, stored: int
) -> None:
    store = EventStore(database)
    proxy.cut = moment

    with pytest.raises(OutcomeUnknown):
        store.create("mika", DEAL)

    assert len(contents(database)["games"]) == stored


@pytest.mark.parametrize(("moment", "stored"), [("before", 0), ("after", 2)])
def test_an_import_can_be_taken_up_again(
    database: Database, proxy: Proxy, moment: Moment, stored: int
) -> None:
    lines = few_lines()[-2:]
    proxy.cut = moment

    with pytest.raises(OutcomeUnknown):
        import_records(EventStore(database), enumerate(lines, 1), "mika")

    assert len(contents(database)["games"]) == stored
    again = import_records(EventStore(database), enumerate(lines, 1), "mika")
    assert (again.added, again.unchanged, again.rejected) == (2 - stored, stored, 0)


@pytest.mark.parametrize(("moment", "stored"), [("before", 0), ("after", 1)])
def test_a_seal_that_may_be_stored_is_not_printed(
    database: Database, game: StoredGame, proxy: Proxy, moment: Moment, stored: int
) -> None:
    proxy.cut = moment

    with pytest.raises(OutcomeUnknown):
        make_seal(database)

    assert len(contents(database)["seals"]) == stored
    assert make_seal(database).games == 1


@pytest.mark.parametrize(("moment", "stored"), [("before", 0), ("after", 1)])
def test_a_command_says_that_nobody_knows(
    through: str,
    database: Database,
    game: StoredGame,
    proxy: Proxy,
    moment: Moment,
    stored: int,
) -> None:
    proxy.cut = moment

    ran = subprocess.run(
        [*DS, "move", "D", "--json", "--game", format_id(game.id), "--db", through],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )

    assert (ran.returncode, ran.stdout) == (3, "")
    assert "may be stored or not" in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert EventStore(database).load(game.id).version == stored
