"""The event store: create, append, load, read."""

import pytest

from ds_core import GameClosed, IllegalMove, NotationError, fold, parse_move, parse_moves
from ds_events.errors import GameNotFound, WrongExpectedVersion
from ds_events.ids import format_id, player_id
from ds_events.record import Event
from ds_events.store import EventStore
from tests import records
from tests.events.building import (
    MODES,
    START,
    FakeClock,
    audited,
    coded,
    contents,
    own_deal,
    scores_by_rule,
    take_in,
    vector,
)
from tests.events.conftest import NewDatabase, Reopen


@pytest.mark.parametrize("mode", MODES)
def test_a_new_game_has_its_player_deal_and_start_and_no_event(
    store: EventStore, clock: FakeClock, mode: str
) -> None:
    clock.tick(5)
    deal = coded(f"DS1-{mode}-A4ROGUB")

    game = store.create("mika", deal)

    assert game.header.player.name == "mika"
    assert game.header.player.id == player_id("mika")
    assert game.header.deal == deal
    assert game.header.started_at == START + 5_000_000
    assert (game.version, game.game.status, game.first_at, game.last_at) == (0, "open", None, None)
    assert store.read(game.id) == []
    assert store.header(game.id) == game.header


@pytest.mark.parametrize("label", [None, "", "APP-1 ♠"])
def test_a_game_with_its_own_deck_keeps_cards_and_label(
    store: EventStore, label: str | None
) -> None:
    deal = own_deal("D3V", label)

    game = store.create("mika", deal)

    assert store.load(game.id).header.deal == deal
    assert store.load(game.id).header.deal.label == label


def test_ids_of_new_games_grow_and_leave_out_the_sign(store: EventStore) -> None:
    ids = [store.create("mika", coded()).id for _ in range(5)]

    assert ids == sorted(set(ids))
    assert all(0 < game_id < 2**63 for game_id in ids)


def test_appended_moves_are_events_with_number_score_and_time(
    store: EventStore, clock: FakeClock
) -> None:
    game = store.create("mika", coded())

    clock.tick(3)
    game = store.append(game.id, ["D", parse_move("T2T3")], expected_version=0)
    clock.tick(4)
    game = store.append(game.id, parse_moves("U X"), expected_version=2)

    scores = scores_by_rule(coded(), ["D", "T2T3", "U", "X"])
    assert store.read(game.id) == [
        Event(1, "D", scores[0], START + 3_000_000),
        Event(2, "T2T3", scores[1], START + 3_000_000),
        Event(3, "U", scores[2], START + 7_000_000),
        Event(4, "X", scores[3], START + 7_000_000),
    ]
    assert (game.version, game.game.status, game.game.score) == (4, "abandoned", scores[3])
    assert (game.first_at, game.last_at) == (START + 3_000_000, START + 7_000_000)
    assert game.ended_at == START + 7_000_000


def test_appending_nothing_records_nothing(store: EventStore) -> None:
    game = store.create("mika", coded())
    game = store.append(game.id, ["D"], expected_version=0)
    before = contents(store.database)

    again = store.append(game.id, [], expected_version=1)

    assert again.version == 1
    assert contents(store.database) == before


@pytest.mark.parametrize(
    ("moves", "rule"),
    [("D T2T3 R", "R18"), ("D T2T3 T9F", "R12"), ("D F1T1", "R14"), ("U", "R26"), ("X D", "R24")],
)
def test_at_the_first_refusal_nothing_is_recorded(store: EventStore, moves: str, rule: str) -> None:
    game = store.create("mika", coded())
    before = contents(store.database)

    with pytest.raises(IllegalMove) as caught:
        store.append(game.id, moves.split(), expected_version=0)

    assert caught.value.rule == rule
    assert contents(store.database) == before
    assert store.append(game.id, ["D"], expected_version=0).version == 1


def test_an_unreadable_move_anywhere_records_nothing(store: EventStore) -> None:
    game = store.create("mika", coded())
    before = contents(store.database)

    with pytest.raises(NotationError) as caught:
        store.append(game.id, ["D", "t2t3"], expected_version=0)

    assert caught.value.text == "t2t3"
    assert contents(store.database) == before


@pytest.mark.parametrize("closing", ["abandoned", "won"])
@pytest.mark.parametrize("move", ["D", "U", "X"])
def test_a_closed_game_takes_no_event(store: EventStore, closing: str, move: str) -> None:
    if closing == "won":
        take_in(store, [vector(status="won", mode="D3N")])
        [(game_id, *_)] = contents(store.database)["games"]
    else:
        game_id = store.create("mika", coded()).id
        store.append(game_id, ["D", "X"], expected_version=0)
    game = store.load(game_id)
    assert game.game.status == closing
    before = contents(store.database)

    with pytest.raises(GameClosed) as caught:
        store.append(game.id, [move], expected_version=game.version)

    assert caught.value.rule == "R24"
    assert contents(store.database) == before


