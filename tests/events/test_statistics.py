"""Statistics: against a plain count over games whose outcome is known beforehand."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from ds_events.rebuild import rebuild
from ds_events.schema import summaries
from ds_events.statistics import ModeStatistics, Statistics, Tally, statistics
from ds_events.store import EventStore
from tests.events.building import (
    MODES,
    SECOND,
    START,
    coded,
    take_in,
    utc,
    vector,
    without,
)
from tests.events.conftest import Reopen
from tests.events.many_games import PLAYERS, Known, id_of, some_games
from tests.events.tampering import remove


def _ask(store: EventStore, player: str | None) -> Statistics:
    with store.database.read() as connection:
        return statistics(connection, id_of(player))


def _tally(games: Sequence[Known]) -> Tally:
    states = [game.status for game in games]
    return Tally(len(games), *(states.count(state) for state in ("won", "abandoned", "open")))


def _streaks(games: Sequence[Known]) -> tuple[int, int]:
    """Return the current and the longest run of won games (case 16)."""
    current = longest = 0
    closed = [game for game in games if game.is_closed]
    for game in sorted(closed, key=lambda game: (game.last_at, game.id)):
        current = current + 1 if game.status == "won" else 0
        longest = max(longest, current)
    return current, longest


def _right(games: Sequence[Known]) -> dict[str, Any]:
    """Return the statistics of one mode as the definitions have them."""
    counted = [game for game in games if game.counts]
    closed = [game.score for game in counted if game.is_closed]
    won = [game for game in counted if game.status == "won"]
    durations = [
        (game.last_at - game.first_at) // SECOND
        for game in won
        if game.last_at is not None and game.first_at is not None
    ]
    current, longest = _streaks(counted)
    return {
        "tally": _tally(counted),
        "best_score": max(closed, default=None),
        "mean_score": float(Fraction(sum(closed), len(closed))) if closed else None,
        "current_streak": current,
        "longest_streak": longest,
        "fastest_win_s": min(durations, default=None),
        "fewest_moves_win": min((game.moves for game in won), default=None),
    }


@pytest.mark.parametrize("seed", range(8))
def test_statistics_are_what_a_plain_count_gives(store: EventStore, seed: int) -> None:
    games = some_games(seed, 40)
    assert take_in(store, [game.line for game in games]).added == 40

    for player in (*PLAYERS, None):
        mine = [game for game in games if player in (None, game.player)]
        told = _ask(store, player)

        assert list(told.modes) == list(MODES)
        for mode, of_mode in told.modes.items():
            right = _right([game for game in mine if game.mode == mode])
            assert {name: getattr(of_mode, name) for name in right} == right
        assert told.total == _tally([game for game in mine if game.counts])


def test_a_restart_and_a_rebuild_change_nothing(store: EventStore, reopen: Reopen) -> None:
    take_in(store, [game.line for game in some_games(99, 25)])
    before = {player: _ask(store, player) for player in (*PLAYERS, None)}

    again = EventStore(reopen(store.database))
    assert {player: _ask(again, player) for player in before} == before

    remove(store.database, summaries)
    assert _ask(store, None).total.games == 0
    rebuild(store.database)
    assert {player: _ask(again, player) for player in before} == before


def test_a_player_without_games_has_empty_statistics(store: EventStore) -> None:
    store.create("noor", coded())

    for player in ("mika", "noor", None):
        told = _ask(store, player)
        assert told == Statistics(dict.fromkeys(MODES, ModeStatistics()), Tally())
        assert told.total.win_rate is None


@pytest.mark.parametrize(
    ("won", "abandoned", "rate"), [(0, 0, None), (3, 0, 1.0), (0, 2, 0.0), (1, 3, 0.25)]
)
def test_the_win_rate_is_won_among_closed(won: int, abandoned: int, rate: float | None) -> None:
    assert Tally(won + abandoned + 5, won, abandoned, 5).win_rate == rate


def test_games_without_an_operation_are_in_no_statistic(store: EventStore) -> None:
    store.create("mika", coded())
    empty = store.create("mika", coded())
    store.append(empty.id, ["X"], expected_version=0)
    assert _ask(store, "mika").total == Tally()

    undone = store.create("mika", coded())
    store.append(undone.id, ["D", "U"], expected_version=0)

    assert _ask(store, "mika").total == Tally(1, 0, 0, 1)


def test_an_abandoned_game_counts_once_by_its_final_state(store: EventStore) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D"], expected_version=0)
    assert _ask(store, "mika").total == Tally(1, 0, 0, 1)

    store.append(game.id, ["D", "X"], expected_version=1)

    assert _ask(store, "mika").total == Tally(1, 0, 1, 0)
    assert _ask(store, "mika").modes["D1N"].best_score == 0


@pytest.mark.parametrize("mode", MODES)
def test_a_game_is_in_the_statistics_of_its_mode_alone(store: EventStore, mode: str) -> None:
    take_in(store, [without(vector(label=f"APP-{mode}"), "player")])

    told = _ask(store, "mika")

    score = 1220 if mode.endswith("N") else 416
    for other, of_mode in told.modes.items():
        if other == mode:
            assert (of_mode.tally, of_mode.best_score) == (Tally(1, 1, 0, 0), score)
            assert (of_mode.current_streak, of_mode.longest_streak) == (1, 1)
        else:
            assert of_mode == ModeStatistics()
    assert told.total == Tally(1, 1, 0, 0)


def _ended(number: int, status: str, second: int, mode: str = "D3V") -> dict[str, Any]:
    """Return a game that is won, abandoned or open, with its last event at a second."""
    game = without(vector(label=f"APP-{mode}"), "player", "status", "score", "moves")
    events = game["events"] if status == "won" else game["events"][:3]
    if status == "abandoned":
        events = [*events, {"seq": 4, "move": "X"}]
    timed = [event | {"at": utc(START + second * SECOND)} for event in events]
    return game | {"id": f"000000000000{number}", "started_at": utc(START), "events": timed}


@pytest.mark.parametrize(
    ("games", "streaks"),
    [
        ([], (0, 0)),
        ([("open", 1)], (0, 0)),
        ([("won", 1)], (1, 1)),
        ([("abandoned", 1)], (0, 0)),
        ([("abandoned", 1), ("won", 2)], (1, 1)),
        ([("won", 1), ("abandoned", 2)], (0, 1)),
        ([("won", 1), ("won", 2), ("abandoned", 3), ("won", 4)], (1, 2)),
        ([("won", 1), ("abandoned", 2), ("won", 3), ("won", 4), ("won", 5)], (3, 3)),
        ([("abandoned", 1), ("abandoned", 2), ("won", 3), ("abandoned", 4)], (0, 1)),
        # An open game does not touch a streak, wherever its last event stands.
        ([("won", 1), ("open", 2), ("won", 3), ("open", 4)], (2, 2)),
        # By the end of the games, not by their ids or starts.
        ([("won", 9), ("abandoned", 1), ("won", 8)], (2, 2)),
        # Of games that end together the lower id comes first.
        ([("abandoned", 5), ("won", 5), ("won", 5)], (2, 2)),
        ([("won", 5), ("won", 5), ("abandoned", 5)], (0, 2)),
        ([("won", 5), ("abandoned", 5), ("won", 5)], (1, 1)),
    ],
)
def test_streaks(store: EventStore, games: list[tuple[str, int]], streaks: tuple[int, int]) -> None:
    lines = [_ended(number, *game) for number, game in enumerate(games, 1)]
    assert take_in(store, lines[::-1]).added == len(games)

    told = _ask(store, "mika").modes["D3V"]

    assert (told.current_streak, told.longest_streak) == streaks


def test_an_abandoned_game_ends_no_streak_of_another_mode_or_player(store: EventStore) -> None:
    take_in(store, [_ended(1, "won", 1), _ended(3, "won", 3), _ended(4, "abandoned", 2, "D3N")])
    take_in(store, [_ended(2, "abandoned", 2)], player="noor")

    assert _ask(store, "mika").modes["D3V"].current_streak == 2
    assert _ask(store, "noor").modes["D3V"].current_streak == 0
    everybody = _ask(store, None).modes["D3V"]
    assert (everybody.current_streak, everybody.longest_streak) == (1, 1)


def test_the_fastest_win_is_in_whole_seconds(store: EventStore) -> None:
    game = _ended(1, "won", 10)
    game["events"][0]["at"] = utc(START + 8 * SECOND + 1)

    take_in(store, [game, _ended(2, "abandoned", 1)])

    # From 8.000001 s to 10 s is not quite two; the abandoned game of 0 s is no win.
    assert _ask(store, "mika").modes["D3V"].fastest_win_s == 1
