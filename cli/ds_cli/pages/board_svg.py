"""A board as one SVG: what a player sees, with the cards by their own drawing."""

from collections.abc import Iterator, Sequence
from typing import Final
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from ds_cli.output import counted, safe
from ds_cli.pages.cards import (
    FELT,
    FONTS,
    INK,
    back_svg,
    face_svg,
    known_svg,
    place_svg,
    shade_svg,
    suit_svg,
)
from ds_cli.pages.layout import (
    COUNTS,
    MARGIN,
    PLACES,
    TABLE_WIDTH,
    WASTE_STEP,
    column_steps,
    fanned,
    table_height,
)
from ds_cli.pages.words import board_words
from ds_core import RANKS, Card, Mode, View, format_card

_HEAD: Final = 104
"""What the writing above the table takes."""

_STOCK_ROW: Final = 16
"""How many cards of a revealed stock stand in a row."""

_STOCK_STEP: Final = 46
"""From one of these rows to the next."""


def board_svg(seen: View, names: Sequence[str]) -> str:
    """Return a board as an SVG document: a heading, and the cards that a player can see.

    The names tell the game apart: id, deal, player; they may be any text. Of the waste the
    cards that lie open are drawn, of a foundation its last. Cards that lie face down are
    drawn only where `seen` reveals them.
    """
    foot = _HEAD + table_height(seen.mode)
    stock = [] if seen.hidden is None else list(seen.hidden.stock)
    rows = -(-len(stock) // _STOCK_ROW)
    height = foot + (58 + rows * _STOCK_STEP if rows else 0)
    *deal, player = map(safe, names)
    title = f"{player}'s board of {' '.join(deal)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {TABLE_WIDTH} {height}" '
        f'width="{TABLE_WIDTH}" height="{height}" role="img" aria-labelledby="title words">\n'
        f'<title id="title">{escape(title)}</title>\n'
        f'<desc id="words">{escape(" ".join(board_words(seen)))}</desc>\n'
        f'<rect fill="{FELT}" width="{TABLE_WIDTH}" height="{height}" rx="16"/>\n'
        f"{_heading(seen, deal, player)}"
        f'<g transform="translate(0 {_HEAD})">\n{places_svg(seen.mode)}\n'
        f"{_counts(seen)}\n"
        + "\n".join(_cards(seen))
        + "\n</g>\n"
        + _stock(stock, foot)
        + "</svg>\n"
    )


def places_svg(mode: Mode) -> str:
    """Return the empty places of the table, on which the cards lie."""
    drawn = []
    for pile, (x, y) in PLACES.items():
        if pile == "S":
            place = place_svg(sign="over" if mode.scoring.turn_back is None else "again")
        else:
            place = place_svg((int(pile[1]) - 1) // 2 if pile[0] == "F" else None)
        drawn.append(f'<g transform="translate({x} {y})">{place}</g>')
    return "\n".join(drawn)


def count_svg(pile: str, count: int, attributes: str = "") -> str:
    """Return the number of cards in the stock or the waste, above it."""
    x, y = COUNTS[pile]
    return (
        f'<text {attributes} x="{x}" y="{y}" text-anchor="middle" fill="{INK}" '
        f'font-family="{FONTS}" font-size="32">{count or ""}</text>'
    )


def _counts(seen: View) -> str:
    return count_svg("S", seen.stock) + count_svg("W", len(seen.waste))


def _cards(seen: View) -> Iterator[str]:
    """Every card that is drawn, each pile from bottom to top."""
    for i, column in enumerate(seen.columns):
        x, y = PLACES[f"T{i + 1}"]
        down_step, up_step = column_steps(seen.mode, column, revealed=seen.hidden is not None)
        for depth in range(column.down):
            if seen.hidden is None:
                yield _card(None, back_svg(), x, y + depth * down_step)
            else:
                card = seen.hidden.columns[i][depth]
                yield _card(card, known_svg(card), x, y + depth * down_step)
        top = y + column.down * down_step
        for depth, card in enumerate(column.up):
            yield _card(card, face_svg(card), x, top + depth * up_step)
    for i, height in enumerate(seen.foundations):
        if height:
            card = i // 2 * 13 + height - 1
            yield _card(card, face_svg(card), *PLACES[f"F{i + 1}"])
    if seen.stock:
        yield _card(None, back_svg(), *PLACES["S"])
    x, y = PLACES["W"]
    shown = fanned(seen)
    for depth, card in enumerate(seen.waste[len(seen.waste) - shown :]):
        shade = "" if depth == shown - 1 else shade_svg()
        yield _card(card, face_svg(card) + shade, x, y + depth * WASTE_STEP)


def _card(card: Card | None, drawing: str, x: float, y: float) -> str:
    name = "" if card is None else f' data-card="{format_card(card)}"'
    return f'<g class="card"{name} transform="translate({x:g} {y:g})">{drawing}</g>'


def _heading(seen: View, deal: Sequence[str], player: str) -> str:
    """Whose game it is at the left, how it goes at the right."""
    score = seen.mode.scoring.format(seen.score)
    going = f"{counted(seen.moves, 'move')} · event {seen.seq}"
    state = "" if seen.status == "open" else f"{seen.status} · "
    right = TABLE_WIDTH - MARGIN - 6
    return (
        _text(MARGIN + 6, 48, " · ".join(deal[1:] or deal), 34, 24, weight=700)
        + _text(MARGIN + 6, 86, f"{player} · {deal[0]}", 25, 40)
        + _text(right, 48, f"{state}{score}", 34, 12, weight=700, anchor="end")
        + _text(right, 86, going, 25, 20, anchor="end")
    )


def _text(
    x: int, y: int, text: str, size: int, room: int, *, weight: int = 400, anchor: str = "start"
) -> str:
    """A line of text; what is longer than `room` wide characters is written smaller."""
    long = sum(1.0 if east_asian_width(letter) in "WF" else 0.66 for letter in text)
    fitted = size * min(1.0, room / long) if long else size
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{INK}" font-family="{FONTS}" '
        f'font-size="{fitted:.4g}" font-weight="{weight}">{escape(text)}</text>\n'
    )


def _stock(cards: Sequence[Card], top: int) -> str:
    """The cards of a revealed stock in rows under the table, the next to be drawn first."""
    if not cards:
        return ""
    drawn = [_text(MARGIN + 6, top + 20, "Stock, the next card first:", 25, 40)]
    width = (TABLE_WIDTH - 2 * MARGIN) / _STOCK_ROW
    for i, card in enumerate(cards):
        row, column = divmod(i, _STOCK_ROW)
        suit, rank = divmod(card, 13)
        x, y = MARGIN + 6 + column * width, top + 66 + row * _STOCK_STEP
        drawn.append(
            f'<g class="card" data-card="{format_card(card)}">'
            f'<text x="{x + 32:.4g}" y="{y}" text-anchor="end" fill="{INK}" '
            f'font-family="{FONTS}" font-size="27">{"10" if RANKS[rank] == "T" else RANKS[rank]}'
            f"</text>{suit_svg(suit, x + 47, y - 10, 22, _on_felt(suit))}</g>\n"
        )
    return "".join(drawn)


def _on_felt(suit: int) -> str:
    """How a suit looks without paper: what is red there is an outline here."""
    if suit in (1, 2):
        return f'fill="none" stroke="{INK}" stroke-width="9"'
    return f'fill="{INK}"'
