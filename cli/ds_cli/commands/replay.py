"""The command that plays a recorded game back."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ds_cli import output
from ds_cli.board import board_lines, status_lines
from ds_cli.options import AtOption, GameOption, JsonOption, RevealOption, command, whole_number
from ds_cli.pages.files import drawing_asked_for, write_drawing
from ds_cli.session import Session
from ds_cli.showing import board_json, change_text, check_frame, events_of, game_json, names_of
from ds_core import view
from ds_events.record import StoredGame

if TYPE_CHECKING:
    from ds_events.replay import Frame

FRAME_SECONDS = 1.0
"""How long a frame of a replay stands on a terminal at speed 1."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "replay",
        "ds replay --game @1",
        "ds replay --from 10 --to 20",
        "ds replay --speed 4 --line final",
        "ds replay --html game.html",
        "ds replay --at 60 --png board.png",
    )(replay)


def replay(
    session: Session,
    at: AtOption = None,
    start: Annotated[
        int | None,
        typer.Option(
            "--from",
            metavar="A",
            parser=whole_number(0),
            help="Begin at event A.",
            show_default=False,
        ),
    ] = None,
    end: Annotated[
        int | None,
        typer.Option(
            "--to",
            metavar="B",
            parser=whole_number(0),
            help="End after event B.",
            show_default=False,
        ),
    ] = None,
    speed: Annotated[
        float,
        typer.Option(metavar="X", min=0.01, max=1024, help="On a terminal: X frames a second."),
    ] = 1.0,
    line: Annotated[
        Literal["played", "final"],
        typer.Option(help="Every event, or only the moves that were not taken back."),
    ] = "played",
    reveal: RevealOption = False,
    game: GameOption = None,
    as_json: JsonOption = False,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the replay as a page into FILE, which needs nothing else.",
            show_default=False,
        ),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the board, that of --at or the last.", show_default=False
        ),
    ] = None,
    png: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The same as a PNG.", show_default=False),
    ] = None,
) -> None:
    """Play a recorded game back, event by event.

    Undone moves are shown as they were played, or left out with `--line final`. Frame 0 is
    the board before the first event.

    On a terminal the game is played back in place, and keys steer it: `?` shows them, `q`
    quits. `--from` is where it begins, and one can step back from there; `--to` is its end.

    Files are written whole or not at all, - is stdout.
    """
    from ds_events.replay import frames

    options = {
        "--at": at,
        "--from": start,
        "--to": end,
        "--json": as_json or None,
    }
    drawing = drawing_asked_for(
        html=html, svg=svg, png=png, others=[name for name, of in options.items() if of is not None]
    )
    if at is not None and (start is not None or end is not None):
        raise typer.BadParameter("--at shows one frame: it does not go with --from and --to")
    if start is not None and end is not None and end < start:
        raise typer.BadParameter(f"--to {end} comes before --from {start}")
    stored = session.store.load(session.game_to_read(game))
    first, last = (at, at) if at is not None else (start or 0, end)
    check_frame(stored, max(first, last or 0))
    events = events_of(session.store, stored)
    made = frames(stored.header, events, line=line, reveal=reveal)
    reached = [frame for frame in made if last is None or frame.seq <= last]
    shown = [frame for frame in reached if frame.seq >= first]
    if not shown:
        raise typer.BadParameter(
            f"{_events(first, last)} left out with --line final, as undone moves and undos are"
        )
    if drawing is not None:
        write_drawing(drawing, stored, shown)
    elif as_json:
        output.print_json(_document(stored, shown))
    elif at is None and output.can_take_over():
        from ds_cli.terminal.watch import watch

        left = watch(names_of(stored.header), reached, line, start=first, speed=speed)
        _print([left], stored)
    else:
        _print(shown, stored, wait=FRAME_SECONDS / speed if output.is_terminal() else 0)


def _events(first: int, last: int | None) -> str:
    if first == last:
        return f"event {first} is"
    return f"the events from {first} {'on' if last is None else f'to {last}'} are"


def _document(stored: StoredGame, shown: "Iterable[Frame]") -> dict[str, Any]:
    return {
        **game_json(stored.header, view(stored.game)),
        "frames": [
            {
                "seq": frame.seq,
                "move": frame.move,
                "change": frame.change,
                "at": output.utc(frame.at),
                "undone_by": frame.undone_by,
                **board_json(frame.seen),
            }
            for frame in shown
        ],
    }


def _print(shown: "Iterable[Frame]", stored: StoredGame, wait: float = 0) -> None:
    """Print frames one below the other, so many seconds apart."""
    names = names_of(stored.header)
    for i, frame in enumerate(shown):
        if i and wait:
            time.sleep(wait)
        change = f"  {change_text(frame)}" if frame.change else ""
        what = f"{frame.move}{change}" if frame.move else "start"
        output.print_lines(
            [
                [
                    (f"{frame.seq:>4}  ", "dim"),
                    (what, "bold cyan"),
                    (f"  {output.local_time(frame.at, seconds=True)}", "dim"),
                ],
                *status_lines(frame.seen, names),
                *board_lines(frame.seen),
                [],
            ]
        )
