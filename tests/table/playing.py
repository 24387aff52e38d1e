"""A person at the table, played by Textual's pilot: each move by mouse, or by keys."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeAlias

from textual.events import MouseMove
from textual.pilot import Pilot
from textual.widgets import Static

from ds_cli.table.app import TableApp
from ds_cli.table.board import Board
from ds_cli.table.choices import KeyBar
from ds_cli.table.drawing import UNICODE, Characters
from ds_cli.table.layout import Placed
from ds_cli.table.screens.play import PlayScreen
from ds_cli.table.sitting import Sitting
from ds_core import Deal, Move
from ds_core.move import (
    ABANDON,
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    DRAW,
    FOUNDATION_TO_COLUMN,
    TURN_BACK,
    UNDO,
    WASTE_TO_COLUMN,
    WASTE_TO_FOUNDATION,
)
from ds_events.store import EventStore

Table: TypeAlias = "Pilot[int]"


def at_table(
    store: EventStore,
    deal: Deal,
    visit: Callable[[Table], Coroutine[Any, Any, None]],
    *,
    size: tuple[int, int] = (80, 24),
    characters: Characters = UNICODE,
    double_taps: bool = True,
) -> TableApp:
    """Sit down at a new game, let `visit` do what it wants, and return the program."""
    sitting = Sitting(store, "mika", store.create("mika", deal))
    app = TableApp(sitting, characters, double_taps=double_taps)
    return visited(app, visit, size=size)


def visited(
    app: TableApp,
    visit: Callable[[Table], Coroutine[Any, Any, None]],
    *,
    size: tuple[int, int] = (80, 24),
) -> TableApp:
    """Run a table, and raise what went wrong at it."""

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await visit(pilot)

    asyncio.run(run())
    if app.failure is not None:
        raise app.failure
    return app


def app_of(pilot: Table) -> TableApp:
    """Return the program that is played."""
    assert isinstance(pilot.app, TableApp)
    return pilot.app


def board(pilot: Table) -> Board:
    """Return the board that is on top."""
    return pilot.app.screen.query_one(Board)


def said(pilot: Table, line: str = "said") -> str:
    """Return what a line of the table says: `headline`, `said` or `keys`."""
    screen = next(s for s in pilot.app.screen_stack if isinstance(s, PlayScreen))
    if line == "keys":
        return screen.query_one(KeyBar).render_line(0).text
    return str(screen.query_one(f"#{line}", Static).render())


async def by_mouse(pilot: Table, move: Move) -> None:
    """Play a move with the mouse: tapping where a tap does it, else dragging."""
    kind = move.kind
    if kind in (DRAW, TURN_BACK):
        await click(pilot, "S")
    elif kind == WASTE_TO_FOUNDATION:
        await click(pilot, "W")
    elif kind == COLUMN_TO_FOUNDATION:
        await drag(pilot, f"T{move.source + 1}", 1, "F8")
    elif kind == WASTE_TO_COLUMN:
        await drag(pilot, "W", 1, f"T{move.target + 1}")
    elif kind == COLUMN_TO_COLUMN:
        await drag(pilot, f"T{move.source + 1}", move.count, f"T{move.target + 1}")
    elif kind == FOUNDATION_TO_COLUMN:
        await drag(pilot, f"F{move.source + 1}", 1, f"T{move.target + 1}")
    else:
        await by_keys(pilot, move)


async def by_keys(pilot: Table, move: Move) -> None:
    """Play a move with keys alone."""
    kind = move.kind
    source, target = str(move.source + 1), str(move.target + 1)
    keys: dict[int, list[str]] = {
        DRAW: ["space"],
        TURN_BACK: ["d"],
        WASTE_TO_FOUNDATION: ["w", "enter"],
        WASTE_TO_COLUMN: ["w", target],
        COLUMN_TO_FOUNDATION: [source, "f"],
        COLUMN_TO_COLUMN: [source, *["up"] * (move.count - 1), target],
        FOUNDATION_TO_COLUMN: ["f", source, target],
        UNDO: ["u"],
        ABANDON: ["x", "y"],
    }
    await pilot.press(*keys[kind])


async def click(pilot: Table, pile: str, count: int = 1) -> None:
    """Click a card, counted from the last one of its pile."""
    x, y = _middle(board(pilot).layout_now().place(pile, count))
    await pilot.mouse_down(Board, (x, y))
    await pilot.mouse_up(Board, (x, y))


async def drag(pilot: Table, pile: str, count: int, target: str, *, lets_go: bool = True) -> None:
    """Drag the last cards of a pile onto another."""
    layout = board(pilot).layout_now()
    here, there = _middle(layout.place(pile, count)), _middle(layout.place(target))
    await pilot.mouse_down(Board, here)
    await move_pointer(pilot, there)
    if lets_go:
        await pilot.mouse_up(Board, there)


async def move_pointer(pilot: Table, to: tuple[int, int], button: int = 1) -> None:
    """Move the pointer over the board, with a button held down or none (0)."""
    await pilot._post_mouse_events([MouseMove], widget=Board, offset=to, button=button)


def _middle(card: Placed) -> tuple[int, int]:
    return card.x + 1, card.y


By: TypeAlias = Callable[[Table, Move], Awaitable[None]]
