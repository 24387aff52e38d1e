"""Statistics: against a plain count over games whose outcome is known beforehand."""

import statistics as standard
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from ds_events.measures import Run, Spread
from ds_events.rebuild import rebuild
from ds_events.schema import summaries
from ds_events.statistics import (
    ModeStatistics,
    Money,
    Play,
    Statistics,
    Tally,
    Total,
    Wins,
    statistics,
)
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
        return statistics(connection, id_of(player)).whole


def _tally(games: Sequence[Known]) -> Tally:
    states = [game.status for game in games]
    return Tally(len(games), *(states.count(state) for state in ("won", "abandoned", "open")))


def _in_order(games: Sequence[Known]) -> list[Known]:
    """Return the closed games in the order in which they ended."""
    closed = [game for game in games if game.is_closed]
    return sorted(closed, key=lambda game: (game.ended_at, game.id))


def _runs(games: Sequence[Known], goes_on: Callable[[Known], bool]) -> tuple[Run, Run]:
    """Return the last and the longest run of games, found by trying every stretch of them."""
    stretches = [
        games[start:end]
        for start in range(len(games))
        for end in range(start + 1, len(games) + 1)
        if all(map(goes_on, games[start:end]))
    ]
    longest = max(map(len, stretches), default=0)
    last = max((len(one) for one in stretches if one[-1] is games[-1]), default=0)
    found = [games[len(games) - last :], next((s for s in stretches if len(s) == longest), [])]
    current, first_of_longest = (
        Run(len(run), run[0].ended_at, run[-1].ended_at) if run else Run() for run in found
    )
    return current, first_of_longest


def _spread(numbers: Sequence[int]) -> Spread:
    if not numbers:
        return Spread()
    cuts = [float(numbers[0])] * 3
    if len(numbers) > 1:
        cuts = standard.quantiles(numbers, n=4, method="inclusive")
    return Spread(
        max(numbers), float(Fraction(sum(numbers), len(numbers))), cuts[1], cuts[0], cuts[2]
    )


