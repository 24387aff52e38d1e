"""The pages of many games, written into a folder beside the page that leads to them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import typer

from ds_cli.pages.replay_page import replay_page
from ds_cli.progress import progress
from ds_cli.showing import events_of
from ds_events.errors import UnreadableFile
from ds_events.files import write_whole
from ds_events.ids import parse_id
from ds_events.replay import frames
from ds_events.store import EventStore


def folder_beside(page: Path) -> Path:
    """Return the folder for the replays of a page: `report-replays` for `report.html`."""
    return page.with_name(f"{page.stem}-replays")


def check_beside(page: Path) -> None:
    """Refuse a page beside which no folder can be, as wrong usage.

    Raises `typer.BadParameter`.
    """
    folder = folder_beside(page)
    # A device may lead to a file, but nothing is beside it.
    is_device = page.absolute().is_relative_to("/dev")
    if str(page) == "-" or is_device or (page.exists() and not page.is_file()):
        what = "stdout" if str(page) == "-" else page
        raise typer.BadParameter(
            f"--with-replays writes beside a file, and {what} is none: name one for --html"
        )
    if not page.parent.is_dir():
        raise typer.BadParameter(f"{page} cannot be written: there is no folder {page.parent}")
    if folder.exists() and not folder.is_dir():
        raise typer.BadParameter(
            f"the replays of {page} belong into {folder}, which is a file: "
            "name another page for --html"
        )


@contextmanager
def replays_beside(page: Path, store: EventStore, games: Sequence[str]) -> Iterator[Path]:
    """Write the replay of each game, and yield the folder that has them as `ID.html`.

    Pages of other games that are in the folder stay. If anything fails, inside the block as
    well, what was written into it is taken away again, and pages that were there before are as
    they were or newer.
    """
    folder = folder_beside(page)
    new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
    except PermissionError as error:
        raise UnreadableFile(f"{folder} cannot be written: {error.strerror}") from error
    written: list[Path] = []
    try:
        with progress("drawing replays", len(games)) as advance:
            for done, game in enumerate(games, 1):
                path = folder / f"{game}.html"
                if not path.exists():
                    written.append(path)
                with write_whole(path) as file:
                    file.write(_replay(store, game).encode())
                advance(done)
        yield folder
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        if new:
            with suppress(OSError):
                folder.rmdir()
        raise


def _replay(store: EventStore, game: str) -> str:
    number = parse_id(game)
    assert number is not None
    stored = store.load(number)
    return replay_page(stored, list(frames(stored.header, events_of(store, stored))))
