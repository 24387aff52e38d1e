"""Seals and audits while others append: no audit finds a fault that is none."""

from functools import partial

from ds_events.database import Database
from ds_events.schema import seals
from ds_events.seal import audit_seal, parse_seal
from ds_events.store import EventStore
from tests.concurrency.crowd import SIZE, Crowd
from tests.concurrency.work import DEAL, audit, play_games, seal, seal_at
from tests.crash import checks
from tests.events.building import START, audited


def _hold(database: Database, lines: list[str]) -> None:
    """Each seal is one of its own, and the record is what it says."""
    assert len(set(lines)) == len(lines)
    with database.read() as connection:
        for line in lines:
            report = audit_seal(connection, parse_seal(line))
            assert report.faults == [], line
            assert report.games == parse_seal(line).games
    times = {row[1] for row in checks.rows(database, seals)["seals"]}
    assert len(times) == len(lines)


def test_no_audit_finds_a_fault_while_others_play_and_seal(
    crowd: Crowd, database: Database, url: str
) -> None:
    EventStore(database).create("mika", DEAL)

    *told, one, two, nothing, nothing_either = crowd.all_at_once(
        *[partial(play_games, url, seed, 2) for seed in range(2)],
        *[partial(seal, url, 6)] * 2,
        *[partial(audit, url, 6)] * 2,
    )

    assert (nothing, nothing_either) == ([], [])
    _hold(database, one + two)
    for seed, acknowledged in enumerate(told):
        assert checks.appended(database, seed, acknowledged, unacknowledged=False) == []
    assert audited(database).faults == []


def test_seals_at_the_very_same_moment_are_all_made(
    crowd: Crowd, database: Database, url: str
) -> None:
    EventStore(database).create("mika", DEAL)

    lines = crowd.all_at_once(*[partial(seal_at, url, START)] * SIZE)

    _hold(database, lines)
