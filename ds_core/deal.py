"""What a game starts from: a code, or a mode and 104 cards (R5, R33-R36)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import shake_256
from struct import unpack
from typing import Final

from ds_core.card import DECK_SIZE, PACK, Card, check_deck
from ds_core.code import VERSION, GameCode, Mode
from ds_core.value import Value

COLUMNS: Final = 9
DEALT: Final = 45
"""How many cards lie in the columns of a fresh game; the other 59 are the stock (R3, R4)."""

_WORDS: Final = 2**32
_FAIR: Final = tuple(_WORDS - _WORDS % (i + 1) for i in range(DECK_SIZE))
"""Below which a word is taken for card `i`, so that each place up to its own is as likely."""


@dataclass(frozen=True, slots=True)
class Deal(Value):
    """A mode and the 104 cards in dealing order, with the code they came from if any.

    `code` is `None` for a game dealt elsewhere (R36), and only such a game has a `label`,
    any text that tells people where it came from; no rule looks at it. Make one with
    `deal_code` or `deal_cards`.

    >>> deal_code(parse_code("DS1-D1N-AAAAAAB")).cards[:2] == (11, 37)  # QS QD
    True
    """

    mode: Mode
    cards: tuple[Card, ...]
    code: GameCode | None = None
    label: str | None = None


def deal_code(code: GameCode) -> Deal:
    """Return the deal that a code stands for, the same on every machine (R33)."""
    return Deal(code.mode, shuffle(code), code)


def deal_cards(mode: Mode, cards: Sequence[Card], label: str | None = None) -> Deal:
    """Return a deal of 104 cards of its own (R36); raises `BadDeck` if they are not two packs."""
    return Deal(mode, check_deck(cards), None, label)


def shuffle(code: GameCode) -> tuple[Card, ...]:
    """Return the 104 cards of a code in dealing order: the DS1 shuffle (R35).

    >>> format_deck(shuffle(parse_code("DS1-D1N-AAAAAAB"))[:4])
    'QS QD 5C JH'
    """
    return _shuffled(_words(f"{VERSION}:{code.deal_text}".encode("ascii")))


def _shuffled(words: Iterator[int]) -> tuple[Card, ...]:
    """Return two packs as a stream of words orders them."""
    cards = list(PACK + PACK)
    for i in range(DECK_SIZE - 1, 0, -1):
        word = next(words)
        while word >= _FAIR[i]:
            word = next(words)
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def _words(seed: bytes) -> Iterator[int]:
    """Yield SHAKE-256 of `seed` as big-endian 32-bit words, as many as are asked for."""
    taken, size = 0, DECK_SIZE + 8
    while True:
        stream = shake_256(seed).digest(4 * size)
        yield from unpack(f">{size}I", stream)[taken:]
        taken, size = size, 2 * size
