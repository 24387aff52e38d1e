"""The terminal, taken over as a whole: every key comes at once, every line has its place.

It is given back as it was, whatever happens: at the end, on an error, on Ctrl-C, when the
program is told to end, and for as long as Ctrl-Z stops it.
"""

import os
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Any, Final

from ds_cli.output import Line, renderer
from ds_cli.terminal.keys import Decoder

HUNG_UP: Final = "hung up"
"""What `wait` returns as the last key once the terminal is gone."""

_TAKE: Final = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""The other screen, no cursor, and no line that goes on in the next.

How wide a character is, terminals see differently: a name may be wider there than here.
"""

_GIVE_BACK: Final = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"

_CLEAR: Final = "\x1b[H\x1b[2J"
_ESCAPE_SECONDS: Final = 0.05
"""How long after an escape the rest of a key may take."""

_ENDING: Final = (signal.SIGTERM, signal.SIGHUP)
_NOTED: Final = (*_ENDING, signal.SIGTSTP, signal.SIGWINCH)
_HELD_BACK: Final = (*_NOTED, signal.SIGINT)


class Ended(BaseException):
    """The program was told to end, by the signal that is the argument."""


class Terminal:
    """The terminal of stdin and stdout while it is taken over."""

    def __init__(self, noted: int) -> None:
        """Begin with the terminal as it is; `noted` is where signals arrive as bytes."""
        self._in = sys.stdin.fileno()
        self._out = sys.stdout.fileno()
        self._noted = noted
        self._decoder = Decoder()
        self._rendered = renderer()
        self._shown: list[Line] | None = None
        self._before: list[Any] = termios.tcgetattr(self._in)
        self.away = 0.0
        """Seconds for which Ctrl-Z has stopped the program so far."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines, 80 and 24 where the terminal does not know."""
        with suppress(OSError):
            columns, lines = os.get_terminal_size(self._out)
            if columns and lines:
                return columns, lines
        return 80, 24

    def take(self) -> None:
        """Take the terminal over; nothing of what it shows is ours yet."""
        self._shown = None
        sys.stdout.flush()
        tty.setcbreak(self._in, termios.TCSADRAIN)
        self._write(_TAKE)

    def give_back(self) -> None:
        """Give the terminal back as it was."""
        # It may be gone, and then there is nothing to give back.
        with _undisturbed(), suppress(OSError, termios.error):
            try:
                self._write(_GIVE_BACK)
            finally:
                termios.tcsetattr(self._in, termios.TCSADRAIN, self._before)

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines from the top of the screen on: only what differs is written."""
        before = self._shown
        written = [] if before is not None else [_CLEAR]
        written += [
            f"\x1b[{row};1H{self._rendered(line)}\x1b[0m\x1b[K"
            for row, line in enumerate(lines, 1)
            if before is None or row > len(before) or line != before[row - 1]
        ]
        if before is not None and len(before) > len(lines):
            written.append(f"\x1b[{len(lines) + 1};1H\x1b[J")
        self._shown = list(lines)
        self._write("".join(written))

    def wait(self, seconds: float | None) -> list[str]:
        """Wait for keys, so many seconds at most, `None` for as long as it takes.

        Return what was typed; nothing if the time is over, or the screen has to be drawn
        anew because its size has changed or Ctrl-Z has let another program have it. Raises
        `Ended` if the program is told to end.
        """
        half = self._decoder.is_half
        if half:
            seconds = _ESCAPE_SECONDS
        ready, _, _ = select.select([self._in, self._noted], [], [], seconds)
        if self._noted in ready:
            self._heed(os.read(self._noted, 1024))
            return []
        if self._in not in ready:
            return self._decoder.give_up() if half else []
        typed = b""
        with suppress(OSError):
            typed = os.read(self._in, 1024)
        return self._decoder.feed(typed) if typed else [HUNG_UP]

    def _heed(self, noted: bytes) -> None:
        for number in noted:
            if number in _ENDING:
                raise Ended(number)
        if signal.SIGTSTP in noted:
            self._stop()
        self._shown = None

    def _stop(self) -> None:
        """Stop as any program does at Ctrl-Z, and be back when it is continued."""
        self.give_back()
        since = time.monotonic()
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, handler)
        self.away += time.monotonic() - since
        # The shell may have left it otherwise than it was.
        self._before = termios.tcgetattr(self._in)
        self.take()

    def _write(self, text: str) -> None:
        content = text.encode(sys.stdout.encoding or "ascii", "backslashreplace")
        while content:
            content = content[os.write(self._out, content) :]


@contextmanager
def taken_over() -> Iterator[Terminal]:
    """Take the terminal over for as long as the context lasts.

    A signal to end the program does so, once the terminal has been given back.
    """
    try:
        with ExitStack() as stack:
            terminal = Terminal(stack.enter_context(_signals_as_bytes()))
            stack.callback(terminal.give_back)
            terminal.take()
            yield terminal
    except Ended as ended:
        os.kill(os.getpid(), ended.args[0])
        raise


@contextmanager
def _signals_as_bytes() -> Iterator[int]:
    """Give a file descriptor from which the signals that came can be read, one byte each."""
    ours, theirs = os.pipe()
    handlers = {}
    wakeup = -1
    try:
        os.set_blocking(theirs, False)
        wakeup = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
        for number in _NOTED:
            # What is ignored, as SIGHUP by `nohup`, stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                handlers[number] = signal.signal(number, _only_note)
        yield ours
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup)
        os.close(ours)
        os.close(theirs)


def _only_note(number: int, frame: FrameType | None) -> None:
    """Do nothing: the signal has become a byte."""


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold signals back, so that a second Ctrl-C does not leave half of the work."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD_BACK)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
