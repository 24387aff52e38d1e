"""A second model of the game: slow, immutable and plain, written from the rules alone.

Cards are texts, piles are tuples, and taking an operation back means to play the others again
from the deal. It shares nothing with `ds_core`, so where the two agree it is because both
follow the rules.
"""

from typing import Final, NamedTuple

RANKS: Final = "A23456789TJQK"
RED: Final = "HD"
ROWS: Final = "SSHHDDCC"
"""The suit of each foundation (R12)."""

_COLUMNS: Final = range(1, 10)
_FOUNDATIONS: Final = range(1, 9)

NOTATION: Final[dict[str, tuple[str, str, int]]] = {
    **dict.fromkeys("DRUX", ("", "", 0)),
    "WF": ("W", "F", 1),
    **{f"WT{t}": ("W", f"T{t}", 1) for t in _COLUMNS},
    **{f"T{s}F": (f"T{s}", "F", 1) for s in _COLUMNS},
    **{f"T{s}T{t}": (f"T{s}", f"T{t}", 1) for s in _COLUMNS for t in _COLUMNS if s != t},
    **{
        f"T{s}T{t}x{n}": (f"T{s}", f"T{t}", n)
        for s in _COLUMNS
        for t in _COLUMNS
        for n in range(2, 14)
        if s != t
    },
    **{f"F{s}T{t}": (f"F{s}", f"T{t}", 1) for s in _FOUNDATIONS for t in _COLUMNS},
}
"""Everything that R37 writes: from which pile, to which, how many cards."""

OPERATIONS: Final = sorted(set(NOTATION) - {"U", "X"})


class Board(NamedTuple):
    """Where every card lies, the top of a pile last, the stock as it is drawn; and the score."""

    down: tuple[tuple[str, ...], ...]
    up: tuple[tuple[str, ...], ...]
    waste: tuple[str, ...]
    stock: tuple[str, ...]
    foundations: tuple[tuple[str, ...], ...]
    score: int


class NaiveGame(NamedTuple):
    """A game: its deal, the operations that stand and the board they make."""

    mode: str
    deck: tuple[str, ...]
    board: Board
    stands: tuple[str, ...] = ()
    undoable: int = 0
    moves: int = 0
    undos: int = 0
    status: str = "open"

    @property
    def is_vegas(self) -> bool:
        return self.mode.endswith("V")


class Refused(Exception):
    """A move that the rules refuse; its argument is the rule."""


def start(mode: str, deck: tuple[str, ...]) -> NaiveGame:
    """Deal 1, 2, … 9 cards, the last of each face up; the rest is the stock (R3-R5)."""
    columns = []
    for size in _COLUMNS:
        first = sum(range(size))
        columns.append(deck[first : first + size])
    board = Board(
        down=tuple(column[:-1] for column in columns),
        up=tuple(column[-1:] for column in columns),
        waste=(),
        stock=deck[45:],
        foundations=((),) * 8,
        score=-104 if mode.endswith("V") else 0,
    )
    return NaiveGame(mode, deck, board)


def play(game: NaiveGame, text: str) -> NaiveGame:
    """Return the game after one more event, or raise `Refused`."""
    rule = refusal(game, text)
    if rule is not None:
        raise Refused(rule)
    if text == "X":
        return game._replace(status="abandoned", undoable=0)
    if text == "U":
        stands = game.stands[:-1]
        board = start(game.mode, game.deck).board
        for earlier in stands:
            board = _after(game, board, earlier)
        return game._replace(
            board=board, stands=stands, undoable=game.undoable - 1, undos=game.undos + 1
        )
    board = _after(game, game.board, text)
    won = sum(map(len, board.foundations)) == 104
    return game._replace(
        board=board,
        stands=(*game.stands, text),
        undoable=0 if won else min(game.undoable + 1, 200),
        moves=game.moves + 1,
        status="won" if won else "open",
    )


def legal(game: NaiveGame) -> list[str]:
    """Return every operation that nothing refuses, sorted, found by trying all of them."""
    return [text for text in OPERATIONS if refusal(game, text) is None]


