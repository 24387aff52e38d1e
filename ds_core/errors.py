"""What the rules refuse, as typed errors that name the rule and the cards."""

from typing import Final

_SHOWN: Final = 40
"""How many characters of an unreadable text a message repeats."""


class RulesError(ValueError):
    """Something that the rules of Double Solitaire do not allow or cannot read."""


class NotationError(RulesError):
    """A text that is no move (R37).

    `text` is what was given.
    """

    rule: Final = "R37"

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}…"
        return (
            f"{shown!r} is no move (R37): write D, R, WF, WT5, T3F, T3T7, T3T7x4 "
            "(x2 to x13), F2T5, U or X, in upper case, with a space between moves"
        )


class BadCode(RulesError):
    """A text that is no game code or mode (R33, R34)."""


class BadDeck(RulesError):
    """Cards that are not the 104 of two packs (R1, R5), each fault named.

    `unreadable` holds the texts that are no card with their positions (from 1),
    `missing` and `surplus` the cards of which there are too few or too many,
    one entry for each copy.
    """

    def __init__(
        self,
        unreadable: tuple[tuple[int, str], ...] = (),
        missing: tuple[str, ...] = (),
        surplus: tuple[str, ...] = (),
    ) -> None:
        super().__init__(unreadable, missing, surplus)
        self.unreadable = unreadable
        self.missing = missing
        self.surplus = surplus

    def __str__(self) -> str:
        faults = []
        if self.unreadable:
            words = ", ".join(f"{text!r} at {place}" for place, text in self.unreadable)
            faults.append(f"unreadable {words}")
        if self.missing:
            faults.append(f"missing {' '.join(self.missing)}")
        if self.surplus:
            faults.append(f"surplus {' '.join(self.surplus)}")
        return (
            f"not the 104 cards of two packs (R1, R5): {'; '.join(faults)}. "
            "A card is written as rank and suit, such as TH, in upper case"
        )


class IllegalMove(RulesError):
    """A readable move that the rules refuse; the game it was tried on is unchanged.

    `move` is the move as text, `rule` the number of the rule that refuses it, `reason`
    the rule in words, and `cards` the cards involved, the moving card first. No face-down
    card is ever among them. `place` counts from 1 where it was one of several moves, and is
    `None` where nobody has said.
    """

    def __init__(self, move: str, rule: str, reason: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(move, rule, reason, cards)
        self.move = move
        self.rule = rule
        self.reason = reason
        self.cards = cards
        self.place: int | None = None

    def __str__(self) -> str:
        return f"{self.move} is refused ({self.rule}): {self.reason}"


class GameClosed(IllegalMove):
    """A move on a game that is won or abandoned (R24)."""
