"""Options that several commands share, and the way commands are added to `ds`."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial, wraps
from typing import Annotated, Any, Final, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup

from ds_cli.session import Session


def whole_number(least: int) -> Callable[[str | int], int]:
    """Return how an option reads a whole number that is not below `least`."""

    def parse(text: str | int) -> int:
        try:
            # A default comes as the number that it is.
            number = int(text) if str(text).isascii() else None
        except ValueError:
            number = None
        if number is None or number < least:
            raise typer.BadParameter(f"{text!r} is no whole number from {least} on")
        return number

    return parse


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
PlotOption: TypeAlias = Annotated[
    bool, typer.Option("--plot", help="Draw it, as wide as the terminal.")
]
EveryoneOption: TypeAlias = Annotated[
    bool, typer.Option("--everyone", help="The games of all players.")
]
RevealOption: TypeAlias = Annotated[
    bool, typer.Option("--reveal", help="Show the face-down cards and the stock as well.")
]
AtOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--at",
        metavar="SEQ",
        parser=whole_number(0),
        help="The board after event SEQ.",
        show_default=False,
    ),
]


_SHARED: Final = {"db": DatabaseOption, "player": PlayerOption, "debug": DebugOption}
"""The options that are taken before and after every command."""


_AS_GIVEN: Final[Mapping[Any, Callable[[Any], Any]]] = {str: str, bool: bool, list[str]: list}
"""The types in which there is nothing to check, and how a command gets what was given."""


class Reading:
    """How typer reads a parameter: with its own checks only where there is something to check.

    Typer's checks load pydantic. They are left out for what was not given, for texts and flags,
    and where a parser of ours reads it, which says by `typer.BadParameter` what is wrong.
    """

    def __init__(self, parse: Callable[[Any], Any] | None) -> None:
        self._parse = parse

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return what a command gets for what was given, which is `None` for nothing."""
        if value is None:
            return () if param.nargs == -1 else None
        if self._parse is not None:
            return self._parse(value)
        return type(param).get_runtime_param(param).coerce(value, param=param, ctx=ctx)


def _read_our_way(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        # Older releases of typer have none of this, and do without pydantic.
        kind = getattr(parameter, "type_descriptor", None)
        if kind is not None:
            parse = kind.parameter_info.parser or _AS_GIVEN.get(kind.annotation)
            setattr(parameter, "get_runtime_param", partial(Reading, parse))  # noqa: B010
    return parameters


class PlainGroup(TyperGroup):
    """A group of commands, or `ds` itself, with its options read as `Reading` says."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options, `--help` included."""
        return _read_our_way(super().get_params(ctx))


class PlainCommand(TyperCommand):
    """A command with its parameters read as `Reading` says.

    It names its arguments as manuals do: `FILE...`, `[N]`, without types.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for parameter in self.params:
            if parameter.param_type_name == "argument":
                setattr(parameter, "display_type_rich", _no_type)  # noqa: B010 (typer's own)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments, `--help` included."""
        return _read_our_way(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the pieces of the usage line, required arguments without braces."""
        return [_BRACED.sub(r"\1\2", piece) for piece in super().collect_usage_pieces(ctx)]


def _no_type(ctx: Any) -> str:
    return ""


_BRACED: Final = re.compile(r"^\{(.*)\}(\.\.\.)?$")


def command(app: typer.Typer, name: str, *examples: str) -> Callable[[Callable[..., Any]], Any]:
    """Add a function as a command: with the shared options, and examples in its help.

    The function's first parameter is the `Session`; the others are the command's own. One that
    is a dataclass stands for an option for each of its fields.
    """

    def add(run: Callable[..., Any]) -> Callable[..., Any]:
        added = app.command(name, cls=PlainCommand, epilog=_epilog(examples))
        return added(_with_shared_options(run))

    return add


def group(app: typer.Typer, name: str, help_text: str, *examples: str) -> typer.Typer:
    """Add a group of commands, which takes the shared options as well."""
    made = typer.Typer(
        cls=PlainGroup, help=help_text, epilog=_epilog(examples), rich_markup_mode=None
    )
    made.callback()(_with_shared_options(_nothing))
    app.add_typer(made, name=name)
    return made


def _is_bundle(parameter: inspect.Parameter) -> bool:
    return isinstance(parameter.annotation, type) and is_dataclass(parameter.annotation)


def _options_of(parameter: inspect.Parameter) -> Iterator[inspect.Parameter]:
    """The options that a parameter stands for: itself, or the fields of a bundle of options."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    if not _is_bundle(parameter):
        yield parameter.replace(kind=keyword)
        return
    for it in fields(parameter.annotation):
        yield inspect.Parameter(it.name, keyword, default=it.default, annotation=it.type)


def _epilog(examples: Sequence[str]) -> str:
    shown = "Example:\n\n\b\n" if len(examples) == 1 else "Examples:\n\n\b\n"
    return shown + "\n".join(f"  {example}" for example in examples)


def _nothing(_: Session) -> None:
    """Do nothing: a group has its options alone."""


def _with_shared_options(run: Callable[..., Any]) -> Callable[..., Any]:
    keyword = inspect.Parameter.KEYWORD_ONLY
    taken = list(inspect.signature(run).parameters.values())[1:]
    bundles = {it.name: it.annotation for it in taken if _is_bundle(it)}

    @wraps(run)
    def wrapper(
        ctx: typer.Context, *, db: str | None, player: str | None, debug: bool, **own: Any
    ) -> Any:
        session = ctx.find_object(Session)
        assert session is not None
        session.override(db, player)
        for name, bundle in bundles.items():
            own[name] = bundle(**{it.name: own.pop(it.name) for it in fields(bundle)})
        result = run(session, **own)
        # Here, where a closed pipe or a full disk is still an error of the command.
        sys.stdout.flush()
        return result

    shared = [
        inspect.Parameter(
            name, keyword, default=False if name == "debug" else None, annotation=kind
        )
        for name, kind in _SHARED.items()
    ]
    parameters = [
        inspect.Parameter("ctx", keyword, annotation=typer.Context),
        *(option for it in taken for option in _options_of(it)),
        *shared,
    ]
    wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {p.name: p.annotation for p in parameters}
    return wrapper
