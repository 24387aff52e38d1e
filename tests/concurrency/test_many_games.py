"""Many processes on games of their own: nobody is in anybody's way."""

from functools import partial

from ds_events.database import Database
from tests.concurrency.crowd import SIZE, Crowd
from tests.concurrency.work import play_games
from tests.crash import checks
from tests.events.building import audited


def test_writers_of_different_games_all_succeed(crowd: Crowd, database: Database, url: str) -> None:
    told = crowd.all_at_once(*[partial(play_games, url, seed, 1) for seed in range(SIZE)])

    for seed, acknowledged in enumerate(told):
        assert checks.appended(database, seed, acknowledged, unacknowledged=False) == []
    report = audited(database)
    assert report.faults == []
    assert report.games == SIZE
    assert report.events == sum(done.appends[-1].version for done in told)
