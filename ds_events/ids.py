"""Ids of games and players: 63-bit numbers, shown as 13 Crockford base-32 characters."""

import os
import re
import threading
import time
from hashlib import blake2b
from typing import Final
from unicodedata import normalize

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford base 32: no I, L, O or U."""

ID_LENGTH: Final = 13
ID_LIMIT: Final = 2**63
"""Ids are below this, and so are positive in every database."""

_TIME_SHIFT: Final = 21
"""A game id is its time in milliseconds, then this many random bits: enough until 2109."""

_ERASED: Final = re.compile(f"~[{ALPHABET}]{{{ID_LENGTH}}}")
_READ_AS: Final = str.maketrans("OILoil", "011011")
_VALUES: Final = {symbol: value for value, symbol in enumerate(ALPHABET)}


def format_id(number: int) -> str:
    """Return an id as people see it.

    >>> format_id(1), format_id(2**63 - 1)
    ('0000000000001', '7ZZZZZZZZZZZZ')
    """
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(ID_LENGTH)))


def parse_id(text: str) -> int | None:
    """Return the id that 13 characters write, or `None` if they write none.

    Lower case is read as upper case, I and L as 1, O as 0.

    >>> parse_id("000000000000z"), parse_id("z"), parse_id("8000000000000")
    (31, None, None)
    """
    if len(text) != ID_LENGTH:
        return None
    span = parse_prefix(text)
    return span[0] if span else None


def parse_prefix(text: str) -> tuple[int, int] | None:
    """Return the first and last id that begin with `text`, or `None` if none can.

    >>> parse_prefix("000000000000") == (0, 31)
    True
    """
    symbols = text.translate(_READ_AS).upper() if text.isascii() else ""
    if not 0 < len(symbols) <= ID_LENGTH or any(symbol not in _VALUES for symbol in symbols):
        return None
    number = 0
    for symbol in symbols:
        number = number * 32 + _VALUES[symbol]
    rest = 5 * (ID_LENGTH - len(symbols))
    first, last = number << rest, ((number + 1) << rest) - 1
    return (first, last) if last < ID_LIMIT else None


def player_id(name: str) -> int:
    """Return the id of a player: the same for the same name in every database.

    It is the first 63 bits of BLAKE2b of the name in NFC, or what an erased name, such as
    `~0000000000001`, says.

    >>> player_id("~0000000000001")
    1
    >>> player_id("mika") == player_id("mika") != player_id("Mika")
    True
    """
    if _ERASED.fullmatch(name):
        said = parse_id(name[1:])
        if said is not None:
            return said
    return content_id(normalize("NFC", name).encode("utf-8"))


def content_id(content: bytes) -> int:
    """Return the id that some content always gets: the first 63 bits of its BLAKE2b."""
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big") >> 1


def erased_name(number: int) -> str:
    """Return how a player whose name was erased is shown and exported.

    >>> erased_name(1)
    '~0000000000001'
    """
    return f"~{format_id(number)}"


class GameIds:
    """A source of new game ids: ordered by time, and growing within the process.

    >>> ids = GameIds()
    >>> ids.new() < ids.new()
    True
    """

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def new(self) -> int:
        """Return an id that is larger than all that this source has given."""
        chance = int.from_bytes(os.urandom(3), "big") >> 24 - _TIME_SHIFT
        number = time.time_ns() // 1_000_000 << _TIME_SHIFT | chance
        with self._lock:
            self._last = max(number, self._last + 1)
            return self._last
