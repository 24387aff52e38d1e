"""How results are shown: JSON, CSV, tables, lines; colour and boxes on a terminal alone."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import MINYEAR, UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import typer

from ds_events.escapes import escape_unsafe
from ds_events.times import FIRST, LAST, Micros, format_time, from_datetime, in_zone

if TYPE_CHECKING:
    from rich.console import Console

Span: TypeAlias = tuple[str, str]
"""A piece of a line and its style, which only a terminal shows; the style may be empty."""

Line: TypeAlias = Sequence[Span]

_CROPPED: Final = ".."

_FORMULA: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What makes a spreadsheet run a text as a formula."""


def is_terminal() -> bool:
    """Return whether the output goes to a person's terminal."""
    return sys.stdout.isatty()


def can_take_over() -> bool:
    """Return whether a terminal shows the output, sends keys and can place what it shows."""
    if not (is_terminal() and sys.stdin is not None and sys.stdin.isatty()):
        return False
    try:
        import termios  # noqa: F401 (not everywhere)
    except ImportError:
        return False
    return not _console().is_dumb_terminal


def say(message: str) -> None:
    """Tell the person something that is no data."""
    # In order with the data, where both go to one place.
    sys.stdout.flush()
    # That nobody reads the message changes nothing about what it says.
    with suppress(OSError):
        sys.stderr.write(safe(message) + "\n")
        sys.stderr.flush()


def print_json(document: object) -> None:
    """Print a JSON document, in ASCII so that no text in it can steer a terminal."""
    indent = 2 if is_terminal() else None
    sys.stdout.write(json.dumps(document, indent=indent) + "\n")


def print_json_rows(document: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> None:
    """Print a JSON document whose last key is `rows`, row by row as they come.

    It is what `print_json` would print, in memory for one row; where the first row cannot be
    had, nothing is printed.
    """
    rest = iter(rows)
    first = list(islice(rest, 1))
    indent = 2 if is_terminal() else None
    comma, margin, end = (", ", "", "") if indent is None else (",", "\n    ", "\n  ")
    begin, _, close = json.dumps({**document, "rows": []}, indent=indent).rpartition("]")
    sys.stdout.write(begin)
    for number, row in enumerate(chain(first, rest)):
        # A line's end within a text is written as an escape, so these are the indented ones.
        written = json.dumps(row, indent=indent).replace("\n", margin)
        sys.stdout.write((comma if number else "") + margin + written)
    sys.stdout.write(f"{end if first else ''}]{close}\n")


def print_record(record: str) -> None:
    """Print a line of ds-game/1 as it is; on a terminal, nothing in it can steer that."""
    if is_terminal():
        record = json.dumps(json.loads(record), separators=(",", ":"))
    sys.stdout.flush()
    sys.stdout.buffer.write(record.encode() + b"\n")


def print_text(text: str) -> None:
    """Print a ds-text/1, in which nothing can steer a terminal, as it is.

    A terminal gets it in its own encoding, with escapes that a text is read back from.
    """
    if is_terminal():
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())


