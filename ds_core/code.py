"""Modes and game codes (R15, R33, R34)."""

from dataclasses import dataclass
from typing import Final

from ds_core.errors import BadCode
from ds_core.scoring import STANDARD, VEGAS, Scoring
from ds_core.value import Value

VERSION: Final = "DS1"
"""The rules and the shuffle that a code names (R33)."""

DEAL_SYMBOLS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
"""RFC 4648 base 32: `A` is 0, `7` is 31 (R34)."""

DEAL_LENGTH: Final = 7
DEALS: Final = 32**DEAL_LENGTH
"""How many deals there are; they are numbered from 0."""


@dataclass(frozen=True, slots=True)
class Mode(Value):
    """How many cards a draw turns (1 or 3) and how a game is scored (R15).

    >>> parse_mode("D3V").draw
    3
    """

    draw: int
    scoring: Scoring

    def __str__(self) -> str:
        return f"D{self.draw}{self.scoring.symbol}"


MODES: Final = {
    str(mode): mode
    for mode in (Mode(draw, scoring) for draw in (1, 3) for scoring in (STANDARD, VEGAS))
}
"""The four modes by text: D1N, D1V, D3N, D3V."""


def parse_mode(text: str) -> Mode:
    """Return the mode that `text` names, `D1N`, `D1V`, `D3N` or `D3V`; else raise `BadCode`.

    >>> str(parse_mode("D1N"))
    'D1N'
    """
    mode = MODES.get(text)
    if mode is None:
        raise BadCode(f"{text!r} is no mode: write one of {', '.join(MODES)}")
    return mode


@dataclass(frozen=True, slots=True)
class GameCode(Value):
    """A code that reproduces layout, draw count and scoring on every machine (R33).

    `deal` is the number of the deal, 0 to 2**35 - 1; the layout depends on it alone.
    Raises `BadCode` for a number outside that range.

    >>> str(GameCode(parse_mode("D1N"), 1))
    'DS1-D1N-AAAAAAB'
    """

    mode: Mode
    deal: int

    def __post_init__(self) -> None:
        if not 0 <= self.deal < DEALS:
            raise BadCode(f"there is no deal {self.deal}: deals are numbered 0 to {DEALS - 1}")

    def __str__(self) -> str:
        return f"{VERSION}-{self.mode}-{self.deal_text}"

    @property
    def deal_text(self) -> str:
        """The seven symbols of the deal, big-endian (R34)."""
        return "".join(
            DEAL_SYMBOLS[self.deal >> 5 * place & 31] for place in reversed(range(DEAL_LENGTH))
        )


def parse_code(text: str) -> GameCode:
    """Return the game code that `text` names; lower case is read as upper case (R34).

    Raises `BadCode`, which says which part is wrong and what to write instead.

    >>> parse_code("ds1-d3v-aaaaaab")
    GameCode(mode=Mode(draw=3, scoring=...), deal=1)
    >>> str(parse_code("ds1-d3v-aaaaaab"))
    'DS1-D3V-AAAAAAB'
    """
    # Before upper(): outside ASCII it makes letters out of other letters (the long s an S).
    parts = text.upper().split("-") if text.isascii() else []
    if len(parts) != 3:
        raise BadCode(f"{text!r} is no game code (R33): write one such as DS1-D1N-AAAAAAB")
    version, mode, deal = parts
    if version != VERSION:
        raise BadCode(
            f"{text!r} is of version {version!r} (R33): only {VERSION} codes are known here; "
            "a game dealt elsewhere is recorded with its mode and its 104 cards"
        )
    if mode not in MODES:
        raise BadCode(f"{text!r} has no mode {mode!r} (R33): write one of {', '.join(MODES)}")
    wrong = sorted(set(deal) - set(DEAL_SYMBOLS))
    if wrong or len(deal) != DEAL_LENGTH:
        fault = (
            f"{', '.join(map(repr, wrong))} is no symbol of one"
            if wrong
            else f"{len(deal)} symbols"
        )
        raise BadCode(
            f"{text!r} has no deal {deal!r} (R34), {fault}: a deal is {DEAL_LENGTH} of A-Z and 2-7"
        )
    number = 0
    for symbol in deal:
        number = number * 32 + DEAL_SYMBOLS.index(symbol)
    return GameCode(MODES[mode], number)
