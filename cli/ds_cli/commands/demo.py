"""The command that walks a newcomer through the main job."""

import os
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path
from typing import Final, TypeAlias

import typer

from ds_cli import output
from ds_cli.options import command
from ds_cli.session import Session
from ds_events.errors import MissingExtra

INTERRUPTED: Final = 130
"""The exit status of a command that Ctrl-C ended."""

_Step: TypeAlias = str | tuple[str, int]
"""A command that is run, or what is said, with the exit status that is due from then on."""

_BOT: Final = "--player bot:greedy"

_STEPS: Final[tuple[_Step, ...]] = (
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
    ("Look at its newest games, and at one of them after two events.", 0),
    f"ds games {_BOT} --limit 4",
    f"ds replay {_BOT} --game @4 --at 2",
    ("Score history, Vegas ledger and statistics come from the same record.", 0),
    f"ds scores {_BOT}",
    f"ds vegas {_BOT}",
    f"ds stats {_BOT}",
    ("And the record is held against the rules: every move, score and number of it.", 0),
    "ds audit",
)
"""What a newcomer is shown."""

_PAGES: Final[tuple[_Step, ...]] = (
    ("Let it play on, and look at all of it in a browser; one Vegas game is won.", 0),
    "ds simulate --games 60 --seed 8",
    f"ds report {_BOT} --html {{folder}}/report.html",
    f"ds replay {_BOT} -g @11 --html {{folder}}/replay.html",
)
"""The same for pages, which the extra `report` draws, in a folder that stays."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "demo", "ds demo")(demo)


def demo(session: Session) -> None:
    """Walk through the main job, in a throw-away database.

    Starts a game, plays and undoes moves, lets a bot play, replays, reports and audits, and
    shows the commands that it runs. With the extra `report` it leaves a report and a replay
    as pages in a folder for temporary files, and says where.
    """
    with _folder_for_pages() as pages:
        last = [] if pages is None else [_in_folder(step, pages) for step in _PAGES]
        with _throw_away_database(session.player):
            ran = _run_all(session, [*_STEPS, *last])
    output.print_lines([[], [("That was:", "bold")], *[[(f"  {step}", "")] for step in ran]])
    if pages is None:
        missing = MissingExtra("jinja2 or matplotlib", "the report and replays as pages", "report")
        output.print_lines([[], [(f"There is more to see: {missing}", "bold")]])
    else:
        kept = [[(f"  {pages / name}.html", "")] for name in ("report", "replay")]
        what = "The record of this demonstration is gone. Two pages of it stay, to be opened:"
        output.print_lines([[], [(what, "bold")], *kept])
    output.print_lines([[], [("Now yours: `ds new`, and `ds --help` for the rest.", "bold")]])


def _run_all(session: Session, steps: Iterable[_Step]) -> list[str]:
    """Show and run the steps, and return the commands that were run."""
    ran = []
    due = 0
    for step in steps:
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
    return ran


def _can_draw_pages() -> bool:
    """Whether the extra is installed; asked without loading it."""
    return all(util.find_spec(package) is not None for package in ("jinja2", "matplotlib"))


@contextmanager
def _folder_for_pages() -> Iterator[Path | None]:
    """Yield a folder that stays unless something fails, or `None` where no page can be drawn."""
    if not _can_draw_pages():
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="ds-demo-"))
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder)
        raise


def _in_folder(step: _Step, folder: Path) -> _Step:
    if isinstance(step, tuple):
        return step
    return step.format(folder=shlex.quote(str(folder)))


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
