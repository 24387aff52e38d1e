"""The statistics of games: of each mode, in total, and by period.

What each figure is stands in docs/statistics.md, and nowhere else.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from ds_core import MODES
from ds_events.filters import Filters
from ds_events.measures import Run, Spread, interval, runs, spread
from ds_events.periods import PeriodKind, period_namer
from ds_events.report import COUNTS, STAKE, VEGAS_MODES, fetch_plain
from ds_events.schema import micros, summaries
from ds_events.times import SECOND, Micros


@dataclass(frozen=True, slots=True)
class Tally:
    """How many games there are and how they stand."""

    games: int = 0
    won: int = 0
    abandoned: int = 0
    open: int = 0

    @property
    def win_rate(self) -> float | None:
        """Won games among the closed ones, `None` without any."""
        closed = self.won + self.abandoned
        return self.won / closed if closed else None

    @property
    def win_interval(self) -> tuple[float, float] | None:
        """The interval that the win rate stands for, `None` without closed games."""
        return interval(self.won, self.won + self.abandoned)


@dataclass(frozen=True, slots=True)
class Play:
    """What was played: whole seconds and operations of all games, and means of a game."""

    active_s: int = 0
    idle_s: int = 0
    moves: int = 0
    undos: int = 0
    passes: int = 0
    mean_moves: float | None = None
    mean_undos: float | None = None
    mean_passes: float | None = None


@dataclass(frozen=True, slots=True)
class Wins:
    """How long wins took in seconds, and the fewest moves; `None` without any."""

    fastest_s: int | None = None
    mean_s: float | None = None
    fastest_active_s: int | None = None
    mean_active_s: float | None = None
    fewest_moves: int | None = None


@dataclass(frozen=True, slots=True)
class Money:
    """Dollars of Vegas games."""

    staked: int
    returned: int
    net: int
    return_on_stake: float | None
    biggest_win: int | None
    biggest_loss: int | None
    longest_drought: Run


@dataclass(frozen=True, slots=True)
class ModeStatistics:
    """The statistics of one mode; `vegas` is `None` in a standard mode."""

    tally: Tally
    scores: Spread
    won_scores: Spread
    current_streak: Run
    longest_streak: Run
    wins: Wins
    play: Play
    home_not_won: Spread
    vegas: Money | None


@dataclass(frozen=True, slots=True)
class Total:
    """What can be added up over the modes; `vegas` is of both Vegas modes together."""

    tally: Tally
    play: Play
    vegas: Money


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of games: each of the four modes, and the total."""

    modes: dict[str, ModeStatistics]
    total: Total


@dataclass(frozen=True, slots=True)
class Report:
    """The statistics of all games asked for, and of those of each period by its name."""

    whole: Statistics
    periods: dict[str, Statistics] = field(default_factory=dict)


class _Game(NamedTuple):
    """What the statistics need of a game."""

    mode: str
    status: str
    score: int
    moves: int
    undos: int
    recycles: int
    home: int
    started_at: Micros
    first_at: Micros
    last_at: Micros
    idle: Micros


_KEPT: Final = summaries.c
_GAMES: Final = (
    select(
        _KEPT.mode,
        _KEPT.status,
        _KEPT.score,
        _KEPT.moves,
        _KEPT.undos,
        _KEPT.recycles,
        _KEPT.home,
        micros(_KEPT.started_at),
        micros(_KEPT.first_at),
        micros(_KEPT.last_at),
        _KEPT.idle,
    )
    .where(COUNTS)
    .order_by(_KEPT.last_at, _KEPT.game_id)
)
"""The columns of `_Game`; closed games come in the order in which they ended."""


