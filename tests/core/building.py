"""Games built by hand, so that a test shows the cards it is about, and what it asks of them."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Final

import pytest

from ds_core import (
    DEALS,
    MOVES,
    PACK,
    Card,
    Deal,
    Game,
    GameCode,
    IllegalMove,
    Move,
    NotationError,
    RulesError,
    deal_cards,
    deal_code,
    format_card,
    format_deck,
    parse_card,
    parse_mode,
    parse_move,
    parse_moves,
)
from tests import naive

ALL_MODES: Final = ("D1N", "D1V", "D3N", "D3V")

DULL: Final = "KS KS KC KC QS QS QC QC JS"
"""Nine black cards of which none fits on another and none goes home first."""

_PUBLIC: Final = [
    name for name in dir(Game) if not name.startswith("_") and not callable(getattr(Game, name))
]


def cards(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


def deck(columns: Mapping[int, str] | None = None, stock: str = "") -> list[Card]:
    """Return a deck whose columns end in the given cards and whose stock begins with others.

    `columns` maps the number of a column, from 1, to its last cards from bottom to top. The
    cards that are not named fill what is left over, kings first.
    """
    tops = {number: cards(text) for number, text in (columns or {}).items()}
    drawn = cards(stock)
    left = Counter([*PACK, *PACK])
    left.subtract([card for top in (*tops.values(), drawn) for card in top])
    assert min(left.values()) >= 0, "a card is named three times"
    rest = iter(sorted(left.elements(), key=lambda card: -(card % 13)))
    dealt: list[Card] = []
    for number in range(1, 10):
        top = tops.get(number, [])
        dealt += [next(rest) for _ in range(number - len(top))] + top
    return [*dealt, *drawn, *rest]


def deal(mode: str = "D1N", columns: Mapping[int, str] | None = None, stock: str = "") -> Deal:
    return deal_cards(parse_mode(mode), deck(columns, stock))


def tops(text: str) -> dict[int, str]:
    """Return columns for `deal` of which each ends in one of the nine cards of a text."""
    return dict(enumerate(text.split(), 1))


def waiting(mode: str, card: str) -> str:
    """Return a stock of which the first draw puts a card on top of the waste."""
    return card if mode.startswith("D1") else f"6C 6C {card}"


def run(game: Game, text: str) -> Game:
    """Play moves and return the game, so that a test can go on with it."""
    for move in parse_moves(text):
        game.play(move)
    return game


def start(
    mode: str = "D1N",
    columns: Mapping[int, str] | None = None,
    stock: str = "",
    moves: str = "",
) -> Game:
    return run(Game(deal(mode, columns, stock)), moves)


def coded(text: str, number: int) -> Deal:
    """Return a deal by the text of its mode and its number."""
    return deal_code(GameCode(parse_mode(text), number % DEALS))


def stuck_deck() -> list[Card]:
    """Return a deck of which nothing can be played once all of its stock is drawn.

    Only black cards are on top, none of which fits on another, and a black seven comes last.
    """
    dealt = deck(tops(DULL))
    seven = dealt.index(parse_card("7S"), 45)
    dealt[seven], dealt[-1] = dealt[-1], dealt[seven]
    return dealt


def walk(game: Game, steps: int, chance: Random, *, undo: float = 0) -> list[Move]:
    """Play random legal moves, now and then an undo if asked for, and return them."""
    played = []
    for _ in range(steps):
        able = game.legal_moves()
        if game.undoable and (not able or chance.random() < undo):
            able = [MOVES["U"]]
        if not able:
            break
        played.append(chance.choice(able))
        game.play(played[-1])
    return played


def tidy_deck(draw: int, chance: Random, swaps: int = 0) -> list[Card]:
    """Return a deck that is won by sending home what can go, else drawing.

    The stock holds the low cards in rising order (in draw-3 the lowest of each three last,
    which is the one on top), the columns hold the others, falling from bottom to top. Each
    swap of two cards then makes it a little harder.
    """
    shuffled = [*PACK, *PACK]
    chance.shuffle(shuffled)
    low_first = sorted(shuffled, key=lambda card: card % 13)
    stock, high = low_first[:59], low_first[59:][::-1]
    drawn = [card for i in range(0, 59, draw) for card in reversed(stock[i : i + draw])]
    tidy = high + drawn
    for _ in range(swaps):
        i, j = chance.sample(range(104), 2)
        tidy[i], tidy[j] = tidy[j], tidy[i]
    return tidy


def eager(game: Game) -> str | None:
    """Return what sends a card home, else draws, else turns back, or `None`."""
    legal = [move.text for move in game.legal_moves()]
    homeward = sorted(text for text in legal if text.endswith("F"))
    return next((text for text in (*homeward, "D", "R") if text in legal), None)


def up(game: Game, number: int) -> str:
    """Return the face-up cards of a column (numbered from 1) from bottom to top."""
    column = game.columns[number - 1]
    return format_deck(column[game.face_down[number - 1] :])


def texts(game: Game) -> list[str]:
    return sorted(move.text for move in game.legal_moves())


def snapshot(game: Game) -> dict[str, object]:
    """Return everything public about a game, as values that later moves do not change."""
    return {name: _frozen(getattr(game, name)) for name in _PUBLIC}


def table(game: Game) -> dict[str, object]:
    """Return everything public about a game but what undo leaves as it is (R27, R28)."""
    seen = snapshot(game)
    for counter in ("moves", "undos", "seq", "undoable"):
        del seen[counter]
    return seen


def refused(game: Game, text: str) -> str:
    """Return the rule that refuses a move; fail if it is played or changes anything."""
    before = snapshot(game), texts(game)
    with pytest.raises(RulesError) as caught:
        game.play(parse_move(text))
    assert (snapshot(game), texts(game)) == before
    error = caught.value
    assert isinstance(error, IllegalMove | NotationError)
    return error.rule


def every_card(game: Game) -> Counter[Card]:
    """Count the cards on the whole table."""
    home = [
        foundation // 2 * 13 + rank
        for foundation, height in enumerate(game.foundations)
        for rank in range(height)
    ]
    return Counter([*game.stock, *game.waste, *home, *(c for pile in game.columns for c in pile)])


def board(game: Game) -> naive.Board:
    """Return the board of a game as the naive model writes it."""
    columns = [
        ([format_card(card) for card in column], down)
        for column, down in zip(game.columns, game.face_down, strict=True)
    ]
    return naive.Board(
        down=tuple(tuple(column[:down]) for column, down in columns),
        up=tuple(tuple(column[down:]) for column, down in columns),
        waste=tuple(format_card(card) for card in game.waste),
        stock=tuple(format_card(card) for card in game.stock),
        foundations=tuple(
            tuple(rank + suit for rank in naive.RANKS[:height])
            for suit, height in zip(naive.ROWS, game.foundations, strict=True)
        ),
        score=game.score,
    )


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
