"""Lines of a file of records: read in bounded memory, whatever the file holds."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, cast

from ds_events.errors import UnreadableFile
from ds_events.limits import MAX_LINE

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_OTHER_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


@contextmanager
def open_lines(path: Path) -> Iterator[BinaryIO]:
    """Open a file of records, unpacked if its name ends in `.gz`; raises `UnreadableFile`."""
    try:
        with open(path, "rb") as plain:
            if path.suffix == ".gz":
                with gzip.open(plain) as unpacked:
                    yield cast("BinaryIO", unpacked)
            else:
                yield plain
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}") from error
    except (EOFError, zlib.error) as error:
        raise UnreadableFile(f"{path} is damaged as a gzip file: {error}") from error


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield each line that is not blank, with its number from 1.

    A byte order mark, CRLF and a missing last newline change nothing. Of a line longer than
    `MAX_LINE` only so much is held that it is seen to be longer. Raises `UnreadableFile` for
    a text in UTF-16 or UTF-32.
    """
    number = 0
    while line := stream.readline(MAX_LINE + 2):
        number += 1
        if number == 1:
            if line.startswith(_OTHER_MARKS):
                raise UnreadableFile("the file is in UTF-16 or UTF-32: records are in UTF-8")
            line = line.removeprefix(_UTF8_MARK)
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(MAX_LINE)):
            pass
        if line := line.strip(b" \t\r\n"):
            yield number, line
