"""A figure of matplotlib's as an SVG that stands inside a page.

Its colours are those of the page, light or dark, its text is text in the page's font, its ids
clash with nobody's, and the same figure is the same bytes on every run.
"""

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree

from ds_events.extras import needed_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INKS: Final = {
    "ink": "#010000",
    "muted": "#020000",
    "rule": "#030000",
    "paper": "#040000",
    "D1N": "#050000",
    "D3N": "#060000",
    "D1V": "#070000",
    "D3V": "#080000",
    "total": "#090000",
    "won": "#0a0000",
    "abandoned": "#0b0000",
    "open": "#0c0000",
    "gain": "#0d0000",
    "loss": "#0e0000",
}
"""What a chart draws with: a colour that stands for the page's variable `--chart-…`."""

FONT_SIZE: Final = 12
"""Of all text of a chart, in units of which a chart is some 440 wide."""

_SVG: Final = "{http://www.w3.org/2000/svg}"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_VARIABLES: Final = {placeholder: f"var(--chart-{ink})" for ink, placeholder in INKS.items()}
_LONG: Final = re.compile(r"-?\d+\.\d{2,}")
_FONT: Final = re.compile(r"font(?:-family)?:[^;]*;?\s*")
_REFERENCE: Final = re.compile(r"#([\w.-]+)")


@contextmanager
def new_figure(width: float, height: float) -> "Iterator[Figure]":
    """Yield an empty figure of that size; all that is drawn on it is drawn inside the block.

    Raises `MissingExtra` where matplotlib is not there.
    """
    with needed_for("--html", "report"):
        # What it says about its caches is nothing that concerns a reader.
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        import matplotlib as library
        from matplotlib.figure import Figure

    settings: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "double-solitaire",
        "path.simplify": False,
        "font.size": FONT_SIZE,
        "text.color": INKS["ink"],
        "axes.edgecolor": INKS["rule"],
        "axes.facecolor": "none",
        "axes.labelcolor": INKS["muted"],
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.spines.left": False,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "axes.axisbelow": True,
        "axes.titlelocation": "left",
        "axes.titlesize": FONT_SIZE,
        "axes.titlepad": 7,
        "grid.color": INKS["rule"],
        "grid.linewidth": 0.6,
        "xtick.color": INKS["rule"],
        "ytick.color": INKS["rule"],
        "xtick.labelcolor": INKS["muted"],
        "ytick.labelcolor": INKS["muted"],
        "ytick.left": False,
        "figure.facecolor": "none",
        "legend.frameon": False,
        "legend.borderpad": 0,
        "legend.handlelength": 1.2,
    }
    with library.rc_context(settings):
        # A point is a pixel of the drawing.
        yield Figure(figsize=(width / 72, height / 72), dpi=72)


def to_svg(figure: "Figure", name: str, title: str, says: str) -> str:
    """Return a figure as an `<svg>` element, whose ids all begin with `name`.

    `title` is its heading and `says` what it shows in words, for those who do not see it.
    """
    written = io.BytesIO()
    figure.savefig(written, format="svg", metadata={"Date": None})
    root = ElementTree.fromstring(written.getvalue())
    for unwanted in root.findall(f"{_SVG}metadata"):
        root.remove(unwanted)
    for drawing in root.findall(f"{_SVG}defs"):
        # It speaks of every element there is, and would do so to the whole page.
        for rule in drawing.findall(f"{_SVG}style"):
            drawing.remove(rule)
    root.set("style", "stroke-linejoin: round; stroke-linecap: butt")
    _take_over_ids(root, name)
    for group in root.iter(f"{_SVG}g"):
        _share_style(group)
    for element in root.iter():
        _simplify(element)
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-desc")
    for place, (tag, text) in enumerate((("title", title), ("desc", says))):
        described = ElementTree.Element(f"{_SVG}{tag}", {"id": f"{name}-{tag}"})
        described.text = text
        root.insert(place, described)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _take_over_ids(root: ElementTree.Element, name: str) -> None:
    """Keep the ids that are referred to, led by the name; what a chart named becomes a class."""
    referred = {
        found
        for element in root.iter()
        for value in element.attrib.values()
        for found in _REFERENCE.findall(value)
    }
    for element in root.iter():
        own = element.attrib.pop("id", None)
        if own in referred:
            element.set("id", f"{name}-{own}")
        elif own is not None and own.startswith("mark-"):
            element.set("class", own)
        target = element.attrib.pop(_HREF, None)
        if target is not None:
            element.set("href", f"#{name}-{target.removeprefix('#')}")
        clip = element.get("clip-path")
        if clip is not None:
            element.set("clip-path", clip.replace("url(#", f"url(#{name}-"))


def _share_style(group: ElementTree.Element) -> None:
    """Write once on a group what is the style of each of its many marks."""
    marks = group.findall(f"{_SVG}use")
    styles = {mark.get("style") for mark in marks}
    if len(marks) > 1 and len(styles) == 1:
        group.set("style", styles.pop() or "")
        for mark in marks:
            mark.attrib.pop("style", None)


def _simplify(element: ElementTree.Element) -> None:
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]
    for attribute, value in element.attrib.items():
        if attribute == "style":
            value = _FONT.sub("", value)
            for placeholder, variable in _VARIABLES.items():
                value = value.replace(placeholder, variable)
        elif attribute in ("d", "x", "y", "transform", "width", "height"):
            value = _LONG.sub(lambda found: f"{float(found[0]):.1f}", value)
        element.set(attribute, value)
    element.tail = None
    if element.text is not None and not element.text.strip():
        element.text = None
