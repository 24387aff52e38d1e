"""The command that plays a recorded game back."""

import time
from pathlib import Path
from typing import Annotated

import typer

from ds_cli import output
from ds_cli.board import board_lines, status_lines
from ds_cli.options import AtOption, GameOption, JsonOption, RevealOption, command, whole_number
from ds_cli.pages.files import drawing_asked_for, write_drawing
from ds_cli.session import Session
from ds_cli.showing import board_json, check_frame, game_json, names_of
from ds_core import view

FRAME_SECONDS = 1.0
"""How long a frame of a replay stands on a terminal at speed 1."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "replay",
        "ds replay --game @1",
        "ds replay --from 10 --to 20",
        "ds replay --speed 4",
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
        typer.Option(metavar="X", min=0.01, help="On a terminal: X frames a second."),
    ] = 1.0,
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

    Undone moves are shown as they were played. Frame 0 is the board before the first event.
    Files are written whole or not at all, - is stdout.
    """
    from ds_events.replay import frames

    options = {"--at": at, "--from": start, "--to": end, "--json": as_json or None}
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
    events = session.store.read(stored.id)[:last]
    shown = [frame for frame in frames(stored.header, events, reveal=reveal) if frame.seq >= first]
    if drawing is not None:
        write_drawing(drawing, stored, shown)
        return
    if as_json:
        output.print_json(
            {
                **game_json(stored.header, view(stored.game)),
                "frames": [
                    {
                        "seq": frame.seq,
                        "move": frame.move,
                        "change": frame.change,
                        "at": output.utc(frame.at),
                        **board_json(frame.seen),
                    }
                    for frame in shown
                ],
            }
        )
        return
    scoring = stored.header.deal.mode.scoring
    for i, frame in enumerate(shown):
        if i and output.is_terminal():
            time.sleep(FRAME_SECONDS / speed)
        change = f"  {'+' if frame.change > 0 else ''}{scoring.format(frame.change)}"
        what = f"{frame.move}{change if frame.change else ''}" if frame.move else "start"
        output.print_lines(
            [
                [
                    (f"{frame.seq:>4}  ", "dim"),
                    (what, "bold cyan"),
                    (f"  {output.local_time(frame.at, seconds=True)}", "dim"),
                ],
                *status_lines(frame.seen, names_of(stored.header)),
                *board_lines(frame.seen),
                [],
            ]
        )
