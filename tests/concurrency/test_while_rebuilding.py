"""A rebuild while others append: no summary is left behind its log, and nobody waits for long."""

import time
from functools import partial
from itertools import count
from pathlib import Path

from sqlalchemy import event, update

from ds_core import parse_moves
from ds_events.database import Database
from ds_events.log import SPAN_EVENTS
from ds_events.rebuild import rebuild
from ds_events.record import Header, extended, player_of, started
from ds_events.schema import summaries
from ds_events.store import EventStore
from tests.concurrency.crowd import Crowd
from tests.concurrency.work import DEAL, opened, play_now_and_then, play_on, rebuild_again
from tests.crash import checks, templates
from tests.events.building import START, audited

WRITERS = 2


def _spoil(database: Database) -> None:
    """Make summaries wrong in what nobody appends by."""
    with database.write() as connection:
        connection.execute(update(summaries).values(moves=1000, home=104))


def test_no_append_is_lost_from_the_summaries(crowd: Crowd, database: Database, url: str) -> None:
    works = [partial(play_on, url, seed) for seed in range(WRITERS)]
    with crowd.meanwhile(*works) as playing:
        for _ in range(8):
            time.sleep(0.05)
            _spoil(database)
            assert rebuild(database).faults == []
    told = [one.result() for one in playing]

    for seed, acknowledged in enumerate(told):
        assert checks.appended(database, seed, acknowledged, unacknowledged=False) == []
    assert rebuild(database).rebuilt == 0
    assert audited(database).faults == []


def test_two_rebuilds_at_once_do_what_one_does(crowd: Crowd, database: Database, url: str) -> None:
    templates.PLAYED.fill(url)
    right = checks.rows(database, summaries)
    _spoil(database)

    found = crowd.all_at_once(*[partial(rebuild_again, url, 2)] * 3)

    assert found == [[], [], []]
    assert checks.rows(database, summaries) == right


def test_a_rebuild_commits_long_games_in_parts(store: EventStore) -> None:
    """What it holds at once is bounded by events, as with imports, and not by games alone."""
    moves = parse_moves("D U") * (SPAN_EVENTS // 4)
    for _ in range(6):
        store.record("mika", DEAL, moves)
    commits = count()
    event.listen(store.database.engine, "commit", lambda _: next(commits))

    rebuild(store.database)

    # One to read which games there are, and one for each 20,000 events.
    assert next(commits) >= 4


def test_who_plays_during_a_rebuild_gets_a_turn(crowd: Crowd, tmp_path: Path) -> None:
    """SQLite lets nobody queue for its lock, so it must not be taken again at once."""
    with opened(str(tmp_path / "games.db")) as database:
        store = EventStore(database)
        player = player_of("mika")
        store.add(
            extended(started(Header(number, player, DEAL, START)), parse_moves("D"), START)
            for number in range(1, 2501)
        )
        game = store.create("noor", DEAL)
        _spoil(database)

        with crowd.meanwhile(partial(play_now_and_then, str(database), game.id)) as playing:
            while not store.read(game.id):
                time.sleep(0.01)
            began = time.monotonic()
            rebuild(database)
            took = time.monotonic() - began
        (longest_wait,) = [one.result() for one in playing]

    assert longest_wait < took / 2