def refusal(game: NaiveGame, text: str) -> str | None:
    """Return the rule that refuses a move, the first in the order of the rules, or `None`."""
    if text not in NOTATION:
        return "R37"
    if game.status != "open":
        return "R24"
    board = game.board
    if text == "X":
        return None
    if text == "U":
        return None if game.undoable else "R26"
    if text == "D":
        return None if board.stock else "R18"
    if text == "R":
        if game.is_vegas:
            return "R17"
        return "R18" if board.stock or not board.waste else None
    source, target, count = NOTATION[text]
    pile = _face_up(board, source)
    if len(pile) < count:
        return {"W": "R9", "T": "R7", "F": "R14"}[source[0]]
    card = pile[-count]
    if target == "F":
        return None if _home(board, card) else "R12"
    column = board.up[int(target[1]) - 1]
    if not column:
        return None if card[0] == "K" else "R11"
    return None if _fits(card, column[-1]) else "R6"


def tap(game: NaiveGame, pile: str) -> str | None:
    """Return what a tap does (R29, R30)."""
    wanted = {"S": ["D", "R"], "W": ["WF"], "T": [f"{pile}F"], "F": []}[pile[0]]
    return next((text for text in wanted if refusal(game, text) is None), None)


def double_tap(game: NaiveGame, pile: str) -> str | None:
    """Return what a double tap does (R31)."""
    home = tap(game, pile)
    if home is not None or pile[0] not in "WT":
        return home
    board = game.board
    cards = _face_up(board, pile)
    heights = [len(down) + len(up) for down, up in zip(board.down, board.up, strict=True)]
    if not cards or (cards[-1][0] == "K" and pile != "W" and heights[int(pile[1]) - 1] == 1):
        return None
    longest_first = sorted(_COLUMNS, key=lambda target: (-heights[target - 1], target))
    texts = [f"{pile}T{target}" for target in longest_first if pile != f"T{target}"]
    return next((text for text in texts if refusal(game, text) is None), None)


def _after(game: NaiveGame, board: Board, text: str) -> Board:
    """Return the board after an operation that is legal on it."""
    if text == "D":
        turned = 1 if game.mode.startswith("D1") else 3
        return board._replace(waste=board.waste + board.stock[:turned], stock=board.stock[turned:])
    if text == "R":
        return board._replace(
            waste=(), stock=board.waste, score=board.score - min(100, board.score)
        )
    source, target, count = NOTATION[text]
    cards = _face_up(board, source)[-count:]
    left = _take(board, source, count)
    turns_up = sum(map(len, left.down)) < sum(map(len, board.down))
    points = 0
    if target == "F":
        points += 5 if game.is_vegas else 10
    elif source == "W" and not game.is_vegas:
        points += 5
    if turns_up and not game.is_vegas:
        points += 5
    return _put(left, target, cards)._replace(score=board.score + points)


def _face_up(board: Board, pile: str) -> tuple[str, ...]:
    if pile == "W":
        return board.waste
    piles = board.up if pile[0] == "T" else board.foundations
    return piles[int(pile[1]) - 1]


def _take(board: Board, pile: str, count: int) -> Board:
    """Lift cards off a pile; a face-down card that this exposes turns up (R10)."""
    if pile == "W":
        return board._replace(waste=board.waste[:-1])
    place = int(pile[1]) - 1
    left = _face_up(board, pile)[:-count]
    if pile[0] == "F":
        return board._replace(foundations=_with(board.foundations, place, left))
    down = board.down[place]
    if down and not left:
        down, left = down[:-1], down[-1:]
    return board._replace(down=_with(board.down, place, down), up=_with(board.up, place, left))


def _put(board: Board, pile: str, cards: tuple[str, ...]) -> Board:
    if pile == "F":
        place = _home(board, cards[0]) - 1
        grown = board.foundations[place] + cards
        return board._replace(foundations=_with(board.foundations, place, grown))
    place = int(pile[1]) - 1
    return board._replace(up=_with(board.up, place, board.up[place] + cards))


def _with(
    piles: tuple[tuple[str, ...], ...], place: int, pile: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    return (*piles[:place], pile, *piles[place + 1 :])


def _home(board: Board, card: str) -> int:
    """Return the number of the first foundation that takes a card, or 0 (R12, R13)."""
    for number, (suit, pile) in enumerate(zip(ROWS, board.foundations, strict=True), 1):
        if suit == card[1] and RANKS[len(pile) : len(pile) + 1] == card[0]:
            return number
    return 0


def _fits(card: str, onto: str) -> bool:
    """R6: the opposite colour and exactly the next higher rank."""
    other_colour = (card[1] in RED) != (onto[1] in RED)
    return other_colour and RANKS.index(card[0]) + 1 == RANKS.index(onto[0])
