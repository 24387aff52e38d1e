"""Several games of one deal: the same 104 cards, in any mode, however they were dealt (R36)."""

from ds_core import MOVES, Deal
from ds_events.attempts import repeated_deals
from ds_events.ids import player_id
from ds_events.report import list_games
from ds_events.store import EventStore
from tests.events.building import FakeClock, coded, own_deal


def _told(store: EventStore, player: str | None = "mika") -> list[list[int]]:
    with store.database.read() as connection:
        listed = list_games(connection, None if player is None else player_id(player))
        return [[row.id for row in tried] for tried in repeated_deals(connection, listed)]


def _played(
    store: EventStore, clock: FakeClock, *deals: Deal, player: str = "mika", moves: str = "D"
) -> list[int]:
    ids = []
    for deal in deals:
        clock.tick()
        ids.append(store.record(player, deal, [MOVES[move] for move in moves.split()]).id)
    return ids


def test_a_deal_is_the_same_in_every_mode(store: EventStore, clock: FakeClock) -> None:
    first, other, second, third = _played(
        store,
        clock,
        coded("DS1-D1N-AAAAAAB"),
        coded("DS1-D1N-AAAAAAC"),
        coded("DS1-D3V-AAAAAAB"),
        coded("DS1-D1N-AAAAAAB"),
    )
    assert _told(store) == [[first, second, third]]
    (again,) = _played(store, clock, coded("DS1-D1V-AAAAAAC"))
    # The deal of the newest attempt comes first.
    assert _told(store) == [[other, again], [first, second, third]]


def test_cards_decide_and_no_label_does(store: EventStore, clock: FakeClock) -> None:
    """R36: a deck of one's own is the same deal as the code that deals these cards."""
    own, code, labelled = _played(
        store,
        clock,
        own_deal("D3N", label="DS1-D1N-AAAAAAB"),
        coded("DS1-D1N-A4ROGUB"),
        own_deal("D1V"),
    )
    _played(store, clock, coded("DS1-D1N-AAAAAAB"))
    assert _told(store) == [[own, code, labelled]]


def test_a_deal_that_was_never_played_is_no_attempt(store: EventStore, clock: FakeClock) -> None:
    _played(store, clock, coded())
    _played(store, clock, coded(), moves="")
    _played(store, clock, coded(), moves="X")
    assert _told(store) == []


def test_attempts_of_others_are_among_them_only_for_everybody(
    store: EventStore, clock: FakeClock
) -> None:
    (mine,) = _played(store, clock, coded())
    (theirs,) = _played(store, clock, coded(), player="kai")
    assert _told(store) == []
    assert _told(store, None) == [[mine, theirs]]
    (again,) = _played(store, clock, coded())
    assert _told(store) == [[mine, again]]
