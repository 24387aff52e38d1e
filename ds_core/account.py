"""How a score came about: what each kind of operation brought (R19-R22)."""

from collections.abc import Iterable
from dataclasses import dataclass

from ds_core.deal import Deal
from ds_core.game import Game
from ds_core.move import TURN_BACK, WASTE_TO_COLUMN, Move
from ds_core.referee import standing
from ds_core.value import Value


@dataclass(frozen=True, slots=True)
class Account(Value):
    """The parts of a score, counted over the operations that stand.

    Each part is a number of times and what they brought together, in points or dollars:
    cards sent `home`, cards `turned_up`, cards `from_waste` to a column, and how often the
    waste was `turned_back` with what that really cost (R20), which is not above 0. `start`
    is where the game began.
    """

    start: int
    home: tuple[int, int]
    turned_up: tuple[int, int]
    from_waste: tuple[int, int]
    turned_back: tuple[int, int]

    @property
    def score(self) -> int:
        """The score that they make together."""
        parts = (self.home, self.turned_up, self.from_waste, self.turned_back)
        return self.start + sum(points for _, points in parts)


def account(deal: Deal, moves: Iterable[Move]) -> Account:
    """Return how the score of a legal game came about.

    A card that is taken back and sent home again counts twice (R14).

    >>> deal = deal_code(parse_code("DS1-D1N-AAAABOR"))
    >>> account(deal, parse_moves("T1F T5F D U")).score
    25
    """
    game = Game(deal)
    scoring = deal.mode.scoring
    home = turned_up = from_waste = turned_back = cost = 0
    for _, move in standing(moves):
        score, cards_home, cards_up = game.score, game.home, game.turned_up
        game.play(move)
        home += game.home > cards_home
        turned_up += game.turned_up - cards_up
        from_waste += move.kind == WASTE_TO_COLUMN
        if move.kind == TURN_BACK:
            turned_back += 1
            cost += game.score - score
    return Account(
        scoring.start,
        (home, home * scoring.home),
        (turned_up, turned_up * scoring.turn_up),
        (from_waste, from_waste * scoring.from_waste),
        (turned_back, cost),
    )
