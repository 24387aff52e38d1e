"""Files that commands read and write: by name, or stdin and stdout."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import typer


@contextmanager
def open_records(path: Path) -> Iterator[BinaryIO]:
    """Yield a file of records, unpacked if its name ends in `.gz`, or stdin for `-`."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    from ds_events.lines import open_lines

    with open_lines(path) as stream:
        yield stream


def check_target(option: str, path: Path) -> None:
    """Refuse a name under which a page or a picture cannot be written, as wrong usage.

    `-` is stdout. Raises `typer.BadParameter`.
    """
    if str(path) == "-":
        return
    if path.is_dir():
        raise typer.BadParameter(f"{path} is a folder: name a file for {option}")
    # Unlike `Path.resolve`, it does the same about a circle of links in every release of Python.
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise typer.BadParameter(f"{path} is a link that leads back to itself")
    if target.suffix == ".gz":
        raise typer.BadParameter(f"{option} packs nothing: name a file without .gz, not {path}")
