"""A replay as a page: one file that draws the frames it is given, and knows no rules."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ds_cli.output import counted, duration, safe, utc
from ds_cli.pages.board_svg import count_svg, places_svg
from ds_cli.pages.cards import HEIGHT, WIDTH, back_svg, face_svg, known_svg
from ds_cli.pages.curve import Curve, score_curve
from ds_cli.pages.layout import PLACES, TABLE_WIDTH, WASTE_STEP, column_steps, table_height
from ds_cli.pages.own import css_for, own_text
from ds_cli.pages.words import RANK_WORDS, SUIT_WORDS, frame_words, short_words
from ds_cli.showing import deal_names
from ds_core import RANKS, SUITS, Card, View, format_card
from ds_events.extras import needed_for
from ds_events.ids import format_id
from ds_events.record import StoredGame
from ds_events.replay import Frame
from ds_events.times import SECOND

if TYPE_CHECKING:
    from jinja2 import Environment, Template


def replay_page(stored: StoredGame, frames: Sequence[Frame]) -> str:
    """Return an HTML document that plays frames of a game: at least one, in order.

    It loads nothing and holds no more than the frames show: cards that are face down in all
    of them are in it only where the frames reveal them. It opens at the event that its
    address names after `#`, else at the first frame. Names and labels are any text.
    """
    with needed_for("--html", "report"):
        from jinja2 import Environment
        from markupsafe import Markup

    template = _template(Environment)
    script = own_text("replay.js")
    scoring = stored.header.deal.mode.scoring
    curve = score_curve(frames, scoring)
    return template.render(
        css=Markup(css_for("replay")),
        script=Markup(script),
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        record=Markup(_in_a_page(_record(frames, curve))),
        curve=Markup(curve.svg),
        symbols=[(name, Markup(svg)) for name, svg in _symbols(frames)],
        places=Markup(places_svg(stored.header.deal.mode)),
        counts=Markup(
            count_svg("S", 0, 'id="stock-count"') + count_svg("W", 0, 'id="waste-count"')
        ),
        width=TABLE_WIDTH,
        height=table_height(stored.header.deal.mode),
        card={"width": WIDTH, "height": HEIGHT},
        moves=[_row(frame) for frame in frames],
        count=len(frames),
        reveals=frames[0].seen.hidden is not None,
        game=_heading(stored),
    )


@cache
def _template(kind: "type[Environment]") -> "Template":
    """The template, compiled once for all pages of a report."""
    environment = kind(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(own_text("replay.html.j2"))


def _heading(stored: StoredGame) -> dict[str, Any]:
    """What stands above the board."""
    header, game = stored.header, stored.game
    mode = header.deal.mode
    score = mode.scoring.format(game.score)
    seconds = None
    if stored.first_at is not None and stored.last_at is not None:
        seconds = (stored.last_at - stored.first_at) // SECOND
    return {
        "id": format_id(header.id),
        "deal": safe(" · ".join(deal_names(header))),
        "player": safe(str(header.player)),
        "mode": f"draw {mode.draw}, {'Vegas' if mode.scoring.is_money else 'standard'} scoring",
        "result": {"open": f"open at {score}"}.get(game.status, f"{game.status} with {score}"),
        "status": game.status,
        "started_at": utc(header.started_at),
        "duration": duration(seconds),
        "events": counted(stored.version, "event"),
    }


def _row(frame: Frame) -> dict[str, Any]:
    """A line of the list of moves."""
    scoring = frame.seen.mode.scoring
    change = scoring.format(abs(frame.change))
    return {
        "seq": frame.seq,
        "move": frame.move or "",
        "what": short_words(frame) if frame.move else "start",
        "change": f"{'+' if frame.change > 0 else '−'}{change}" if frame.change else "",
        "score": scoring.format(frame.seen.score),
        "undone": frame.undone_by is not None,
        "undo": frame.undoes is not None,
    }


def _record(frames: Sequence[Frame], curve: Curve) -> dict[str, Any]:
    """What the page's script draws from."""
    return {
        "table": {
            "card": [WIDTH, HEIGHT],
            "places": PLACES,
            "wasteStep": WASTE_STEP,
            "fan": frames[0].seen.mode.draw,
        },
        "words": {
            "ranks": dict(zip(RANKS, RANK_WORDS, strict=True)),
            "suits": dict(zip(SUITS, SUIT_WORDS, strict=True)),
        },
        "curve": {"box": curve.box, "events": curve.events, "scores": curve.scores},
        "frames": list(_changes(frames)),
    }


def _changes(frames: Sequence[Frame]) -> Iterator[dict[str, Any]]:
    """Each frame with the piles that it changes; the first has them all."""
    before: dict[str, Any] = {}
    for frame in frames:
        piles = dict(_piles(frame.seen))
        scoring = frame.seen.mode.scoring
        yield {
            "seq": frame.seq,
            "move": frame.move,
            "at": utc(frame.at),
            "said": frame_words(frame),
            "value": frame.seen.score,
            "score": scoring.format(frame.seen.score),
            "moves": frame.seen.moves,
            "undoable": frame.seen.undoable,
            "status": frame.seen.status,
            "turned": frame.turned_up is not None,
            "home": frame.home,
            "piles": {name: pile for name, pile in piles.items() if pile != before.get(name)},
        }
        before = piles


def _piles(seen: View) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every pile: how many cards are face down, the others from bottom to top.

    `steps` are those of a column, `hidden` the face-down cards where they are revealed.
    """
    stock: dict[str, Any] = {"down": seen.stock, "up": ""}
    if seen.hidden is not None:
        # The next card to be drawn is on top, as in every other pile.
        stock["hidden"] = _cards(seen.hidden.stock[::-1])
    yield "S", stock
    yield "W", {"down": 0, "up": _cards(seen.waste)}
    for i, height in enumerate(seen.foundations):
        first = i // 2 * 13
        yield f"F{i + 1}", {"down": 0, "up": _cards(range(first, first + height))}
    for i, column in enumerate(seen.columns):
        pile: dict[str, Any] = {
            "down": column.down,
            "up": _cards(column.up),
            "steps": column_steps(seen.mode, column, revealed=seen.hidden is not None),
        }
        if seen.hidden is not None:
            pile["hidden"] = _cards(seen.hidden.columns[i])
        yield f"T{i + 1}", pile


def _cards(cards: Sequence[Card]) -> str:
    return "".join(map(format_card, cards))


def _symbols(frames: Sequence[Frame]) -> Iterator[tuple[str, str]]:
    """The drawings that the frames need: the back, faces, and hidden cards that they reveal."""
    up: set[Card] = set()
    hidden: set[Card] = set()
    for frame in frames:
        seen = frame.seen
        up.update(seen.waste, *(column.up for column in seen.columns))
        for i, height in enumerate(seen.foundations):
            up.update(range(i // 2 * 13, i // 2 * 13 + height))
        if seen.hidden is not None:
            hidden.update(seen.hidden.stock, *seen.hidden.columns)
    yield "card-back", back_svg()
    for card in sorted(up):
        yield f"card-{format_card(card)}", face_svg(card)
    for card in sorted(hidden):
        yield f"hidden-{format_card(card)}", known_svg(card)


def _in_a_page(document: dict[str, Any]) -> str:
    """JSON in which nothing can end the element that it stands in."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")
