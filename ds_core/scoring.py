"""The two scorings as values (R19-R22)."""

from dataclasses import dataclass
from typing import Final

from ds_core.value import Value


@dataclass(frozen=True, slots=True)
class Scoring(Value):
    """What operations are worth; standard points, or dollars under Vegas.

    `symbol` stands in game codes; `start` is the score before the first event; `home` is
    for a card to a foundation, `turn_up` for a face-down card turned up, `from_waste` for a
    card from the waste to a column. `turn_back` is what turning the waste back costs, at
    most down to `floor`; `None` means that the waste is never turned back (R17).

    >>> STANDARD.start, VEGAS.start
    (0, -104)
    """

    symbol: str
    name: str
    start: int
    home: int
    turn_up: int
    from_waste: int
    turn_back: int | None
    floor: int
    is_money: bool

    def format(self, score: int) -> str:
        """Return a score as people read it: points, or money under Vegas (R22).

        >>> VEGAS.format(-104), VEGAS.format(0), STANDARD.format(1220)
        ('-$104', '$0', '1220')
        """
        if not self.is_money:
            return str(score)
        return f"-${-score}" if score < 0 else f"${score}"


STANDARD: Final = Scoring(
    symbol="N",
    name="standard",
    start=0,
    home=10,
    turn_up=5,
    from_waste=5,
    turn_back=100,
    floor=0,
    is_money=False,
)
"""R19-R21: points, never below 0."""

VEGAS: Final = Scoring(
    symbol="V",
    name="vegas",
    start=-104,
    home=5,
    turn_up=0,
    from_waste=0,
    turn_back=None,
    floor=-104,
    is_money=True,
)
"""R22: one dollar staked on each card, five back for each card home, one pass (R17).

No operation costs money, so the floor is only where a game starts.
"""

SCORINGS: Final = {scoring.name: scoring for scoring in (STANDARD, VEGAS)}
"""Both scorings by name."""
