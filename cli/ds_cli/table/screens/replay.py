"""The game so far, played back over the table."""

from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from ds_cli.table import sayings
from ds_cli.table.board import Board
from ds_cli.table.choices import Chosen, KeyBar
from ds_cli.table.drawing import Characters
from ds_cli.table.layout import Spot
from ds_cli.table.sitting import Sitting
from ds_events.replay import Frame, frames
from ds_events.times import SECOND

_STEPS: Final = {"right": 1, "left": -1, "pagedown": 10, "pageup": -10}
_FRAMES_A_SECOND: Final = 3


class ReplayScreen(Screen[None]):
    """The frames of a game, from the first on; nothing is changed by it."""

    def __init__(self, sitting: Sitting, characters: Characters) -> None:
        super().__init__()
        self._stored = sitting.stored
        self._frames = list(frames(sitting.stored.header, sitting.events()))
        self._characters = characters
        self._place = 0
        self._plays = False

    def compose(self) -> ComposeResult:
        """Lay out the lines and the board."""
        yield Static(id="headline", classes="line headline", markup=False)
        yield Board(self._frame.seen, self._characters, takes_gestures=False)
        yield Static(id="said", classes="line said", markup=False)
        yield KeyBar(sayings.KEYS_REPLAYING)

    def on_mount(self) -> None:
        """Show the first frame, and be ready to play."""
        self.set_interval(1 / _FRAMES_A_SECOND, self._tick)
        self._go(0)

    def on_key(self, event: events.Key) -> None:
        """Step, jump, play, or go back to the game."""
        event.stop()
        self._press(event.key)

    def on_chosen(self, message: Chosen) -> None:
        """Do what was clicked."""
        message.stop()
        self._press(message.key)

    def _press(self, key: str) -> None:
        last = len(self._frames) - 1
        if key in ("escape", "q", "r"):
            self.dismiss()
        elif key == "space":
            self._plays = not self._plays
            if self._plays and self._place == last:
                self._go(0)
        elif key in _STEPS:
            self._go(self._place + _STEPS[key])
        elif key in ("home", "end"):
            self._go(0 if key == "home" else last)

    @property
    def _frame(self) -> Frame:
        return self._frames[self._place]

    def _tick(self) -> None:
        if self._plays:
            self._plays = self._place < len(self._frames) - 1
            self._go(self._place + 1)

    def _go(self, place: int) -> None:
        self._place = max(0, min(place, len(self._frames) - 1))
        frame = self._frame
        moved = frame.moved
        self.query_one(Board).show(frame.seen, Spot(moved.target, moved.count) if moved else None)
        seconds = (frame.at - self._frames[0].at) // SECOND
        headline = sayings.headline(self._stored, frame.seen, seconds)
        self.query_one("#headline", Static).update(headline)
        undone = "   taken back later" if frame.undone_by else ""
        said = sayings.told(frame, self._characters)
        of = f"event {frame.seq} of {self._frames[-1].seq}"
        self.query_one("#said", Static).update(f"{of}   {said}{undone}")
