"""`ds` in front of a person: a process on a pseudo-terminal, with keys and a screen."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final

import pyte
from rich.cells import cell_len

from tests.cli.running import PROGRAM, environment

PATIENCE: Final = 40.0
"""Seconds within which a machine that has much to do gets anything done."""

KEYS: Final = {
    "right": "\x1b[C",
    "left": "\x1bOD",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "home": "\x1b[H",
    "end": "\x1b[4~",
    "page up": "\x1b[5~",
    "page down": "\x1b[6~",
    "escape": "\x1b",
    "enter": "\r",
    "backspace": "\x7f",
    "ctrl-c": "\x03",
    "ctrl-z": "\x1a",
}
"""What terminals send for the keys that are no characters."""


_PRELUDE: Final = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Makes its input the terminal that Ctrl-C and Ctrl-Z come from, and becomes a program."""


class Emulator(pyte.Screen):
    """A terminal's screen, which also counts what spoils a screen that is drawn in place.

    That is a text that goes beyond the last column, and a step to the next line, by which
    the last line moves all others up.
    """

    def __init__(self, columns: int, lines: int) -> None:
        super().__init__(columns, lines)
        self.spoilt = 0

    def draw(self, data: str) -> None:
        self.spoilt += self.cursor.x + cell_len(data) > self.columns
        super().draw(data)

    def linefeed(self) -> None:
        self.spoilt += 1
        super().linefeed()


class Watched:
    """A running `ds` on a terminal of its own."""

    def __init__(
        self,
        *arguments: str,
        size: tuple[int, int] = (80, 24),
        program: Sequence[str] = PROGRAM,
        **changes: str | None,
    ) -> None:
        self._ours, self._theirs = pty.openpty()
        self._lock = threading.Lock()
        self.emulator = Emulator(*size)
        self._stream = pyte.ByteStream(self.emulator)
        self.raw = b""
        self._set_size(*size)
        self.flags_before = self.flags
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _PRELUDE, *program, *arguments],
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            env=environment(**{"TERM": "xterm-256color", **changes}),
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def __enter__(self) -> "Watched":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._theirs)
        self._reader.join()
        os.close(self._ours)

    @property
    def flags(self) -> list[Any]:
        """How the terminal treats what is typed and shown."""
        return termios.tcgetattr(self._theirs)

    @property
    def lines(self) -> list[str]:
        """What the screen shows."""
        with self._lock:
            return [line.rstrip() for line in self.emulator.display]

    @property
    def marked(self) -> str:
        """What is shown in reverse video, from left to right and from top to bottom."""
        with self._lock:
            buffer, (rows, columns) = self.emulator.buffer, (self.emulator.lines, 80)
            return "".join(
                buffer[row][column].data
                for row in range(rows)
                for column in range(columns)
                if buffer[row][column].reverse
            )

    @property
    def event(self) -> int | None:
        """The number of the event that is shown."""
        found = re.search(r"event +(\d+) of ", "\n".join(self.lines))
        return int(found[1]) if found else None

    @property
    def state(self) -> str:
        """`playing`, `paused` or `at the end`."""
        found = re.search(r"^(playing|paused|at the end) ", "\n".join(self.lines), re.MULTILINE)
        return found[1] if found else ""

    @property
    def left_behind(self) -> list[str]:
        """What the main screen shows once it is back, if it was empty before."""
        main = pyte.Screen(80, 60)
        pyte.ByteStream(main).feed(self.raw.rpartition(b"\x1b[?1049l")[2])
        return [line.rstrip() for line in main.display if line.strip()]

    def press(self, *keys: str) -> None:
        """Type keys: names of `KEYS`, or characters as they are."""
        for key in keys:
            os.write(self._ours, KEYS.get(key, key).encode())

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, which is about what the screen shows."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > deadline:
                raise AssertionError("this is shown instead:\n" + "\n".join(self.lines))
            time.sleep(0.01)

    def until_event(self, seq: int) -> None:
        self.until(lambda: self.event == seq)

    def until_shown(self, text: str) -> None:
        self.until(lambda: text in "\n".join(self.lines))

    def resize(self, columns: int, lines: int) -> None:
        """Change the size of the window, as a person does with the mouse."""
        with self._lock:
            self.emulator.resize(lines, columns)
            # What a terminal makes of what it showed differs; here all has to come anew.
            self.emulator.erase_in_display(2)
            self.emulator.spoilt = 0
        self._set_size(columns, lines)

    def status(self) -> int:
        """Wait for the end of the program and return its exit status."""
        status = self.process.wait(timeout=PATIENCE)
        size = -1
        while size != len(self.raw):
            size = len(self.raw)
            time.sleep(0.05)
        return status

    def _set_size(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self._ours, 65536)
            except OSError:  # That is how Linux tells that everybody has hung up.
                return
            if not piece:
                return
            with self._lock:
                self.raw += piece
                self._stream.feed(piece)
