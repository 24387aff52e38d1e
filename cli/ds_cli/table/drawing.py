"""How the table looks: cards, places and backs, drawn on a canvas."""

from dataclasses import dataclass
from typing import Final

from rich.style import Style

from ds_cli.drawing import SYMBOLS, card_name
from ds_cli.table.canvas import Canvas
from ds_cli.table.layout import Layout, Placed, Spot
from ds_core import STOCK, WASTE, Card, View

FELT: Final = Style.parse("#d7e4d9 on #10452f")
"""The table itself."""

_PLACE: Final = Style.parse("#a8c7b4 on #10452f")
_LABEL: Final = Style.parse("#a8c7b4 on #10452f")
_PAPER: Final = "on #f6f1e4"
_INK: Final = (
    Style.parse(f"bold #1b1b1b {_PAPER}"),
    Style.parse(f"bold #c0172b {_PAPER}"),
    Style.parse(f"bold #b4491a {_PAPER}"),
    Style.parse(f"bold #1f3f8f {_PAPER}"),
)
"""The colour of each suit's name, ♠ ♥ ♦ ♣: reds and blacks apart, and each from its like."""

_EDGE: Final = Style.parse(f"#8d8672 {_PAPER}")
_BACK: Final = Style.parse("#8fb0dc on #27477c")
_PICKED_LABEL: Final = Style.parse("bold #ffd75f on #10452f")
# Underlined, so that they are told apart without colours as well.
_PICKED: Final = Style.parse("underline on #ffd75f")
_TOUCHED: Final = Style.parse("underline on #dcebff")


@dataclass(frozen=True, slots=True)
class Lifted:
    """Cards that are being dragged: from where, and where the pointer holds them."""

    spot: Spot
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Characters:
    """What the table is drawn with: suits, and the edges of cards."""

    suits: str
    top: str
    side: str
    bottom: str
    back: str


UNICODE: Final = Characters(SYMBOLS, "╭─╮", "│", "╰─╯", "░")
ASCII: Final = Characters("SHDC", "+-+", "|", "+-+", "#")


def draw(
    layout: Layout,
    characters: Characters,
    *,
    picked: Spot | None = None,
    touched: Spot | None = None,
    lifted: Lifted | None = None,
) -> Canvas:
    """Draw the table: what was picked and what the last move touched are set off."""
    canvas = Canvas(layout.width, layout.height, FELT)
    painter = _Painter(canvas, characters, layout.card_width)
    carried = []
    for card in layout.placed:
        if lifted is not None and _is_of(card, lifted.spot):
            carried.append(card)
            if card.count == lifted.spot.count and _is_alone(card, layout.seen):
                painter.place(card, "")
            continue
        painter.card(card)
        for mark, style in ((touched, _TOUCHED), (picked, _PICKED)):
            if mark is not None and card.face is not None and _is_of(card, mark):
                painter.mark(card, style)
    _draw_labels(canvas, layout, picked)
    if lifted is not None and carried:
        for row, card in enumerate(carried):
            rows = card.rows if card is carried[-1] else 1
            painter.card(
                Placed(card.pile, card.count, card.face, lifted.x, lifted.y + row, rows, card.whole)
            )
            painter.mark_at(lifted.x, lifted.y + row, rows, _PICKED)
    return canvas


def _is_of(card: Placed, spot: Spot) -> bool:
    return card.pile == spot.pile and 0 < card.count <= spot.count


def _is_alone(card: Placed, seen: View) -> bool:
    """Whether nothing is seen of a pile when a card and all on top of it are taken away."""
    if card.pile[0] == "T":
        return card.count == len(seen.columns[int(card.pile[1]) - 1])
    return card.pile[0] == "F" or seen.mode.draw == 1 or len(seen.waste) == 1


def _draw_labels(canvas: Canvas, layout: Layout, picked: Spot | None) -> None:
    """Write the number of each column above it, and how many cards stock and waste have."""
    seen = layout.seen
    for i, column in enumerate(seen.columns):
        is_picked = picked is not None and picked.pile == f"T{i + 1}"
        folded = column.down - layout.down_rows[i]
        number = f"{i + 1}" + (f" +{folded}" if folded else "")
        canvas.write(
            layout.column_x(i),
            0,
            number.center(layout.card_width),
            _PICKED_LABEL if is_picked else _LABEL,
        )
    x = layout.panel + layout.card_width + 1
    canvas.write(x, 0, "stock", _LABEL)
    canvas.write(x, 1, str(seen.stock) if seen.stock else "empty", FELT)
    waste = f"waste {len(seen.waste)}" if seen.waste else "waste empty"
    canvas.write(layout.panel, layout.foundations_at - 2, waste, _LABEL)


class _Painter:
    """Draws single cards on a canvas."""

    def __init__(self, canvas: Canvas, characters: Characters, width: int) -> None:
        self._canvas = canvas
        self._characters = characters
        self._width = width

    def card(self, card: Placed) -> None:
        """Draw a card, a back or an empty place."""
        if card.count == 0:
            self.place(card, _symbol(card, self._characters))
        elif card.face is None:
            self._back(card)
        else:
            self._face(card, card.face)

    def place(self, card: Placed, symbol: str) -> None:
        """Draw an empty place with a symbol in its middle."""
        for row in range(card.rows):
            is_middle = row == card.rows // 2
            inside = (symbol if is_middle else "").center(self._width - 2)
            self._write(card, row, self._framed(row, card.rows, inside), _PLACE)

    def mark(self, card: Placed, style: Style) -> None:
        """Lay a style over a card."""
        self.mark_at(card.x, card.y, card.rows, style)

    def mark_at(self, x: int, y: int, rows: int, style: Style) -> None:
        """Lay a style over cells as wide as a card."""
        for row in range(rows):
            self._canvas.restyle(x, y + row, self._width, style)

    def _back(self, card: Placed) -> None:
        side, back = self._characters.side, self._characters.back
        for row in range(card.rows):
            self._write(card, row, side + back * (self._width - 2) + side, _BACK)

    def _face(self, card: Placed, face: Card) -> None:
        name, ink = card_name(face, self._characters.suits), _INK[face // 13]
        inside = " " * (self._width - 2)
        for row in range(card.rows):
            # A card that lies under others shows its upper edge alone.
            rows = card.rows if card.whole else card.rows + 1
            self._write(card, row, self._framed(row, max(rows, 2), inside), _EDGE)
        self._canvas.write(card.x + 1, card.y, name, ink)
        if card.whole and card.rows > 2:
            middle = card.y + card.rows // 2
            suit = self._characters.suits[face // 13]
            self._canvas.write(card.x + (self._width - 1) // 2, middle, suit, ink)
        if card.whole and card.rows > 1:
            bottom = card.y + card.rows - 1
            self._canvas.write(card.x + self._width - 1 - len(name), bottom, name, ink)

    def _framed(self, row: int, rows: int, inside: str) -> str:
        """Return a row of a card: its upper edge, its lower edge, or its sides."""
        for edge, edges in ((0, self._characters.top), (rows - 1, self._characters.bottom)):
            if row == edge:
                return edges[0] + edges[1] * (self._width - 2) + edges[2]
        return self._characters.side + inside + self._characters.side

    def _write(self, card: Placed, row: int, text: str, style: Style) -> None:
        self._canvas.write(card.x, card.y + row, text, style)


def _symbol(card: Placed, characters: Characters) -> str:
    """What an empty place is for."""
    if card.pile[0] == "F":
        return characters.suits[(int(card.pile[1]) - 1) // 2]
    return {STOCK: "o", WASTE: ""}.get(card.pile, "K")
