"""The statistics as people read them: modes side by side, a block of rows for each topic."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from math import floor
from typing import Any, Final, TypeAlias

from ds_cli import output
from ds_core import MODES, STANDARD, VEGAS, Scoring
from ds_events.times import parse_time

Figures: TypeAlias = Mapping[str, Any]
"""The statistics of a mode, or in total, as `ds_cli.documents` has them."""


@dataclass(frozen=True, slots=True)
class _Column:
    """The figures of a mode or in total, and how they are written."""

    name: str
    figures: Figures
    scoring: Scoring
    zone: tzinfo | None


_Cell: TypeAlias = Callable[[_Column, str], str | None]
"""Writes the figure of a column that has a key, `None` where there is none."""


def _written(write: Callable[[Any, _Column], str]) -> _Cell:
    def cell(column: _Column, key: str) -> str | None:
        figure = column.figures.get(key)
        return None if figure is None else write(figure, column)

    return cell


def _as_date(time: str, column: _Column) -> str:
    return output.local_time(parse_time(time), column.zone)[: len("2026-11-30")]


def _interval(column: _Column, key: str) -> str | None:
    low, high = column.figures[f"{key}_low"], column.figures[f"{key}_high"]
    if low is None:
        return None
    dash = "–" if output.can_write("–") else "-"
    return f"{100 * low:.0f}{dash}{100 * high:.0f} %"


_count: Final = _written(lambda number, _: str(number))
_mean: Final = _written(lambda number, _: f"{number:.1f}")
_percent: Final = _written(lambda share, _: f"{100 * share:.1f} %")
_score: Final = _written(lambda score, column: column.scoring.format(round(score)))
_dollars: Final = _written(lambda dollars, _: VEGAS.format(dollars))
_time: Final = _written(lambda seconds, _: output.duration(floor(seconds)))
_date: Final = _written(_as_date)


def _spread(what: str) -> tuple[tuple[str, str, _Cell], ...]:
    return (
        ("  best", f"best_{what}", _score),
        ("  mean", f"mean_{what}", _score),
        ("  upper quartile", f"q3_{what}", _score),
        ("  median", f"median_{what}", _score),
        ("  lower quartile", f"q1_{what}", _score),
    )


_BLOCKS: Final[Sequence[tuple[str, Sequence[tuple[str, str, _Cell]]]]] = (
    (
        "",
        (
            ("games", "games", _count),
            ("  won", "won", _count),
            ("  given up", "abandoned", _count),
            ("  open", "open", _count),
            ("won of closed", "win_rate", _percent),
            ("  95 % interval", "win_rate", _interval),
        ),
    ),
    ("score, closed games", _spread("score")),
    ("score, won games", _spread("won_score")),
    (
        "streaks of wins",
        (
            ("  now", "current_streak", _count),
            ("    since", "current_streak_from", _date),
            ("  longest", "longest_streak", _count),
            ("    from", "longest_streak_from", _date),
            ("    to", "longest_streak_to", _date),
        ),
    ),
    (
        "wins",
        (
            ("  fastest", "fastest_win_s", _time),
            ("    active", "fastest_active_win_s", _time),
            ("  mean", "mean_win_s", _time),
            ("    active", "mean_active_win_s", _time),
            ("  fewest moves", "fewest_moves_win", _count),
        ),
    ),
    (
        "played",
        (
            ("  active", "active_s", _time),
            ("  idle", "idle_s", _time),
            ("  moves", "moves", _count),
            ("    a game", "mean_moves", _mean),
            ("  undos", "undos", _count),
            ("    a game", "mean_undos", _mean),
            ("  passes", "passes", _count),
            ("    a game", "mean_passes", _mean),
        ),
    ),
    (
        "home, given up",
        (("  most cards", "home_not_won_best", _count), ("  mean", "home_not_won_mean", _mean)),
    ),
    (
        "Vegas",
        (
            ("  staked", "staked", _dollars),
            ("  returned", "returned", _dollars),
            ("  net", "net", _dollars),
            ("  return on stake", "return_on_stake", _percent),
            ("  biggest win", "biggest_win", _dollars),
            ("  biggest loss", "biggest_loss", _dollars),
            ("  longest drought", "longest_drought", _count),
            ("    from", "longest_drought_from", _date),
            ("    to", "longest_drought_to", _date),
        ),
    ),
)
"""The topics, each with its rows: what a row is called, the key of its figures, their form."""


def show_statistics(document: Mapping[str, Any], zone: tzinfo | None) -> None:
    """Print the statistics of a document, dates as they are in a zone, `None` being local.

    Modes without games have no column, and what no column has anything of has no row.
    """
    columns = _columns(document, zone)
    rows: list[list[object]] = []
    for title, lines in _BLOCKS:
        block = list(_block(columns, lines))
        if block and rows:
            rows.append([None] * (len(columns) + 1))
        if block and title:
            rows.append([title, *[None] * len(columns)])
        rows += block
    output.print_table(["", *(f">{column.name}" for column in columns)], rows)


def show_periods(document: Mapping[str, Any], zone: tzinfo | None) -> None:
    """Print a line for each period, and each mode that was played in it."""
    columns: Sequence[tuple[str, str, _Cell]] = (
        (">games", "games", _count),
        (">won", "won", _count),
        (">given up", "abandoned", _count),
        (">open", "open", _count),
        (">rate", "win_rate", _percent),
        (">best", "best_score", _score),
        (">mean", "mean_score", _score),
        (">active", "active_s", _time),
    )
    rows: list[list[object]] = []
    for period in document["periods"]:
        *modes, total = _columns(period, zone)
        name = period["period"]
        for column in modes if len(modes) == 1 else [*modes, total]:
            rows.append([name, column.name, *(cell(column, key) for _, key, cell in columns)])
            name = ""
    output.print_table([document["by"], "mode", *(name for name, *_ in columns)], rows)


def _columns(document: Mapping[str, Any], zone: tzinfo | None) -> list[_Column]:
    columns = [
        _Column(mode, figures, MODES[mode].scoring, zone)
        for mode, figures in document["modes"].items()
        if figures["games"]
    ]
    total = document["total"]
    if not total["staked"]:
        total = {key: None if key in _BLOCK_KEYS["Vegas"] else it for key, it in total.items()}
    return [*columns, _Column("total", total, STANDARD, zone)]


_BLOCK_KEYS: Final = {title: {key for _, key, _ in lines} for title, lines in _BLOCKS}


def _block(
    columns: Sequence[_Column], lines: Sequence[tuple[str, str, _Cell]]
) -> Iterator[list[object]]:
    for label, key, cell in lines:
        cells = [cell(column, key) for column in columns]
        if any(cells):
            yield [label, *cells]
