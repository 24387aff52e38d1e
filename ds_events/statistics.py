"""Statistics by mode, computed in the database from the summaries.

Won, abandoned and open games count once each, by their present state, from their first
operation on. Points and dollars are never added up: totals are of games alone.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select

from ds_core import MODES
from ds_events.report import COUNTS
from ds_events.schema import summaries
from ds_events.times import SECOND


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


@dataclass(frozen=True, slots=True)
class ModeStatistics:
    """The statistics of one mode; `None` is what no game says anything about.

    Scores are those of closed games. A streak is a run of won games among the closed ones
    in the order in which they ended, then by id: an abandoned game ends it.
    """

    tally: Tally = Tally()
    best_score: int | None = None
    mean_score: float | None = None
    current_streak: int = 0
    longest_streak: int = 0
    fastest_win_s: int | None = None
    fewest_moves_win: int | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """A player's statistics: each of the four modes, and the total of the games."""

    modes: dict[str, ModeStatistics]
    total: Tally


def statistics(connection: Connection, player: int | None) -> Statistics:
    """Return the statistics of a player's games, or of everybody's for `None`."""
    counted: list[ColumnElement[bool]] = [COUNTS]
    if player is not None:
        counted.append(summaries.c.player_id == player)
    streaks = _streaks(connection, counted)
    modes = {mode: ModeStatistics() for mode in MODES}
    for mode, tally, best, mean, fastest, fewest in _tallies(connection, counted):
        current, longest = streaks.get(mode, (0, 0))
        modes[mode] = ModeStatistics(tally, best, mean, current, longest, fastest, fewest)
    tallies = [of_mode.tally for of_mode in modes.values()]
    total = Tally(
        sum(tally.games for tally in tallies),
        sum(tally.won for tally in tallies),
        sum(tally.abandoned for tally in tallies),
        sum(tally.open for tally in tallies),
    )
    return Statistics(modes, total)


def _tallies(connection: Connection, counted: list[ColumnElement[bool]]) -> list[Any]:
    kept = summaries.c
    won, closed = kept.status == "won", kept.status != "open"
    # The times of both databases subtract only once they have come out of them.
    grouped = (
        select(
            kept.mode,
            func.count(),
            func.sum(case((won, 1), else_=0)),
            func.sum(case((kept.status == "abandoned", 1), else_=0)),
            func.max(case((closed, kept.score))),
            func.sum(case((closed, kept.score))),
            func.min(case((won, kept.moves))),
        )
        .where(*counted)
        .group_by(kept.mode)
    )
    fastest = _fastest_wins(connection, counted)
    rows = []
    for mode, count, wins, abandoned, best, points, fewest in connection.execute(grouped):
        tally = Tally(count, wins, abandoned, count - wins - abandoned)
        mean = int(points) / (wins + abandoned) if wins + abandoned else None
        rows.append((mode, tally, best, mean, fastest.get(mode), fewest))
    return rows


def _fastest_wins(connection: Connection, counted: list[ColumnElement[bool]]) -> dict[str, int]:
    kept = summaries.c
    taken: ColumnElement[Any] = kept.last_at - kept.first_at
    if connection.dialect.name == "postgresql":
        taken = func.extract("epoch", taken) * SECOND
    shortest = (
        select(kept.mode, func.min(taken)).where(*counted, kept.status == "won").group_by(kept.mode)
    )
    return {mode: int(micros) // SECOND for mode, micros in connection.execute(shortest)}


def _streaks(
    connection: Connection, counted: list[ColumnElement[bool]]
) -> dict[str, tuple[int, int]]:
    """Return each mode's current and longest run of won games.

    Closed games are numbered by how many were abandoned up to them: games of one number
    that were won are one run.
    """
    kept = summaries.c
    abandoned = case((kept.status == "abandoned", 1), else_=0)
    order = (kept.ended_at, kept.game_id)
    closed = (
        select(
            kept.mode,
            (1 - abandoned).label("won"),
            func.sum(abandoned).over(partition_by=kept.mode, order_by=order).label("run"),
        )
        .where(*counted, kept.status != "open")
        .subquery()
    )
    runs = (
        select(
            closed.c.mode,
            func.sum(closed.c.won).label("length"),
            closed.c.run,
            func.max(closed.c.run).over(partition_by=closed.c.mode).label("last"),
        )
        .group_by(closed.c.mode, closed.c.run)
        .subquery()
    )
    current = func.max(case((runs.c.run == runs.c.last, runs.c.length)))
    found = select(runs.c.mode, current, func.max(runs.c.length)).group_by(runs.c.mode)
    return {mode: (int(now), int(longest)) for mode, now, longest in connection.execute(found)}
