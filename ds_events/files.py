"""Files and folders that are written whole or not at all."""

import ctypes
import fcntl
import gzip
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, cast

from ds_events.errors import UnreadableFile

_FULL_SYNC: Final[int | None] = getattr(fcntl, "F_FULLFSYNC", None)
"""What has a disk empty its own memory, where a system has a command for it: macOS."""

_OF_A_DATABASE: Final = ("", "-wal", "-shm", "-journal")
"""What the names of a database's files end in."""


@contextmanager
def write_whole(path: Path, *, replace: bool = True) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of `path` when all is written, packed for `.gz`.

    If anything fails, `path` stays as it was. Without `replace` a file that is there already
    is refused with `UnreadableFile`; always refused are a folder that is missing or closed, an
    SQLite database, and the files that SQLite keeps beside one. What is no ordinary file, such
    as a pipe or a device, is written to as it is. Raises `OSError` with the name of `path` where
    the disk is at fault.
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
    _check_no_database(path)
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
            _check_no_database(path)
            written.replace(path)
        else:
            # Unlike a rename, a link never replaces a file that came to be in the meantime.
            os.link(written, path)
    except FileExistsError:
        raise _taken(path) from None
    finally:
        written.unlink(missing_ok=True)
    _sync(path.parent)


def is_database(path: Path) -> bool:
    """Tell whether there is a file that SQLite takes for a database that is not empty.

    SQLite itself looks: if a file that this process has open there were opened and closed
    here, SQLite's locks on it would be gone. It takes the file for one that nobody changes, and
    so neither waits for a lock nor touches what lies beside it.
    """
    import sqlite3

    if not path.is_file():
        return False
    name = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(name, uri=True)) as opened:
            (pages,) = opened.execute("PRAGMA page_count").fetchone()
    except sqlite3.DatabaseError as error:
        return error.sqlite_errorname not in ("SQLITE_NOTADB", "SQLITE_CANTOPEN")
    return bool(pages)


def _check_no_database(path: Path) -> None:
    """Refuse to take the place of a database, or of what SQLite keeps beside it."""
    for suffix in _OF_A_DATABASE:
        database = path.parent / path.name.removesuffix(suffix)
        if path.name.endswith(suffix) and is_database(database):
            raise UnreadableFile(f"{path} belongs to an SQLite database: name another file")


@contextmanager
def whole_folder(path: Path, names: Collection[str]) -> Iterator[Path]:
    """Yield an empty folder beside `path` that takes its place when all is written.

    It is to hold the files `names`. A folder that is there already is replaced if it is empty
    or holds exactly such files; another one is refused with `UnreadableFile`, and so is a file,
    the working folder, and a place that is missing or closed. If anything fails, `path` stays
    as it was. Raises `OSError` with the name of `path` where the disk is at fault.
    """
    path = path.resolve()
    _check_replaceable(path, names)
    try:
        beside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
        raise UnreadableFile(f"{path} cannot be written: {error.strerror}") from error
    except OSError as error:
        error.filename = str(path)
        raise
    try:
        yield beside
        for name in names:
            _sync(beside / name)
        beside.chmod(_mode_of(path, 0o777))
        _sync(beside)
        _check_replaceable(path, names)
        _take_place(beside, path)
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    _sync(path.parent)


def _check_replaceable(path: Path, names: Collection[str]) -> None:
    if not path.exists():
        return
    if not path.is_dir():
        raise UnreadableFile(f"{path} is a file: name a folder")
    if path.samefile(Path()):
        raise UnreadableFile(f"{path} is the folder that you are in: name another one")
    there = {entry.name for entry in path.iterdir()}
    if there and (there != set(names) or not all((path / name).is_file() for name in names)):
        raise UnreadableFile(
            f"{path} is not empty, and not just {' and '.join(names)}, which would be replaced: "
            "name another folder"
        )


def _take_place(beside: Path, path: Path) -> None:
    """Put one folder where another may be, which is then where the first was."""
    if not path.exists():
        beside.rename(path)
    elif not _exchange(beside, path):
        aside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        try:
            path.rename(aside)
            try:
                beside.rename(path)
            except OSError:
                aside.rename(path)
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)


_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change places in one step; return whether the system could."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError):
        return False
    names = (os.fsencode(one), os.fsencode(other))
    return bool(rename(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
        if _FULL_SYNC is not None:
            # Not every disk can do it, and an `fsync` is what others do as well.
            with suppress(OSError):
                fcntl.fcntl(descriptor, _FULL_SYNC)
    finally:
        os.close(descriptor)


def _mode_of(path: Path, new: int = 0o666) -> int:
    """The permissions that a file has, or that a new one gets."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return new & ~mask


def _taken(path: Path) -> UnreadableFile:
    return UnreadableFile(f"{path} exists already: name a new file")
