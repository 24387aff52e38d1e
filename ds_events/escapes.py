"""Characters that can steer a terminal or hide what is written, and how they are escaped."""

from typing import Final
from unicodedata import category

_UNSAFE: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Their Unicode categories."""

_JOINERS: Final = "\u200c\u200d"
"""Of those categories, what scripts and emoji need."""


def escape_unsafe(text: str) -> str:
    r"""Return a text in which nothing can steer a terminal: such characters are escaped.

    >>> escape_unsafe("a\x1b[31m\n") == r"a\x1b[31m\n"
    True
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode() if _is_unsafe(character) else character
        for character in text
    )


def _is_unsafe(character: str) -> bool:
    return category(character) in _UNSAFE and character not in _JOINERS
