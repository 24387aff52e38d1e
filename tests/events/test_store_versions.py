"""Optimistic concurrency: an append names the version that it expects."""

import pytest

from ds_core import parse_moves
from ds_events.errors import WrongExpectedVersion
from ds_events.ids import format_id
from ds_events.record import StoredGame
from ds_events.store import EventStore
from tests.events.building import FakeClock, coded, contents
from tests.events.conftest import Reopen


@pytest.fixture
def other(store: EventStore, reopen: Reopen, clock: FakeClock) -> EventStore:
    """Give a second store on the same database, as another process has it."""
    return EventStore(reopen(store.database), clock)


@pytest.fixture
def game(store: EventStore) -> StoredGame:
    """Give a game with two events that the first store has kept folded."""
    made = store.create("mika", coded())
    return store.append(made.id, ["D", "D"], expected_version=0)


def _refused(store: EventStore, game_id: int, moves: str, expected: int) -> WrongExpectedVersion:
    before = contents(store.database)
    with pytest.raises(WrongExpectedVersion) as caught:
        store.append(game_id, parse_moves(moves), expected_version=expected)
    assert contents(store.database) == before
    return caught.value


@pytest.mark.parametrize("expected", [-1, 0, 1, 3, 20_001])
def test_another_version_than_expected_is_refused_with_all_three_values(
    store: EventStore, game: StoredGame, expected: int
) -> None:
    error = _refused(store, game.id, "D", expected)

    assert (error.game, error.expected, error.actual) == (game.id, expected, 2)
    for told in (format_id(game.id), f"seq 2, not {expected}"):
        assert told in str(error)


@pytest.mark.parametrize("loaded", [True, False])
def test_what_another_store_has_appended_since_is_seen(
    store: EventStore, other: EventStore, game: StoredGame, loaded: bool
) -> None:
    if loaded:
        other.load(game.id)
    other.append(game.id, ["D"], expected_version=2)

    error = _refused(store, game.id, "D", 2)

    assert (error.game, error.expected, error.actual) == (game.id, 2, 3)
    assert store.append(game.id, ["D"], expected_version=3).version == 4
    assert _refused(other, game.id, "D", 3).actual == 4


def test_a_move_that_only_the_kept_game_refuses_is_a_wrong_version(
    store: EventStore, other: EventStore, game: StoredGame
) -> None:
    # U twice is all that the kept game allows; by now there are three operations.
    other.append(game.id, ["D"], expected_version=2)

    assert _refused(store, game.id, "U U U", 2).actual == 3


def test_a_game_closed_behind_the_back_of_a_store_is_a_wrong_version(
    store: EventStore, other: EventStore, game: StoredGame
) -> None:
    other.append(game.id, ["X"], expected_version=2)

    assert _refused(store, game.id, "D", 2).actual == 3


def test_appending_nothing_holds_the_expected_version_too(
    store: EventStore, other: EventStore, game: StoredGame
) -> None:
    other.append(game.id, ["D"], expected_version=2)

    assert _refused(store, game.id, "", 2).actual == 3


def test_loading_brings_a_store_up_to_date(
    store: EventStore, other: EventStore, game: StoredGame
) -> None:
    other.append(game.id, ["D", "U"], expected_version=2)

    assert store.load(game.id).version == 4
    assert store.append(game.id, ["D"], expected_version=4).version == 5
    assert [event.move for event in other.read(game.id)] == ["D", "D", "D", "U", "D"]
