"""Options that several commands share, and the way commands are added to `ds`."""

import inspect
import sys
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Final, TypeAlias

import typer

from ds_cli.session import Session

DatabaseOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help="The database: a URL or an SQLite file. [env: DS_DATABASE_URL]",
        show_default=False,
    ),
]
PlayerOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--player",
        metavar="NAME",
        help="The player. [env: DS_PLAYER; default: the system's user]",
        show_default=False,
    ),
]
DebugOption: TypeAlias = Annotated[
    bool, typer.Option("--debug", help="Show the traceback of an error.")
]
GameOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--game",
        "-g",
        metavar="ID",
        help="The game: an id, the beginning of one, or @1, @2, … as `ds games` lists them.",
        show_default=False,
    ),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CsvOption: TypeAlias = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
EveryoneOption: TypeAlias = Annotated[
    bool, typer.Option("--everyone", help="The games of all players.")
]
RevealOption: TypeAlias = Annotated[
    bool, typer.Option("--reveal", help="Show the face-down cards and the stock as well.")
]
AtOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--at", metavar="SEQ", min=0, help="The board after event SEQ.", show_default=False
    ),
]


class ClosedPipe(Exception):
    """Whoever read the output has closed it: no error, but nothing more can be written."""


_SHARED: Final = {"db": DatabaseOption, "player": PlayerOption, "debug": DebugOption}
"""The options that are taken before and after every command."""


def command(app: typer.Typer, name: str, *examples: str) -> Callable[[Callable[..., Any]], Any]:
    """Add a function as a command: with the shared options, and examples in its help.

    The function's first parameter is the `Session`; the others are the command's own.
    """
    shown = "Example:\n\n\b\n" if len(examples) == 1 else "Examples:\n\n\b\n"
    epilog = shown + "\n".join(f"  {example}" for example in examples)

    def add(run: Callable[..., Any]) -> Callable[..., Any]:
        return app.command(name, epilog=epilog)(_with_shared_options(run))

    return add


def _with_shared_options(run: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(run)
    def wrapper(
        ctx: typer.Context, *, db: str | None, player: str | None, debug: bool, **own: Any
    ) -> Any:
        session = ctx.find_object(Session)
        assert session is not None
        session.override(db, player)
        try:
            result = run(session, **own)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise ClosedPipe from error
        return result

    keyword = inspect.Parameter.KEYWORD_ONLY
    own = list(inspect.signature(run).parameters.values())[1:]
    shared = [
        inspect.Parameter(
            name, keyword, default=False if name == "debug" else None, annotation=kind
        )
        for name, kind in _SHARED.items()
    ]
    parameters = [
        inspect.Parameter("ctx", keyword, annotation=typer.Context),
        *(parameter.replace(kind=keyword) for parameter in own),
        *shared,
    ]
    wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {p.name: p.annotation for p in parameters}
    return wrapper
