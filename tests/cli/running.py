"""`ds` as the tests run it: in this process, as a process of its own, on a terminal."""

import csv
import fcntl
import io
import json
import os
import pty
import re
import sqlite3
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from ds_cli.main import main

PROGRAM: Final = (
    sys.executable,
    "-c",
    "import sys; from ds_cli.main import main; sys.exit(main())",
)
"""`ds` as a process, from what this process imports and not from what is installed."""

TABLES: Final = {
    "players": "id",
    "games": "id",
    "events": "game_id, seq",
    "summaries": "game_id",
}
"""The tables of a record, each with its order."""

_ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True)
class Ran:
    """What a run of `ds` left behind: its exit status and its two outputs."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def csv(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.out, newline="")))


class Ds:
    """`ds` in this process, on the database that the test's environment names."""

    def __init__(self, database: Path, capture: Callable[[], tuple[str, str]]) -> None:
        self.database = database
        self._capture = capture

    def __call__(self, *arguments: str, stdin: str | bytes | None = None) -> Ran:
        """Run a command; a traceback in its output fails the test, whatever it is about."""
        self._capture()
        with pytest.MonkeyPatch.context() as patch:
            if stdin is not None:
                content = stdin.encode() if isinstance(stdin, str) else stdin
                patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "utf-8"))
            status = main(arguments)
        ran = Ran(status, *self._capture())
        if "--debug" not in arguments:
            assert "Traceback" not in ran.out + ran.err
        return ran

    def ok(self, *arguments: str, stdin: str | bytes | None = None) -> Ran:
        """Run a command that has to succeed."""
        ran = self(*arguments, stdin=stdin)
        assert ran.status == 0, ran.err
        return ran

    def json(self, *arguments: str, stdin: str | bytes | None = None) -> Any:
        """Return the document of a command that has to succeed."""
        return self.ok(*arguments, "--json", stdin=stdin).json

    def fails(self, status: int, *arguments: str, stdin: str | bytes | None = None) -> str:
        """Return the message of a command that has to fail and to change nothing.

        Nothing goes to stdout, and the message is one line that says who speaks.
        """
        before = self.contents()
        ran = self(*arguments, stdin=stdin)
        assert ran.status == status, f"{ran.status} instead of {status}: {ran.err[:500]}"
        assert ran.out == ""
        assert re.fullmatch(r"ds: \S.*\n", ran.err), ran.err[:500]
        assert self.contents() == before
        return ran.err

    def screen(
        self,
        *arguments: str,
        columns: int = 80,
        pipe_stdout: bool = False,
        quiet: bool = False,
        **changes: str,
    ) -> "Screen":
        """Run a command in this process on a terminal of its own.

        With `pipe_stdout` only messages go there, with `quiet` only data.
        """
        ours, theirs = pty.openpty()
        seen = bytearray()
        reader = threading.Thread(target=_read_until_hung_up, args=(ours, seen))
        reader.start()
        with (
            pytest.MonkeyPatch.context() as patch,
            open(theirs, "w", encoding="utf-8") as terminal,
            io.TextIOWrapper(io.BytesIO(), "utf-8") as aside,
        ):
            for name, value in {
                "TERM": "xterm-256color",
                "COLUMNS": str(columns),
                **changes,
            }.items():
                patch.setenv(name, value)
            patch.setattr(sys, "stdout", aside if pipe_stdout else terminal)
            patch.setattr(sys, "stderr", aside if quiet else terminal)
            status = main(arguments)
            terminal.flush()
            aside.flush()
            piped = aside.buffer.getvalue()
        reader.join()
        os.close(ours)
        return Screen(status, seen.decode("utf-8"), piped)

    def encoded(self, encoding: str, *arguments: str) -> tuple[int, bytes, bytes]:
        """Run a command whose outputs have that encoding; return status and both outputs."""
        with (
            pytest.MonkeyPatch.context() as patch,
            io.TextIOWrapper(io.BytesIO(), encoding) as out,
            io.TextIOWrapper(io.BytesIO(), encoding) as err,
        ):
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = main(arguments)
            out.flush()
            err.flush()
            written = [stream.buffer.getvalue() for stream in (out, err)]
        return status, written[0], written[1]

    def contents(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return every row of the record, read behind the program's back."""
        return contents(self.database)

    def moves(self) -> list[str]:
        """Return the moves of all events that are stored, in order."""
        return [row[2] for row in self.contents()["events"]]


def contents(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of a record; nothing for a file that is not there or not yet ready."""
    if not database.exists():
        return {}
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT name FROM sqlite_master").fetchall()
        if not {(table,) for table in TABLES} <= set(found):
            return {}
        return {
            table: connection.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()
            for table, order in TABLES.items()
        }


def environment(**changes: str | None) -> dict[str, str]:
    """Return the environment for a process of its own, `None` taking a name out of it."""
    changed = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **changes}
    return {name: value for name, value in changed.items() if value is not None}


def process(
    *arguments: str,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    program: Sequence[str] = PROGRAM,
    stdout: Any = subprocess.PIPE,
    stderr: Any = subprocess.PIPE,
    **how: Any,
) -> "subprocess.CompletedProcess[bytes]":
    """Run `ds` as a process and return what became of it."""
    return subprocess.run(
        [*program, *arguments],
        input=stdin,
        stdout=stdout,
        stderr=stderr,
        env=environment() if env is None else env,
        cwd=cwd,
        timeout=60,
        check=False,
        **how,
    )


@dataclass(frozen=True)
class Screen:
    """What a run of `ds` wrote to a terminal, with its escape sequences."""

    status: int
    raw: str
    out: bytes = b""
    """What went to stdout where that was no terminal."""

    @property
    def text(self) -> str:
        """What a person reads, without colours."""
        return _ESCAPES.sub("", self.raw).replace("\r\n", "\n")

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.text.splitlines()]


def _read_until_hung_up(terminal: int, seen: bytearray) -> None:
    """Read what is written to a terminal until its last writer has closed it."""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # That is how Linux tells.
            return
        if not piece:
            return
        seen += piece


def on_terminal(*arguments: str, columns: int = 80, pipe_stdout: bool = False) -> Screen:
    """Run `ds` as a process on a terminal of its own, with stdout piped if wanted."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    running = subprocess.Popen(
        [*PROGRAM, *arguments],
        stdin=theirs,
        stdout=subprocess.PIPE if pipe_stdout else theirs,
        stderr=theirs,
        env=environment(TERM="xterm-256color"),
    )
    os.close(theirs)
    out = running.stdout.read() if running.stdout is not None else b""
    if running.stdout is not None:
        running.stdout.close()
    seen = bytearray()
    _read_until_hung_up(ours, seen)
    os.close(ours)
    return Screen(running.wait(timeout=60), seen.decode("utf-8"), out)
