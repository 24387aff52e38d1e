"""A board as lines of text: what a player sees, within 80 columns."""

from collections.abc import Iterator
from typing import Final

from ds_cli.drawing import CELL, LEAST_ROWS, Drawing, Marks, column_rows
from ds_cli.output import Line, Span, safe
from ds_core import View

LEAST_HEIGHT: Final = 3 + LEAST_ROWS
"""Lines that a board with a height takes at least."""

_SPACIOUS: Final = 24
"""The height from which on a line is left free above the columns."""

_STOCK_ROW: Final = 20
"""Cards of a revealed stock in a row."""


def board_lines(seen: View, *, marks: Marks | None = None, height: int | None = None) -> list[Line]:
    """Return the board: stock, waste, foundations, then the columns from top to bottom.

    With a height, of at least `LEAST_HEIGHT`, it takes no more lines than that: what is too
    long for it is shown with the number of the cards that are not (`column_rows`).
    """
    drawing, marks = Drawing(), marks or Marks()
    lines: list[Line] = [
        [
            *(("stock ", "dim"), (f"{seen.stock}", marks.style("S").strip())),
            *(("   waste ", "dim"), *_waste(seen, drawing, marks)),
        ],
        [("home  ", "dim"), *_foundations(seen, drawing, marks)],
        *([[]] if height is None or height >= _SPACIOUS else []),
        [(f"{f'T{i}':^{CELL}}", "dim") for i in range(1, len(seen.columns) + 1)],
    ]
    stock = _stock(seen, drawing)
    room = None if height is None else height - len(lines)
    if room is not None and len(stock) > max(0, room - max(map(len, seen.columns))):
        # In one line, and where there is no room for that either, in its number alone.
        stock = _stock_begins(seen, drawing) if room > LEAST_ROWS else []
    rows = column_rows(seen, drawing, marks, None if room is None else room - len(stock))
    return [*lines, *([span for cell in row for span in cell] for row in rows), *stock]


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


def _waste(seen: View, drawing: Drawing, marks: Marks) -> Iterator[Span]:
    """The waste's top card; in draw-3 the last three, fanned, of which the last can be played."""
    if not seen.waste:
        yield "empty", "dim"
        return
    fan = seen.waste[-seen.mode.draw :]
    for place, card in enumerate(fan[:-1]):
        text, style = drawing.card(card)
        yield text, style.replace("bold", "dim") + marks.style("W", len(fan) - place)
        yield " ", ""
    text, style = drawing.card(seen.waste[-1])
    yield text, style + marks.style("W")
    yield f"  ({len(seen.waste)})", "dim"


def _foundations(seen: View, drawing: Drawing, marks: Marks) -> Iterator[Span]:
    """Each row of two: the top card, or a dash."""
    for i, height in enumerate(seen.foundations):
        yield ("" if i == 0 else "   " if i % 2 == 0 else " "), ""
        yield f"F{i + 1} ", "dim"
        if height:
            text, style = drawing.card(i // 2 * 13 + height - 1)
            yield text, style + marks.style(f"F{i + 1}")
        else:
            yield f"-{drawing.suits[i // 2]}", "dim"


def _stock(seen: View, drawing: Drawing) -> list[Line]:
    """A revealed stock, whole."""
    if seen.hidden is None or not seen.hidden.stock:
        return []
    cards = [drawing.card(card) for card in seen.hidden.stock]
    lines: list[Line] = [[], [("stock, the next card first:", "dim")]]
    for start in range(0, len(cards), _STOCK_ROW):
        row = cards[start : start + _STOCK_ROW]
        lines.append([span for card in row for span in (card, (" ", ""))])
    return lines


def _stock_begins(seen: View, drawing: Drawing) -> list[Line]:
    """A revealed stock in one line: the next cards, and how many more there are."""
    if seen.hidden is None or not seen.hidden.stock:
        return []
    cards = [drawing.card(card) for card in seen.hidden.stock]
    line = [("next  ", "dim"), *(span for card in cards[:_STOCK_ROW] for span in (card, (" ", "")))]
    more = len(cards) - _STOCK_ROW
    return [[*line, (f"+{more} more", "dim")] if more > 0 else line]