def statistics(
    connection: Connection,
    player: int | None,
    filters: Filters | None = None,
    by: PeriodKind | None = None,
    zone: tzinfo | None = None,
) -> Report:
    """Return the statistics of a player's games, or of everybody's for `None`.

    With `by` also those of each period in which a game was started that counts, in a time
    zone, or for `None` where the machine is.
    """
    found = _GAMES.where(*(filters or Filters()).conditions())
    if player is not None:
        found = found.where(_KEPT.player_id == player)
    games = list(map(_Game._make, fetch_plain(connection, found)))
    if by is None:
        return Report(_statistics(games))
    name_of = period_namer(by, zone)
    periods: dict[str, list[_Game]] = defaultdict(list)
    for game in games:
        periods[name_of(game.started_at)].append(game)
    return Report(
        _statistics(games), {name: _statistics(periods[name]) for name in sorted(periods)}
    )


def _statistics(games: Sequence[_Game]) -> Statistics:
    by_mode: dict[str, list[_Game]] = {mode: [] for mode in MODES}
    for game in games:
        by_mode[game.mode].append(game)
    sums = {mode: _summed(of) for mode, of in by_mode.items()}
    whole = _Sums(*map(sum, zip(*sums.values(), strict=True)))
    vegas = [game for game in games if game.mode in VEGAS_MODES]
    return Statistics(
        {mode: _of_mode(mode, of, sums[mode]) for mode, of in by_mode.items()},
        Total(whole.tally, whole.play, _money(vegas)),
    )


class _Sums(NamedTuple):
    """What is added up over games, times in microseconds."""

    games: int
    won: int
    abandoned: int
    duration: Micros
    idle: Micros
    moves: int
    undos: int
    recycles: int

    @property
    def tally(self) -> Tally:
        is_open = self.games - self.won - self.abandoned
        return Tally(self.games, self.won, self.abandoned, is_open)

    @property
    def play(self) -> Play:
        if not self.games:
            return Play()
        passes = self.games + self.recycles
        return Play(
            active_s=(self.duration - self.idle) // SECOND,
            idle_s=self.idle // SECOND,
            moves=self.moves,
            undos=self.undos,
            passes=passes,
            mean_moves=self.moves / self.games,
            mean_undos=self.undos / self.games,
            mean_passes=passes / self.games,
        )


def _summed(games: Sequence[_Game]) -> _Sums:
    states = [game.status for game in games]
    return _Sums(
        games=len(states),
        won=states.count("won"),
        abandoned=states.count("abandoned"),
        duration=sum([game.last_at - game.first_at for game in games]),
        idle=sum([game.idle for game in games]),
        moves=sum([game.moves for game in games]),
        undos=sum([game.undos for game in games]),
        recycles=sum([game.recycles for game in games]),
    )


def _of_mode(mode: str, games: Sequence[_Game], sums: _Sums) -> ModeStatistics:
    closed = [game for game in games if game.status != "open"]
    won = [game for game in closed if game.status == "won"]
    current, longest = runs([(game.status == "won", game.last_at) for game in closed])
    return ModeStatistics(
        tally=sums.tally,
        scores=spread([game.score for game in closed]),
        won_scores=spread([game.score for game in won]),
        current_streak=current,
        longest_streak=longest,
        wins=_wins(won),
        play=sums.play,
        home_not_won=spread([game.home for game in closed if game.status != "won"]),
        vegas=_money(games) if mode in VEGAS_MODES else None,
    )


def _wins(won: Sequence[_Game]) -> Wins:
    if not won:
        return Wins()
    whole = [game.last_at - game.first_at for game in won]
    active = [game.last_at - game.first_at - game.idle for game in won]
    return Wins(
        min(whole) // SECOND,
        _mean_s(whole),
        min(active) // SECOND,
        _mean_s(active),
        min(game.moves for game in won),
    )


def _money(games: Sequence[_Game]) -> Money:
    closed = [game for game in games if game.status != "open"]
    staked, net = STAKE * len(games), sum([game.score for game in games])
    _, drought = runs([(game.score <= 0, game.last_at) for game in closed])
    return Money(
        staked=staked,
        returned=staked + net,
        net=net,
        return_on_stake=net / staked if staked else None,
        biggest_win=max((game.score for game in closed if game.score > 0), default=None),
        biggest_loss=min((game.score for game in closed if game.score < 0), default=None),
        longest_drought=drought,
    )


def _mean_s(times: Sequence[Micros]) -> float:
    return sum(times) / (len(times) * SECOND)
