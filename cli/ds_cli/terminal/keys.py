"""Keys, from the bytes that a terminal sends for them."""

from typing import Final

LEFT: Final = "left"
RIGHT: Final = "right"
UP: Final = "up"
DOWN: Final = "down"
HOME: Final = "home"
END: Final = "end"
PAGE_UP: Final = "page up"
PAGE_DOWN: Final = "page down"
ENTER: Final = "enter"
ESCAPE: Final = "escape"
BACKSPACE: Final = "backspace"

_BY_LETTER: Final = {
    "A": UP,
    "B": DOWN,
    "C": RIGHT,
    "D": LEFT,
    "H": HOME,
    "F": END,
}
"""The last byte of `ESC [ …` and `ESC O …`."""

_BY_NUMBER: Final = {
    "1": HOME,
    "4": END,
    "5": PAGE_UP,
    "6": PAGE_DOWN,
    "7": HOME,
    "8": END,
}
"""The number of `ESC [ number ~`."""

_CONTROLS: Final = {"\r": ENTER, "\n": ENTER, "\x7f": BACKSPACE, "\x08": BACKSPACE}

_ESC: Final = "\x1b"


class Decoder:
    """What has been typed so far, of which the end may be half of a key.

    A key is its character, or one of the names above. What a terminal sends for other keys
    and what is no ASCII is passed over whole.
    """

    def __init__(self) -> None:
        self._rest = ""

    @property
    def is_half(self) -> bool:
        """Whether the last key may go on: an escape alone, or a sequence without its end."""
        return bool(self._rest)

    def feed(self, typed: bytes) -> list[str]:
        """Return the keys that are whole now."""
        # Bytes of other alphabets are of no key here; as latin-1 they are one character each.
        self._rest += typed.decode("latin-1")
        keys = []
        while self._rest:
            key, size = _first(self._rest)
            if not size:
                break
            self._rest = self._rest[size:]
            if key:
                keys.append(key)
        return keys

    def give_up(self) -> list[str]:
        """Return what the rest is if nothing follows: the escape key, or nothing."""
        rest, self._rest = self._rest, ""
        return [ESCAPE] if rest == _ESC else []


def _first(text: str) -> tuple[str | None, int]:
    """Return the first key of a text and how much of it that is; 0 while it may go on."""
    if text[0] != _ESC:
        known = _CONTROLS.get(text[0])
        return known or (text[0] if text[0].isascii() and text[0].isprintable() else None), 1
    if len(text) == 1:
        return None, 0
    if text[1] == _ESC:
        return ESCAPE, 1
    if text[1] == "O":
        return (_BY_LETTER.get(text[2]), 3) if len(text) > 2 else (None, 0)
    if text[1] != "[":
        # A key with Alt.
        return None, 2
    for place, character in enumerate(text[2:], 2):
        if "@" <= character <= "~":
            number = text[2:place].partition(";")[0]
            key = _BY_NUMBER.get(number) if character == "~" else _BY_LETTER.get(character)
            return key, place + 1
    return None, 0
