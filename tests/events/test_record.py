"""Whole games recorded at once: by the store, and by bots."""

import pytest

from ds_core import IllegalMove, fold, parse_mode, parse_moves
from ds_events.errors import LimitExceeded
from ds_events.limits import MAX_EVENTS
from ds_events.record import Event
from ds_events.simulate import simulate
from ds_events.store import EventStore
from tests import records
from tests.events.building import MODES, START, audited, coded, contents, scores_by_rule
from tests.events.conftest import NewDatabase


def test_a_game_is_recorded_with_its_moves(store: EventStore) -> None:
    game = store.record("mika", coded(), parse_moves("D T2T3 U"))

    scores = scores_by_rule(coded(), ["D", "T2T3", "U"])
    assert game.version == 3
    assert store.read(game.id) == [
        Event(1, "D", scores[0], START),
        Event(2, "T2T3", scores[1], START),
        Event(3, "U", scores[2], START),
    ]
    assert store.append(game.id, ["D"], expected_version=3).version == 4
    assert audited(store.database).faults == []


@pytest.mark.parametrize(
    ("moves", "error"),
    [
        ("D T2T3 R", IllegalMove),
        ("X D", IllegalMove),
        ("D U " * (MAX_EVENTS // 2) + "D", LimitExceeded),
    ],
)
def test_a_game_that_cannot_be_recorded_leaves_nothing(
    store: EventStore, moves: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        store.record("mika", coded(), parse_moves(moves))

    assert not any(contents(store.database).values())


def test_a_recorded_game_is_the_callers_own(store: EventStore) -> None:
    game = store.record("mika", coded(), parse_moves("D"))

    game.game.columns[8].clear()

    assert store.load(game.id).game.columns == fold(coded(), parse_moves("D")).columns


def _simulate(store: EventStore, seed: int) -> list[tuple[str, list[str], int]]:
    modes = [parse_mode(mode) for mode in MODES]
    played = simulate(store, "bot:greedy", count=5, bot="greedy", modes=modes, seed=seed)
    return [
        (str(game.header.deal.code), [event.move for event in store.read(game.id)], game.game.score)
        for game in played
    ]


def test_the_same_seed_gives_the_same_codes_moves_and_scores(
    store: EventStore, new_database: NewDatabase
) -> None:
    first = _simulate(store, 7)
    again = _simulate(EventStore(new_database()), 7)

    assert first == again
    assert first != _simulate(EventStore(new_database()), 8)
    # The modes come in turn, and no game stays open.
    assert [code.split("-")[1] for code, _, _ in first] == [*MODES, MODES[0]]
    statuses = {row[5] for row in contents(store.database)["summaries"]}
    assert statuses <= {"won", "abandoned"}
    names = {name for _, name in contents(store.database)["players"]}
    assert names == {"bot:greedy"}
    assert audited(store.database).faults == []


def test_games_that_a_bot_plays_are_recorded_one_by_one(store: EventStore) -> None:
    modes = [parse_mode("D3V")]
    games = simulate(store, "bot:random", count=2, bot="random", modes=modes, seed=1)

    first = next(games)

    assert [row[0] for row in contents(store.database)["games"]] == [first.id]
    assert first.game.status != "open"


def test_the_vectors_are_recorded_as_they_were_played(store: EventStore) -> None:
    for played in records.games()[:3]:
        game = store.record("vector", played.deal, played.moves)

        assert (game.game.status, game.game.score) == (played.end.status, played.end.score)
        assert store.load(game.id).head == game.head
