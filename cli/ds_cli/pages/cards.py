"""The one drawing of a card, as SVG: faces, the back, empty places.

A card is `WIDTH` by `HEIGHT` units with its top left corner at 0, 0. Colours are written out, so
that a drawing stands by itself; a page sets its own by the classes `paper`, `red`, `black`, ….
"""

from typing import Final

from ds_core import RANKS, Card

WIDTH: Final = 100
HEIGHT: Final = 140

FELT: Final = "#35654f"
INK: Final = "#f4efe2"
"""What is written and outlined on the felt."""

_PAPER: Final = "#fbf8f0"
_EDGE: Final = "#8b8474"
_RED: Final = "#b8262b"
_BLACK: Final = "#1d2326"
_BACK: Final = "#2f4f7a"
_LATTICE: Final = "#87a1c4"
_BRASS: Final = "#b98a2f"

FONTS: Final = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

_SPADE: Final = (
    "M0-46C9-29 42-9 42 15C42 29 32 36 22 36C14 36 8 32 5 26C6 36 10 42 18 46H-18"
    "C-10 42-6 36-5 26C-8 32-14 36-22 36C-32 36-42 29-42 15C-42-9-9-29 0-46Z"
)
_HEART: Final = (
    "M0 45C-9 29-43 7-43-17C-43-33-32-42-21-42C-11-42-4-35 0-26C4-35 11-42 21-42"
    "C32-42 43-33 43-17C43 7 9 29 0 45Z"
)
_DIAMOND: Final = "M0-50C9-32 23-15 39 0C23 15 9 32 0 50C-9 32-23 15-39 0C-23-15-9-32 0-50Z"
_CLUB: Final = (
    "M0-45A21 21 0 0 1 0-3A21 21 0 0 1 0-45ZM-23-10A21 21 0 0 1-23 32A21 21 0 0 1-23-10Z"
    "M23-10A21 21 0 0 1 23 32A21 21 0 0 1 23-10ZM-9-8H9V10H22V14H6C6 30 9 41 18 46H-18"
    "C-9 41-6 30-6 14H-22V10H-9Z"
)
_SUITS: Final = (_SPADE, _HEART, _DIAMOND, _CLUB)
"""The suits in the order of `ds_core.SUITS`, each within 50 units of 0, 0."""

_CROWNS: Final = {
    # A cap with a feather, a coronet, a crown.
    "J": "M-25 12C-27-6-8-14 10-10C14-20 22-24 30-24C28-16 26-8 20-3C24 1 25 6 25 12Z",
    "Q": "M-27 12L-30-8L-14 0L0-14L14 0L30-8L27 12Z",
    "K": "M-27 12L-31-14L-16-2L-10-18L0-4L10-18L16-2L31-14L27 12Z",
}
_JEWELS: Final = {
    "J": ((8, 4, 3.4),),
    "Q": ((-30, -11, 4), (0, -18, 4.5), (30, -11, 4)),
    "K": ((-31, -17, 3.6), (-10, -21, 3.6), (10, -21, 3.6), (31, -17, 3.6)),
}

_MESHES: Final = 4
"""Of the lattice on a back, along each side."""


def suit_svg(suit: int, x: float, y: float, size: float, attributes: str = "") -> str:
    """Return a suit's symbol, `size` units high, around the point x, y.

    Suits count as in `ds_core.SUITS`. Without `attributes` it has the colour of the suit.
    """
    scale = f"{size / 92:.3f}".rstrip("0")
    return (
        f'<path {attributes or _coloured(suit)} transform="translate({x:g} {y:g}) '
        f'scale({scale})" d="{_SUITS[suit]}"/>'
    )


def face_svg(card: Card) -> str:
    """Return the face of a card: its index along the top, where a fan leaves it to be read."""
    suit, rank = divmod(card, 13)
    symbol = RANKS[rank]
    text, tight = ("10", ' letter-spacing="-5"') if symbol == "T" else (symbol, "")
    # Some fonts draw the jack's letter further to the left than it begins, and below the line.
    x, y = {"T": (4, 41), "J": (11, 39)}.get(symbol, (7, 41))
    index = (
        f'<text {_coloured(suit)} x="{x}" y="{y}" font-family="{FONTS}" font-weight="700" '
        f'font-size="45"{tight}>{text}</text>'
    )
    corner = suit_svg(suit, 79, 26, 31)
    if symbol in _CROWNS:
        middle = _court(symbol, suit)
    else:
        middle = suit_svg(suit, 50, 93, 78 if symbol == "A" else 64)
    return _sheet() + index + corner + middle


