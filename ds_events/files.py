"""Files that are written whole or not at all."""

import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from ds_events.errors import UnreadableFile


@contextmanager
def write_whole(path: Path, *, replace: bool = True) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of `path` when all is written, packed for `.gz`.

    If anything fails, `path` stays as it was. Without `replace` a file that is there already
    is refused with `UnreadableFile`, and so is a folder that is missing or closed. What is
    no ordinary file, such as a pipe or a device, is written to as it is. Raises `OSError`
    with the name of `path` where the disk is at fault.
    """
    path = path.resolve()
    try:
        if replace and path.exists() and not path.is_file():
            with path.open("wb") as special:
                yield special
            return
        with whole_file(path, replace=replace) as written, written.open("wb") as plain:
            if path.suffix == ".gz":
                # Without a time in it, the same games are the same bytes.
                with gzip.GzipFile(filename="", fileobj=plain, mode="wb", mtime=0) as packed:
                    yield cast("BinaryIO", packed)
            else:
                yield plain
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextmanager
def whole_file(path: Path, *, replace: bool) -> Iterator[Path]:
    """Yield an empty file beside `path` that takes its place at the end; see `write_whole`."""
    if not replace and path.exists():
        raise _taken(path)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
        raise UnreadableFile(f"{path} cannot be written: {error.strerror}") from error
    except OSError as error:
        error.filename = str(path)
        raise
    os.close(descriptor)
    written = Path(name)
    try:
        yield written
        written.chmod(_mode_of(path))
        _sync(written)
        if replace:
            written.replace(path)
        else:
            # Unlike a rename, a link never replaces a file that came to be in the meantime.
            os.link(written, path)
    except FileExistsError:
        raise _taken(path) from None
    finally:
        written.unlink(missing_ok=True)
    _sync(path.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _mode_of(path: Path) -> int:
    """The permissions that the file has, or that a new file gets."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _taken(path: Path) -> UnreadableFile:
    return UnreadableFile(f"{path} exists already: name a new file")
