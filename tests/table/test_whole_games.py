"""Whole recorded games played by a person's means: the record comes out event by event."""

import pytest

from ds_core import Claim
from ds_events.store import EventStore
from tests.events.building import audited
from tests.records import GameRecord, games
from tests.table.playing import By, Table, at_table, by_keys, by_mouse

CHOSEN = {
    "draw 3, with cards taken back": "DS1-D3N-U3DTIND",
    "draw 1, from a deck": "D1N",
    "Vegas, from a deck": "D1V",
}
"""Won games, each by its code or the mode of its deck."""


def _recorded(wanted: str) -> GameRecord:
    return next(
        game
        for game in games()
        if wanted in (str(game.deal.code), str(game.deal.mode))
        and (game.deal.code is None) == (len(wanted) == 3)
    )


@pytest.mark.parametrize("by", [by_mouse, by_keys], ids=["mouse", "keys"])
@pytest.mark.parametrize("wanted", CHOSEN.values(), ids=CHOSEN)
def test_a_recorded_game_can_be_played_again(store: EventStore, wanted: str, by: By) -> None:
    played = _recorded(wanted)

    async def play(pilot: Table) -> None:
        for move in played.moves:
            await by(pilot, move)

    app = at_table(store, played.deal, play)
    recorded = store.read(app.sitting.stored.id)
    assert audited(store.database).faults == []
    assert [Claim(event.seq, event.move, event.score) for event in recorded] == [
        claim._replace(at=None) for claim in played.claims
    ]