def test_a_game_that_is_not_there_is_named_with_what_to_do(store: EventStore) -> None:
    store.create("mika", coded())
    missing = 12345

    for ask in (
        lambda: store.append(missing, ["D"], expected_version=0),
        lambda: store.load(missing),
        lambda: store.load(missing, 0),
        lambda: store.header(missing),
        lambda: store.read(missing),
    ):
        with pytest.raises(GameNotFound, match=f"{format_id(missing)}.*`ds games`"):
            ask()


@pytest.mark.parametrize("mode", MODES)
def test_loading_at_a_seq_gives_the_game_as_it_stood(store: EventStore, mode: str) -> None:
    # Short games with every kind of move; the vectors say the score after each event.
    played = min(
        (game for game in records.games() if str(game.deal.mode) == mode),
        key=lambda game: len(game.claims),
    )
    game = store.create("mika", played.deal)
    store.append(game.id, played.moves, expected_version=0)

    for seq in range(0, len(played.claims) + 1, 7):
        at = store.load(game.id, seq)
        right = fold(played.deal, played.moves[:seq])
        assert at.version == seq
        assert at.game.columns == right.columns
        assert (at.game.talon, at.game.drawn) == (right.talon, right.drawn)
        if seq:
            assert at.game.score == played.claims[seq - 1].score
    whole = store.load(game.id)
    assert (whole.game.status, whole.game.score) == (played.end.status, played.end.score)
    assert whole.game.moves == played.end.moves


@pytest.mark.parametrize("at", [-1, 3, 1000])
def test_loading_past_the_end_is_refused_with_both_versions(store: EventStore, at: int) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D", "D"], expected_version=0)

    with pytest.raises(WrongExpectedVersion) as caught:
        store.load(game.id, at)

    assert (caught.value.game, caught.value.expected, caught.value.actual) == (game.id, at, 2)


def test_reading_begins_after_the_seq_asked_for(store: EventStore) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D", "D", "U", "D"], expected_version=0)

    assert [(event.seq, event.move) for event in store.read(game.id, after=2)] == [
        (3, "U"),
        (4, "D"),
    ]
    assert store.read(game.id, after=4) == []
    assert len(store.read(game.id)) == 4


def test_a_clock_that_runs_backwards_never_takes_a_game_back(
    store: EventStore, clock: FakeClock
) -> None:
    game = store.create("mika", coded())
    clock.tick(-60)
    store.append(game.id, ["D"], expected_version=0)
    clock.tick(120)
    store.append(game.id, ["D"], expected_version=1)
    clock.tick(-3600)
    store.append(game.id, ["D", "D"], expected_version=2)

    assert [event.at - START for event in store.read(game.id)] == [
        0,
        60_000_000,
        60_000_000,
        60_000_000,
    ]


def test_a_clock_that_runs_backwards_is_held_against_the_log_after_a_restart(
    store: EventStore, clock: FakeClock, reopen: Reopen
) -> None:
    game = store.create("mika", coded())
    clock.tick(60)
    store.append(game.id, ["D"], expected_version=0)
    clock.tick(-600)

    EventStore(reopen(store.database), clock).append(game.id, ["D"], expected_version=1)

    assert [event.at - START for event in store.read(game.id)] == [60_000_000, 60_000_000]


def test_every_vector_game_is_played_by_the_store_as_recorded(
    new_database: NewDatabase, reopen: Reopen
) -> None:
    database = new_database()
    store = EventStore(database, FakeClock())
    ids = {}
    for played in records.games():
        game = store.create("vector", played.deal)
        store.append(game.id, played.moves, expected_version=0)
        ids[game.id] = played

    again = EventStore(reopen(database))

    for game_id, played in ids.items():
        game = again.load(game_id)
        assert [event.score for event in again.read(game_id)] == [c.score for c in played.claims]
        assert (game.game.status, game.game.score) == (played.end.status, played.end.score)
        assert game.game.moves == played.end.moves


@pytest.mark.parametrize("events", [0, 1, 99, 100, 101, 200, 345])
def test_a_game_of_any_length_is_recorded_as_it_was_played(store: EventStore, events: int) -> None:
    moves = parse_moves(" ".join(["D", "U"] * events))[:events]

    recorded = store.record("mika", coded(), moves)

    log = store.read(recorded.id)
    assert [event.seq for event in log] == list(range(1, events + 1))
    assert [event.move for event in log] == [move.text for move in moves]
    assert audited(store.database).faults == []
