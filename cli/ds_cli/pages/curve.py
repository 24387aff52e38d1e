"""The score of a game as a curve, and where in its drawing events and scores lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ds_cli.output import counted
from ds_cli.pages.svg import INKS, new_figure, to_svg
from ds_core import Scoring
from ds_events.replay import Frame

_WIDTH: Final = 460
_HEIGHT: Final = 194
_PLANE: Final = (0.115, 0.135, 0.865, 0.81)
"""Left, bottom, width and height of what lies between the axes, as parts of the drawing."""


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
    seqs = [frame.seq for frame in frames]
    scores = [frame.seen.score for frame in frames]
    # A lone frame has no width: its score is drawn up to the event that would follow.
    first, last = seqs[0], max(seqs[-1], seqs[0] + 1)
    lowest, highest = min(scores), max(scores)
    room = max(highest - lowest, 10) * 0.06
    low, high = lowest - room, highest + room
    left, bottom, width, height = _PLANE
    with new_figure(_WIDTH, _HEIGHT) as figure:
        from matplotlib.ticker import MaxNLocator

        axes = figure.add_axes(_PLANE)
        axes.set_xlim(first, last)
        axes.set_ylim(low, high)
        steps = (*seqs, last), (*scores, scores[-1])
        axes.fill_between(*steps, low, step="post", color=INKS["ink"], alpha=0.14, linewidth=0)
        axes.step(*steps, where="post", color=INKS["ink"], linewidth=1.8)
        axes.grid(visible=True)
        axes.spines["bottom"].set_visible(False)
        axes.tick_params(length=0, pad=6, labelsize=12)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.yaxis.set_major_formatter(lambda score, _: scoring.format(round(score)))
        says = (
            f"The score over {counted(len(seqs) - 1, 'event')}: it begins with "
            f"{scoring.format(scores[0])} and ends with {scoring.format(scores[-1])}, "
            f"the lowest is {scoring.format(lowest)}, the highest {scoring.format(highest)}."
        )
        return Curve(
            svg=to_svg(figure, "score-curve", "Score", says),
            box=(left, 1 - bottom - height, width, height),
            events=(first, last),
            scores=(low, high),
        )