def _wins(won: Sequence[Known]) -> Wins:
    if not won:
        return Wins()
    whole = [game.duration for game in won]
    active = [game.duration - game.idle for game in won]
    return Wins(
        min(micros // SECOND for micros in whole),
        float(Fraction(sum(whole), len(won) * SECOND)),
        min(micros // SECOND for micros in active),
        float(Fraction(sum(active), len(won) * SECOND)),
        min(game.moves for game in won),
    )


def _play(games: Sequence[Known]) -> Play:
    idle = sum(game.idle for game in games)
    counted = [
        [game.moves for game in games],
        [game.undos for game in games],
        [game.recycles + 1 for game in games],
    ]
    return Play(
        (sum(game.duration for game in games) - idle) // SECOND,
        idle // SECOND,
        *(sum(numbers) for numbers in counted),
        *(float(Fraction(sum(numbers), len(games))) if games else None for numbers in counted),
    )


def _money(games: Sequence[Known]) -> Money:
    scores = [game.score for game in games]
    closed = _in_order(games)
    ended = [game.score for game in closed]
    return Money(
        staked=104 * len(games),
        returned=sum(score + 104 for score in scores),
        net=sum(scores),
        return_on_stake=float(Fraction(sum(scores), 104 * len(games))) if games else None,
        biggest_win=max(ended) if ended and max(ended) > 0 else None,
        biggest_loss=min(ended) if ended and min(ended) < 0 else None,
        longest_drought=_runs(closed, lambda game: game.score <= 0)[1],
    )


def _right(mode: str, games: Sequence[Known]) -> ModeStatistics:
    """Return the statistics of one mode as the definitions have them (case 16)."""
    counted = [game for game in games if game.counts and game.mode == mode]
    closed = _in_order(counted)
    won = [game for game in closed if game.status == "won"]
    current, longest = _runs(closed, lambda game: game.status == "won")
    return ModeStatistics(
        tally=_tally(counted),
        scores=_spread([game.score for game in closed]),
        won_scores=_spread([game.score for game in won]),
        current_streak=current,
        longest_streak=longest,
        wins=_wins(won),
        play=_play(counted),
        home_not_won=_spread([game.home for game in closed if game.status == "abandoned"]),
        vegas=_money(counted) if mode.endswith("V") else None,
    )


def _right_total(games: Sequence[Known]) -> Total:
    counted = [game for game in games if game.counts]
    vegas = [game for game in counted if game.mode.endswith("V")]
    return Total(_tally(counted), _play(counted), _money(vegas))


def right(games: Sequence[Known]) -> Statistics:
    return Statistics({mode: _right(mode, games) for mode in MODES}, _right_total(games))


@pytest.mark.parametrize("seed", range(8))
def test_statistics_are_what_a_plain_count_gives(store: EventStore, seed: int) -> None:
    games = some_games(seed, 40)
    assert take_in(store, [game.line for game in games]).added == 40

    for player in (*PLAYERS, None):
        mine = [game for game in games if player in (None, game.player)]
        told = _ask(store, player)

        assert list(told.modes) == list(MODES)
        assert told == right(mine)


def test_the_known_games_try_what_they_are_for() -> None:
    """Idle wins, cards home in games not won, droughts and streaks, quartiles between ranks."""
    everything = [game for seed in range(8) for game in some_games(seed, 40)]
    told = right(everything)
    for of_mode in told.modes.values():
        assert of_mode.play.idle_s > 3600
        assert of_mode.wins.mean_s != of_mode.wins.mean_active_s
        assert of_mode.home_not_won.best
        assert of_mode.longest_streak.length > 2
    assert told.total.vegas.longest_drought.length > 2
    assert told.total.vegas.biggest_win == 416
    assert told.total.play.passes > told.total.tally.games
    assert any(game.idle > game.duration for game in everything if game.counts)


@pytest.mark.parametrize(("won", "abandoned"), [(5, 7), (1, 0), (0, 3), (50, 50), (999, 1)])
def test_the_interval_is_where_the_rate_would_be_at_its_edge(won: int, abandoned: int) -> None:
    """By its definition: a rate p at which what was seen is 1.96 standard deviations off."""
    games = won + abandoned
    interval = Tally(games + 2, won, abandoned, 2).win_interval
    assert interval is not None

    z = standard.NormalDist().inv_cdf(0.975)
    for bound, side in zip(interval, (1, -1), strict=True):
        off = won / games - bound
        assert off == pytest.approx(side * z * sqrt(bound * (1 - bound) / games), abs=1e-9)
    assert 0 <= interval[0] <= won / games <= interval[1] <= 1


def test_without_closed_games_there_is_no_interval() -> None:
    assert Tally(2, 0, 0, 2).win_interval is None


def test_a_restart_and_a_rebuild_change_nothing(store: EventStore, reopen: Reopen) -> None:
    take_in(store, [game.line for game in some_games(99, 25)])
    before = {player: _ask(store, player) for player in (*PLAYERS, None)}

    again = EventStore(reopen(store.database))
    assert {player: _ask(again, player) for player in before} == before

    remove(store.database, summaries)
    assert _ask(store, None).total.tally.games == 0
    rebuild(store.database)
    assert {player: _ask(again, player) for player in before} == before


def test_a_player_without_games_has_empty_statistics(store: EventStore) -> None:
    store.create("noor", coded())

    for player in ("mika", "noor", None):
        told = _ask(store, player)
        assert told == right([])
        assert told.total.tally.win_rate is None


@pytest.mark.parametrize(
    ("won", "abandoned", "rate"), [(0, 0, None), (3, 0, 1.0), (0, 2, 0.0), (1, 3, 0.25)]
)
def test_the_win_rate_is_won_among_closed(won: int, abandoned: int, rate: float | None) -> None:
    assert Tally(won + abandoned + 5, won, abandoned, 5).win_rate == rate


def test_games_without_an_operation_are_in_no_statistic(store: EventStore) -> None:
    store.create("mika", coded())
    empty = store.create("mika", coded())
    store.append(empty.id, ["X"], expected_version=0)
    assert _ask(store, "mika").total.tally == Tally()

    undone = store.create("mika", coded())
    store.append(undone.id, ["D", "U"], expected_version=0)

    assert _ask(store, "mika").total.tally == Tally(1, 0, 0, 1)


def test_an_abandoned_game_counts_once_by_its_final_state(store: EventStore) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D"], expected_version=0)
    assert _ask(store, "mika").total.tally == Tally(1, 0, 0, 1)

    store.append(game.id, ["D", "X"], expected_version=1)

    assert _ask(store, "mika").total.tally == Tally(1, 0, 1, 0)
    assert _ask(store, "mika").modes["D1N"].scores.best == 0


@pytest.mark.parametrize("mode", MODES)
def test_a_game_is_in_the_statistics_of_its_mode_alone(store: EventStore, mode: str) -> None:
    take_in(store, [without(vector(label=f"APP-{mode}"), "player")])

    told = _ask(store, "mika")

    score = 1220 if mode.endswith("N") else 416
    for other, of_mode in told.modes.items():
        if other == mode:
            assert (of_mode.tally, of_mode.scores.best) == (Tally(1, 1, 0, 0), score)
            assert (of_mode.current_streak.length, of_mode.longest_streak.length) == (1, 1)
        else:
            assert of_mode == _right(other, [])
    assert told.total.tally == Tally(1, 1, 0, 0)


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

    assert (told.current_streak.length, told.longest_streak.length) == streaks


def test_an_abandoned_game_ends_no_streak_of_another_mode_or_player(store: EventStore) -> None:
    take_in(store, [_ended(1, "won", 1), _ended(3, "won", 3), _ended(4, "abandoned", 2, "D3N")])
    take_in(store, [_ended(2, "abandoned", 2)], player="noor")

    assert _ask(store, "mika").modes["D3V"].current_streak.length == 2
    assert _ask(store, "noor").modes["D3V"].current_streak.length == 0
    everybody = _ask(store, None).modes["D3V"]
    assert (everybody.current_streak.length, everybody.longest_streak.length) == (1, 1)


def test_the_fastest_win_is_in_whole_seconds(store: EventStore) -> None:
    game = _ended(1, "won", 10)
    game["events"][0]["at"] = utc(START + 8 * SECOND + 1)

    take_in(store, [game, _ended(2, "abandoned", 1)])

    # From 8.000001 s to 10 s is not quite two; the abandoned game of 0 s is no win.
    assert _ask(store, "mika").modes["D3V"].wins.fastest_s == 1
