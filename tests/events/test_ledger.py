"""The Vegas ledger: computed from recorded games, so nothing can lose it."""

from collections.abc import Sequence

import pytest

from ds_events.report import Ledger, vegas_ledger
from ds_events.store import EventStore
from tests.events.building import FakeClock, coded, own_deal, take_in, vector, without
from tests.events.conftest import Reopen
from tests.events.many_games import PLAYERS, Known, id_of, some_games


def _ask(store: EventStore, player: str | None) -> Ledger:
    with store.database.read() as connection:
        return vegas_ledger(connection, id_of(player))


def _right_rows(games: Sequence[Known]) -> list[tuple[int, int, int]]:
    """Return id, score and balance of each row as the definitions have them."""
    counted = [game for game in games if game.mode.endswith("V") and game.counts]
    ordered = sorted(counted, key=lambda game: (not game.is_closed, game.last_at, game.id))
    rows, balance = [], 0
    for game in ordered:
        balance += game.score
        rows.append((game.id, game.score, balance))
    return rows


@pytest.mark.parametrize("seed", range(5))
def test_the_ledger_is_what_a_plain_sum_gives(store: EventStore, seed: int) -> None:
    games = some_games(1000 + seed, 40)
    take_in(store, [game.line for game in games])
    known = {game.id: game for game in games}

    for player in (*PLAYERS, None):
        mine = [game for game in games if player in (None, game.player)]
        rows = _right_rows(mine)
        told = _ask(store, player)

        assert [(row.game.id, row.game.score, row.balance) for row in told.rows] == rows
        for row in told.rows:
            game = known[row.game.id]
            assert (row.game.status, row.game.mode) == (game.status, game.mode)
            assert row.game.ended_at == (game.last_at if game.is_closed else None)
            assert row.game.player.name == game.player
        assert told.staked == 104 * len(rows)
        assert told.returned == sum(score + 104 for _, score, _ in rows)
        assert told.net == told.returned - told.staked == sum(score for _, score, _ in rows)
        assert told.settled_net == sum(
            score for number, score, _ in rows if known[number].is_closed
        )


def test_a_restart_changes_nothing(store: EventStore, reopen: Reopen) -> None:
    take_in(store, [game.line for game in some_games(77, 25)])
    before = {player: _ask(store, player) for player in (*PLAYERS, None)}

    again = EventStore(reopen(store.database))

    assert before[None].rows
    assert {player: _ask(again, player) for player in before} == before


def test_nothing_to_report_is_an_empty_ledger(store: EventStore) -> None:
    assert _ask(store, "mika") == Ledger([], 0, 0, 0, 0)


def test_standard_games_and_games_never_played_are_not_in_the_ledger(store: EventStore) -> None:
    for mode in ("D1N", "D3N"):
        game = store.create("mika", own_deal(mode))
        store.append(game.id, ["D", "X"], expected_version=0)
    for code in ("DS1-D1V-AAAAAAB", "DS1-D3V-AAAAAAB"):
        store.create("mika", coded(code))
        unplayed = store.create("mika", coded(code))
        store.append(unplayed.id, ["X"], expected_version=0)

    assert _ask(store, "mika") == Ledger([], 0, 0, 0, 0)


def test_each_game_costs_104_and_pays_5_for_each_card_home(
    store: EventStore, clock: FakeClock
) -> None:
    take_in(store, [without(vector(label="APP-D1V"), "player")])
    clock.tick(3600)
    lost = store.create("mika", coded("DS1-D3V-AAAAAAB"))
    store.append(lost.id, ["D", "X"], expected_version=0)
    still = store.create("mika", coded("DS1-D1V-AAAAAAA"))
    store.append(still.id, ["D"], expected_version=0)

    told = _ask(store, "mika")

    assert [(row.game.score, row.balance) for row in told.rows] == [
        (416, 416),
        (-104, 312),
        (-104, 208),
    ]
    assert (told.staked, told.returned, told.net) == (312, 520, 208)
    assert told.settled_net == 312


def test_an_open_game_stands_in_the_ledger_at_its_present_score(store: EventStore) -> None:
    won = vector(label="APP-D3V")
    game = store.create("mika", own_deal("D3V"))
    store.append(game.id, ["D"], expected_version=0)
    assert (_ask(store, "mika").net, _ask(store, "mika").settled_net) == (-104, 0)

    almost = without(won, "player", "status", "score", "moves") | {"events": won["events"][:-1]}
    take_in(store, [almost])

    told = _ask(store, "mika")
    assert sorted(row.game.score for row in told.rows) == [-104, 411]
    assert (told.net, told.settled_net) == (307, 0)
