"""Reports drawn in the terminal: scores, the Vegas balance, win rates.

Each function takes the document that `--json` prints. What is drawn fits the width that it is
given; colours are added by whoever prints it, and only on a terminal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from ds_cli import output
from ds_core import MODES, STANDARD, VEGAS, Scoring
from ds_events.extras import needed_for

_COLOURS: Final = {"D1N": "blue+", "D3N": "orange+", "D1V": "cyan+", "D3V": "magenta+"}
"""Colours of a terminal's own palette, which its user has chosen to be read."""

_NEUTRAL: Final = "gray"
"""The colour of what is of no mode, readable on dark and light."""

_MARKERS: Final = {"D1N": ("●", "o"), "D3N": ("◆", "x"), "D1V": ("●", "o"), "D3V": ("◆", "x")}
"""What stands for a game of a mode, and what stands for it where that cannot be written."""

_SCORES_HEIGHT: Final = 15
_BALANCE_HEIGHT: Final = 18
_MOST_ROWS: Final = 40
"""How many periods are shown as rows, the newest of them."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A plot as text, and the same with escape sequences for its colours."""

    plain: str
    coloured: str


def show_plots(drawn: Sequence[Drawing], otherwise: str) -> None:
    """Print plots, one under another, or say what else there is to say where there is none."""
    if not drawn:
        output.say(otherwise)
    for place, drawing in enumerate(drawn):
        if place:
            output.print_lines([[]])
        output.print_drawing(drawing.plain, drawing.coloured)


def plot_scores(document: Mapping[str, Any], width: int) -> list[Drawing]:
    """Draw the score of each game from the oldest to the newest, points and dollars apart.

    Where there are more games than columns, a mark is the median of as many games of its mode
    as one column has to hold.
    """
    drawn = []
    for scoring, unit in ((STANDARD, "points"), (VEGAS, "dollars")):
        rows = [row for row in document["rows"] if MODES[row["mode"]].scoring is scoring]
        if rows:
            drawn.append(_scores_of(rows, scoring, unit, width))
    return drawn


def plot_balance(document: Mapping[str, Any], width: int) -> list[Drawing]:
    """Draw the balance of the Vegas ledger after each game, from $0 before the first."""
    rows = document["rows"]
    if not rows:
        return []
    balances = [0, *(row["balance"] for row in rows)]
    canvas = _Canvas(width, _BALANCE_HEIGHT)
    canvas.numbers(balances, VEGAS, 0, len(rows))
    canvas.line(list(range(len(balances))), balances, "D1V")
    canvas.games(0, len(rows))
    games = output.counted(len(rows), "game")
    net = VEGAS.format(document["net"])
    return [canvas.drawn(f"Vegas balance after each game: {games}, {net} in all")]


