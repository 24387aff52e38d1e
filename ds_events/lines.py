"""Lines of a file of records: read in bounded memory, whatever the file holds."""

import gzip
import shlex
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, cast

from ds_events.errors import UnreadableFile
from ds_events.files import is_database
from ds_events.limits import MAX_LINE

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_OTHER_MARKS: Final = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff", b"\x1f\x8b")


@contextmanager
def open_lines(path: Path) -> Iterator[BinaryIO]:
    """Open a file of records, unpacked if its name ends in `.gz`; raises `UnreadableFile`."""
    try:
        if is_database(path):
            raise UnreadableFile(
                f"{path} is an SQLite database, and no file of records: "
                f"`ds export --all --db {shlex.quote(str(path))}` writes its games into one"
            )
        plain = path.open("rb")
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}") from error
    with plain:
        if path.suffix == ".gz":
            with gzip.open(plain) as unpacked:
                yield cast("BinaryIO", unpacked)
        else:
            yield plain


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield each line that is not blank, with its number from 1.

    A byte order mark, CRLF and a missing last newline change nothing. Of a line longer than
    `MAX_LINE` only so much is held that it is seen to be longer. Raises `UnreadableFile` for
    a text in UTF-16 or UTF-32, and for a file that fails or is damaged.
    """
    number = 0
    while line := _read(stream, MAX_LINE + 2):
        number += 1
        if number == 1:
            if line.startswith(_OTHER_MARKS) or b"\0" in line:
                raise UnreadableFile(
                    f"{_name(stream)} is no text in UTF-8, as records are: it is in another "
                    "encoding, packed without a name in .gz, or something else"
                )
            line = line.removeprefix(_UTF8_MARK)
        rest, is_whole = line, True
        while not rest.endswith(b"\n") and (rest := _read(stream, MAX_LINE)):
            is_whole = False
        if not is_whole or len(line.rstrip(b"\r\n")) > MAX_LINE:
            yield number, line[: MAX_LINE + 1]
        elif line := line.strip(b" \t\r\n"):
            yield number, line


def _read(stream: BinaryIO, size: int) -> bytes:
    """Read a line or as much of it as `size` says."""
    try:
        return stream.readline(size)
    except (EOFError, zlib.error) as error:
        raise UnreadableFile(f"{_name(stream)} is damaged as a gzip file: {error}") from error
    except OSError as error:
        why = error.strerror or error
        raise UnreadableFile(f"{_name(stream)} cannot be read: {why}") from error


def _name(stream: BinaryIO) -> str:
    return str(getattr(stream, "name", "the file"))
