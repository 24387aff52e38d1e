"""A game in play: piles, score, counters and undo (R3-R28)."""

from collections import deque
from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from ds_core.card import (
    CARD_BIT,
    CARD_RANK,
    CARD_SUIT,
    DECK_SIZE,
    KING,
    KING_BITS,
    RUN_BITS,
    TAKES_BITS,
    Card,
)
from ds_core.deal import COLUMNS, DEALT, Deal
from ds_core.errors import GameClosed, IllegalMove
from ds_core.move import (
    ABANDON,
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    DRAW,
    FOUNDATIONS,
    FT,
    TF,
    TT,
    TURN_BACK,
    UNDO,
    WASTE_TO_COLUMN,
    WASTE_TO_FOUNDATION,
    WF,
    WT,
    D,
    Move,
    R,
)
from ds_core.refusal import refused_column, refused_home, refused_run

Status: TypeAlias = Literal["open", "won", "abandoned"]

UNDO_LIMIT: Final = 200
"""How many operations can be taken back at most (R26)."""

FACE_DOWN: Final = 36
"""How many cards are face down in the columns of a fresh game (R3)."""


class Game:
    """A game of Double Solitaire as it stands after some moves.

    `columns` are nine lists of cards from bottom to top, `face_down` says how many of each
    still are face down; `foundations` are eight heights, 0 to 13, in the order of R12. The
    stock and the waste are `talon`, in the order in which the cards are drawn, of which the
    first `drawn` are the waste, its top last. `moves` counts accepted operations and
    `undos` undos, over the whole game (R27); `home`, `recycles` (waste turned back) and
    `take_backs` (cards back from a foundation) count what still stands.

    All of it is for reading; `play` is the only way to change it. A `Game` knows every
    card: what a player may see is `ds_core.view`'s business.

    >>> game = Game(deal_code(parse_code("DS1-D1N-AAAAAAB")))
    >>> game.play(parse_move("D"))
    >>> game.moves, game.score, len(game.waste), len(game.stock)
    (1, 0, 1, 58)
    """

    __slots__ = (
        "_history",
        "columns",
        "deal",
        "drawn",
        "face_down",
        "foundations",
        "home",
        "moves",
        "recycles",
        "score",
        "status",
        "take_backs",
        "talon",
        "undos",
    )

    def __init__(self, deal: Deal, like: "Game | None" = None) -> None:
        """Lay out a deal: columns of 1 to 9 cards, the rest is the stock (R3, R4).

        With `like`, a game of the same deal, as that one stands; `copy` says so more simply.
        """
        self.deal = deal
        # What each operation changed that its move does not say: the move, the score before
        # it, a pile (the foundation that took the card, or how much was drawn before) and
        # whether it turned a card up. The bound is R26.
        self._history: deque[tuple[Move, int, int, bool]]
        if like is None:
            self.columns: list[list[Card]] = []
            start = 0
            for size in range(1, COLUMNS + 1):
                self.columns.append(list(deal.cards[start : start + size]))
                start += size
            self.face_down: list[int] = list(range(COLUMNS))
            self.foundations: list[int] = [0] * FOUNDATIONS
            self.talon: list[Card] = list(deal.cards[DEALT:])
            self.drawn = 0
            self.score = deal.mode.scoring.start
            self.status: Status = "open"
            self.moves = 0
            self.undos = 0
            self.home = 0
            self.recycles = 0
            self.take_backs = 0
            self._history = deque(maxlen=UNDO_LIMIT)
        else:
            self.columns = [column[:] for column in like.columns]
            self.face_down = like.face_down[:]
            self.foundations = like.foundations[:]
            self.talon = like.talon[:]
            self.drawn = like.drawn
            self.score = like.score
            self.status = like.status
            self.moves = like.moves
            self.undos = like.undos
            self.home = like.home
            self.recycles = like.recycles
            self.take_backs = like.take_backs
            self._history = like._history.copy()  # noqa: SLF001 (of the same class)

    @property
    def seq(self) -> int:
        """How many events the game has had: operations, undos and abandoning."""
        return self.moves + self.undos + (self.status == "abandoned")

    @property
    def undoable(self) -> int:
        """How many operations can be taken back: at most 200 (R26), none once closed (R24)."""
        return len(self._history) if self.status == "open" else 0

    @property
    def turned_up(self) -> int:
        """How many of the 36 face-down cards have been turned up (R10)."""
        return FACE_DOWN - sum(self.face_down)

    @property
    def waste(self) -> list[Card]:
        """The waste, a new list, its top card last."""
        return self.talon[: self.drawn]

    @property
    def stock(self) -> list[Card]:
        """The stock, a new list in the order in which it is drawn."""
        return self.talon[self.drawn :]

    def copy(self) -> "Game":
        """Return an equal game that shares nothing that changes."""
        return Game(self.deal, self)

    def play(self, move: Move) -> None:
        """Play one move: an operation, `U` or `X`.

        Raises `GameClosed` or `IllegalMove`, and then the game is as it was before.

        >>> game = Game(deal_code(parse_code("DS1-D1N-AAAAAAB")))
        >>> game.play(parse_move("WF"))
        Traceback (most recent call last):
        ...
        ds_core.errors.IllegalMove: WF is refused (R9): the waste is empty
        """
        if self.status != "open":
            raise GameClosed(move.text, "R24", f"the game is {self.status}, and so closed")
        kind = move.kind
        # What is played most often comes first.
        if kind == DRAW:
            self._draw(move)
        elif kind == COLUMN_TO_COLUMN:
            self._column_to_column(move)
        elif kind == WASTE_TO_COLUMN:
            self._waste_to_column(move)
        elif kind == COLUMN_TO_FOUNDATION:
            self._column_to_foundation(move)
        elif kind == WASTE_TO_FOUNDATION:
            self._waste_to_foundation(move)
        elif kind == TURN_BACK:
            self._turn_back(move)
        elif kind == UNDO:
            self._undo(move)
            return
        elif kind == ABANDON:
            self.status = "abandoned"
            return
        else:
            self._foundation_to_column(move)
        self.moves += 1

    def legal_moves(self) -> list[Move]:
        """Return the operations that `play` would accept, without `U` and `X`.

        None in a closed game. The order is fixed but means nothing.

        >>> game = Game(deal_code(parse_code("DS1-D1N-AAAAAAB")))
        >>> sorted(move.text for move in game.legal_moves())
        ['D', 'T2T3', 'T4T5', 'T5T6', 'T6T8', 'T9T3']
        """
        if self.status != "open":
            return []
        legal: list[Move] = []
        talon, drawn, columns = self.talon, self.drawn, self.columns
        if drawn < len(talon):
            legal.append(D)
        elif drawn and self.deal.mode.scoring.turn_back is not None:
            legal.append(R)
        takes = [TAKES_BITS[column[-1]] if column else KING_BITS for column in columns]
        taken = 0
        for bits in takes:
            taken |= bits
        if drawn:
            card = talon[drawn - 1]
            if self._foundation_for(card) >= 0:
                legal.append(WF)
            bit = CARD_BIT[card]
            if bit & taken:
                legal += [WT[i] for i, bits in enumerate(takes) if bit & bits]
        for source, column in enumerate(columns):
            if not column:
                continue
            last = column[-1]
            if self._foundation_for(last) >= 0:
                legal.append(TF[source])
            run = RUN_BITS[last][len(column) - self.face_down[source]]
            if run & taken:
                # Face-up cards descend by one rank each, so for each target the rank of its
                # last card says how many have to move.
                lowest = CARD_RANK[last]
                for target, onto in enumerate(columns):
                    if run & takes[target]:
                        count = (CARD_RANK[onto[-1]] if onto else KING + 1) - lowest
                        legal.append(TT[source][target][count - 1])
        for source, height in enumerate(self.foundations):
            if height:
                bit = CARD_BIT[source // 2 * 13 + height - 1]
                if bit & taken:
                    legal += [FT[source][i] for i, bits in enumerate(takes) if bit & bits]
        return legal

    def _draw(self, move: Move) -> None:
        drawn, size = self.drawn, len(self.talon)
        if drawn == size:
            raise IllegalMove(move.text, "R18", "the stock is empty")
        self._history.append((move, self.score, drawn, False))
        count = self.deal.mode.draw
        self.drawn = drawn + count if size - drawn > count else size

    def _turn_back(self, move: Move) -> None:
        scoring = self.deal.mode.scoring
        if scoring.turn_back is None:
            raise IllegalMove(
                move.text, "R17", "under Vegas scoring the waste is never turned back"
            )
        drawn = self.drawn
        if drawn < len(self.talon):
            raise IllegalMove(
                move.text, "R18", "the waste is turned back only when the stock is empty"
            )
        if not drawn:
            raise IllegalMove(move.text, "R18", "the waste is empty, as is the stock")
        self._history.append((move, self.score, drawn, False))
        self.drawn = 0
        self.score = max(self.score - scoring.turn_back, scoring.floor)
        self.recycles += 1

    def _waste_to_foundation(self, move: Move) -> None:
        card = self._waste_card(move)
        foundation = self._foundation_for(card)
        if foundation < 0:
            raise refused_home(move, card, self.foundations)
        self._history.append((move, self.score, foundation, False))
        self.drawn -= 1
        del self.talon[self.drawn]
        self._bring_home(foundation)

    def _waste_to_column(self, move: Move) -> None:
        card = self._waste_card(move)
        column = self.columns[move.target]
        if not _fits(card, column):
            raise refused_column(move, card, column)
        self._history.append((move, self.score, 0, False))
        self.drawn -= 1
        del self.talon[self.drawn]
        column.append(card)
        self.score += self.deal.mode.scoring.from_waste

    def _column_to_foundation(self, move: Move) -> None:
        source = move.source
        column = self.columns[source]
        if not column:
            raise refused_run(move, len(column) - self.face_down[source])
        foundation = self._foundation_for(column[-1])
        if foundation < 0:
            raise refused_home(move, column[-1], self.foundations)
        score = self.score
        column.pop()
        self._history.append((move, score, foundation, self._turn_up(source)))
        self._bring_home(foundation)

    def _column_to_column(self, move: Move) -> None:
        source, count = move.source, move.count
        column = self.columns[source]
        first = len(column) - count
        if first < self.face_down[source]:
            raise refused_run(move, len(column) - self.face_down[source])
        target = self.columns[move.target]
        card = column[first]
        if not _fits(card, target):
            raise refused_column(move, card, target)
        score = self.score
        if count == 1:
            target.append(column.pop())
        else:
            target += column[first:]
            del column[first:]
        self._history.append((move, score, 0, self._turn_up(source)))

    def _foundation_to_column(self, move: Move) -> None:
        source = move.source
        height = self.foundations[source]
        if not height:
            raise IllegalMove(move.text, "R14", f"foundation {source + 1} is empty")
        card = source // 2 * 13 + height - 1
        column = self.columns[move.target]
        if not _fits(card, column):
            raise refused_column(move, card, column)
        self._history.append((move, self.score, 0, False))
        self.foundations[source] = height - 1
        column.append(card)
        self.home -= 1
        self.take_backs += 1

    def _undo(self, move: Move) -> None:
        """Take back the latest operation that stands, exactly (R26)."""
        if not self._history:
            reason = "no operation stands that could be taken back"
            if self.moves > self.undos:
                reason = f"only the latest {UNDO_LIMIT} operations can be taken back"
            raise IllegalMove(move.text, "R26", reason)
        undone, self.score, pile, turned_up = self._history.pop()
        kind = undone.kind
        if kind == COLUMN_TO_COLUMN:
            moved, column = self.columns[undone.target], self.columns[undone.source]
            column += moved[-undone.count :]
            del moved[-undone.count :]
        elif kind == DRAW:
            self.drawn = pile
        elif kind == WASTE_TO_COLUMN:
            self.talon.insert(self.drawn, self.columns[undone.target].pop())
            self.drawn += 1
        elif kind == COLUMN_TO_FOUNDATION:
            self.columns[undone.source].append(self._leave_home(pile))
        elif kind == WASTE_TO_FOUNDATION:
            self.talon.insert(self.drawn, self._leave_home(pile))
            self.drawn += 1
        elif kind == TURN_BACK:
            self.drawn = pile
            self.recycles -= 1
        else:
            self.columns[undone.target].pop()
            self.foundations[undone.source] += 1
            self.home += 1
            self.take_backs -= 1
        if turned_up:
            self.face_down[undone.source] += 1
        self.undos += 1

    def _foundation_for(self, card: Card) -> int:
        """The foundation that takes a card, the first of its row if both do, or -1 (R12, R13)."""
        first, rank = CARD_SUIT[card] * 2, CARD_RANK[card]
        if self.foundations[first] == rank:
            return first
        return first + 1 if self.foundations[first + 1] == rank else -1

    def _bring_home(self, foundation: int) -> None:
        self.foundations[foundation] += 1
        self.score += self.deal.mode.scoring.home
        self.home += 1
        if self.home == DECK_SIZE:
            self.status = "won"

    def _leave_home(self, foundation: int) -> Card:
        self.foundations[foundation] -= 1
        self.home -= 1
        return foundation // 2 * 13 + self.foundations[foundation]

    def _turn_up(self, source: int) -> bool:
        """Turn up the card that a column's loss has exposed, if one is there (R10)."""
        down = self.face_down[source]
        if not down or len(self.columns[source]) > down:
            return False
        self.face_down[source] = down - 1
        self.score += self.deal.mode.scoring.turn_up
        return True

    def _waste_card(self, move: Move) -> Card:
        if not self.drawn:
            raise IllegalMove(move.text, "R9", "the waste is empty")
        return self.talon[self.drawn - 1]


def fold(deal: Deal, moves: Iterable[Move]) -> Game:
    """Return the game that `moves` make of a deal.

    Raises `IllegalMove` at the first that the rules refuse.

    >>> fold(deal_code(parse_code("DS1-D1N-AAAAAAB")), parse_moves("D D U")).seq
    3
    """
    game = Game(deal)
    for move in moves:
        game.play(move)
    return game


def _fits(card: Card, column: list[Card]) -> bool:
    """Whether a card may go onto a column (R6), a king onto an empty one (R11)."""
    return CARD_BIT[card] & (TAKES_BITS[column[-1]] if column else KING_BITS) != 0
