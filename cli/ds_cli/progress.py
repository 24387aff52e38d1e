"""Progress of long work: on a terminal alone, and beside the data."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import UnsupportedOperation
from typing import BinaryIO


@contextmanager
def progress(
    what: str, total: int | None = None, *, quiet: bool = False
) -> Iterator[Callable[[int], None]]:
    """Yield a function that is told how much is done; a terminal shows it as a bar."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(show_speed=True),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def reading(what: str, stream: BinaryIO) -> Iterator[Callable[[int], None]]:
    """Yield a function to call as a file is read; a terminal shows how much of it is done."""
    # Of a packed file, how far the packed bytes have been read.
    source = getattr(stream, "fileobj", stream)
    try:
        size = os.fstat(source.fileno()).st_size or None
        source.tell()
    except (OSError, UnsupportedOperation):
        size = None
    with progress(what, size) as advance:
        yield advance if size is None else lambda _: advance(source.tell())
