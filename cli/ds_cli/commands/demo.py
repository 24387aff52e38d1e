"""The command that walks a newcomer through the main job."""

import os
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import typer

from ds_cli import output
from ds_cli.options import command
from ds_cli.session import Session

INTERRUPTED: Final = 130
"""The exit status of a command that Ctrl-C ended."""

_BOT: Final = "--player bot:greedy"

_STEPS: Final = (
    ("Start a game from a code: the same code gives the same cards everywhere.", 0),
    "ds new DS1-D1N-AAAABOR",
    ("An ace of spades goes home, and leaves column 1 empty.", 0),
    "ds move T1F",
    ("The second one goes to the second foundation of its row.", 0),
    "ds move T5F",
    ("Only a king may go to the empty column: anything else is refused.", 1),
    "ds move T2T1",
    ("Ask for a hint, play on, and take the last two operations back.", 0),
    "ds hint",
    "ds move T6F T7T9 D",
    "ds undo 2",
    ("Every event is in the log, the undone ones too.", 0),
    "ds log",
    ("Let a bot finish some games, of the four modes in turn.", 0),
    "ds simulate --games 12 --seed 7",
    ("Look at its newest games, and replay the beginning of one.", 0),
    f"ds games {_BOT} --limit 4",
    f"ds replay {_BOT} --game @4 --from 0 --to 2 --plain",
    ("Score history, Vegas ledger and statistics come from the same record.", 0),
    f"ds scores {_BOT}",
    f"ds vegas {_BOT}",
    f"ds stats {_BOT}",
    ("And the record is held against the rules: every move, score and number of it.", 0),
    "ds audit",
)
"""What is said, with the exit status that is due from then on, and the commands that are run."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "demo", "ds demo")(demo)


def demo(session: Session) -> None:
    """Walk through the main job, in a throw-away database.

    Starts a game, plays and undoes moves, lets a bot play, replays, reports and audits, and
    shows the commands that it runs.
    """
    ran = []
    due = 0
    with _throw_away_database(session.player):
        for step in _STEPS:
            if isinstance(step, tuple):
                sentence, due = step
                output.print_lines([[], [(sentence, "bold")]])
                continue
            ran.append(step)
            output.print_lines([[(f"$ {step}", "green")]])
            status = session.run(shlex.split(step)[1:])
            if status == INTERRUPTED:
                raise typer.Exit(status)
            if status != due:
                output.say(f"ds: `{step}` ended with {status}, and {due} was due")
                raise typer.Exit(status or 1)
    output.print_lines([[], [("That was:", "bold")], *[[(f"  {step}", "")] for step in ran]])
    output.print_lines([[], [("Now yours: `ds new`, and `ds --help` for the rest.", "bold")]])


@contextmanager
def _throw_away_database(player: str) -> Iterator[None]:
    """Let the commands of the demonstration work on a database that is deleted after it."""
    before = {name: os.environ.get(name) for name in ("DS_DATABASE_URL", "DS_PLAYER")}
    with tempfile.TemporaryDirectory(prefix="ds-demo-") as folder:
        os.environ["DS_DATABASE_URL"] = str(Path(folder) / "demo.db")
        os.environ["DS_PLAYER"] = player
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
