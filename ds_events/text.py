"""ds-text/1: one game as a text for people, with tags and numbered moves.

It says what a line of ds-game/1 says, and is read as the line that says the same.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeAlias

from ds_core import Finding, format_card
from ds_core.deal import COLUMNS, DEALT
from ds_core.referee import END_MOVES, END_SCORE, END_STATUS, SEQ
from ds_events import interchange
from ds_events.errors import BadRecord
from ds_events.escapes import escape_unsafe
from ds_events.ids import format_id
from ds_events.interchange import Record, parse_record
from ds_events.record import StoredGame
from ds_events.schema import LogRow
from ds_events.times import SECOND, Micros, format_time, parse_time

FORMAT: Final = "ds-text/1"

TAGS: Final = {
    "Format": "format",
    "Id": "id",
    "Code": "code",
    "Mode": "mode",
    "Deck": "deck",
    "Label": "label",
    "Player": "player",
    "Started": "started_at",
    "Status": "status",
    "Score": "score",
    "Moves": "moves",
}
"""Every tag, in the order in which they are written, with its key of ds-game/1."""

DECK_TAG: Final = "[Deck "
"""How the one tag begins that may run over several lines."""

_CLAIMED: Final = {END_STATUS: "Status", END_SCORE: "Score", END_MOVES: "Moves"}
"""The tags that claim something about the end, by the kind of fault."""

_STOCK_ROW: Final = 15
_INDENT: Final = " " * len(f'{DECK_TAG}"')

_TAG: Final = re.compile(r'\[(\w+)[ \t]+"((?:[^"\\]|\\.)*)"\]', re.ASCII)
_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL
)
_ESCAPES: Final = r"\" \\ \n \r \t \xHH \uHHHH \UHHHHHHHH"
_PLAIN_ESCAPES: Final = {'"': '"', "\\": "\\", "n": "\n", "r": "\r", "t": "\t"}
_NUMBER: Final = re.compile(r"-?\d{1,19}", re.ASCII)
_EVENT: Final = re.compile(
    r"(?P<seq>\d{1,19})\.[ \t]+(?P<move>[^ \t]+)(?:[ \t]+(?P<score>-?\d{1,19}))?"
    r"(?:[ \t]+(?P<sign>-?)(?P<hours>\d{1,9}):(?P<minutes>[0-5]\d):(?P<seconds>[0-5]\d)"
    r"(?:\.(?P<decimals>\d{1,6}))?)?",
    re.ASCII,
)

Line: TypeAlias = tuple[int, bytes]
"""A line of a file without white space around it, and its number from 1."""


def format_text(stored: StoredGame, log: Iterable[LogRow]) -> str:
    """Return a stored game as ds-text/1, with the end of its last line.

    Everything that applies, always in the same order and form. Nothing in it can steer a
    terminal. A deck is written as it is dealt: the columns one a line, then the stock.
    """
    header, game = stored.header, stored.game
    deal = header.deal
    tags = {"Format": FORMAT, "Id": format_id(header.id)}
    if deal.code is not None:
        tags["Code"] = str(deal.code)
    else:
        tags |= {"Mode": str(deal.mode), "Deck": _written_deck(deal.cards)}
        if deal.label is not None:
            tags["Label"] = _escape(deal.label)
    tags |= {
        "Player": _escape(str(header.player)),
        "Started": format_time(header.started_at),
        "Status": game.status,
        "Score": str(game.score),
        "Moves": str(game.moves),
    }
    lines = [f'[{tag} "{value}"]' for tag, value in tags.items()]
    events = [_written_event(event, header.started_at) for event in log]
    return "\n".join([*lines, *([""] if events else []), *events, ""])


@dataclass(frozen=True, slots=True)
class Places:
    """In which lines of its file a text says what: its first, each tag, each event in order."""

    first: int
    tags: dict[str, int]
    events: list[int]

    def line_of(self, finding: Finding) -> int:
        """Return the line that a finding of the referee is about."""
        if finding.seq is None:
            return self.tags.get(_CLAIMED.get(finding.kind, ""), self.first)
        # An event that breaks the order is known by the number that was due.
        due = finding.expected if finding.kind == SEQ else finding.seq
        assert isinstance(due, int)
        return self.events[due - 1]


def parse_text(lines: Sequence[Line]) -> tuple[Record, Places]:
    """Return what the lines of one text say, and where.

    Raises `BadRecord`, with the line, for what is no tag and no numbered move, for an unknown
    or doubled tag, and for all that `parse_record` refuses in the line that says the same.
    """
    rest = iter([(number, _decoded(number, line)) for number, line in lines])
    places = Places(lines[0][0], {}, [])
    said: dict[str, Any] = {}
    events: list[re.Match[str]] = []
    for number, line in rest:
        if line.startswith("["):
            tag, value = _tag(number, line, rest)
            if tag in places.tags:
                raise BadRecord(
                    f"{tag} is given a second time, after line {places.tags[tag]}", line=number
                )
            places.tags[tag] = number
            said[TAGS[tag]] = value
        else:
            events.append(_event(number, line, len(events) + 1))
            places.events.append(number)
    said["format"] = _line_format(said.get("format", FORMAT), places)
    for key in ("score", "moves"):
        if _NUMBER.fullmatch(said.get(key, "")):
            said[key] = int(said[key])
    said["events"] = list(_said_events(events, said.get("started_at"), places))
    try:
        return parse_record(json.dumps(said).encode()), places
    except BadRecord as error:
        raise _placed(error, places) from None


def _line_format(said: str, places: Places) -> str:
    if said != FORMAT:
        raise BadRecord(
            f"{said!r} is not known here, only {FORMAT}: a newer program is needed",
            ("Format",),
            places.tags["Format"],
        )
    return interchange.FORMAT


def _decoded(number: int, line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise BadRecord(f"no text in UTF-8: {error.reason}", line=number) from None


def _tag(number: int, line: str, rest: Iterator[tuple[int, str]]) -> tuple[str, str]:
    """Return a tag and its value; a deck is read to its end."""
    if line.startswith(DECK_TAG):
        parts = [line]
        while not parts[-1].endswith('"]'):
            _, more = next(rest, (0, ""))
            if not more or more[0] == "[":
                raise BadRecord('the deck does not end: "] is missing', ("Deck",), number)
            parts.append(more)
        line = " ".join(parts)
    found = _TAG.fullmatch(line)
    if found is None:
        raise BadRecord('no tag: write [Name "text"], with \\" and \\\\ in the text', line=number)
    tag, value = found.groups()
    if tag not in TAGS:
        raise BadRecord(f"{tag!r} is no tag of {FORMAT}: there are {', '.join(TAGS)}", line=number)
    try:
        return tag, _ESCAPE.sub(_unescaped, value)
    except ValueError as error:
        raise BadRecord(str(error), (tag,), number) from None


def _event(number: int, line: str, due: int) -> re.Match[str]:
    found = _EVENT.fullmatch(line)
    if found is None:
        shown = line if len(line) <= 40 else f"{line[:40]}…"
        raise BadRecord(
            f"{shown!r} is no numbered move: write `{due}. D`, and if wanted the score after it "
            "and the time since the start, as in `12. T3T7x4 125 0:01:02.5`",
            line=number,
        )
    return found


def _said_events(
    events: Iterable[re.Match[str]], started_at: str | None, places: Places
) -> Iterator[dict[str, Any]]:
    """Yield events as ds-game/1 has them, with the times that they were played at."""
    try:
        start = None if started_at is None else parse_time(started_at)
    except ValueError as error:
        raise BadRecord(str(error), ("Started",), places.tags["Started"]) from None
    for line, event in zip(places.events, events, strict=True):
        said: dict[str, Any] = {"seq": int(event["seq"]), "move": event["move"]}
        if event["score"] is not None:
            said["score"] = int(event["score"])
        if event["hours"] is not None:
            if start is None:
                raise BadRecord(
                    "a time since the start, and no tag Started that says when that was", line=line
                )
            try:
                said["at"] = format_time(start + _elapsed(event))
            except OverflowError:
                raise BadRecord("its time is outside the years 1 to 9999", line=line) from None
        yield said


def _elapsed(event: re.Match[str]) -> Micros:
    hours, minutes, seconds = (int(event[name]) for name in ("hours", "minutes", "seconds"))
    micros = int((event["decimals"] or "0").ljust(6, "0"))
    elapsed = ((hours * 60 + minutes) * 60 + seconds) * SECOND + micros
    return -elapsed if event["sign"] else elapsed


def _placed(error: BadRecord, places: Places) -> BadRecord:
    """Say of what is wrong in the line of ds-game/1 where in the text it is."""
    if error.path[:1] == ("events",) and len(error.path) > 1:
        return BadRecord(error.reason, line=places.events[int(error.path[1])])
    for tag, line in places.tags.items():
        if error.path[:1] == (TAGS[tag],):
            return BadRecord(error.reason, (tag,), line)
    return BadRecord(error.reason, line=places.first)


def _written_deck(cards: Sequence[int]) -> str:
    columns = [i * (i + 1) // 2 for i in range(COLUMNS + 1)]
    ends = [*columns, *range(DEALT + _STOCK_ROW, len(cards), _STOCK_ROW), len(cards)]
    rows = [" ".join(map(format_card, cards[start:end])) for start, end in pairwise(ends)]
    return f"\n{_INDENT}".join(rows)


def _written_event(event: LogRow, started_at: Micros) -> str:
    seq, move, score, at = event
    seconds, micros = divmod(abs(at - started_at), SECOND)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    sign = "-" if at < started_at else ""
    time = f"{sign}{hours}:{minute:02}:{second:02}"
    decimals = f".{micros:06}".rstrip("0") if micros else ""
    return f"{seq:>4}. {move:<7} {score:>6}  {time:>8}{decimals}"


def _escape(text: str) -> str:
    return escape_unsafe(text.replace("\\", "\\\\").replace('"', '\\"'))


def _unescaped(found: re.Match[str]) -> str:
    *codes, plain = found.groups()
    code = next((int(digits, 16) for digits in codes if digits is not None), None)
    if code is None and plain in _PLAIN_ESCAPES:
        return _PLAIN_ESCAPES[plain]
    if code is None or code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise ValueError(f"{found[0]!r} stands for no character: there are {_ESCAPES}")
    return chr(code)
