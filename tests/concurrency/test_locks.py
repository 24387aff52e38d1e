"""A lock that is let go in time is waited for; one that is not is a clear error, in time."""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Final, TypeAlias

import psycopg
import pytest
from sqlalchemy import make_url

from ds_events.database import Database, open_database
from ds_events.errors import Locked
from ds_events.ids import format_id
from ds_events.record import StoredGame
from ds_events.schema import HEAD
from ds_events.store import EventStore
from tests.cli.running import environment
from tests.concurrency.crowd import Crowd
from tests.concurrency.work import DEAL, wait_to_append
from tests.crash import templates
from tests.crash.scenario import DS

_SHORT: Final = """
import sys
from ds_cli.main import main
from ds_events.database import Database, open_database

for function in (Database.__init__, open_database):
    function.__kwdefaults__["timeout"] = 0.3
sys.exit(main())
"""

IMPATIENT: Final = (sys.executable, "-c", _SHORT)
"""`ds` as it is, but for the time for which it waits for a lock."""

HELD: Final = 2.0
"""Seconds for which a lock is held that is let go in time."""

SLACK: Final = 15.0
"""Seconds that a busy machine may take for what is not waiting for a lock."""

Hold: TypeAlias = Callable[[], AbstractContextManager[None]]


@pytest.fixture
def game(store: EventStore) -> StoredGame:
    return store.create("mika", DEAL)


@pytest.fixture
def hold(url: str, game: StoredGame) -> Hold:
    """Hold, as another program, what an append to the game needs."""
    row = f"SELECT version FROM summaries WHERE game_id = {game.id} FOR UPDATE"
    return partial(_held, url, row)


@contextmanager
def _held(url: str, lock: str, then: str = "SELECT") -> Iterator[None]:
    """Hold a lock of Postgres and ask for more at the end, or the one that SQLite has."""
    if "://" not in url:
        with closing(sqlite3.connect(url, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
    else:
        with psycopg.connect(url) as client:
            client.execute(lock.encode())
            yield
            client.execute(then.encode())


@contextmanager
def _for_a_while(hold: Hold, begun: Event | None = None) -> Iterator[None]:
    """Hold a lock in the background, until some time after `begun`."""
    held = Event()

    def work() -> None:
        with hold():
            held.set()
            if begun is not None:
                begun.wait(60)
            time.sleep(HELD)

    holder = Thread(target=work)
    holder.start()
    assert held.wait(60)
    yield
    holder.join()


def test_writers_wait_for_a_lock_that_is_let_go(
    crowd: Crowd, store: EventStore, url: str, game: StoredGame, hold: Hold
) -> None:
    others = [store.create("mika", DEAL) for _ in range(2)]
    ids = [game.id, *[other.id for other in others]] if store.database.is_sqlite else [game.id]
    with _for_a_while(hold):
        ended = crowd.all_at_once(*[partial(wait_to_append, url, each, 30.0) for each in ids])

    assert [error for error, _ in ended] == [""] * len(ids)
    assert all(HELD / 8 < waited < HELD + SLACK for _, waited in ended)
    assert [store.load(each).version for each in ids] == [1] * len(ids)


def test_a_command_waits_for_a_lock_that_is_let_go(
    store: EventStore, url: str, game: StoredGame, hold: Hold
) -> None:
    begun = Event()
    with _for_a_while(hold, begun):
        moving = subprocess.Popen(
            [*DS, "move", "D", "--game", format_id(game.id), "--db", url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        _wait_until_it_is_there(moving, url)
        begun.set()
    _, err = moving.communicate(timeout=60)

    assert (moving.returncode, err) == (0, "")
    assert store.load(game.id).version == 1


def test_a_lock_that_stays_is_an_error_in_time(
    url: str, game: StoredGame, hold: Hold, store: EventStore
) -> None:
    hasty = open_database(url, timeout=0.3)
    with hold():
        began = time.monotonic()
        with pytest.raises(Locked, match=r"another process.*0\.3 seconds.*nothing was changed"):
            EventStore(hasty).append(game.id, ["D"], expected_version=0)
        waited = time.monotonic() - began

    assert 0.15 < waited < SLACK
    assert EventStore(hasty).append(game.id, ["D"], expected_version=0).version == 1
    hasty.close()


def test_a_command_whose_lock_stays_says_what_to_do(
    url: str, game: StoredGame, hold: Hold, store: EventStore
) -> None:
    with hold():
        ran = subprocess.run(
            [*IMPATIENT, "move", "D", "--game", format_id(game.id), "--db", url],
            capture_output=True,
            text=True,
            env=environment(),
            timeout=60,
            check=False,
        )

    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr.startswith("ds: ")
    assert ran.stderr.count("\n") == 1
    assert "locked by another process" in ran.stderr
    assert "try again" in ran.stderr
    assert store.load(game.id).version == 0


def test_who_reads_waits_for_nobody_who_writes(
    store: EventStore, url: str, game: StoredGame, hold: Hold
) -> None:
    hasty = open_database(url, timeout=0.3)
    with hold():
        assert EventStore(hasty).load(game.id).version == 0
    hasty.close()


def test_a_schema_that_another_is_making_is_waited_for(new_url: Callable[[], str]) -> None:
    url = new_url()
    making = Database(url)

    @contextmanager
    def hold() -> Iterator[None]:
        with making.write() as connection:
            making.backend.be_the_only_one(connection)
            yield

    with _for_a_while(hold):
        hasty = Database(url, timeout=0.3)
        with pytest.raises(Locked):
            hasty.upgrade()
        patient = open_database(url, timeout=30)
    EventStore(patient).create("mika", DEAL)
    for database in (making, hasty, patient):
        database.close()


@pytest.mark.parametrize("table", ["events", "games", "summaries"])
def test_an_upgrade_waits_for_who_uses_a_table_and_holds_none_meanwhile(
    new_url: Callable[[], str], table: str
) -> None:
    url = new_url()
    templates.OLD.fill(url)
    hasty, patient = Database(url, timeout=0.3), Database(url, timeout=30)

    # Whoever waited for the first and kept another would wait for ever for the rest.
    first = f"LOCK TABLE {table} IN ROW EXCLUSIVE MODE"
    rest = "LOCK TABLE events, games, summaries IN ROW EXCLUSIVE MODE"

    with _for_a_while(partial(_held, url, first, rest)):
        with pytest.raises(Locked, match=r"another process.*nothing was changed"):
            hasty.upgrade()
        before = patient.upgrade()

    assert (before, patient.upgrade()) == ("0001", HEAD)
    for database in (hasty, patient):
        database.close()


def _wait_until_it_is_there(process: "subprocess.Popen[str]", url: str) -> None:
    """Wait until a process has opened the database, or waits for somebody in it."""
    deadline = time.monotonic() + 60
    is_there = _is_waiting if "://" in url else _has_opened
    while not is_there(process, url):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _has_opened(process: "subprocess.Popen[str]", url: str) -> bool:
    for opened in Path(f"/proc/{process.pid}/fd").iterdir():
        # It may be closed at any moment.
        with suppress(FileNotFoundError):
            if opened.readlink() == Path(url).resolve():
                return True
    return False


def _is_waiting(process: "subprocess.Popen[str]", url: str) -> bool:
    waiting = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
    )
    with psycopg.connect(url) as watching:
        return watching.execute(waiting, [make_url(url).database]).fetchone() != (0,)
