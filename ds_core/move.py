"""Moves and how they are written (R37); one interned value for every move there is."""

from typing import Final

from ds_core.deal import COLUMNS
from ds_core.errors import NotationError

FOUNDATIONS: Final = 8
LONGEST_RUN: Final = 13

DRAW: Final = 0
TURN_BACK: Final = 1
WASTE_TO_FOUNDATION: Final = 2
WASTE_TO_COLUMN: Final = 3
COLUMN_TO_FOUNDATION: Final = 4
COLUMN_TO_COLUMN: Final = 5
FOUNDATION_TO_COLUMN: Final = 6
UNDO: Final = 7
ABANDON: Final = 8


class Move:
    """One move: a value that is the same object wherever it is written.

    `text` is its notation, `kind` one of `DRAW` … `ABANDON`; `source` and `target` count
    columns or foundations from 0, and `count` is how many cards move. Get one from
    `parse_move` or from `MOVES`; compare with `is` or `==`, both are the same.

    >>> move = parse_move("T3T7x4")
    >>> move.source, move.target, move.count
    (2, 6, 4)
    >>> move is parse_move("T3T7x4")
    True
    """

    __slots__ = ("count", "kind", "source", "target", "text")

    def __init__(
        self, text: str, kind: int, source: int = 0, target: int = 0, count: int = 1
    ) -> None:
        """Make the one value of a move; only this module does."""
        self.text = text
        self.kind = kind
        self.source = source
        self.target = target
        self.count = count

    def __repr__(self) -> str:
        return f"parse_move({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, ...]:
        return parse_move, (self.text,)


def _run_text(source: int, target: int, count: int) -> str:
    return f"T{source + 1}T{target + 1}" + (f"x{count}" if count > 1 else "")


D: Final = Move("D", DRAW)
R: Final = Move("R", TURN_BACK)
U: Final = Move("U", UNDO)
X: Final = Move("X", ABANDON)
WF: Final = Move("WF", WASTE_TO_FOUNDATION)

WT: Final = tuple(
    Move(f"WT{target + 1}", WASTE_TO_COLUMN, target=target) for target in range(COLUMNS)
)
"""Waste to each column, by target."""

TF: Final = tuple(
    Move(f"T{source + 1}F", COLUMN_TO_FOUNDATION, source) for source in range(COLUMNS)
)
"""Each column to a foundation, by source."""

TT: Final = tuple(
    tuple(
        tuple(
            Move(_run_text(source, target, count), COLUMN_TO_COLUMN, source, target, count)
            for count in range(1, LONGEST_RUN + 1)
        )
        for target in range(COLUMNS)
    )
    for source in range(COLUMNS)
)
"""Column to column, by source, target and count less one; those onto itself are no moves."""

FT: Final = tuple(
    tuple(
        Move(f"F{source + 1}T{target + 1}", FOUNDATION_TO_COLUMN, source, target)
        for target in range(COLUMNS)
    )
    for source in range(FOUNDATIONS)
)
"""Each foundation to each column, by source and target."""

MOVES: Final = {
    move.text: move
    for move in (
        *(D, R, WF, *WT, *TF),
        *(run for row in TT for cell in row for run in cell if run.source != run.target),
        *(back for row in FT for back in row),
        *(U, X),
    )
}
"""Every move there is, by its text: 1031 of them."""


def parse_move(text: str) -> Move:
    """Return the move that `text` writes (R37), exactly: upper case, no white space.

    Raises `NotationError` for anything else.

    >>> parse_move("WT5")
    parse_move('WT5')
    """
    move = MOVES.get(text)
    if move is None:
        raise NotationError(text)
    return move


def parse_moves(text: str) -> list[Move]:
    r"""Return the moves of a text that separates them by white space (R37).

    Raises `NotationError` for the first that is none.

    >>> parse_moves(" D D\nWT5 ")
    [parse_move('D'), parse_move('D'), parse_move('WT5')]
    """
    return [parse_move(word) for word in text.split()]
