"""Games as a file holds them: lines of ds-game/1 and texts of ds-text/1, told by content."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from ds_core import Finding
from ds_events.errors import BadRecord, LimitExceeded
from ds_events.interchange import Record, parse_record
from ds_events.limits import MAX_EVENTS, MAX_LINE, check_events
from ds_events.text import DECK_TAG, Line, Places, parse_text

_TAG: Final = re.compile(rb"\[[A-Za-z]")
_JSON: Final = re.compile(rb"\{[ \t]*[\"}]")
_NUMBERED: Final = re.compile(rb"\d+\.")
_FORMAT_TAG: Final = re.compile(rb"\[Format[ \t]")
MAX_LINES: Final = MAX_EVENTS + 1000
"""Lines of one text: those of its events, and more than its tags and its deck can have."""


class WrittenGame(Protocol):
    """One game of a file, not yet read."""

    @property
    def line(self) -> int:
        """The number of its first line, from 1."""
        ...

    def read(self) -> Record:
        """Return what it says; raises `BadRecord`, with the line where there are several."""
        ...

    def line_of(self, finding: Finding) -> int:
        """Return the line that a finding of the referee about it is about."""
        ...


@dataclass(frozen=True, slots=True)
class _GameLine:
    line: int
    content: bytes

    def read(self) -> Record:
        return parse_record(self.content)

    def line_of(self, finding: Finding) -> int:
        return self.line


@dataclass(slots=True)
class _GameText:
    """A text line by line; of one that is too large only so much is kept that it is known."""

    line: int
    _lines: list[Line] = field(default_factory=list)
    _size: int = 0
    _events: int = 0
    _has_format: bool = False
    _has_moves: bool = False
    _in_deck: bool = False
    _is_too_large: bool = False
    _places: Places | None = None

    def ends_before(self, line: bytes) -> bool:
        """Whether a line that begins with a tag is the first of another game."""
        return self._has_moves or (self._has_format and _FORMAT_TAG.match(line) is not None)

    def add(self, number: int, line: bytes) -> None:
        self._size += len(line)
        if line.startswith(b"["):
            self._has_format = self._has_format or _FORMAT_TAG.match(line) is not None
            self._in_deck = line.startswith(DECK_TAG.encode()) and not line.endswith(b'"]')
        elif self._in_deck and not _NUMBERED.match(line):
            self._in_deck = not line.endswith(b'"]')
        else:
            self._in_deck = False
            self._has_moves = True
            self._events += 1
        if self._size > MAX_LINE or len(self._lines) == MAX_LINES:
            self._is_too_large = True
        else:
            self._lines.append((number, line))

    def read(self) -> Record:
        try:
            check_events(self._events)
        except LimitExceeded as error:
            raise BadRecord(str(error), line=self.line) from None
        if self._is_too_large:
            raise BadRecord(
                f"the game is longer than {MAX_LINE} bytes or {MAX_LINES} lines", line=self.line
            )
        record, self._places = parse_text(self._lines)
        return record

    def line_of(self, finding: Finding) -> int:
        return self.line if self._places is None else self._places.line_of(finding)


def written_games(lines: Iterable[Line]) -> Iterator[WrittenGame]:
    """Yield the games of a file in order, in memory bounded by one of them.

    `lines` are those of `ds_events.lines.read_lines`. A tag begins a text, which ends where
    another one or a line of JSON begins: at a tag after moves, at a second `[Format`, or at a
    line that begins as a JSON object does.
    """
    text: _GameText | None = None
    for number, line in lines:
        is_tag = _TAG.match(line) is not None
        if text is not None and (text.ends_before(line) if is_tag else _JSON.match(line)):
            yield text
            text = None
        if text is None and not is_tag:
            yield _GameLine(number, line)
            continue
        if text is None:
            text = _GameText(number)
        text.add(number, line)
    if text is not None:
        yield text