def back_svg() -> str:
    """Return the back of a card: a lattice within a border of paper."""
    left, top, right, bottom = 12.0, 12.0, WIDTH - 12.0, HEIGHT - 12.0
    across, along = (right - left) / _MESHES, (bottom - top) / _MESHES
    lines = []
    for step in range(1, 2 * _MESHES):
        # From the frame's upper right down along its top and left side, as many meshes on.
        begins = max(_MESHES - step, 0), max(step - _MESHES, 0)
        ends = min(2 * _MESHES - step, _MESHES), min(step, _MESHES)
        x0, y0 = left + begins[0] * across, top + begins[1] * along
        x1, y1 = left + ends[0] * across, top + ends[1] * along
        lines.append(f"M{x0:g} {y0:g}L{x1:g} {y1:g}")
        lines.append(f"M{WIDTH - x0:g} {y0:g}L{WIDTH - x1:g} {y1:g}")
    return (
        _sheet()
        + f'<rect class="back" fill="{_BACK}" x="7" y="7" width="86" height="126" rx="6"/>'
        + f'<path class="lattice" fill="none" stroke="{_LATTICE}" stroke-width="2.2" '
        f'stroke-linecap="round" d="{"".join(lines)}"/>'
        + f'<rect class="lattice" fill="none" stroke="{_LATTICE}" stroke-width="2.2" '
        'x="12" y="12" width="76" height="116" rx="3"/>'
    )


def known_svg(card: Card) -> str:
    """Return a card that lies face down and is shown all the same: its face under a tint."""
    return face_svg(card) + (
        f'<rect class="back" fill="{_BACK}" fill-opacity=".42" width="{WIDTH}" '
        f'height="{HEIGHT}" rx="9"/>'
    )


def shade_svg() -> str:
    """Return what lies over a card that cannot be played because others lie on it."""
    return f'<rect fill="#1d2326" fill-opacity=".2" width="{WIDTH}" height="{HEIGHT}" rx="9"/>'


def place_svg(suit: int | None = None, sign: str | None = None) -> str:
    """Return an empty place: an outline, with a suit or a sign in it.

    The signs are those of an empty stock: `again`, where the waste can be turned back, and
    `over`, where it cannot.
    """
    outline = (
        f'<rect class="place" fill="{INK}" fill-opacity=".06" stroke="{INK}" '
        f'stroke-opacity=".38" stroke-width="2.5" x="1.5" y="1.5" width="{WIDTH - 3}" '
        f'height="{HEIGHT - 3}" rx="8.5"/>'
    )
    if suit is not None:
        # What is red on paper is an outline here: suits differ by more than their shape.
        look = (
            f'fill="none" stroke="{INK}" stroke-opacity=".5" stroke-width="6"'
            if suit in (1, 2)
            else f'fill="{INK}" fill-opacity=".42"'
        )
        return outline + suit_svg(suit, 50, 70, 54, look)
    stroke = f'fill="none" stroke="{INK}" stroke-opacity=".5" stroke-width="6"'
    if sign == "again":
        return outline + (
            f'<path {stroke} stroke-linecap="round" d="M69 57A23 23 0 1 0 73 70"/>'
            f'<path fill="{INK}" fill-opacity=".5" d="M58 58H79V37Z"/>'
        )
    if sign == "over":
        return outline + (f'<path {stroke} stroke-linecap="round" d="M35 55L65 85M65 55L35 85"/>')
    return outline


def _court(symbol: str, suit: int) -> str:
    """The middle of a jack, queen or king: the suit within a frame, under a crown."""
    jewels = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"/>' for x, y, r in _JEWELS[symbol])
    return (
        f'<rect class="brass" fill="none" stroke="{_BRASS}" stroke-width="2" '
        'x="14" y="52" width="72" height="79" rx="5"/>'
        f'<g class="brass" fill="{_BRASS}" transform="translate(50 74) scale(.8)">'
        f'<path d="{_CROWNS[symbol]}"/>{jewels}</g>' + suit_svg(suit, 50, 106, 40)
    )


def _sheet() -> str:
    return (
        f'<rect class="paper" fill="{_PAPER}" stroke="{_EDGE}" stroke-width="1.5" x=".75" y=".75" '
        f'width="{WIDTH - 1.5}" height="{HEIGHT - 1.5}" rx="8.5"/>'
    )


def _colour(suit: int) -> tuple[str, str]:
    return ("red", _RED) if suit in (1, 2) else ("black", _BLACK)


def _coloured(suit: int) -> str:
    name, colour = _colour(suit)
    return f'class="{name}" fill="{colour}"'
