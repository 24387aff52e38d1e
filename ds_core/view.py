"""What a player may see of a game: the one place that hides cards."""

from dataclasses import dataclass

from ds_core.card import Card
from ds_core.code import Mode
from ds_core.game import Game, Status
from ds_core.move import Move
from ds_core.value import Value


@dataclass(frozen=True, slots=True)
class ColumnView(Value):
    """One column: how many cards are face down, and the face-up ones from bottom to top."""

    down: int
    up: tuple[Card, ...]

    def __len__(self) -> int:
        return self.down + len(self.up)


@dataclass(frozen=True, slots=True)
class Hidden(Value):
    """What lies face down: for each column from bottom to top, and the stock as drawn."""

    columns: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class View(Value):
    """A board as a player sees it, and what can be done on it.

    `waste` has its top card last, `stock` is how many cards are left in it, `foundations`
    are eight heights in the order of R12, `legal` the operations that the rules allow. The
    cards that lie face down are in `hidden`, which is `None` unless they were asked for.
    """

    mode: Mode
    status: Status
    score: int
    moves: int
    seq: int
    undoable: int
    columns: tuple[ColumnView, ...]
    waste: tuple[Card, ...]
    stock: int
    foundations: tuple[int, ...]
    legal: tuple[Move, ...]
    hidden: Hidden | None


def view(game: Game, *, reveal: bool = False) -> View:
    """Return what a player may see of `game`; with `reveal`, the face-down cards too.

    >>> seen = view(Game(deal_code(parse_code("DS1-D1N-AAAAAAB"))))
    >>> seen.columns[2].down, format_deck(seen.columns[2].up), seen.stock, seen.hidden
    (2, '6H', 59, None)
    """
    return View(
        mode=game.deal.mode,
        status=game.status,
        score=game.score,
        moves=game.moves,
        seq=game.seq,
        undoable=game.undoable,
        columns=tuple(
            [
                ColumnView(down, tuple(column[down:]))
                for column, down in zip(game.columns, game.face_down, strict=True)
            ]
        ),
        waste=tuple(game.waste),
        stock=len(game.talon) - game.drawn,
        foundations=tuple(game.foundations),
        legal=tuple(game.legal_moves()),
        hidden=_hidden(game) if reveal else None,
    )


def _hidden(game: Game) -> Hidden:
    return Hidden(
        columns=tuple(
            [
                tuple(column[:down])
                for column, down in zip(game.columns, game.face_down, strict=True)
            ]
        ),
        stock=tuple(game.stock),
    )
