"""The full-screen program: one table, and what can be opened over it."""

from asyncio import get_running_loop
from contextlib import suppress
from dataclasses import astuple
from signal import SIGTERM
from typing import ClassVar, Final

from textual.app import App
from textual.binding import Binding, BindingType

from ds_cli.output import can_write
from ds_cli.table.drawing import ASCII, UNICODE, Characters
from ds_cli.table.screens.play import PlayScreen
from ds_cli.table.sitting import Sitting

INTERRUPTED: Final = 130
"""The exit status of a program that Ctrl-C ended."""


class TableApp(App[int]):
    """A game at the table; what goes wrong beyond it is in `failure` when it has ended."""

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True)
    ]
    CSS = """
    Screen { background: #10452f; color: #d7e4d9; }
    ModalScreen { align: center middle; background: #10452f 60%; }
    .line { height: 1; width: 1fr; padding: 0 1; }
    .headline { background: #0b3323; color: #f6f1e4; text-style: bold; }
    .said { color: #ffe9a8; height: 2; }
    .sheet {
        width: auto; max-width: 76; height: auto; max-height: 22; padding: 1 2;
        background: #f6f1e4; color: #1b1b1b;
    }
    .sheet > * { background: #f6f1e4; color: #1b1b1b; width: auto; }
    .sheet > Input { width: 40; height: 1; border: none; background: #e4dcc4; }
    #heading { width: 60; }
    """

    def __init__(
        self,
        sitting: Sitting,
        characters: Characters,
        *,
        double_taps: bool = True,
        watches: bool = False,
    ) -> None:
        super().__init__()
        self.sitting = sitting
        self.characters = characters
        self.double_taps = double_taps
        self.watches = watches
        self.failure: Exception | None = None

    def on_mount(self) -> None:
        """Lay the table, and see to it that it is cleared away whoever ends the program."""
        with suppress(NotImplementedError, RuntimeError, ValueError):
            get_running_loop().add_signal_handler(SIGTERM, self.exit, 128 + SIGTERM)
        self.push_screen(PlayScreen(self.sitting, self.characters, self.double_taps, self.watches))

    def action_interrupt(self) -> None:
        """End as programs end that Ctrl-C ends; everything is recorded."""
        self.exit(INTERRUPTED)

    def _handle_exception(self, error: Exception) -> None:
        """Keep what went wrong: the caller says it, once the screen has been left."""
        self.failure = error
        super()._handle_exception(error)

    def _print_error_renderables(self) -> None:
        """Print no traceback."""


def sit_down(
    sitting: Sitting, *, as_ascii: bool = False, double_taps: bool = True, watches: bool = False
) -> int:
    """Fill the terminal with a table until it is left, and return the exit status.

    What goes wrong beyond a single operation is raised once the terminal is as it was.
    """
    can_show = can_write("".join(astuple(UNICODE)))
    characters = UNICODE if can_show and not as_ascii else ASCII
    app = TableApp(sitting, characters, double_taps=double_taps, watches=watches)
    status = app.run()
    if app.failure is not None:
        raise app.failure
    return status or 0
