"""Pictures of the table, for a person to look at and for the README.

    python -m tests.table.pictures FOLDER

writes each main screen as SVG and as PNG.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final, TypeAlias

import matplotlib
import resvg_py

from ds_cli.table.app import TableApp
from ds_cli.table.drawing import ASCII, UNICODE
from ds_cli.table.sitting import Sitting
from ds_core import parse_moves
from ds_events.database import open_database
from ds_events.record import StoredGame
from ds_events.store import EventStore
from tests.core.building import coded
from tests.records import games
from tests.table.playing import Table, drag

Visit: TypeAlias = Callable[[Table], Awaitable[None]]

_WIDTH: Final = 1100
"""Pixels that a picture is wide."""


def pictures(folder: Path, names: Iterable[str] | None = None) -> list[Path]:
    """Draw screens into a folder, all if none is named, and return the files."""
    made = []
    with (
        tempfile.TemporaryDirectory() as place,
        closing(open_database(Path(place) / "games.db")) as database,
    ):
        store = EventStore(database)
        for name in SCREENS if names is None else names:
            events, size, is_ascii, visit = SCREENS[name]
            stored = _game(store, events)
            app = TableApp(Sitting(store, "mika", stored), ASCII if is_ascii else UNICODE)
            drawn = asyncio.run(_drawn(app, size, visit))
            vector, raster = folder / f"{name}.svg", folder / f"{name}.png"
            vector.write_text(drawn, encoding="utf-8")
            raster.write_bytes(
                resvg_py.svg_to_bytes(
                    svg_string=drawn,
                    width=_WIDTH,
                    skip_system_fonts=True,
                    font_dirs=[str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")],
                    monospace_family="DejaVu Sans Mono",
                )
            )
            made += [vector, raster]
    return made


def _game(store: EventStore, events: int) -> StoredGame:
    """A game of the vectors up to some event, all of it for -1; for 0, a fresh one."""
    if not events:
        return store.record("mika", coded("D3N", 7), parse_moves("D D D"))
    won = next(g for g in games() if g.end.status == "won" and str(g.deal.mode) == "D3N")
    moves = won.moves if events < 0 else won.moves[:events]
    return store.record("mika", won.deal, moves)


async def _drawn(app: TableApp, size: tuple[int, int], visit: Visit) -> str:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await visit(pilot)
        await pilot.pause()
        return app.export_screenshot(title="ds play")


def _press(*keys: str) -> Visit:
    async def visit(pilot: Table) -> None:
        await pilot.press(*keys)

    return visit


async def _carry(pilot: Table) -> None:
    await drag(pilot, "T7", 1, "T3", lets_go=False)


SCREENS: Final[dict[str, tuple[int, tuple[int, int], bool, Visit]]] = {
    "play": (150, (80, 24), False, _press("h")),
    "start": (0, (80, 24), False, _press("7")),
    "carrying": (150, (80, 24), False, _carry),
    "letters": (150, (80, 24), True, _press("h")),
    "large": (150, (132, 43), False, _press("h")),
    "won": (-1, (80, 24), False, _press("a")),
    "keys": (150, (80, 24), False, _press("?")),
    "statistics": (150, (80, 24), False, _press("t")),
    "new": (150, (80, 24), False, _press("n")),
    "abandon": (150, (80, 24), False, _press("x")),
    "replay": (150, (80, 24), False, _press("r", "pagedown", "pagedown", "right")),
    "small": (150, (64, 20), False, _press("h")),
}
"""Each screen: how far its game is, the size of the terminal, letters for suits, what is done."""


if __name__ == "__main__":
    for path in pictures(Path(sys.argv[1])):
        sys.stdout.write(f"{path}\n")
