"""Charts of what games are worth: scores one by one, their distribution, the Vegas balance.

Each takes the documents that `--json` prints and returns a `Chart`, or `None` where no game
says anything. Points and dollars never share a chart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, Final

from ds_cli import output
from ds_cli.pages.svg import INKS, new_figure, to_svg
from ds_core import MODES, VEGAS, Scoring

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH: Final = 440
"""Of a chart in a column of the page, and of every chart on a phone."""

WIDE: Final = 1080
"""Of a chart across a whole page."""

MOST_MARKS: Final = 1000
"""How many games of a mode are drawn one by one; of more, groups are drawn."""

MARKERS: Final = {"D1N": "o", "D3N": "D", "D1V": "s", "D3V": "^"}
"""A mode is told by its mark as well as by its colour."""

MODE_NAMES: Final = {
    "D1N": "draw 1, standard",
    "D3N": "draw 3, standard",
    "D1V": "draw 1, Vegas",
    "D3V": "draw 3, Vegas",
}

_UNITS: Final = {False: "points", True: "dollars"}
"""Of a scoring, by whether it is money."""

_SMOOTHED: Final = 10
"""Of how many games a line through scores is the mean."""

_GROUPS: Final = 120
_PANEL: Final = 128
_BINS: Final = 24


@dataclass(frozen=True, slots=True)
class Chart:
    """An inline SVG, and in words what it shows."""

    svg: str
    says: str


def score_history(scores: Mapping[str, Any], scoring: Scoring) -> Chart | None:
    """Draw each game's score in the order of their starts, a panel for each mode of a scoring.

    A filled mark is a won game, a hollow one another. The line is the mean of the latest ten
    games up to each. Of more than a thousand games of a mode, groups of equal size are
    drawn instead: from lowest to highest, the middle half, and the median.
    """
    by_mode = _by_mode(scores["rows"], scoring)
    if not by_mode:
        return None
    unit = _UNITS[scoring.is_money]
    with new_figure(WIDTH, _height(len(by_mode))) as figure:
        panels = figure.subplots(len(by_mode), squeeze=False)[:, 0]
        _place(figure, len(by_mode))
        for panel, (mode, games) in zip(panels, by_mode.items(), strict=True):
            _head(panel, mode, output.counted(len(games), "game"))
            if len(games) > MOST_MARKS:
                _draw_groups(panel, mode, [game["score"] for game in games])
            else:
                _draw_games(panel, mode, games)
            if scoring.is_money:
                panel.axhline(0, color=INKS["muted"], linewidth=0.8)
            _number(panel, scoring)
            _count_games(panel, len(games))
        panels[-1].set_xlabel("game of the mode, from the oldest to the newest")
        says = f"Scores in {unit}. " + " ".join(
            f"{_called(mode)}: {output.counted(len(games), 'game')}, the first scored "
            f"{scoring.format(games[0]['score'])}, the newest "
            f"{scoring.format(games[-1]['score'])}."
            for mode, games in by_mode.items()
        )
        name = f"history-{unit}"
        return Chart(to_svg(figure, name, f"Score history in {unit}", says), says)


def distribution(
    scores: Mapping[str, Any], statistics: Mapping[str, Any], scoring: Scoring
) -> Chart | None:
    """Draw how many closed games had which score, a panel for each mode of a scoring.

    The line is the median of the statistics, the shade the middle half around it.
    """
    closed = [row for row in scores["rows"] if row["status"] != "open"]
    by_mode = _by_mode(closed, scoring)
    if not by_mode:
        return None
    unit = _UNITS[scoring.is_money]
    edges = _edges([row["score"] for games in by_mode.values() for row in games])
    with new_figure(WIDTH, _height(len(by_mode))) as figure:
        panels = figure.subplots(len(by_mode), squeeze=False, sharex=True)[:, 0]
        _place(figure, len(by_mode))
        said = []
        for panel, (mode, games) in zip(panels, by_mode.items(), strict=True):
            of = statistics["modes"][mode]
            at = scoring.format(round(of["median_score"]))
            _head(panel, mode, f"median {at}")
            panel.axvspan(of["q1_score"], of["q3_score"], color=INKS["rule"], alpha=0.5, lw=0)
            counts, *_ = panel.hist(
                [row["score"] for row in games],
                bins=edges,
                color=INKS[mode],
                rwidth=0.94,
                gid=f"mark-{mode}",
            )
            panel.axvline(of["median_score"], color=INKS["ink"], linewidth=1.5)
            _whole_numbers(panel, int(max(counts)))
            said.append(
                f"{_called(mode)}: {output.counted(len(games), 'closed game')}, half of them "
                f"from {scoring.format(round(of['q1_score']))} to "
                f"{scoring.format(round(of['q3_score']))}, the median is {at}."
            )
        panels[-1].xaxis.set_major_formatter(lambda value, _: scoring.format(round(value)))
        panels[-1].set_xlabel(f"score in {unit}; upwards, how many games had it")
        says = f"Distribution of scores in {unit}. {' '.join(said)}"
        name = f"distribution-{unit}"
        return Chart(to_svg(figure, name, f"Distribution of scores in {unit}", says), says)


def vegas_balance(vegas: Mapping[str, Any], *, width: int = WIDE) -> Chart | None:
    """Draw the balance after each game of the ledger, its best and its worst stretch marked."""
    rows = vegas["rows"]
    if not rows:
        return None
    balances = [0, *(row["balance"] for row in rows)]
    places = {row["game"]: n for n, row in enumerate(rows, 1)}
    money = VEGAS.format
    says = [f"Vegas balance over {output.counted(len(rows), 'game')}: {money(vegas['net'])}."]
    above = 34 if width > WIDTH else 52
    with new_figure(width, 300) as figure:
        panel = figure.subplots()
        figure.subplots_adjust(62 / width, 46 / 300, 1 - 14 / width, 1 - above / 300)
        panel.axhline(0, color=INKS["muted"], linewidth=0.8)
        panel.plot(*_thinned(balances, 0), color=INKS["ink"], linewidth=1.2, gid="mark-balance")
        stretches = [(which, vegas[f"{which}_stretch"]) for which in ("best", "worst")]
        marked = [(which, stretch) for which, stretch in stretches if stretch is not None]
        # The longer one first: where both are, the shorter lies on top and neither is lost.
        for which, stretch in sorted(marked, key=lambda it: -it[1]["games"]):
            first, last = places[stretch["from"]] - 1, places[stretch["to"]]
            line = _thinned(balances[first : last + 1], first)
            # What lies under it does not show through its gaps.
            panel.plot(*line, color=INKS["paper"], linewidth=5)
            panel.plot(
                *line,
                color=INKS["gain" if which == "best" else "loss"],
                linewidth=3.2,
                linestyle="-" if which == "best" else (0, (2.2, 0.8)),
                label=_stretch_words(which, stretch),
                gid=f"mark-{which}",
            )
        says += [f"The {_stretch_words(which, stretch)}." for which, stretch in marked]
        # A ledger in which nothing was won or lost has neither.
        if marked:
            columns = 2 if width > WIDTH else 1
            panel.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns)
        _number(panel, VEGAS)
        _count_games(panel, len(rows), first=0)
        panel.set_xlabel("game of the ledger")
        name = f"balance-{'wide' if width > WIDTH else 'narrow'}"
        return Chart(to_svg(figure, name, "Vegas balance", " ".join(says)), " ".join(says))


def _stretch_words(which: str, stretch: Mapping[str, Any]) -> str:
    change = VEGAS.format(stretch["change"])
    sign = "+" if stretch["change"] > 0 else ""
    return f"{which} stretch: {sign}{change} in {output.counted(stretch['games'], 'game')}"


def _by_mode(
    rows: Sequence[Mapping[str, Any]], scoring: Scoring
) -> dict[str, list[Mapping[str, Any]]]:
    """Return the games of each mode of a scoring that has any."""
    sorted_out = {
        mode: [row for row in rows if row["mode"] == mode]
        for mode in MODE_NAMES
        if MODES[mode].scoring is scoring
    }
    return {mode: games for mode, games in sorted_out.items() if games}


def _called(mode: str) -> str:
    return f"{mode} ({MODE_NAMES[mode]})"


def _height(panels: int) -> float:
    return 46 + panels * (_PANEL + 26)


def _place(figure: Any, panels: int) -> None:
    """Give the panels their places, room for numbers on the left and for titles above each."""
    height = _height(panels)
    figure.subplots_adjust(
        62 / WIDTH, 46 / height, 1 - 14 / WIDTH, 1 - 26 / height, hspace=(46 if panels else 0) / 108
    )


def _head(panel: "Axes", mode: str, what: str) -> None:
    panel.set_title(f"{mode} · {MODE_NAMES[mode]}", color=INKS[mode], fontweight="bold")
    panel.set_title(what, loc="right", color=INKS["muted"])


def _draw_games(panel: "Axes", mode: str, games: Sequence[Mapping[str, Any]]) -> None:
    size = 6 if len(games) <= 60 else 4 if len(games) <= 300 else 2.5
    for won in (False, True):
        some = [(n, g["score"]) for n, g in enumerate(games, 1) if (g["status"] == "won") is won]
        panel.plot(
            [n for n, _ in some],
            [score for _, score in some],
            linestyle="",
            marker=MARKERS[mode],
            markersize=size,
            markerfacecolor=INKS[mode] if won else INKS["paper"],
            markeredgecolor=INKS[mode],
            markeredgewidth=1,
            alpha=0.85,
            clip_on=False,
            gid=f"mark-{mode}-{'won' if won else 'not-won'}",
        )
    if len(games) > _SMOOTHED:
        scores = [game["score"] for game in games]
        ends = range(_SMOOTHED, len(scores) + 1)
        panel.plot(
            list(ends),
            [fmean(scores[end - _SMOOTHED : end]) for end in ends],
            color=INKS["ink"],
            linewidth=1.3,
            alpha=0.8,
            gid=f"mark-{mode}-mean",
        )


def _draw_groups(panel: "Axes", mode: str, scores: Sequence[int]) -> None:
    each = -(-len(scores) // _GROUPS)
    groups = [sorted(scores[start : start + each]) for start in range(0, len(scores), each)]
    middles = [start + each / 2 for start in range(0, len(scores), each)]
    for low, high, alpha in ((0.0, 1.0, 0.18), (0.25, 0.75, 0.4)):
        panel.fill_between(
            middles,
            [group[int(low * (len(group) - 1))] for group in groups],
            [group[int(high * (len(group) - 1))] for group in groups],
            color=INKS[mode],
            alpha=alpha,
            linewidth=0,
        )
    panel.plot(
        middles,
        [median(group) for group in groups],
        color=INKS["ink"],
        linewidth=1.5,
        gid=f"mark-{mode}-median",
    )


def _number(panel: "Axes", scoring: Scoring) -> None:
    from matplotlib.ticker import MaxNLocator

    low, high = panel.get_ylim()
    # Where nothing was scored there is an axis all the same; the margin around it is below 0.
    is_lost = low <= -1
    panel.set_ylim(low if is_lost and scoring.is_money else 0, max(high, 0 if is_lost else 100))
    panel.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    panel.yaxis.set_major_formatter(lambda value, _: scoring.format(round(value)))


def _count_games(panel: "Axes", last: int, *, first: int = 1) -> None:
    from matplotlib.ticker import MaxNLocator

    margin = (last - first) / 60 + 0.4 * (last == first)
    panel.set_xlim(first - margin, last + margin)
    ticks = MaxNLocator(7, integer=True).tick_values(first, last)
    panel.set_xticks([round(tick) for tick in ticks if first <= tick <= last])


def _whole_numbers(panel: "Axes", most: int) -> None:
    from matplotlib.ticker import MaxNLocator

    panel.set_ylim(0, most * 1.08)
    panel.yaxis.set_major_locator(MaxNLocator(min(4, most), integer=True))


def _edges(scores: Sequence[int]) -> list[int]:
    """Bins of one round width for all scores: from ten to some two dozen."""
    low, high = min(scores), max(scores)
    width = next(
        factor * 10**power
        for power in range(1, 9)
        for factor in (1, 2, 5)
        if factor * 10**power * _BINS >= high - low
    )
    first = low // width * width
    return list(range(first, max(high, first + 9 * width) + width + 1, width))


def _thinned(values: Sequence[int], first: int) -> tuple[list[int], list[int]]:
    """Return the places and values of a line, of very many the extremes of each group."""
    each = -(-len(values) // MOST_MARKS)
    kept = {0, len(values) - 1}
    for start in range(0, len(values), each):
        group = range(start, min(start + each, len(values)))
        kept |= {min(group, key=values.__getitem__), max(group, key=values.__getitem__)}
    places = sorted(kept)
    return [first + place for place in places], [values[place] for place in places]
