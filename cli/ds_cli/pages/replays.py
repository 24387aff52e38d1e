"""The pages of many games, written into a folder beside the page that leads to them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ds_cli.pages.replay_page import replay_page
from ds_cli.progress import progress
from ds_events.files import write_whole
from ds_events.ids import parse_id
from ds_events.replay import frames
from ds_events.store import EventStore


@contextmanager
def replays_beside(page: Path, store: EventStore, games: Sequence[str]) -> Iterator[Path]:
    """Write the replay of each game, and yield the folder that has them as `ID.html`.

    The folder is called after the page, `report-replays` for `report.html`; pages of other
    games that are in it stay. If anything fails, inside the block as well, what was written
    into it is taken away again, and pages that were there before are as they were or newer.
    """
    folder = page.with_name(f"{page.stem}-replays")
    new = not folder.exists()
    folder.mkdir(exist_ok=True)
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
    return replay_page(stored, list(frames(stored.header, store.read(stored.id))))
