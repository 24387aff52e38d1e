"""Charts of how games went: win rates, streaks, durations, lengths, activity.

Each takes the documents that `--json` prints and returns a `Chart`, or `None` where no game
says anything.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from ds_cli import output
from ds_cli.pages.charts import MARKERS, MODE_NAMES, MOST_MARKS, WIDE, WIDTH, Chart
from ds_cli.pages.svg import INKS, new_figure, to_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STATUSES: Final = {"won": "won", "abandoned": "given up", "open": "open"}
"""How a game stands, and what people call it."""

_DURATIONS: Final = dict(
    zip(
        (1, 10, 60, 600, 3600, 36_000, 86_400, 864_000, 8_640_000),
        ("1 s", "10 s", "1 min", "10 min", "1 h", "10 h", "1 day", "10 days", "100 days"),
        strict=True,
    )
)
MOST_PERIODS: Final = 60
_ROW: Final = 30


def win_rates(statistics: Mapping[str, Any]) -> Chart | None:
    """Draw the win rate of each mode and of all, each with its 95 % Wilson interval."""
    of_rows = {**statistics["modes"], "total": statistics["total"]}
    rows = [(name, of) for name, of in of_rows.items() if of["win_rate"] is not None]
    if not rows:
        return None
    height = 52 + _ROW * len(rows)
    with new_figure(WIDTH, height) as figure:
        panel = figure.subplots()
        figure.subplots_adjust(142 / WIDTH, 40 / height, 1 - 66 / WIDTH, 1 - 8 / height)
        for place, (name, of) in enumerate(rows):
            low, rate, high = of["win_rate_low"], of["win_rate"], of["win_rate_high"]
            bar = panel.errorbar(
                [rate],
                [place],
                xerr=[[max(0, rate - low)], [max(0, high - rate)]],
                color=INKS[name],
                marker=MARKERS.get(name, "P"),
                markersize=8,
                capsize=4,
                linewidth=2,
                clip_on=False,
            )
            bar[0].set_gid(f"mark-{name}")
            bar[2][0].set_gid(f"mark-{name}-interval")
            panel.annotate(
                f"{rate:.1%}",
                (1, place),
                xytext=(58, 0),
                xycoords=("axes fraction", "data"),
                textcoords="offset points",
                ha="right",
                va="center",
            )
        panel.set_yticks(
            range(len(rows)),
            [
                f"{'all modes' if name == 'total' else name}   "
                f"{of['won']} of {of['won'] + of['abandoned']}"
                for name, of in rows
            ],
            color=INKS["ink"],
        )
        panel.set_ylim(len(rows) - 0.5, -0.5)
        panel.set_xlim(0, 1)
        panel.grid(visible=True, axis="x")
        panel.grid(visible=False, axis="y")
        panel.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        panel.set_xlabel("won games among the closed ones")
        says = "Win rates with their 95 % intervals. " + " ".join(
            f"{'All modes' if name == 'total' else f'{name} ({MODE_NAMES[name]})'}: "
            f"{of['win_rate']:.1%}, from {of['win_rate_low']:.1%} to {of['win_rate_high']:.1%}."
            for name, of in rows
        )
        return Chart(to_svg(figure, "win-rates", "Win rates", says), says)


def streaks(games: Sequence[Mapping[str, Any]]) -> Chart | None:
    """Draw runs of won games upwards and of others downwards, in the order in which they ended.

    The games are rows of `ds games --json`. Of each mode the newest thousand are drawn.
    """
    closed = sorted(
        (game for game in games if game["status"] != "open" and game["moves"]),
        key=lambda game: (game["ended_at"], game["game"]),
    )
    by_mode = {mode: [g for g in closed if g["mode"] == mode] for mode in MODE_NAMES}
    by_mode = {mode: some for mode, some in by_mode.items() if some}
    if not by_mode:
        return None
    height = 44 + 96 * len(by_mode)
    with new_figure(WIDTH, height) as figure:
        panels = figure.subplots(len(by_mode), squeeze=False)[:, 0]
        figure.subplots_adjust(
            62 / WIDTH, 44 / height, 1 - 14 / WIDTH, 1 - 24 / height, hspace=44 / 54
        )
        said = []
        for panel, (mode, every) in zip(panels, by_mode.items(), strict=True):
            some = every[-MOST_MARKS:]
            runs = _runs(some)
            shown = output.counted(len(every), "closed game")
            if len(every) > len(some):
                shown = f"newest {len(some)} of {shown}"
            for won, ink, alpha in ((True, INKS[mode], 0.9), (False, INKS["muted"], 0.45)):
                drawn = [run for run in runs if run[2] is won]
                panel.bar(
                    [start for start, *_ in drawn],
                    [length if won else -length for _, length, _ in drawn],
                    width=[length for _, length, _ in drawn],
                    align="edge",
                    color=ink,
                    alpha=alpha,
                    linewidth=0,
                    gid=f"mark-{mode}-{'won' if won else 'not-won'}",
                )
            panel.axhline(0, color=INKS["muted"], linewidth=0.8)
            longest = max((length for _, length, won in runs if won), default=0)
            panel.set_title(
                f"{mode} · {MODE_NAMES[mode]}", color=INKS[mode], fontweight="bold", pad=4
            )
            panel.set_title(shown, loc="right", color=INKS["muted"], pad=4)
            panel.set_xlim(0, len(some))
            most = max(length for _, length, _ in runs)
            panel.set_ylim(-most * 1.1, most * 1.1)
            _whole(panel.yaxis, 3)
            panel.yaxis.set_major_formatter(lambda value, _: f"{abs(value):.0f}")
            _whole(panel.xaxis, 7)
            said.append(
                f"{mode} ({MODE_NAMES[mode]}): {shown}, the longest run of won ones among them "
                f"has {longest}."
            )
        panels[-1].set_xlabel("closed game; upwards won, downwards given up")
        says = f"Streaks. {' '.join(said)}"
        return Chart(to_svg(figure, "streaks", "Streaks", says), says)


def durations(scores: Mapping[str, Any]) -> Chart | None:
    """Draw how many games took how long, from the first event to the last.

    Bounds grow by equal factors; what took less than a second is counted as a second.
    """
    taken = [(max(1, row["duration_s"] or 0), row["status"]) for row in scores["rows"]]
    if not taken:
        return None
    longest = max(seconds for seconds, _ in taken)
    # Up to a minute at least, and beyond the longest: ten thousand years are 10 ** 11.5 seconds.
    edges = [10 ** (step / 6) for step in range(72) if 10 ** ((step - 1) / 6) <= max(longest, 60)]
    ticks = {at: text for at, text in _DURATIONS.items() if at <= edges[-1]}
    # Few enough not to run into one another.
    ticks = {at: ticks[at] for at in list(ticks)[:: 2 if len(ticks) > 8 else 1]}

    def lay_out(panel: "Axes") -> None:
        panel.set_xscale("log")
        panel.set_xlim(edges[0], edges[-1])
        panel.minorticks_off()
        panel.set_xticks(list(ticks), list(ticks.values()))

    middle = sorted(seconds for seconds, _ in taken)[len(taken) // 2]
    says = (
        f"Durations of {output.counted(len(taken), 'game')}, the longest took "
        f"{output.duration(longest)}, the one in the middle {output.duration(middle)}."
    )
    what = ("durations", "Durations", "time from the first event to the last")
    return _stacked(what, taken, edges, says, lay_out)


def lengths(scores: Mapping[str, Any]) -> Chart | None:
    """Draw how many games had how many moves (R27)."""
    moves = [(row["moves"], row["status"]) for row in scores["rows"]]
    if not moves:
        return None
    longest = max(count for count, _ in moves)
    width = next(size for size in _round_sizes() if size * 24 >= longest)
    edges = list(range(0, max(longest, 9 * width) + width + 1, width))
    says = (
        f"Lengths of {output.counted(len(moves), 'game')}: from "
        f"{output.counted(min(count for count, _ in moves), 'move')} to {longest}."
    )
    what = ("lengths", "Lengths", "moves of a game")
    return _stacked(what, moves, edges, says, lambda panel: _whole(panel.xaxis, 8))


def activity(statistics: Mapping[str, Any], *, width: int = WIDE) -> Chart | None:
    """Draw how many games were started in each month, won ones, given up ones and open ones.

    The document is that of `ds stats --by month`. Months without games stand between the
    others, unless there are more than sixty: then the newest sixty that have games.
    """
    found = {period["period"]: period["total"] for period in statistics["periods"]}
    if not found:
        return None
    newest = newest_months(statistics)
    months = _months(min(found), max(found))
    if len(months) > MOST_PERIODS:
        months = sorted(found)[-MOST_PERIODS:]
    height = 240
    with new_figure(width, height) as figure:
        panel = figure.subplots()
        figure.subplots_adjust(62 / width, 36 / height, 1 - 14 / width, 1 - 32 / height)
        below = [0] * len(months)
        for status, name in STATUSES.items():
            counts = [found[month][status] if month in found else 0 for month in months]
            panel.bar(
                range(len(months)),
                counts,
                bottom=below,
                color=INKS[status],
                width=0.8,
                label=name,
                gid=f"mark-{status}",
            )
            below = [under + count for under, count in zip(below, counts, strict=True)]
        panel.set_xlim(-0.7, max(len(months), 12 if width > WIDTH else 6) - 0.3)
        panel.set_ylim(0, max(below) * 1.08)
        _whole(panel.yaxis, 4)
        every = -(-len(months) // (14 if width > WIDTH else 6))
        shown = range(0, len(months), every)
        panel.set_xticks(list(shown), [months[place] for place in shown])
        _add_legend(panel)
        busiest = max(
            (month for month in months if month in found), key=lambda month: found[month]["games"]
        )
        which = f"the {newest} with games, " if newest else ""
        says = (
            f"Games started in each month, {which}{months[0]} to {months[-1]}. "
            f"The most in {busiest}: {found[busiest]['games']}."
        )
        name = f"activity-{'wide' if width > WIDTH else 'narrow'}"
        return Chart(to_svg(figure, name, "Activity by month", says), says)


def newest_months(statistics: Mapping[str, Any]) -> str:
    """Return which of the months with games `activity` draws, in words; nothing for all.

    The document is that of `ds stats --by month`.
    """
    count = len(statistics["periods"])
    return f"newest {MOST_PERIODS} of {count} months" if count > MOST_PERIODS else ""


def _runs(games: Iterable[Mapping[str, Any]]) -> list[tuple[int, int, bool]]:
    """Return where each run of equal outcomes begins, how long it is, and whether it is won."""
    runs = []
    place = 0
    for won, run in groupby(games, key=lambda game: game["status"] == "won"):
        length = len(list(run))
        runs.append((place, length, won))
        place += length
    return runs


def _stacked(
    what: tuple[str, str, str],
    values: Sequence[tuple[int, str]],
    edges: Sequence[float],
    says: str,
    lay_out: "Callable[[Axes], object]",
) -> Chart:
    """Draw a histogram in which won, given up and open games stand on one another."""
    name, title, label = what
    height = 220
    with new_figure(WIDTH, height) as figure:
        panel = figure.subplots()
        figure.subplots_adjust(62 / WIDTH, 46 / height, 1 - 14 / WIDTH, 1 - 32 / height)
        bars: Any
        counts, _, bars = panel.hist(
            [[value for value, status in values if status == which] for which in STATUSES],
            bins=list(edges),
            stacked=True,
            color=[INKS[status] for status in STATUSES],
            label=list(STATUSES.values()),
            rwidth=0.92,
        )
        for status, of_status in zip(STATUSES, bars, strict=True):
            for bar in of_status:
                bar.set_gid(f"mark-{status}")
        most = max(max(row) for row in counts)
        panel.set_ylim(0, max(most, 1) * 1.08)
        _whole(panel.yaxis, 4)
        panel.set_xlabel(label)
        lay_out(panel)
        _add_legend(panel)
        return Chart(to_svg(figure, name, title, says), says)


def _add_legend(panel: "Axes") -> None:
    panel.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, columnspacing=1.5)


def _whole(axis: Any, most: int) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(most, integer=True))


def _round_sizes() -> Iterable[int]:
    return (factor * 10**power for power in range(9) for factor in (1, 2, 5))


def _months(first: str, last: str) -> list[str]:
    """Return all months from one to another.

    >>> _months("2026-11", "2027-01")
    ['2026-11', '2026-12', '2027-01']
    """
    start, end = (int(m[:4]) * 12 + int(m[5:]) - 1 for m in (first, last))
    return [f"{n // 12:04}-{n % 12 + 1:02}" for n in range(start, end + 1)]
