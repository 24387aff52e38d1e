"""The game so far, played back over the table."""

import time
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
from ds_cli.terminal.playback import Playback
from ds_events.replay import frames
from ds_events.times import SECOND

_STEPS: Final = {"right": 1, "left": -1, "pagedown": 10, "pageup": -10}
_SPEED: Final = 2.0
"""Frames a second, before anybody changes it."""

_LOOKS_EVERY: Final = 0.05
"""Seconds after which it is looked whether a frame is due."""


class ReplayScreen(Screen[None]):
    """The frames of a game, from the first on; nothing is changed by it."""

    def __init__(self, sitting: Sitting, characters: Characters) -> None:
        super().__init__()
        self._stored = sitting.stored
        self._playback = Playback(
            list(frames(sitting.stored.header, sitting.events())), speed=_SPEED
        )
        self._playback.go_to_first()
        self._characters = characters
        self._looked = time.monotonic()

    def compose(self) -> ComposeResult:
        """Lay out the lines and the board."""
        yield Static(id="headline", classes="line headline", markup=False)
        yield Board(self._playback.frame.seen, self._characters, takes_gestures=False)
        yield Static(id="said", classes="line said", markup=False)
        yield KeyBar(sayings.KEYS_REPLAYING)

    def on_mount(self) -> None:
        """Show the first frame, and be ready to play."""
        self._show()
        self.set_interval(_LOOKS_EVERY, self._pass_time)

    def on_key(self, event: events.Key) -> None:
        """Step, jump, play, or go back to the game."""
        event.stop()
        self._press(event.character if event.key in ("plus", "minus") else event.key)

    def on_chosen(self, message: Chosen) -> None:
        """Do what was clicked."""
        message.stop()
        self._press(message.key)

    def _press(self, key: str | None) -> None:
        playback = self._playback
        if key in ("escape", "q", "r"):
            self.dismiss()
            return
        if key in _STEPS:
            playback.step(_STEPS[key])
        elif key == "space":
            playback.play_or_pause()
        elif key == "home":
            playback.go_to_first()
        elif key == "end":
            playback.go_to_last()
        elif key == "t":
            playback.go_to_next(lambda frame: frame.turned_up is not None)
        elif key == "f":
            playback.go_to_next(lambda frame: frame.home)
        elif key == "+":
            playback.faster()
        elif key == "-":
            playback.slower()
        self._show()

    def _pass_time(self) -> None:
        before, self._looked = self._looked, time.monotonic()
        shown = self._playback.position
        self._playback.pass_time(self._looked - before)
        if self._playback.position != shown:
            self._show()

    def _show(self) -> None:
        playback = self._playback
        frame, moved = playback.frame, playback.frame.moved
        self.query_one(Board).show(frame.seen, Spot(moved.target, moved.count) if moved else None)
        seconds = (frame.at - playback.frames[0].at) // SECOND
        headline = sayings.headline(self._stored, frame.seen, seconds)
        self.query_one("#headline", Static).update(headline)
        undone = "   taken back later" if frame.undone_by else ""
        said = sayings.told(frame, self._characters)
        of = f"event {frame.seq} of {playback.frames[-1].seq}"
        self.query_one("#said", Static).update(f"{of}   {said}{undone}")
