"""The score of a game as a curve: an SVG for a page, in the page's own colours."""

import io
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ds_core import Scoring
from ds_events.extras import needed_for
from ds_events.replay import Frame

_COLOURS: Final = {
    "#0a0b01": "var(--curve)",
    "#0a0b02": "var(--curve-fill)",
    "#0a0b03": "var(--rule)",
    "#0a0b04": "var(--quiet)",
}
"""What stands for the page's colours while the curve is drawn; nothing else is so dark."""

_LINE, _FILL, _RULE, _TEXT = _COLOURS
_SIZE: Final = (6.4, 2.7)
"""Inches; 100 units of the drawing each."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A drawn curve, and where in it the events and scores lie.

    `box` is left, top, width and height of the plane as parts of the drawing; `events` and
    `scores` are what its left and right, bottom and top stand for.
    """

    svg: str
    box: tuple[float, float, float, float]
    events: tuple[float, float]
    scores: tuple[float, float]


def score_curve(frames: Sequence[Frame], scoring: Scoring) -> Curve:
    """Draw the score after each event as a step line; Vegas scores are money (R22)."""
    with needed_for("--html", "report"):
        # What it says about its caches is nothing that concerns a reader.
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        import matplotlib as mpl
        from matplotlib.figure import Figure
        from matplotlib.ticker import FuncFormatter, MaxNLocator

    seqs = [frame.seq for frame in frames]
    scores = [frame.seen.score for frame in frames]
    # Texts stay texts, the same curve is the same bytes, and a dollar is no formula.
    with mpl.rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": "curve", "text.parse_math": False}
    ):
        figure = Figure(figsize=_SIZE, dpi=100)
        axes = figure.add_axes((0.095, 0.115, 0.885, 0.83))
        figure.patch.set_visible(False)
        axes.patch.set_visible(False)
        first, last = seqs[0], max(seqs[-1], seqs[0] + 1)
        low, high = min(scores), max(scores)
        room = max(high - low, 10) * 0.06
        axes.set_xlim(first, last)
        axes.set_ylim(low - room, high + room)
        # The last score stands as well: it is drawn up to the right edge of a lone frame.
        steps = (*seqs, last), (*scores, scores[-1])
        axes.fill_between(*steps, low - room, step="post", color=_FILL, linewidth=0)
        axes.step(*steps, where="post", color=_LINE, linewidth=1.8)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda score, _: scoring.format(int(score))))
        axes.grid(visible=True, color=_RULE, linewidth=0.8)
        axes.set_axisbelow(True)
        for side in axes.spines.values():
            side.set_visible(False)
        axes.tick_params(length=0, labelcolor=_TEXT, pad=6)
        drawn = io.StringIO()
        figure.savefig(
            drawn,
            format="svg",
            metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")),
        )
        box = axes.get_position()
        return Curve(
            svg=_for_a_page(drawn.getvalue()),
            box=(float(box.x0), float(1 - box.y1), float(box.width), float(box.height)),
            events=(first, last),
            scores=(low - room, high + room),
        )


def _for_a_page(svg: str) -> str:
    """Leave out what a file of its own has, and put in the page's colours and font."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r"; font-family: [^;\"]*", "", svg)
    svg = svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
    for colour, variable in _COLOURS.items():
        svg = svg.replace(colour, variable)
    return svg
