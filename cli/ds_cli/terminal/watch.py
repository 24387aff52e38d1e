"""A replay in place: keys steer it, and the screen shows where it stands."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from ds_cli.output import Line
from ds_cli.terminal import keys
from ds_cli.terminal.playback import Playback, place_from
from ds_cli.terminal.screen import Screen
from ds_cli.terminal.takeover import HUNG_UP, Terminal, taken_over
from ds_events.replay import Frame
from ds_events.replay import Line as LineOfPlay

_LEAST_SECONDS: Final = 0.02
"""Nobody sees more than some fifty frames a second: at higher speeds some are passed over."""

_LONGEST_NUMBER: Final = 9
_QUITTING: Final = ("q", "Q", keys.ESCAPE, HUNG_UP)


def watch(
    names: Sequence[str], frames: Sequence[Frame], line: LineOfPlay, *, start: int, speed: float
) -> Frame:
    """Play frames back on the terminal until the person quits; return the one shown last.

    It begins with the first frame of an event from `start` on. `names` tell the game apart;
    `line` is the line of play that the frames are of.
    """
    playback = Playback(frames, place_from(frames, start), speed)
    watching = Watching(playback, Screen(names, frames, line))
    with taken_over() as terminal:
        watching.run(terminal)
    return playback.frame


class Watching:
    """A playback in front of a person: what their keys do to it, and what they are told."""

    def __init__(self, playback: Playback, screen: Screen) -> None:
        self._playback = playback
        self._screen = screen
        self._said = ""
        self._is_help = False
        self._number: str | None = None
        """The digits typed so far of the event to go to; `None` if nobody asked for one."""
        self._keys = self._key_table()

    def run(self, terminal: Terminal) -> None:
        """Go on until a key ends it."""
        playback = self._playback
        # What counts is the time that a person had the replay before their eyes.
        now = time.monotonic() - terminal.away
        while True:
            terminal.show(self._lines(terminal))
            due = None if self._is_help else playback.due
            typed = terminal.wait(None if due is None else max(due, _LEAST_SECONDS))
            before, now = now, time.monotonic() - terminal.away
            if not self._is_help:
                playback.pass_time(now - before)
            for key in typed:
                if not self.press(key):
                    return

    def press(self, key: str) -> bool:
        """Do what a key says; return whether the replay goes on."""
        self._said = ""
        if key == HUNG_UP:
            return False
        if self._is_help:
            self._is_help = False
        elif self._number is not None:
            self._type(key, self._number)
        elif key in _QUITTING:
            return False
        elif key in self._keys:
            self._keys[key]()
        return True

    def _lines(self, terminal: Terminal) -> list[Line]:
        said = self._said
        if self._number is not None:
            said = f"go to event: {self._number}_"
        return self._screen.lines(self._playback, terminal.size, said=said, is_help=self._is_help)

    def _key_table(self) -> dict[str, Callable[[], None]]:
        playback = self._playback
        table: dict[str, Callable[[], None]] = {}
        for names, action in (
            ((" ",), playback.play_or_pause),
            ((keys.RIGHT, "l", "n"), lambda: playback.step(1)),
            ((keys.LEFT, "h", "p"), lambda: playback.step(-1)),
            ((keys.PAGE_DOWN, "]"), lambda: playback.step(10)),
            ((keys.PAGE_UP, "["), lambda: playback.step(-10)),
            ((keys.HOME,), playback.go_to_first),
            ((keys.END,), playback.go_to_last),
            (("t",), lambda: self._seek(_turns_up, 1)),
            (("T",), lambda: self._seek(_turns_up, -1)),
            (("f",), lambda: self._seek(_goes_home, 1)),
            (("F",), lambda: self._seek(_goes_home, -1)),
            (("g",), self._ask),
            (("+", "=", keys.UP), playback.faster),
            (("-", "_", keys.DOWN), playback.slower),
            (("?",), self._help),
        ):
            table.update(dict.fromkeys(names, action))
        return table

    def _seek(self, wanted: Callable[[Frame], bool], by: int) -> None:
        if not self._playback.go_to_next(wanted, by):
            what = "is turned up" if wanted is _turns_up else "goes to a foundation"
            self._said = f"no card {what} {'after' if by > 0 else 'before'} this event"

    def _help(self) -> None:
        self._is_help = True

    def _ask(self) -> None:
        self._number = ""

    def _type(self, key: str, number: str) -> None:
        """Take one more key of the number of the event to go to."""
        if key in "0123456789":
            self._number = (number + key)[:_LONGEST_NUMBER]
        elif key == keys.BACKSPACE:
            self._number = number[:-1]
        elif key in (keys.ESCAPE, "q", "g"):
            self._number = None
        elif key == keys.ENTER:
            self._number = None
            if number:
                self._go_to(int(number))

    def _go_to(self, seq: int) -> None:
        playback = self._playback
        last = playback.frames[-1].seq
        if not playback.go_to_event(seq):
            self._said = (
                f"the replay ends with event {last}"
                if seq > last
                else f"event {seq} is not on the final line; this is the one before it"
            )


def _turns_up(frame: Frame) -> bool:
    return frame.turned_up is not None


def _goes_home(frame: Frame) -> bool:
    return frame.home
