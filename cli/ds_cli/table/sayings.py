"""What is said at the table, in a line: the state of the game, the keys, the way to a score."""

import re
from collections.abc import Sequence
from typing import Final

from ds_cli import output
from ds_cli.drawing import card_name
from ds_cli.showing import deal_names
from ds_cli.table.choices import Choice
from ds_cli.table.drawing import Characters
from ds_cli.table.layout import LEAST_WIDTH, Spot
from ds_cli.terminal.words import meaning
from ds_core import RANKS, SUITS, WASTE, Account, Scoring, View, parse_card
from ds_events.record import StoredGame
from ds_events.replay import Frame

_REPLAY_AND_LEAVE: Final = (
    Choice("r", "replay", "r"),
    Choice("?", "keys", "?"),
    Choice("q", "quit", "q"),
)
_LOOK: Final = (Choice("t", "stats", "t"), *_REPLAY_AND_LEAVE)
KEYS: Final = (
    Choice("1-9 w f", "pick", ""),
    Choice("space", "draw", "space"),
    Choice("u", "undo", "u"),
    Choice("h", "hint", "h"),
    Choice("n", "new", "n"),
    *_REPLAY_AND_LEAVE,
)
KEYS_PICKED: Final = (
    Choice("1-9 f", "to there", ""),
    Choice("up/dn", "count", ""),
    Choice("Enter", "home", "enter"),
    Choice("same key", "where it fits", ""),
    Choice("Esc", "put down", "escape"),
)
KEYS_FOUNDATIONS: Final = (
    Choice("1-8", "which foundation, as they lie in rows of two", ""),
    Choice("Esc", "none", "escape"),
)
KEYS_CLOSED: Final = (
    Choice("n", "new game", "n"),
    Choice("a", "the score", "a"),
    *_LOOK,
)
KEYS_WATCHING: Final = (Choice("a", "the score", "a"), *_LOOK)
KEYS_REPLAYING: Final = (
    Choice("space", "play", "space"),
    Choice("<-", "back", "left"),
    Choice("->", "on", "right"),
    Choice("t", "turned up", "t"),
    Choice("f", "home", "f"),
    Choice("Home", "start", "home"),
    Choice("End", "end", "end"),
    Choice("Esc", "game", "escape"),
)

_CARD: Final = re.compile(rf"\b[{RANKS}][{SUITS}]\b")

ALL_KEYS: Final = (
    Choice("space, d", "draw; turn the waste back when the stock is empty", "space"),
    Choice("1 to 9, w", "pick a column, or the waste", ""),
    Choice("f and 1 to 8", "pick a foundation, to take its card back", ""),
    Choice("up, down", "pick more or fewer cards of a column; else as many as fit", ""),
    Choice("1 to 9, f", "put what is picked on a column, or home", ""),
    Choice("the same key", "put it home, or where it fits: a double tap", ""),
    Choice("Enter", "send the picked card home: a tap", ""),
    Choice("Esc", "put it down again", ""),
    Choice("u, Backspace", "take the last operation back", "u"),
    Choice("h", "a hint", "h"),
    Choice("n", "a new game; this one stays as it is", "n"),
    Choice("x", "abandon the game", "x"),
    Choice("a", "how the score came about", "a"),
    Choice("t", "statistics", "t"),
    Choice("r", "replay the game so far", "r"),
    Choice("q", "leave; the game can be gone on with at any time", "q"),
    Choice("mouse", "click to tap, double-click, drag; or click these lines", ""),
)


ALL_KEYS_WATCHING: Final = tuple(
    choice for choice in ALL_KEYS if choice.key in {key.key for key in KEYS_WATCHING}
)


def headline(stored: StoredGame, seen: View, seconds: int, *, watches: bool = False) -> str:
    """Return what stands above the table; who plays is told to those who watch."""
    score = seen.mode.scoring.format(seen.score)
    state = "" if seen.status == "open" else f"   {seen.status}"
    counters = f"score {score}   moves {seen.moves}   can undo {seen.undoable}"
    names = [*deal_names(stored.header), *([str(stored.header.player)] if watches else [])]
    room = LEAST_WIDTH - 2 - len(f"   {counters}   {output.duration(seconds)}{state}")
    deal = output.cropped([(output.safe("  ".join(names)), "")], room)
    shown = "".join(text for text, _ in deal)
    return f"{shown}   {counters}   {output.duration(seconds)}{state}"


def change(scoring: Scoring, points: int) -> str:
    """Return what an operation did to the score, `+5` or `-$5`, or nothing."""
    return f"{'+' if points > 0 else ''}{scoring.format(points)}" if points else ""


def told(frame: Frame, characters: Characters) -> str:
    """Return what an operation did, and the change of the score."""
    said = meaning(frame, lambda card: card_name(card, characters.suits))
    brought = change(frame.seen.mode.scoring, frame.change)
    return f"{said or 'the last operation is taken back'}   {brought}".rstrip()


def picked(seen: View, spot: Spot, characters: Characters) -> str:
    """Return what is picked: one card, or several by the first and the last of them."""
    pile = spot.pile
    if pile == WASTE:
        cards = seen.waste[-1:]
    elif pile[0] == "F":
        place = int(pile[1]) - 1
        cards = (place // 2 * 13 + seen.foundations[place] - 1,)
    else:
        cards = seen.columns[int(pile[1]) - 1].up[-spot.count :]
    first, last = card_name(cards[0], characters.suits), card_name(cards[-1], characters.suits)
    return first if len(cards) == 1 else f"{len(cards)} cards, {first} to {last}"


def in_symbols(text: str, characters: Characters) -> str:
    """Return a text with the cards in it named as on the table: `10♥` for `TH`."""
    return _CARD.sub(lambda found: card_name(parse_card(found[0]), characters.suits), text)


def account_lines(account: Account, scoring: Scoring) -> list[tuple[str, str]]:
    """Return how a score came about: what, and what it brought; the sum is the last."""
    times = output.counted(account.turned_back[0], "time")
    parts = (
        (f"{output.counted(account.home[0], 'card')} sent home", account.home),
        (f"{output.counted(account.turned_up[0], 'card')} turned up", account.turned_up),
        (
            f"{output.counted(account.from_waste[0], 'card')} from the waste to a column",
            account.from_waste,
        ),
        (f"the waste turned back {times}", account.turned_back),
    )
    lines = [("at the start", scoring.format(account.start))] if account.start else []
    lines += [
        (what, change(scoring, points) or "0")
        for what, (count, points) in parts
        if count and (points or not scoring.is_money)
    ]
    return [*lines, ("score", scoring.format(account.score))]


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return rows as lines with aligned columns, the first `left` of them to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
