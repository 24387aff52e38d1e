"""A board as lines of text: what a player sees, within 80 columns."""

from collections.abc import Iterator
from typing import Final

from ds_cli.output import Line, Span, can_write, safe
from ds_core import RANKS, Card, View

_SYMBOLS: Final = "♠♥♦♣"
_BACK: Final = "░░"
_WIDTH: Final = 6
"""Characters a column takes; the row's number and the nine of them fit 80 columns."""


class Drawing:
    """How cards are drawn: with suit symbols where the output can show them."""

    def __init__(self) -> None:
        symbols = can_write(_SYMBOLS + _BACK)
        self.suits = _SYMBOLS if symbols else "SHDC"
        self.back = _BACK if symbols else "##"

    def card(self, card: Card) -> Span:
        """Return a face-up card, two characters, in its colour."""
        suit = card // 13
        return RANKS[card % 13] + self.suits[suit], "bold red" if suit in (1, 2) else "bold"


def board_lines(seen: View) -> list[Line]:
    """Return the board: stock, waste, foundations, then the columns from top to bottom."""
    drawing = Drawing()
    lines: list[Line] = [
        [("stock ", "dim"), (f"{seen.stock}", ""), ("   waste ", "dim"), *_waste(seen, drawing)],
        [("home  ", "dim"), *_foundations(seen, drawing)],
        [],
        [(f"{f'T{i}':^{_WIDTH}}", "dim") for i in range(1, len(seen.columns) + 1)],
    ]
    lines += [[span for cell in row for span in cell] for row in _column_rows(seen, drawing)]
    if seen.hidden is not None and seen.hidden.stock:
        lines += [[], [("stock, the next card first:", "dim")]]
        cards = [drawing.card(card) for card in seen.hidden.stock]
        for start in range(0, len(cards), 20):
            lines.append([span for card in cards[start : start + 20] for span in (card, (" ", ""))])
    return lines


def status_lines(seen: View, names: list[str]) -> list[Line]:
    """Return what stands above the board: whose game it is, and how it goes."""
    score = seen.mode.scoring.format(seen.score)
    counters = f"score {score}   moves {seen.moves}   can undo {seen.undoable}   seq {seen.seq}"
    state = {"open": "", "won": "bold green", "abandoned": "yellow"}[seen.status]
    return [
        [("  ".join(map(safe, names)), "bold"), ("  ", ""), (seen.status, state)],
        [(counters, "")],
        [],
    ]


def _waste(seen: View, drawing: Drawing) -> Iterator[Span]:
    """The waste's top card; in draw-3 the last three, fanned, of which the last can be played."""
    if not seen.waste:
        yield "empty", "dim"
        return
    for card in seen.waste[-seen.mode.draw : -1]:
        text, style = drawing.card(card)
        yield text, style.replace("bold", "dim")
        yield " ", ""
    yield drawing.card(seen.waste[-1])
    yield f"  ({len(seen.waste)})", "dim"


def _foundations(seen: View, drawing: Drawing) -> Iterator[Span]:
    """Each row of two: the top card, or a dash."""
    for i, height in enumerate(seen.foundations):
        yield ("" if i == 0 else "   " if i % 2 == 0 else " "), ""
        yield f"F{i + 1} ", "dim"
        yield (
            drawing.card(i // 2 * 13 + height - 1)
            if height
            else (f"-{drawing.suits[i // 2]}", "dim")
        )


def _column_rows(seen: View, drawing: Drawing) -> Iterator[list[list[Span]]]:
    for depth in range(max(1, *(len(column) for column in seen.columns))):
        yield [_cell(seen, drawing, i, depth) for i in range(len(seen.columns))]


def _cell(seen: View, drawing: Drawing, column: int, depth: int) -> list[Span]:
    shown = seen.columns[column]
    if depth >= len(shown):
        return [(" " * _WIDTH if depth or len(shown) else "  --  ", "dim")]
    if depth >= shown.down:
        text, style = drawing.card(shown.up[depth - shown.down])
        return [("  ", ""), (text, style), ("  ", "")]
    if seen.hidden is None:
        return [(f"  {drawing.back}  ", "dim")]
    return [(f" ({drawing.card(seen.hidden.columns[column][depth])[0]}) ", "dim")]
