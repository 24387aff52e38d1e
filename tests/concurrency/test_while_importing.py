"""Imports of the same games at once, and appends meanwhile."""

from functools import partial
from pathlib import Path

import pytest

from ds_events.database import Database
from ds_events.store import EventStore
from tests.cli.games import GAMES
from tests.concurrency.crowd import Crowd
from tests.concurrency.work import bring_in, play_on
from tests.crash import checks
from tests.events.building import audited, exported, take_in, vector_lines

ALL = len(vector_lines())


def test_a_file_imported_twice_at_once_is_stored_once(
    crowd: Crowd, database: Database, url: str
) -> None:
    reports = crowd.all_at_once(*[partial(bring_in, url, GAMES)] * 2)

    assert [sum(report) for report in reports] == [ALL, ALL]
    assert sum(added for added, _, _ in reports) == ALL
    assert [rejected for *_, rejected in reports] == [0, 0]
    report = audited(database)
    assert (report.games, report.faults) == (ALL, [])
    # A third time changes nothing: what is there is what the file says.
    again = take_in(EventStore(database), vector_lines())
    assert (again.added, again.unchanged, again.rejected) == (0, ALL, 0)


@pytest.fixture
def short_games(tmp_path: Path) -> Path:
    """A file of games that are all of different players."""
    lines = [line for line in vector_lines() if len(line) < 50_000]
    file = tmp_path / "short.jsonl"
    file.write_bytes(
        b"\n".join(
            line.replace(b'"vector"', f'"player {number}"'.encode())
            for number, line in enumerate(lines)
        )
    )
    return file


def test_files_with_the_same_games_in_another_order_do_not_block_each_other(
    crowd: Crowd, database: Database, url: str, short_games: Path
) -> None:
    due = len(short_games.read_bytes().splitlines())
    works = [partial(bring_in, url, short_games, backwards=number % 2 == 1) for number in range(4)]

    reports = crowd.all_at_once(*works)

    assert [sum(report) for report in reports] == [due] * 4
    assert sum(added for added, _, _ in reports) == due
    assert [rejected for *_, rejected in reports] == [0] * 4
    assert len(exported(database)) == due
    assert audited(database).faults == []


def test_who_plays_during_an_import_is_not_disturbed(
    crowd: Crowd, database: Database, url: str
) -> None:
    with crowd.meanwhile(*[partial(play_on, url, seed) for seed in range(2)]) as playing:
        report = take_in(EventStore(database), vector_lines())
    told = [one.result() for one in playing]

    assert (report.added, report.rejected) == (ALL, 0)
    for seed, acknowledged in enumerate(told):
        assert checks.appended(database, seed, acknowledged, unacknowledged=False) == []
    assert audited(database).faults == []
