"""The projection: after every append it is what a second model of the game counts."""

from random import Random

import pytest
from sqlalchemy import select

from ds_core import format_deck, parse_move
from ds_events.rebuild import rebuild
from ds_events.schema import summaries
from ds_events.store import EventStore
from tests import naive
from tests.events.building import (
    MODES,
    SECOND,
    START,
    FakeClock,
    audited,
    coded,
    contents,
    take_in,
    vector,
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(3))
def test_the_summary_says_where_the_game_stands(
    store: EventStore, clock: FakeClock, mode: str, seed: int
) -> None:
    chance = Random(f"{mode}-{seed}")
    game = store.create("mika", coded(f"DS1-{mode}-AAAAA{'BCD'[seed]}A"))
    model = naive.start(mode, tuple(format_deck(game.header.deal.cards).split()))
    first_at, idle = None, 0

    while game.version < 70 and model.status == "open":
        # More than five minutes between two events are idle time, the first pause is none.
        paused = chance.choice([1.5, 299.5, 300, 300.5, 4000])
        clock.tick(paused)
        if first_at is not None and paused > 300:
            idle += round(paused * SECOND)
        texts = []
        played = game.game.copy()
        for _ in range(chance.randint(1, 6)):
            legal = sorted(move.text for move in played.legal_moves())
            # Foundations give back seldom; without a push the counter would stay at 0.
            back = [text for text in legal if text.startswith("F")]
            choices = [*legal, *back * 3, *["U"] * (2 * bool(played.undoable))]
            texts.append(chance.choice(choices))
            played.play(parse_move(texts[-1]))
            model = naive.play(model, texts[-1])
        game = store.append(game.id, texts, expected_version=game.version)
        first_at = clock.now if first_at is None else first_at

        with store.database.read() as connection:
            row = connection.execute(select(summaries)).mappings().one()
        assert dict(row) == {
            "game_id": game.id,
            "player_id": game.header.player.id,
            "mode": mode,
            "started_at": START,
            "version": model.moves + model.undos,
            "status": "open",
            "score": model.board.score,
            "moves": model.moves,
            "undos": model.undos,
            "recycles": model.stands.count("R"),
            "take_backs": sum(text.startswith("F") for text in model.stands),
            "home": sum(map(len, model.board.foundations)),
            "turned_up": 36 - sum(map(len, model.board.down)),
            "first_at": first_at,
            "last_at": clock.now,
            "ended_at": None,
            "head": game.head,
            "idle": idle,
        }

    before = contents(store.database)
    assert rebuild(store.database).rebuilt == 0
    assert contents(store.database) == before
    assert audited(store.database).faults == []


@pytest.mark.parametrize("mode", MODES)
def test_the_summary_of_a_won_game(store: EventStore, mode: str) -> None:
    won = vector(label=f"APP-{mode}")
    assert won["score"] == (1220 if mode.endswith("N") else 416)

    take_in(store, [won])

    with store.database.read() as connection:
        row = connection.execute(select(summaries)).mappings().one()
    assert (row["status"], row["score"], row["moves"]) == ("won", won["score"], won["moves"])
    assert (row["home"], row["turned_up"], row["version"]) == (104, 36, len(won["events"]))
    assert row["ended_at"] == row["last_at"] > row["first_at"]
    assert sum(event["move"] == "U" for event in won["events"]) == row["undos"]


def test_a_game_that_was_abandoned_ends_with_its_last_event(
    store: EventStore, clock: FakeClock
) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D"], expected_version=0)
    clock.tick(9)

    store.append(game.id, ["X"], expected_version=1)

    with store.database.read() as connection:
        row = connection.execute(select(summaries)).mappings().one()
    assert (row["status"], row["moves"], row["version"]) == ("abandoned", 1, 2)
    assert (row["first_at"], row["ended_at"]) == (START, START + 9_000_000)
