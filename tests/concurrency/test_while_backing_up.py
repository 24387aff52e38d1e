"""A backup while others append: a consistent copy of some moment, and not an older one."""

import time
from functools import partial
from pathlib import Path

from ds_events.audit import audit_lines
from ds_events.database import Database, open_database
from ds_events.lines import read_lines
from ds_events.store import EventStore
from ds_events.transfer import import_records
from ds_events.upkeep import backup
from tests.concurrency.crowd import Crowd
from tests.concurrency.work import DEAL, play_on
from tests.crash import checks
from tests.crash.appending import planned, player_of
from tests.events.building import audited

WRITERS = 2
COPIES = 3


def _restored(database: Database, copy: Path, to: Path) -> Database:
    """The copy as a database: on Postgres it is a file of records, to be imported."""
    if database.is_sqlite:
        return open_database(copy)
    with copy.open("rb") as file:
        assert audit_lines(read_lines(file)).faults == []
    restored = open_database(to)
    with copy.open("rb") as file:
        report = import_records(EventStore(restored), read_lines(file), "mika")
    assert report.rejected == 0
    return restored


def test_a_copy_is_of_one_moment(
    crowd: Crowd, database: Database, url: str, tmp_path: Path
) -> None:
    store = EventStore(database)
    marker = store.create("marker", DEAL)
    copies = []
    with crowd.meanwhile(*[partial(play_on, url, seed) for seed in range(WRITERS)]) as playing:
        for number in range(COPIES):
            time.sleep(0.1)
            # What has been acknowledged before a copy is begun has to be in it.
            store.append(marker.id, ["D"], expected_version=number)
            copies.append(tmp_path / f"copy-{number}")
            backup(database, copies[-1])
    told = [one.result() for one in playing]

    for number, copy in enumerate(copies):
        restored = _restored(database, copy, tmp_path / f"restored-{number}.db")
        assert audited(restored).faults == []
        assert EventStore(restored).load(marker.id).version == number + 1
        for seed, acknowledged in enumerate(told):
            for game_id, version in checks.games_of(restored, player_of(seed)):
                (which,) = {done.number for done in acknowledged.appends if done.game_id == game_id}
                plan = planned(seed, which)
                assert checks.followed(restored, game_id, version, plan.versions, plan.moves) == []
        restored.close()
    for seed, acknowledged in enumerate(told):
        assert checks.appended(database, seed, acknowledged, unacknowledged=False) == []
