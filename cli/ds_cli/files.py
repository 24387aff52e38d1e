"""Files that commands write: whole or not at all."""

import gzip
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast


@contextmanager
def open_records(path: Path) -> Iterator[BinaryIO]:
    """Yield a file of records, unpacked if its name ends in `.gz`, or stdin for `-`."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    from ds_events.lines import open_lines

    with open_lines(path) as stream:
        yield stream


@contextmanager
def write_whole(path: Path) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of `path` when all is written, packed for `.gz`.

    If anything fails, `path` stays as it was. What is no ordinary file, such as a pipe or
    a device, is written to as it is.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        with open(path, "wb") as special:
            yield special
        return
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        error.filename = str(path)
        raise
    written = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as plain:
            if path.suffix == ".gz":
                # Without a time in it, the same games are the same bytes.
                with gzip.GzipFile(filename="", fileobj=plain, mode="wb", mtime=0) as packed:
                    yield cast("BinaryIO", packed)
            else:
                yield plain
            plain.flush()
            os.fsync(plain.fileno())
        written.chmod(_mode_of(path))
        written.replace(path)
    except BaseException:
        written.unlink(missing_ok=True)
        raise


def _mode_of(path: Path) -> int:
    """The permissions that the file has, or that a new file gets."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
