"""Cards, packs, and how they are written (R1, R2, R5).

A card is a small integer, suit times thirteen plus rank: 0 is the ace of spades, 12 its
king, then hearts, diamonds and clubs up to 51, the king of clubs. The two copies of a card
are the same integer, because nothing tells them apart (R1).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from ds_core.errors import BadDeck

Card: TypeAlias = int
"""0 to 51: suit (0 spades, 1 hearts, 2 diamonds, 3 clubs) times 13 plus rank (0 ace)."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
KING: Final = 12
PACK: Final = tuple(range(52))
DECK_SIZE: Final = 104

CARD_TEXT: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The text of each card, indexed by card."""

CARD_RANK: Final = tuple(card % 13 for card in PACK)
"""The rank of each card, 0 for the ace to 12 for the king."""

CARD_SUIT: Final = tuple(card // 13 for card in PACK)
"""The suit of each card: 0 spades, 1 hearts, 2 diamonds, 3 clubs."""

CARD_IS_RED: Final = tuple(card // 13 in (1, 2) for card in PACK)
"""Whether each card is a heart or a diamond."""

TAKES: Final = tuple(
    tuple(
        card
        for card in PACK
        if CARD_IS_RED[card] != CARD_IS_RED[top] and CARD_RANK[card] + 1 == CARD_RANK[top]
    )
    for top in PACK
)
"""The cards that a column ending in each card takes (R6): two, or none on an ace."""

CARD_BIT: Final = tuple(1 << CARD_RANK[card] * 2 + CARD_IS_RED[card] for card in PACK)
"""A bit for the rank and colour of each card, which say where it fits.

A set of such kinds of cards is an int, and one `&` tells whether two sets meet.
"""

TAKES_BITS: Final = tuple(CARD_BIT[TAKES[top][0]] if TAKES[top] else 0 for top in PACK)
"""The kind of card that a column ending in each card takes (R6); 0 for an ace."""

KING_BITS: Final = CARD_BIT[KING] | CARD_BIT[KING + 13]
"""Both kinds of king, which an empty column takes (R11)."""

RUN_BITS: Final = tuple(
    tuple(
        sum(
            1 << (CARD_RANK[last] + i) * 2 + (CARD_IS_RED[last] + i) % 2  # the i-th from the top
            for i in range(count)
        )
        for count in range(KING - CARD_RANK[last] + 2)
    )
    for last in PACK
)
"""The kinds of cards in a face-up run (R6), by its last card and how many it has."""

_CARD_OF_TEXT: Final = {text: card for card, text in enumerate(CARD_TEXT)}


def parse_card(text: str) -> Card:
    """Return the card that `text` names.

    Raises `BadDeck` if it names none: rank then suit, two upper-case characters.

    >>> parse_card("AS"), parse_card("TH"), parse_card("KC")
    (0, 22, 51)
    """
    card = _CARD_OF_TEXT.get(text)
    if card is None:
        raise BadDeck(unreadable=((1, text),))
    return card


def format_card(card: Card) -> str:
    """Return the two characters of a card, rank then suit.

    >>> format_card(22)
    'TH'
    """
    return CARD_TEXT[card]


def parse_deck(text: str) -> tuple[Card, ...]:
    """Return the 104 cards of a deck in dealing order (R5), separated by white space.

    The first is the card of column 1, the 46th the first that is drawn. Raises `BadDeck`,
    which names every unreadable, missing and surplus card.

    >>> parse_deck("AS 2S")
    Traceback (most recent call last):
    ...
    ds_core.errors.BadDeck: not the 104 cards of two packs (R1, R5): missing AS 2S 3S 3S ...
    """
    words = text.split()
    unreadable = tuple(
        (place, word) for place, word in enumerate(words, 1) if word not in _CARD_OF_TEXT
    )
    cards = tuple(_CARD_OF_TEXT[word] for word in words if word in _CARD_OF_TEXT)
    _check_two_packs(cards, unreadable)
    return cards


def check_deck(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return `cards` as a tuple if they are two whole packs (R1), else raise `BadDeck`.

    >>> check_deck(PACK + PACK) == PACK + PACK
    True
    """
    unreadable = tuple(
        (place, str(card)) for place, card in enumerate(cards, 1) if card not in PACK
    )
    _check_two_packs([card for card in cards if card in PACK], unreadable)
    return tuple(cards)


def format_deck(cards: Iterable[Card]) -> str:
    """Return cards as text, separated by single spaces.

    >>> format_deck([0, 22])
    'AS TH'
    """
    return " ".join([CARD_TEXT[card] for card in cards])


def _check_two_packs(cards: Iterable[Card], unreadable: tuple[tuple[int, str], ...]) -> None:
    counts = Counter(cards)
    missing = tuple(CARD_TEXT[card] for card in PACK for _ in range(2 - counts[card]))
    surplus = tuple(CARD_TEXT[card] for card in PACK for _ in range(counts[card] - 2))
    if unreadable or missing or surplus:
        raise BadDeck(unreadable, missing, surplus)
