"""The application `ds`, and the one place where errors become messages and exit codes."""

import atexit
import errno
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Final

import typer

from ds_cli.commands import (
    audit,
    db,
    demo,
    exchange,
    lists,
    look,
    play,
    player,
    replay,
    report,
    reports,
    seal,
    simulate,
    table,
)
from ds_cli.options import DatabaseOption, DebugOption, PlainGroup, PlayerOption
from ds_cli.output import say
from ds_cli.session import Session
from ds_core import IllegalMove, RulesError, is_compiled
from ds_events.errors import GameNotFound, PlayerNotFound, StoreError, WrongExpectedVersion

DONE: Final = 0
NO: Final = 1
USAGE: Final = 2
ENVIRONMENT: Final = 3

_USAGE_ERROR: Final = typer.BadParameter.__mro__[1]
"""What typer raises for wrong options and arguments, under whatever name it keeps it."""

_ENVIRONMENT_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)

_EPILOG: Final = """Example:

\b
  ds new DS1-D1N-AAAAAAB
  ds move T2T3 D
  ds undo
  ds show
"""

app: Final = typer.Typer(
    name="ds",
    cls=PlainGroup,
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group in (
    play,
    table,
    look,
    replay,
    lists,
    reports,
    report,
    audit,
    seal,
    exchange,
    simulate,
    demo,
    player,
    db,
):
    group.register(app)

# As it ends, Python would look through everything for garbage: a fifth of the time of a short
# command, for memory that goes back anyway. Nothing is left to such a search to close.
atexit.register(gc.freeze)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        rules = "compiled" if is_compiled() else "in plain Python"
        sys.stdout.write(f"ds {version('double-solitaire-record')} (rules {rules})\n")
        raise typer.Exit


@app.callback()
def ds(
    ctx: typer.Context,
    db: DatabaseOption = None,
    player: PlayerOption = None,
    debug: DebugOption = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version, and whether the rules are compiled.",
            callback=_show_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Every game of Double Solitaire as an append-only record.

    Games are recorded move by move, and boards, replays, scores, statistics and audits are
    computed from the record.
    """
    ctx.obj = session = Session(main)
    ctx.call_on_close(session.close)
    session.override(db, player)
    if ctx.invoked_subcommand is None:
        sys.stderr.write(ctx.get_help() + "\n")
        raise typer.Exit(USAGE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `ds` and return its exit status: 0, 1, 2, 3 or 130, as the documentation says."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _prepare_output()
    try:
        status = app(given, prog_name="ds", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):
        # Whoever read the output has closed it, which typer answers with an exit of its own.
        # Nothing more may be written, not even when Python ends.
        if sys.__stdout__ is not None:
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())
        return DONE
    except Exception as error:  # the one boundary
        if "--debug" in given:
            traceback.print_exc()
        return _explain_usage(error, given) if isinstance(error, _USAGE_ERROR) else _explain(error)
    return status if isinstance(status, int) else DONE


def _prepare_output() -> None:
    """Give both outputs a place, and escape what the terminal's encoding lacks."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # It was closed before the program began.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _explain(error: Exception) -> int:
    """Say what went wrong and return the exit status for it."""
    if isinstance(error, (RulesError, StoreError)):
        say("; ".join([f"ds: {error}", *getattr(error, "__notes__", ())]))
        if isinstance(error, (IllegalMove, GameNotFound, PlayerNotFound, WrongExpectedVersion)):
            return NO
        return USAGE if isinstance(error, ValueError) else ENVIRONMENT
    if isinstance(error, OSError):
        say(f"ds: {f'{error.filename}: ' if error.filename else ''}{error.strerror or error}")
        return ENVIRONMENT if error.errno in _ENVIRONMENT_ERRNOS else USAGE
    say(f"ds: an error that should not happen: {error!r}; --debug shows where")
    return ENVIRONMENT


def _explain_usage(error: Any, given: Sequence[str]) -> int:
    message = error.format_message().removeprefix("Invalid value: ").replace("Value error, ", "")
    context = getattr(error, "ctx", None)
    command = context.command_path if context else _command_path(given)
    say(f"ds: {message.rstrip('.')}; `{command} --help` shows how")
    return USAGE


def _command_path(given: Sequence[str]) -> str:
    """The command that was meant, as far as it can be told where the error does not say."""
    path = ["ds"]
    commands: Any = typer.main.get_command(app)
    for word in given:
        if word in getattr(commands, "commands", {}):
            path.append(word)
            commands = commands.commands[word]
    return " ".join(path)