def plot_win_rates(document: Mapping[str, Any], width: int) -> list[Drawing]:
    """Draw the win rate of each mode and of all, or of each period, with its 95 % interval.

    Modes and periods without a closed game are left out.
    """
    if "periods" in document:
        of_rows = {period["period"]: period["total"] for period in document["periods"]}
        title = f"Win rate by {document['by']}, with its 95 % interval"
    else:
        of_rows = {**document["modes"], "total": document["total"]}
        title = "Win rate by mode, with its 95 % interval"
    closed = [(name, of) for name, of in of_rows.items() if of["win_rate"] is not None]
    if not closed:
        return []
    if len(closed) > _MOST_ROWS:
        closed = closed[-_MOST_ROWS:]
        title += f", the newest {_MOST_ROWS}"
    canvas = _Canvas(width, max(2, len(closed)) + 3)
    for height, (name, of) in zip(range(len(closed), 0, -1), closed, strict=True):
        canvas.interval(height, of["win_rate_low"], of["win_rate"], of["win_rate_high"], name)
    canvas.shares()
    canvas.names(
        range(len(closed), 0, -1),
        [f"{name}  {of['won']}/{of['won'] + of['abandoned']}" for name, of in closed],
    )
    return [canvas.drawn(title)]


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers that cover a range evenly, at most `most` of them.

    >>> nice_ticks(-104, 416)
    [-200, 0, 200, 400, 600]
    >>> nice_ticks(3, 3)
    [3, 4]
    """
    low, high = (low, high) if high > low else (low, low + 1)
    exponent = len(str(int(high - low))) - 1
    for step in (factor * 10**power for power in (exponent - 1, exponent) for factor in (1, 2, 5)):
        step = max(1, int(step))
        first, last = int(low // step), -int(-high // step)
        if last - first < most:
            break
    else:
        step = 10 ** (exponent + 1)
        first, last = int(low // step), -int(-high // step)
    return [step * number for number in range(first, last + 1)]


def _scores_of(
    rows: Sequence[Mapping[str, Any]], scoring: Scoring, unit: str, width: int
) -> Drawing:
    canvas = _Canvas(width, _SCORES_HEIGHT)
    each = -(-len(rows) // canvas.room)
    marks = {
        mode: list(_medians(games, each))
        for mode in MODES
        if (games := [(n, row["score"]) for n, row in enumerate(rows, 1) if row["mode"] == mode])
    }
    canvas.numbers([y for of in marks.values() for _, y in of], scoring, 1, len(rows))
    for mode, of in marks.items():
        canvas.points([x for x, _ in of], [y for _, y in of], mode)
    legend = [f"{canvas.marker(mode)} {mode}" for mode in marks]
    canvas.games(1, len(rows))
    what = "Score of each game" if each == 1 else f"Median score of every {each} games"
    return canvas.drawn(f"{what}, in {unit}:  {'  '.join(legend)}")


def _medians(games: Sequence[tuple[int, int]], each: int) -> Iterable[tuple[float, float]]:
    for start in range(0, len(games), each):
        some = games[start : start + each]
        yield sum(x for x, _ in some) / len(some), median(y for _, y in some)


class _Canvas:
    """One plot of the library's, which has a single figure: it is cleared for each."""

    def __init__(self, width: int, height: int) -> None:
        with needed_for("--plot", "report"):
            import plotext  # type: ignore[import-untyped]
        self._unicode = output.can_write("●◆─│┌┐└┘├┤┬┴┼⣿")
        self._library = plotext
        plotext.terminal.limit(False, False)
        self._figure = plotext.figure.clear()
        # Colours of marks alone: the frame has those of the terminal.
        self._figure.theme("simple")
        self._figure.plot_size(width, height)
        self.room = max(1, width - 10)
        """About how many columns there are between the axes."""

    def marker(self, mode: str) -> str:
        """Return what stands for a game of a mode."""
        return _MARKERS[mode][0 if self._unicode else 1]

    def points(self, x: Sequence[float], y: Sequence[float], mode: str) -> None:
        self._draw(x, y, self.marker(mode), _COLOURS[mode])

    def line(self, x: Sequence[float], y: Sequence[float], mode: str) -> None:
        marker = "braille" if self._unicode else "*"
        self._draw(x, y, marker, _COLOURS[mode], connected=True)

    def interval(self, height: int, low: float, at: float, high: float, name: str) -> None:
        """Draw a value between its bounds on a row."""
        colour = _COLOURS.get(name, _NEUTRAL)
        between, ends, point = ("─", "│", "●") if self._unicode else ("-", "|", "o")
        self._draw([low, high], [height, height], between, colour, connected=True)
        self._draw([low, high], [height, height], ends, colour)
        self._draw([at], [height], point, colour)

    def numbers(self, shown: Sequence[float], scoring: Scoring, first: int, last: int) -> None:
        """Number the upright axis in round points or dollars; 0 gets a line.

        It goes from the first game to the last, under whatever is drawn after it.
        """
        ticks = nice_ticks(min(0, *shown), max(0, *shown))
        self._figure.ruler("y").lim(ticks[0], ticks[-1])
        self._figure.ruler("y").ticks(ticks, labels=[scoring.format(int(tick)) for tick in ticks])
        if ticks[0] < 0 < ticks[-1]:
            between = "─" if self._unicode else "-"
            self._draw([first, max(last, first + 1)], [0, 0], between, _NEUTRAL, connected=True)

    def games(self, first: int, last: int) -> None:
        """Number the games along the lower axis."""
        # Round numbers too near the ends would run into theirs.
        apart = (last - first) / 12
        inner = [t for t in nice_ticks(first, last, 9) if first + apart <= t <= last - apart]
        ticks = sorted({first, *inner, last})
        self._figure.ruler("x").lim(first, max(last, first + 1))
        self._figure.ruler("x").ticks(ticks, labels=[str(int(tick)) for tick in ticks])
        self._figure.label("game, from the oldest to the newest")

    def shares(self) -> None:
        """Number the lower axis from 0 to 100 %."""
        shares = [0, 0.25, 0.5, 0.75, 1]
        self._figure.ruler("x").lim(0, 1)
        self._figure.ruler("x").ticks(shares, labels=[f"{share:.0%}" for share in shares])

    def names(self, heights: Iterable[int], names: Sequence[str]) -> None:
        """Name the rows of the upright axis."""
        longest = max(map(len, names))
        self._figure.ruler("y").lim(1, max(2, len(names)))
        labels = [name.ljust(longest) for name in names]
        self._figure.ruler("y").ticks(list(heights), labels=labels)

    def drawn(self, title: str) -> Drawing:
        """Return the plot under its title, and leave nothing of it in the library."""
        built = self._figure.build()
        texts = (built.string(colorless=True), built.string(colorless=False))
        self._figure.clear()
        if not self._unicode:
            texts = (_without_boxes(texts[0]), _without_boxes(texts[1]))
        return Drawing(*(f"{title}\n{text}" for text in texts))

    def _draw(
        self,
        x: Sequence[float],
        y: Sequence[float],
        marker: str,
        colour: str,
        *,
        connected: bool = False,
    ) -> None:
        made = self._library.marker(marker, pixel=colour)
        signal = self._figure.signal(list(x), list(y), marker=made)
        if connected:
            signal.lines(True)
        self._figure.draw(signal)


def _without_boxes(text: str) -> str:
    plain = {"─": "-", "│": "|"}
    return "".join(
        plain.get(character, "+") if "\u2500" <= character <= "\u257f" else character
        for character in text
    )
