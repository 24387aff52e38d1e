"""What a store keeps folded: nothing that others can change, and not more than a few games."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import event

from ds_core import IllegalMove, parse_move
from ds_events.errors import WrongExpectedVersion
from ds_events.record import StoredGame
from ds_events.store import CACHED_GAMES, EventStore
from tests.events.building import audited, coded, contents, own_deal


def _spoil(stored: StoredGame) -> None:
    """Do to a returned game what a careless caller could, but for its version."""
    stored.game.columns[8].clear()
    stored.game.talon.reverse()
    stored.game.foundations[0] = 13
    stored.game.score = 999
    stored.game.take_backs = 7
    stored.game.recycles = 7


def test_a_created_game_is_the_callers_own(store: EventStore) -> None:
    game = store.create("mika", coded())

    _spoil(game)

    after = store.append(game.id, ["D", "T2T3"], expected_version=0)
    assert (after.version, after.game.status, after.game.score) == (2, "open", 5)


def test_an_appended_game_is_the_callers_own(store: EventStore) -> None:
    game = store.create("mika", coded())

    _spoil(store.append(game.id, ["D"], expected_version=0))
    after = store.append(game.id, ["T2T3"], expected_version=1)
    assert (after.version, after.game.score, after.game.home) == (2, 5, 0)

    _spoil(store.append(game.id, [], expected_version=2))
    after = store.append(game.id, ["U"], expected_version=2)
    assert (after.version, after.game.score, after.game.undoable) == (3, 0, 1)

    after.game.play(parse_move("X"))
    assert store.append(game.id, ["T2T3"], expected_version=3).game.status == "open"
    assert audited(store.database).faults == []


def test_a_loaded_game_is_the_callers_own(store: EventStore) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D"], expected_version=0)

    _spoil(store.load(game.id))
    _spoil(store.load(game.id, 1))

    assert store.load(game.id).game.status == "open"
    after = store.append(game.id, ["T2T3"], expected_version=1)
    assert (after.version, after.game.status, after.game.score) == (2, "open", 5)


def test_a_refused_append_leaves_the_kept_game_as_it_was(store: EventStore) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D"], expected_version=0)

    with pytest.raises(IllegalMove):
        store.append(game.id, ["D", "T2T3", "R"], expected_version=1)

    after = store.append(game.id, ["T2T3"], expected_version=1)
    assert (after.version, after.game.moves, after.game.score) == (2, 2, 5)


def test_more_games_than_a_store_keeps_can_be_played_in_turn(store: EventStore) -> None:
    games = [store.create("mika", coded()) for _ in range(CACHED_GAMES + 3)]

    for version in range(2):
        for game in games:
            assert store.append(game.id, ["D"], expected_version=version).version == version + 1

    assert len(store._cache) == CACHED_GAMES
    for game in games:
        with pytest.raises(WrongExpectedVersion):
            store.append(game.id, ["D"], expected_version=0)
        assert store.append(game.id, ["U"], expected_version=2).version == 3
    counted = contents(store.database)["events"]
    assert len(counted) == 3 * len(games)


@pytest.fixture
def statements(store: EventStore) -> Iterator[list[str]]:
    """Give every statement that the store's database has been sent."""
    seen: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        seen.append(statement)

    event.listen(store.database.engine, "before_cursor_execute", note)
    yield seen
    event.remove(store.database.engine, "before_cursor_execute", note)


def test_a_game_that_is_kept_is_not_read_again_to_append(
    store: EventStore, statements: list[str]
) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D"] * 20, expected_version=0)
    statements.clear()

    store.append(game.id, ["D"], expected_version=20)

    assert not [text for text in statements if text.startswith("SELECT")]


class _Ids:
    """A source of ids that gives what it was told to."""

    def __init__(self, *ids: int) -> None:
        self._ids = iter(ids)

    def new(self) -> int:
        return next(self._ids)


def test_an_id_that_is_taken_is_not_given_twice(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = store.create("mika", coded())
    store.append(taken.id, ["D"], expected_version=0)
    monkeypatch.setattr(store, "_ids", _Ids(taken.id, taken.id, 77))

    made = store.create("noor", own_deal())

    assert made.id == 77
    assert store.header(77).player.name == "noor"
    assert store.load(taken.id).header == taken.header
    assert store.load(taken.id).version == 1


def test_of_one_id_twice_in_a_batch_the_first_is_recorded(store: EventStore) -> None:
    taken = store.create("mika", coded())
    first = taken._replace(header=replace(taken.header, id=77, started_at=1))
    second = taken._replace(header=replace(taken.header, id=77, started_at=2))

    added = store.add([(taken, []), (first, []), (second, [])])

    assert added == [False, True, False]
    assert [row[0] for row in contents(store.database)["games"]] == [77, taken.id]
    assert store.header(77).started_at == 1