def print_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Print rows as CSV; no text in them can become a formula."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row[column]) for column in columns] for row in rows)


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines of styled text."""
    if not is_terminal():
        for line in lines:
            sys.stdout.write("".join(text for text, _ in line).rstrip() + "\n")
        return
    from rich.text import Text

    console = _console()
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=True)


def renderer() -> Callable[[Line], str]:
    """Return what makes of a line the text that the terminal gets, escape sequences and all."""
    from rich.text import Text

    console = _console()

    # Most spans are cards and their places, which come again and again.
    @lru_cache(maxsize=4096)
    def span(text: str, style: str) -> str:
        with console.capture() as captured:
            console.print(Text(text, style), soft_wrap=True, end="")
        return captured.get()

    return lambda line: "".join([span(text, style) for text, style in line])


def cropped(line: Line, room: int) -> Line:
    """Return a line that takes so many places at most on a terminal; two dots for the rest."""
    if sum(places(text) for text, _ in line) <= room:
        return line
    left = room - len(_CROPPED)
    spans: list[Span] = []
    for text, style in line:
        kept = ""
        for character in text:
            left -= places(character)
            if left < 0:
                return [*spans, (kept, style), (_CROPPED, style)]
            kept += character
        spans.append((kept, style))
    return spans


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under their column names, `None` as nothing.

    A column whose name is given with a `>` before it stands to the right.
    """
    right = [name.startswith(">") for name in columns]
    names = [name.removeprefix(">") for name in columns]
    cells = [["" if cell is None else safe(str(cell)) for cell in row] for row in rows]
    if not is_terminal():
        print_lines([[(line, "")] for line in _aligned(names, cells, right)])
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    # Narrow, so that as much as possible fits 80 columns.
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, padding=(0, 1, 0, 0))
    for name, to_right in zip(names, right, strict=True):
        table.add_column(name, justify="right" if to_right else "left", overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    _console().print(table)


def print_drawing(plain: str, coloured: str) -> None:
    """Print a drawing: on a terminal the one with escape sequences for its colours."""
    if not is_terminal():
        sys.stdout.writelines(f"{line.rstrip()}\n" for line in plain.splitlines())
        return
    from rich.text import Text

    _console().print(Text.from_ansi(coloured), soft_wrap=True)


def width() -> int:
    """Return how many columns there are to write on; without a terminal, 80."""
    from shutil import get_terminal_size

    return get_terminal_size().columns if is_terminal() else 80


def safe(text: str) -> str:
    r"""Return a text in which nothing can steer a terminal: such characters are escaped.

    >>> safe("a\x1b[31m") == r"a\x1b[31m"
    True
    """
    return escape_unsafe(text)


def can_write(text: str) -> bool:
    """Return whether the output's encoding has every character of a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def places(text: str) -> int:
    """Return how many places a text takes on a terminal, where some characters take two or none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def counted(number: int, what: str, several: str = "") -> str:
    """Return a number with what it counts.

    >>> counted(0, "fault"), counted(1, "game"), counted(2, "summary", "summaries")
    ('no faults', '1 game', '2 summaries')
    """
    return f"{number or 'no'} {what if number == 1 else several or what + 's'}"


def local_time(micros: Micros, zone: tzinfo | None = None, *, seconds: bool = False) -> str:
    """Return a time as people read it: local, or as it is in a zone, to the minute or second."""
    moment = in_zone(micros, zone)
    return moment.replace(tzinfo=None).isoformat(" ", "seconds" if seconds else "minutes")


def utc(micros: Micros | None) -> str | None:
    """Return a time as JSON has it."""
    return None if micros is None else format_time(micros)


def duration(seconds: int | None) -> str:
    """Return a duration as people read it.

    >>> duration(3725), duration(-59), duration(None)
    ('1:02:05', '-0:59', '')
    """
    if seconds is None:
        return ""
    minutes, rest = divmod(abs(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    sign = "-" if seconds < 0 else ""
    return sign + (f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}")


def parse_local_time(text: str, zone: tzinfo | None = None, *, end_of_day: bool = False) -> Micros:
    """Return the time that a person means by `2026-11-30` or `2026-11-30T14:00`.

    It is local, or in a zone where that is given; a time may bring an offset of its own. A day
    is its beginning, or with `end_of_day` the beginning of the next; where that is not in the
    calendar, it is the calendar's own beginning or end. Raises `typer.BadParameter`.
    """
    try:
        # `2026-W49` may be meant as a week, and would be read as its Monday.
        moment = None if "W" in text else datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None:
        raise typer.BadParameter(f"{text!r} is no date: write 2026-11-30 or 2026-11-30T14:00")
    try:
        if end_of_day and len(text) <= len("2026-11-30"):
            moment += timedelta(days=1)
        if moment.tzinfo is None and zone is not None:
            moment = moment.replace(tzinfo=zone)
        return from_datetime(moment.astimezone(UTC))
    except (ValueError, OverflowError, OSError):
        return FIRST if moment.year == MINYEAR else LAST + 1


def choose_format(as_json: bool, as_csv: bool, as_plot: bool = False) -> None:
    """Refuse two formats at once."""
    given = {"--json": as_json, "--csv": as_csv, "--plot": as_plot}
    chosen = [option for option, is_given in given.items() if is_given]
    if len(chosen) > 1:
        raise typer.BadParameter(f"{chosen[0]} and {chosen[1]} cannot be given together")


def print_report(
    document: Mapping[str, Any],
    *,
    as_json: bool,
    as_csv: bool,
    columns: Sequence[str],
    show: Callable[[], None],
    rows: Iterable[Mapping[str, Any]] | None = None,
) -> None:
    """Print a report: as JSON whole, as CSV its rows, or as `show` shows it to people.

    The rows are those under `rows` in the document unless others are given.
    """
    if as_json:
        print_json(document)
    elif as_csv:
        print_csv(columns, document["rows"] if rows is None else rows)
    else:
        show()


def _cell(value: object) -> object:
    """A CSV cell: a text that a spreadsheet would run is led by an apostrophe."""
    if not isinstance(value, str):
        return value
    return safe(f"'{value}" if value.startswith(_FORMULA) else value)


def _aligned(
    names: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]
) -> list[str]:
    """Lay out rows in plain columns, two spaces apart."""
    lines = [names, *rows]
    widths = [max(places(line[i]) for line in lines) for i in range(len(names))]
    laid_out = []
    for line in lines:
        cells = []
        for cell, width, to_right in zip(line, widths, right, strict=True):
            space = " " * (width - places(cell))
            cells.append(space + cell if to_right else cell + space)
        laid_out.append("  ".join(cells))
    return laid_out


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)
