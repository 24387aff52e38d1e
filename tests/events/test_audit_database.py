"""The audit of a database: each kind of damage is found where it is, and nothing else is."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select, update

from ds_events.audit import audit_games
from ds_events.database import Database
from ds_events.errors import GameNotFound
from ds_events.findings import KINDS, AuditReport, Located
from ds_events.ids import format_id, player_id
from ds_events.schema import TRIGGERS, events, games, players, summaries
from ds_events.store import EventStore
from tests.events.building import (
    HEAD_COLUMN,
    START,
    audited,
    coded,
    contents,
    found,
    own_deal,
    take_in,
    vector,
)
from tests.events.tampering import add, change, change_event, drop_trigger, remove, unguarded


@pytest.fixture
def game(store: EventStore, clock: Any) -> int:
    """Give the game that is damaged: D T2T3 U D D, with others around it."""
    take_in(store, [vector(label="APP-D3V")], player="ada")
    made = store.create("mika", coded())
    for version, move in enumerate(["D", "T2T3", "U", "D", "D"]):
        clock.tick()
        store.append(made.id, [move], expected_version=version)
    other = store.create("noor", own_deal("D3N", "APP"))
    store.append(other.id, ["D", "X"], expected_version=0)
    store.create("noor", coded("DS1-D1V-AAAAAAA"))
    return made.id


def _head(database: Database, game_id: int) -> bytes:
    [row] = [row for row in contents(database)["summaries"] if row[0] == game_id]
    return bytes(row[HEAD_COLUMN])


def test_a_record_that_nobody_touched_is_clean(store: EventStore, game: int) -> None:
    report = audited(store.database)

    assert (report.games, report.events, report.unjudged) == (4, 5 + 2 + 124, 0)
    assert (report.faults, report.warnings, report.kinds()) == ([], [], {})


def test_an_empty_record_is_clean(database: Database) -> None:
    assert audited(database) == AuditReport()


DAMAGE: dict[str, tuple[Callable[[Database, int], None], list[Any]]] = {
    "seq": (
        lambda database, game: remove(
            database, events, events.c.game_id == game, events.c.seq == 2
        ),
        [("seq", 3, 3, 2), "chain"],
    ),
    "unreadable_move": (
        lambda database, game: change_event(database, game, 2, move="T2-T3"),
        [("unreadable_move", 2, "T2-T3", None), "chain"],
    ),
    "illegal_move": (
        lambda database, game: change_event(database, game, 2, move="R"),
        [("illegal_move", 2, "R", "R18"), "chain"],
    ),
    "score": (
        lambda database, game: change_event(database, game, 2, score=25),
        [("score", 2, 25, 5), ("score", 3, -25, -5), "chain"],
    ),
    "chain": (
        lambda database, game: change_event(database, game, 2, at=START + 2_000_001),
        ["chain"],
    ),
    "summary": (
        lambda database, game: change(database, summaries, game, score=1220),
        [("summary", None, 1220, 0)],
    ),
    "deal": (
        lambda database, game: change(database, games, game, code="DS1-D1N-AAAAAA8"),
        [("deal", None, None, None)],
    ),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_to_one_game_is_found_there_alone(store: EventStore, game: int, kind: str) -> None:
    harm, expected = DAMAGE[kind]

    harm(store.database, game)

    faults = audited(store.database).faults
    assert {fault.game for fault in faults} == {format_id(game)}
    assert [
        told if isinstance(wanted, tuple) else told[0]
        for told, wanted in zip(found(faults), expected, strict=True)
    ] == expected
    assert kind in {fault.finding.kind for fault in faults}


def test_all_kinds_of_fault_are_produced_somewhere() -> None:
    # What only a file or an import can show is in test_import and test_audit_file.
    of_files = {"format", "conflict", "end_status", "end_score", "end_moves"}
    of_the_whole = {"player", "orphan", "trigger"}
    of_seals = {"seal"}

    assert set(DAMAGE) | of_files | of_the_whole | of_seals == set(KINDS)
    assert all(KINDS.values())


def test_what_stands_behind_the_first_break_is_counted(store: EventStore, game: int) -> None:
    change_event(store.database, game, 2, move="R")

    report = audited(store.database)

    assert (report.games, report.events, report.unjudged) == (4, 5 + 2 + 124, 3)


def test_a_broken_chain_tells_both_heads(store: EventStore, game: int) -> None:
    head = _head(store.database, game)
    change_event(store.database, game, 1, at=START - 1)

    [told] = [each for each in found(audited(store.database).faults) if each[0] == "chain"]

    assert told[2] == head.hex()
    assert len(bytes.fromhex(told[3])) == 32
    assert told[3] != told[2]


def test_a_spoiled_head_is_a_broken_chain(store: EventStore, game: int) -> None:
    head = _head(store.database, game)
    change(store.database, summaries, game, head=bytes(32))

    assert found(audited(store.database).faults) == [("chain", None, bytes(32).hex(), head.hex())]


EVERY_COLUMN = [
    pytest.param("games", {"player_id": 7}, id="player"),
    pytest.param("games", {"started_at": START + 1}, id="start"),
    pytest.param("games", {"code": "DS1-D1N-AAAAAAA"}, id="code"),
    pytest.param("games", {"code": "ds1-d1n-aaaaaab"}, id="code in lower case"),
    pytest.param("own", {"mode": "D3V"}, id="mode"),
    pytest.param("own", {"label": "APQ"}, id="label"),
    pytest.param("own", {"label": None}, id="label taken away"),
    pytest.param("own", {"deck": "swap"}, id="deck"),
    pytest.param("own", {"deck": "space"}, id="white space in the deck"),
    pytest.param("events", {"seq": 9}, id="seq"),
    pytest.param("events", {"move": "D"}, id="move"),
    pytest.param("events", {"score": 0}, id="score"),
    pytest.param("events", {"at": START + 999}, id="time"),
]


@pytest.mark.parametrize(("where", "values"), EVERY_COLUMN)
def test_no_column_of_the_log_can_be_changed_unseen(
    store: EventStore, game: int, where: str, values: dict[str, Any]
) -> None:
    if where == "events":
        change_event(store.database, game, 2, **values)
    elif where == "games":
        change(store.database, games, game, **values)
    else:
        rows = contents(store.database)["games"]
        own, deck = next((row[0], row[4]) for row in rows if row[5] == "APP")
        cards = deck.split()
        decks = {"swap": " ".join(cards[::-1]), "space": "  ".join(cards)}
        values = {name: decks.get(value, value) for name, value in values.items()}
        change(store.database, games, own, **values)

    assert audited(store.database).faults


def test_an_event_behind_the_counted_ones_is_found(store: EventStore, game: int) -> None:
    add(store.database, events, game_id=game, seq=6, move="D", score=0, at=START + 6_000_000)

    told = found(audited(store.database).faults)

    assert ("summary", None, 5, 6) in told
    assert told[0][0] == "chain"


@pytest.mark.parametrize("seq", [0, -1])
def test_an_event_before_the_first_is_found(store: EventStore, game: int, seq: int) -> None:
    add(store.database, events, game_id=game, seq=seq, move="D", score=0, at=START)

    assert {fault.game for fault in audited(store.database).faults} == {format_id(game)}


SPOILED = {
    "player_id": 7,
    "mode": "D3V",
    "started_at": START - 5,
    "version": 3,
    "status": "won",
    "score": -1,
    "moves": 99,
    "undos": 99,
    "recycles": 99,
    "take_backs": 99,
    "home": 104,
    "turned_up": 36,
    "first_at": None,
    "last_at": START - 5,
    "ended_at": START,
    "idle": 99,
}


@pytest.mark.parametrize("column", SPOILED)
def test_every_column_of_a_summary_is_held_against_the_log(
    store: EventStore, game: int, column: str
) -> None:
    with store.database.read() as connection:
        one = select(summaries.c[column]).where(summaries.c.game_id == game)
        right = connection.execute(one).scalar()
    change(store.database, summaries, game, **{column: SPOILED[column]})

    [fault] = audited(store.database).faults

    assert found([fault]) == [("summary", None, SPOILED[column], right)]
    assert column in fault.finding.message
    assert "`ds db rebuild`" in fault.finding.message


def test_the_columns_of_a_summary_are_all_tried() -> None:
    assert {*SPOILED, "game_id", "head"} == {column.name for column in summaries.columns}


def test_a_missing_summary_is_found(store: EventStore, game: int) -> None:
    remove(store.database, summaries, summaries.c.game_id == game)

    [fault] = audited(store.database).faults

    assert (fault.game, fault.finding.kind) == (format_id(game), "summary")
    assert "`ds db rebuild`" in fault.finding.message


def test_a_deck_that_is_none_is_found(store: EventStore, game: int) -> None:
    own = next(row[0] for row in contents(store.database)["games"] if row[5] == "APP")
    change(store.database, games, own, deck="AS AS")

    report = audited(store.database)

    assert [(fault.game, fault.finding.kind) for fault in report.faults] == [
        (format_id(own), "deal")
    ]
    assert "missing" in report.faults[0].finding.message
    assert (report.games, report.unjudged) == (4, 2)


def _kinds(faults: list[Located]) -> list[tuple[str, str | None]]:
    return [(fault.finding.kind, fault.game) for fault in faults]


def test_rows_of_no_game_are_found(store: EventStore, game: int) -> None:
    remove(store.database, games, games.c.id == game)

    report = audited(store.database)

    assert _kinds(report.faults) == [("orphan", format_id(game))] * 2
    assert report.games == 3
    assert ["events" in fault.finding.message for fault in report.faults] == [True, False]


def test_a_missing_player_is_found(store: EventStore, game: int) -> None:
    remove(store.database, players, players.c.name == "mika")

    [fault] = audited(store.database).faults

    assert _kinds([fault]) == [("player", format_id(game))]
    assert format_id(player_id("mika")) in fault.finding.message


def test_a_player_with_another_name_is_found(store: EventStore, game: int) -> None:
    with unguarded(store.database) as connection:
        connection.execute(update(players).where(players.c.name == "mika").values(name="mallory"))

    [fault] = audited(store.database).faults

    assert found([fault]) == [
        ("player", None, format_id(player_id("mika")), format_id(player_id("mallory")))
    ]
    assert "mallory" in fault.finding.message


def test_an_erased_player_is_no_fault(store: EventStore, game: int) -> None:
    with unguarded(store.database) as connection:
        connection.execute(update(players).values(name=None))

    assert audited(store.database).faults == []


def test_every_missing_trigger_is_found(store: EventStore, game: int) -> None:
    for number, name in enumerate(TRIGGERS[store.database.engine.dialect.name], 1):
        drop_trigger(store.database, name)

        faults = audited(store.database).faults

        assert [fault.finding.kind for fault in faults] == ["trigger"] * number
        assert name in {fault.finding.expected for fault in faults}


def test_games_that_are_asked_for_are_audited_alone(store: EventStore, game: int) -> None:
    sound = next(row[0] for row in contents(store.database)["games"] if row[0] != game)
    change_event(store.database, game, 2, move="R")
    drop_trigger(store.database, TRIGGERS[store.database.engine.dialect.name][0])
    told: list[int] = []

    one = audit_games(store.database, [sound], told.append)
    both = audit_games(store.database, [game, sound], told.append)
    with pytest.raises(GameNotFound):
        audit_games(store.database, [sound, 12345])

    assert (one.games, one.faults) == (1, [])
    assert (both.games, {fault.game for fault in both.faults}) == (2, {format_id(game)})
    assert told == [1, 1, 2]


def test_faults_come_game_by_game(store: EventStore, game: int) -> None:
    ids = [row[0] for row in contents(store.database)["games"]]
    for each in ids:
        change(store.database, summaries, each, turned_up=-1, home=-1)

    change_event(store.database, game, 2, at=START)
    report = audited(store.database)

    assert [fault.game for fault in report.faults if fault.finding.kind == "summary"] == [
        format_id(each) for each in sorted(ids) for _ in range(2)
    ]
    assert report.kinds() == {"chain": 1, "summary": 2 * len(ids)}
