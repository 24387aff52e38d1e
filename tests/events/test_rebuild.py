"""Summaries made again from the log; what contradicts itself is reported and left alone."""

from typing import Any

import pytest
from sqlalchemy import update

from ds_events import log
from ds_events.database import Database
from ds_events.errors import CorruptLog
from ds_events.ids import format_id
from ds_events.rebuild import rebuild
from ds_events.schema import events, games, summaries
from ds_events.store import EventStore
from tests.events.building import (
    HEAD_COLUMN,
    FakeClock,
    audited,
    coded,
    contents,
    found,
    own_deal,
    take_in,
    vector,
)
from tests.events.tampering import change, change_event, remove, unguarded
from tests.events.test_audit_database import SPOILED


@pytest.fixture
def game(store: EventStore, clock: FakeClock) -> int:
    """Give the game that is spoiled, one of five of all kinds."""
    take_in(store, [vector(label="APP-D3V"), vector(status="abandoned")], player="ada")
    store.create("noor", own_deal("D3N", "APP"))
    store.create("noor", coded("DS1-D1V-AAAAAAA"))
    made = store.create("mika", coded())
    clock.tick()
    return store.append(made.id, ["D", "T2T3", "U", "X"], expected_version=0).id


def _spoil_all(database: Database) -> None:
    with unguarded(database) as connection:
        connection.execute(update(summaries).values(SPOILED))


@pytest.mark.parametrize("column", SPOILED)
def test_a_spoiled_column_comes_out_equal_again(store: EventStore, game: int, column: str) -> None:
    right = contents(store.database)
    change(store.database, summaries, game, **{column: SPOILED[column]})
    assert contents(store.database) != right

    report = rebuild(store.database)

    assert (report.games, report.rebuilt, report.faults) == (5, 1, [])
    assert contents(store.database) == right


def test_all_columns_of_all_games_come_out_equal_again(store: EventStore, game: int) -> None:
    right = contents(store.database)
    _spoil_all(store.database)

    report = rebuild(store.database)

    assert (report.games, report.rebuilt, report.faults) == (5, 5, [])
    assert contents(store.database) == right
    assert audited(store.database).faults == []


def test_a_sound_record_is_left_as_it_is(store: EventStore, game: int) -> None:
    right = contents(store.database)

    report = rebuild(store.database)

    assert (report.games, report.rebuilt, report.faults) == (5, 0, [])
    assert contents(store.database) == right


def test_missing_summaries_are_made_again_with_their_heads(store: EventStore, game: int) -> None:
    right = contents(store.database)
    remove(store.database, summaries)

    report = rebuild(store.database)

    assert (report.games, report.rebuilt, report.faults) == (5, 5, [])
    assert contents(store.database) == right


def test_a_head_that_differs_is_reported_and_nothing_is_changed(
    store: EventStore, game: int
) -> None:
    [right] = [row[HEAD_COLUMN] for row in contents(store.database)["summaries"] if row[0] == game]
    change(store.database, summaries, game, head=bytes(32), score=7)
    before = contents(store.database)

    report = rebuild(store.database)

    assert (report.games, report.rebuilt) == (5, 0)
    assert found(report.faults) == [("chain", None, bytes(32).hex(), right.hex())]
    assert report.faults[0].game == format_id(game)
    assert contents(store.database) == before


def _damage(store: EventStore, game: int, how: str) -> None:
    if how == "score":
        change_event(store.database, game, 2, score=6)
    elif how == "time":
        change_event(store.database, game, 2, at=1)
    elif how == "move":
        change_event(store.database, game, 2, move="R")
    elif how == "no move":
        change_event(store.database, game, 2, move="?")
    elif how == "gap":
        remove(store.database, events, events.c.game_id == game, events.c.seq == 2)
    elif how == "cut short":
        remove(store.database, events, events.c.game_id == game, events.c.seq == 4)
    else:
        change(store.database, games, game, code="DS9-D1N-AAAAAAB")


@pytest.mark.parametrize("how", ["score", "time", "move", "no move", "gap", "cut short", "deal"])
def test_a_damaged_log_is_reported_and_the_others_are_rebuilt(
    store: EventStore, game: int, how: str
) -> None:
    right = contents(store.database)["summaries"]
    _spoil_all(store.database)
    _damage(store, game, how)
    spoiled = contents(store.database)["summaries"]

    report = rebuild(store.database)

    assert (report.games, report.rebuilt) == (5, 4)
    [fault] = report.faults
    assert fault.game == format_id(game)
    assert fault.finding.message
    for row, was, should in zip(contents(store.database)["summaries"], spoiled, right, strict=True):
        assert row == (was if row[0] == game else should)


def test_a_rebuild_goes_in_batches_and_tells_how_far_it_is(
    store: EventStore, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = contents(store.database)
    _spoil_all(store.database)
    monkeypatch.setattr(log, "SPAN_GAMES", 2)
    told: list[int] = []

    report = rebuild(store.database, told.append)

    assert told == [2, 4, 5]
    assert report.rebuilt == 5
    assert contents(store.database) == right


def test_a_game_without_its_summary_is_refused_until_it_is_rebuilt(
    store: EventStore, game: int
) -> None:
    remove(store.database, summaries, summaries.c.game_id == game)
    tries: list[Any] = [
        lambda: EventStore(store.database).load(game),
        lambda: store.read(game),
        lambda: store.append(game, ["D"], expected_version=4),
        lambda: EventStore(store.database).append(game, [], expected_version=4),
    ]
    for each in tries:
        with pytest.raises(CorruptLog, match=r"no summary.*`ds db rebuild`"):
            each()

    rebuild(store.database)

    assert store.load(game).version == 4
    assert len(store.read(game)) == 4
