"""Players that choose from a view, and so see only what a person sees."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from ds_core.card import CARD_RANK, CARD_SUIT, CARD_TEXT, KING, Card
from ds_core.deal import Deal
from ds_core.game import Game
from ds_core.move import (
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    DRAW,
    WASTE_TO_COLUMN,
    WF,
    D,
    Move,
    R,
    X,
)
from ds_core.value import Value
from ds_core.view import View, view

Chance: TypeAlias = Callable[[], float]
"""A source of numbers from 0 up to, but never, 1; it is given from outside."""

IDLE_MOVES: Final = 120
"""How many operations without progress a bot may play at least before it is stopped."""

MOST_IDLE_MOVES: Final = 1000
"""How many it may play at most, if it does not go through the stock."""


class Bot(Protocol):
    """A player: from what can be seen, the operation to play, or `None` to give up."""

    def choose(self, seen: View) -> Move | None:
        """Return one of `seen.legal`, or `None`."""


class RandomBot:
    """Plays any legal move, each as likely."""

    def __init__(self, chance: Chance) -> None:
        """Make a bot that takes its choices from `chance`."""
        self._chance = chance

    def choose(self, seen: View) -> Move | None:
        """Return one of `seen.legal`, or `None` where there is none."""
        if not seen.legal:
            return None
        return seen.legal[int(self._chance() * len(seen.legal))]


class GreedyBot:
    """Plays what `advise` says: home, turning cards up, from the waste, else drawing."""

    def choose(self, seen: View) -> Move | None:
        """Return the best of `seen.legal` by its lights, or `None` where none is any use."""
        advice = advise(seen)
        return advice.move if advice else None


BOTS: Final[dict[str, Callable[[Chance], Bot]]] = {
    "greedy": lambda _: GreedyBot(),
    "random": RandomBot,
}
"""How to make each bot, by name, from a source of chance."""


@dataclass(frozen=True, slots=True)
class Advice(Value):
    """A sensible move and the reason for it, in words for a person."""

    move: Move
    why: str


def advise(seen: View) -> Advice | None:
    """Return one sensible move and why, or `None` if no move is any use.

    It rests on nothing that a player cannot see.

    >>> advise(view(Game(deal_code(parse_code("DS1-D1N-AAAAAAB")))))
    Advice(move=parse_move('T9T3'), why='it turns up a card of column 9')
    """
    return next(_ideas(seen), None)


def play_out(deal: Deal, bot: Bot) -> list[Move]:
    """Return the moves with which a bot plays a deal until the game is closed.

    A game is abandoned when the bot gives up, and when no further card has gone home or
    been turned up for a full round of the stock and `IDLE_MOVES` operations, or for
    `MOST_IDLE_MOVES`; so every game ends.

    >>> moves = play_out(deal_code(parse_code("DS1-D1N-AAAAAAB")), GreedyBot())
    >>> fold(deal_code(parse_code("DS1-D1N-AAAAAAB")), moves).status
    'won'
    """
    game = Game(deal)
    moves: list[Move] = []
    best = idle = draws = 0
    while game.status == "open":
        seen = view(game)
        move = bot.choose(seen)
        if move is None or _is_stuck(seen, idle, draws):
            move = X
        game.play(move)
        moves.append(move)
        idle += 1
        draws += move.kind == DRAW
        if game.home + game.turned_up > best:
            best, idle, draws = game.home + game.turned_up, 0, 0
    return moves


def _is_stuck(seen: View, idle: int, draws: int) -> bool:
    """Whether a game has gone on long enough without progress, in operations and in draws."""
    if idle < IDLE_MOVES:
        return False
    can_draw = D in seen.legal or R in seen.legal
    round_is_over = draws * seen.mode.draw >= len(seen.waste) + seen.stock
    return round_is_over or not can_draw or idle >= MOST_IDLE_MOVES


def _ideas(seen: View) -> Iterator[Advice]:
    """Yield what is worth doing, the best first; of columns, the one that hides most."""
    from_columns = [m for m in seen.legal if m.kind in (COLUMN_TO_FOUNDATION, COLUMN_TO_COLUMN)]
    ranked = sorted(from_columns, key=lambda move: -seen.columns[move.source].down)
    for move in ranked:
        if move.kind == COLUMN_TO_FOUNDATION:
            card = CARD_TEXT[seen.columns[move.source].up[-1]]
            yield Advice(move, f"it sends {card} home")
    if WF in seen.legal:
        yield Advice(WF, f"it sends {CARD_TEXT[seen.waste[-1]]} home")
    runs = [move for move in ranked if move.kind == COLUMN_TO_COLUMN]
    for move in runs:
        if seen.columns[move.source].down and _moves_whole_run(seen, move):
            yield Advice(move, f"it turns up a card of column {move.source + 1}")
    for move in seen.legal:
        if move.kind == WASTE_TO_COLUMN:
            yield Advice(move, f"it takes {CARD_TEXT[seen.waste[-1]]} from the waste")
    for move in runs:
        if not _moves_whole_run(seen, move):
            exposed = seen.columns[move.source].up[-move.count - 1]
            if _goes_home(seen, exposed):
                yield Advice(move, f"it frees {CARD_TEXT[exposed]}, which can go home")
    for move in runs:
        if _makes_room(seen, move):
            yield Advice(move, f"it empties column {move.source + 1} for a king")
    if D in seen.legal:
        yield Advice(D, "nothing better is in sight than to draw")
    if R in seen.legal:
        yield Advice(R, "nothing better is in sight than to turn the waste back")


def _moves_whole_run(seen: View, move: Move) -> bool:
    return move.count == len(seen.columns[move.source].up)


def _goes_home(seen: View, card: Card) -> bool:
    row = CARD_SUIT[card] * 2
    return CARD_RANK[card] in seen.foundations[row : row + 2]


def _makes_room(seen: View, move: Move) -> bool:
    """Whether a move empties a column while a king waits for one."""
    column = seen.columns[move.source]
    if column.down or not _moves_whole_run(seen, move) or CARD_RANK[column.up[0]] == KING:
        return False
    waiting = [other.up[0] for other in seen.columns if other.down]
    return any(CARD_RANK[card] == KING for card in (*waiting, *seen.waste[-1:]))
