"""What the processes of a crowd do; each opens its database by URL, and closes it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

from ds_core import deal_code, parse_code
from ds_events import log, summary
from ds_events.audit import audit_database
from ds_events.database import Database, open_database
from ds_events.errors import ConstraintViolated, StoreError, WrongExpectedVersion
from ds_events.rebuild import rebuild
from ds_events.record import StoredGame
from ds_events.seal import make_seal
from ds_events.store import EventStore
from ds_events.transfer import import_records
from tests.concurrency.crowd import stopped
from tests.crash.appending import Acknowledged, Told, play
from tests.crash.checks import CODE

DEAL: Final = deal_code(parse_code(CODE))


class _Enough(Exception):
    """What ends a game in the middle."""


@dataclass
class Contest:
    """What came of one process' tries to append: the versions it won, and what it was told."""

    won: list[int] = field(default_factory=list)
    lost: list[tuple[int, int, int]] = field(default_factory=list)
    """Game, expected and actual version, as the error says them."""


@contextmanager
def opened(url: str, *, ready: bool = True) -> Iterator[Database]:
    """Open a database for a while; not `ready` it is taken as it is, whatever its schema."""
    database = open_database(url) if ready else Database(url)
    try:
        yield database
    finally:
        database.close()


def contend(url: str, game_id: int, tries: int, *, afresh: bool) -> Contest:
    """Try to win each version of a game in turn, with a store that remembers it or not."""
    contest = Contest()
    with opened(url) as database:
        store = EventStore(database)
        for version in range(tries):
            if afresh:
                store = EventStore(database)
            try:
                store.append(game_id, ["D"], expected_version=version)
            except WrongExpectedVersion as error:
                contest.lost.append((error.game, error.expected, error.actual))
            else:
                contest.won.append(version)
    return contest


def follow(url: str, game_id: int, until: int) -> dict[int, int]:
    """Play on from wherever a game stands, and return how many events went where."""
    won: dict[int, int] = {}
    with opened(url) as database:
        store = EventStore(database)
        random = Random(game_id)
        version = 0
        while version < until:
            moves = ["D", "U"] * random.randint(1, 2)
            try:
                after = store.append(game_id, moves, expected_version=version)
            except WrongExpectedVersion as error:
                version = error.actual
            else:
                won[version] = len(moves)
                version = after.version
    return won


def play_games(url: str, seed: int, games: int) -> Told:
    """Play planned games to their ends."""
    appends: list[Acknowledged] = []
    with opened(url) as database:
        store = EventStore(database)
        for number in range(games):
            play(store, seed, number, appends.append)
    return Told(appends)


def play_on(url: str, seed: int) -> Told:
    """Play planned games until it is enough."""
    appends: list[Acknowledged] = []

    def tell(done: Acknowledged) -> None:
        appends.append(done)
        if stopped():
            raise _Enough

    with opened(url) as database, suppress(_Enough):
        store = EventStore(database)
        for number in count():
            play(store, seed, number, tell)
    return Told(appends)


def play_on_as_before(url: str, seed: int) -> Told:
    """Play on as the first release does, which knows no idle time, until it is enough.

    It takes the database as it is. Once that has been upgraded its appends still fit, but a
    game that it starts is refused, and that ends it.
    """
    changes = summary.changes

    def without_idle(stored: StoredGame) -> dict[str, Any]:
        return {name: said for name, said in changes(stored).items() if name != "idle"}

    query = log.GAME_QUERY.replace("idle", "0")
    with (
        # The row of a new game holds them as well.
        patch.object(summary, "changes", without_idle),
        patch.object(log, "GAME_QUERY", query),
    ):
        appends: list[Acknowledged] = []

        def tell(done: Acknowledged) -> None:
            appends.append(done)
            if stopped():
                raise _Enough

        with opened(url, ready=False) as database, suppress(_Enough, ConstraintViolated):
            store = EventStore(database)
            for number in count():
                play(store, seed, number, tell)
    return Told(appends)


def play_now_and_then(url: str, game_id: int) -> float:
    """Append as a person does until it is enough; return the longest time that it took."""
    longest = 0.0
    with opened(url) as database:
        store = EventStore(database)
        for version in count():
            began = time.monotonic()
            store.append(game_id, ["U" if version % 2 else "D"], expected_version=version)
            longest = max(longest, time.monotonic() - began)
            if stopped():
                break
            time.sleep(0.03)
    return longest


def start(url: str) -> str | None:
    """Open a database that may be new, and start a game in it; return its schema version."""
    with opened(url) as database:
        EventStore(database).create("mika", DEAL)
        with database.read() as connection:
            return database.version(connection)


def bring_in(url: str, file: Path, *, backwards: bool = False) -> tuple[int, int, int]:
    """Import a file; return how many games were added, there already, and rejected."""
    lines = file.read_bytes().splitlines()
    if backwards:
        lines.reverse()
    with opened(url) as database:
        report = import_records(EventStore(database), enumerate(lines, 1), "mika")
    return report.added, report.unchanged, report.rejected


def seal(url: str, times: int) -> list[str]:
    """Seal a few times; return the lines."""
    with opened(url) as database:
        return [str(make_seal(database)) for _ in range(times)]


def seal_at(url: str, moment: int) -> str:
    """Seal by a clock that stands still."""
    with opened(url) as database:
        return str(make_seal(database, lambda: moment))


def audit(url: str, times: int) -> list[str]:
    """Audit a few times; return all that was found."""
    found = []
    with opened(url) as database:
        for _ in range(times):
            found += [str(fault) for fault in audit_database(database).faults]
    return found


def rebuild_again(url: str, times: int) -> list[str]:
    """Rebuild a few times; return all faults that were found."""
    found = []
    with opened(url) as database:
        for _ in range(times):
            found += [str(fault) for fault in rebuild(database).faults]
    return found


def wait_to_append(url: str, game_id: int, timeout: float) -> tuple[str, float]:
    """Append one move; return the name of the error if there was one, and how long it took."""
    database = Database(url, timeout=timeout)
    store = EventStore(database)
    version = store.load(game_id).version
    began = time.monotonic()
    try:
        store.append(game_id, ["U" if version % 2 else "D"], expected_version=version)
    except StoreError as error:
        return f"{type(error).__name__}: {error}", time.monotonic() - began
    finally:
        database.close()
    return "", time.monotonic() - began
