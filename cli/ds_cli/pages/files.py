"""What `ds replay` draws into files: which one is asked for, and how it is written."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import typer

from ds_cli import output
from ds_cli.files import check_target
from ds_cli.showing import names_of

if TYPE_CHECKING:
    from ds_events.record import StoredGame
    from ds_events.replay import Frame

Kind: TypeAlias = Literal["--html", "--svg", "--png"]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A file that was asked for, `-` being stdout."""

    kind: Kind
    path: Path


def drawing_asked_for(
    *, html: Path | None, svg: Path | None, png: Path | None, others: Sequence[str]
) -> Drawing | None:
    """Return the file that is to be drawn, if one is.

    `others` are the options given beside it. Raises `typer.BadParameter` for more than one
    file, for options that mean nothing to it, and for a name
    that no file of its kind can have.
    """
    given: dict[Kind, Path | None] = {"--html": html, "--svg": svg, "--png": png}
    asked = [Drawing(kind, path) for kind, path in given.items() if path is not None]
    if not asked:
        return None
    drawing, *more = asked
    if more:
        raise typer.BadParameter(
            f"{drawing.kind} and {more[0].kind} are two files: ask for one at a time"
        )
    for other in others:
        hint = _MEANINGLESS[drawing.kind].get(other)
        if hint is not None:
            raise typer.BadParameter(f"{other} does not go with {drawing.kind}: {hint}")
    check_target(drawing.kind, drawing.path)
    if drawing.kind == "--png" and str(drawing.path) == "-" and output.is_terminal():
        raise typer.BadParameter("a PNG is nothing for a terminal: name a file, or pipe it on")
    return drawing


def write_drawing(drawing: Drawing, stored: "StoredGame", frames: "Sequence[Frame]") -> None:
    """Draw the frames into a page, or the last of them into a picture; whole or not at all."""
    from ds_events.files import write_whole

    content = _DRAWN[drawing.kind](stored, frames)
    if str(drawing.path) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        return
    with write_whole(drawing.path) as file:
        file.write(content)


def _page(stored: "StoredGame", frames: "Sequence[Frame]") -> bytes:
    from ds_cli.pages.replay_page import replay_page

    return replay_page(stored, frames).encode()


def _svg(stored: "StoredGame", frames: "Sequence[Frame]") -> bytes:
    from ds_cli.pages.board_svg import board_svg

    return board_svg(frames[-1].seen, names_of(stored.header)).encode()


def _png(stored: "StoredGame", frames: "Sequence[Frame]") -> bytes:
    from ds_cli.pages.board_svg import board_svg
    from ds_cli.pages.picture import png_picture

    return png_picture(board_svg(frames[-1].seen, names_of(stored.header)))


_DRAWN: "Final[dict[Kind, Callable[[StoredGame, Sequence[Frame]], bytes]]]" = {
    "--html": _page,
    "--svg": _svg,
    "--png": _png,
}

_ONE_BOARD: Final = "it draws one board, that of --at or the last"
_PRINTED: Final = {"--json": "name one of the two"}

_MEANINGLESS: Final[dict[Kind, dict[str, str]]] = {
    "--html": {
        "--at": "a page has every event, and opens at event 12 as FILE#12",
        **_PRINTED,
    },
    "--svg": {"--from": _ONE_BOARD, "--to": _ONE_BOARD, **_PRINTED},
    "--png": {"--from": _ONE_BOARD, "--to": _ONE_BOARD, **_PRINTED},
}
"""The options that a kind of file has no use for, and what to do instead."""
