"""Export: every game as a line of ds-game/1, always the same bytes."""

import json

import pytest

from ds_core import format_deck
from ds_events.errors import CorruptLog, GameNotFound
from ds_events.ids import format_id
from ds_events.schema import events, players
from ds_events.store import EventStore
from ds_events.transfer import export_records
from tests.events.building import (
    FakeClock,
    as_line,
    coded,
    exported,
    own_deal,
    take_in,
    vector_lines,
    vectors,
    without,
)
from tests.events.conftest import NewDatabase
from tests.events.tampering import change_event, remove, unguarded


def test_a_game_is_exported_with_all_that_applies_in_the_documented_order(
    store: EventStore, clock: FakeClock
) -> None:
    game = store.create("mika", coded())
    clock.tick(3.12)
    store.append(game.id, ["D"], expected_version=0)
    clock.tick(0.000001)
    store.append(game.id, ["T2T3"], expected_version=1)

    assert exported(store.database) == [
        '{"format":"ds-game/1","id":"' + format_id(game.id) + '","code":"DS1-D1N-AAAAAAB",'
        '"player":"mika","started_at":"2026-11-30T02:10:00.000000Z","events":['
        '{"seq":1,"move":"D","score":0,"at":"2026-11-30T02:10:03.120000Z"},'
        '{"seq":2,"move":"T2T3","score":5,"at":"2026-11-30T02:10:03.120001Z"}],'
        '"status":"open","score":5,"moves":2}'
    ]


@pytest.mark.parametrize("label", [None, "", 'A "quoted" \\ label\n🂡 ünïcode'])
def test_a_game_with_its_own_deck_is_exported_with_mode_deck_and_label(
    store: EventStore, label: str | None
) -> None:
    deal = own_deal("D3V", label)
    game = store.create("mika", deal)
    store.append(game.id, ["D", "U", "X"], expected_version=0)
    at = "2026-11-30T02:10:00.000000Z"

    right = {
        "format": "ds-game/1",
        "id": format_id(game.id),
        "mode": "D3V",
        "deck": format_deck(deal.cards),
        "label": label,
        "player": "mika",
        "started_at": at,
        "events": [
            {"seq": 1, "move": "D", "score": -104, "at": at},
            {"seq": 2, "move": "U", "score": -104, "at": at},
            {"seq": 3, "move": "X", "score": -104, "at": at},
        ],
        "status": "abandoned",
        "score": -104,
        "moves": 1,
    }
    if label is None:
        right = without(right, "label")
    assert [line.encode() for line in exported(store.database)] == [as_line(right)]


def test_a_game_without_events_is_exported(store: EventStore) -> None:
    store.create("mika", coded("DS1-D1V-AAAAAAB"))

    [line] = exported(store.database)

    said = json.loads(line)
    assert (said["events"], said["status"], said["score"], said["moves"]) == ([], "open", -104, 0)


def test_all_games_come_in_the_order_of_their_ids(store: EventStore) -> None:
    take_in(store, vector_lines())
    store.create("noor", coded())

    ids = [json.loads(line)["id"] for line in exported(store.database)]

    assert len(ids) == 34
    assert ids == sorted(ids)


def test_games_that_are_asked_for_come_as_they_were_asked_for(store: EventStore) -> None:
    one, two, three = (store.create(name, coded()) for name in ("mika", "noor", "ada"))

    with store.database.read() as connection:
        lines = list(export_records(connection, [three.id, one.id]))
        with pytest.raises(GameNotFound):
            list(export_records(connection, [two.id, 12345]))

    assert [json.loads(line)["player"] for line in lines] == ["ada", "mika"]


def test_everything_that_the_vectors_say_is_in_their_export(store: EventStore) -> None:
    take_in(store, vector_lines())

    said = [without(json.loads(line), "id") for line in exported(store.database)]

    def by_deal(game: dict[str, object]) -> str:
        return str(game.get("code") or game.get("label"))

    assert sorted(said, key=by_deal) == sorted(vectors(), key=by_deal)


def test_an_erased_player_is_exported_by_id_and_stays_the_same_person(
    store: EventStore, new_database: NewDatabase
) -> None:
    mika = store.create("mika", coded()).header.player
    store.create("noor", coded())
    with unguarded(store.database) as connection:
        connection.execute(players.update().where(players.c.id == mika.id).values(name=None))

    lines = exported(store.database)

    assert [json.loads(line)["player"] for line in lines] == [f"~{format_id(mika.id)}", "noor"]
    assert "mika" not in "".join(lines)
    other = EventStore(new_database(), FakeClock())
    assert take_in(other, [line.encode() for line in lines]).added == 2
    assert exported(other.database) == lines
    game_id = store.create("mika", coded()).id
    assert store.header(game_id).player.id == mika.id


@pytest.mark.parametrize("damage", ["a score", "a move", "no move", "a number", "a gap", "an end"])
def test_a_damaged_log_is_never_exported_cut_short(store: EventStore, damage: str) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D", "T2T3", "D", "D"], expected_version=0)
    of_game = events.c.game_id == game.id
    if damage == "a score":
        change_event(store.database, game.id, 2, score=10)
    elif damage == "a move":
        change_event(store.database, game.id, 2, move="T2F")
    elif damage == "no move":
        change_event(store.database, game.id, 2, move="t2t3")
    elif damage == "a number":
        change_event(store.database, game.id, 4, seq=5)
    elif damage == "a gap":
        remove(store.database, events, of_game, events.c.seq == 2)
    else:
        remove(store.database, events, of_game, events.c.seq == 4)

    fresh = EventStore(store.database)
    for read in (lambda: exported(store.database), lambda: fresh.load(game.id)):
        with pytest.raises(CorruptLog) as caught:
            read()
        assert caught.value.game == game.id
        assert f"`ds audit {format_id(game.id)}`" in str(caught.value)
    seq = {"a score": 2, "a move": 2, "no move": 2, "a number": 5}.get(damage)
    assert caught.value.seq == seq
    assert seq is None or f"at seq {seq}" in str(caught.value)
    with pytest.raises(CorruptLog):
        fresh.append(game.id, ["D"], expected_version=4)
