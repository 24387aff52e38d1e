"""Files that commands read: by name, or stdin."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def open_records(path: Path) -> Iterator[BinaryIO]:
    """Yield a file of records, unpacked if its name ends in `.gz`, or stdin for `-`."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    from ds_events.lines import open_lines

    with open_lines(path) as stream:
        yield stream
