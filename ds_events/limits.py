"""The largest things that can be recorded: the same for every way in.

What is within them can be recorded, exported and imported again.
"""

from typing import Final
from unicodedata import normalize

from ds_events.errors import LimitExceeded

MAX_EVENTS: Final = 20_000
"""Events of one game, undone ones included."""

MAX_NAME: Final = 64
"""Characters of a player's name."""

MAX_LABEL: Final = 64
"""Characters of a label."""

MAX_LINE: Final = 4 * 2**20
"""Bytes of one line of ds-game/1, or of one ds-text/1: more than twice what a game can need."""


def check_name(name: str) -> str:
    """Return a player's name in NFC, or raise `LimitExceeded`.

    >>> check_name("mika")
    'mika'
    """
    name = normalize("NFC", _storable(name, "a player's name"))
    if not name.strip():
        raise LimitExceeded("a player's name cannot be empty or blank")
    if len(name) > MAX_NAME:
        raise LimitExceeded(
            f"a player's name has at most {MAX_NAME} characters, this one has {len(name)}"
        )
    return name


def check_label(label: str | None) -> str | None:
    """Return a label, or raise `LimitExceeded`.

    >>> check_label("APP-1")
    'APP-1'
    """
    if label is None:
        return None
    if len(_storable(label, "a label")) > MAX_LABEL:
        raise LimitExceeded(
            f"a label has at most {MAX_LABEL} characters, this one has {len(label)}"
        )
    return label


def check_events(count: int) -> None:
    """Raise `LimitExceeded` if a game would have `count` events and that is too many."""
    if count > MAX_EVENTS:
        raise LimitExceeded(f"a game has at most {MAX_EVENTS} events, this one would have {count}")


def _storable(text: str, what: str) -> str:
    """No database stores NUL in a text, and a lone surrogate is no character."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise LimitExceeded(f"{what} cannot hold a NUL or half a surrogate pair")
    return text
