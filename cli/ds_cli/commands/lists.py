"""Commands that list: a player's games, and one game's events."""

from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ds_cli import output
from ds_cli.documents import game_document
from ds_cli.options import CsvOption, GameOption, JsonOption, command, whole_number
from ds_cli.session import Session
from ds_cli.which import Which
from ds_core import MODES
from ds_events.ids import ID_LIMIT, format_id
from ds_events.record import Event, Header

if TYPE_CHECKING:
    from ds_events.report import GameRow


_GAME_COLUMNS: Final = (
    *("number", "game", "code", "label", "mode", "player", "status", "score", "moves", "seq"),
    *("started_at", "last_at", "ended_at", "duration_s"),
)


def register(app: typer.Typer) -> None:
    """Add the commands that list."""
    command(
        app,
        "games",
        "ds games",
        "ds games --status open --mode D1N",
        "ds games --since 2026-11-01 --limit 20 --csv",
    )(games)
    command(app, "log", "ds log", "ds log --game @3 --csv", "ds log --text > game.txt")(log)


def games(
    session: Session,
    which: Which,
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole_number(0), help="At most N games.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """List games, the newest first.

    Other commands take @1 for the first of them, @2 for the second, and so on.
    """
    from ds_events.report import stream_games

    output.choose_format(as_json, as_csv)
    # No record has more games than ids, and no database counts further.
    filters = which.filters(session, None if limit is None else min(limit, ID_LIMIT - 1))
    with (
        session.database.read() as connection,
        closing(stream_games(connection, which.player_id(session), filters)) as found,
    ):
        rows = map(game_document, found)
        if as_json:
            output.print_json_rows({"player": which.player(session)}, rows)
        elif as_csv:
            output.print_csv(_GAME_COLUMNS, rows)
        elif limit != 0:
            # A table is as wide as its widest rows, so it takes all of them.
            _show_games(session, list(found), which)


def log(
    session: Session,
    game: GameOption = None,
    as_text: Annotated[
        bool,
        typer.Option(
            "--text",
            help="Print the game as a text with tags and numbered moves, its deck included, "
            "which `ds import` reads.",
        ),
    ] = False,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """List a game's events: moves, scores and times.

    With --text the whole game is printed as ds-text/1, for people to read and to keep. It is
    an export: a game with its own deck is printed with all 104 cards.
    """
    if as_text and (as_json or as_csv):
        raise typer.BadParameter("--text, --json and --csv: name one of the three")
    output.choose_format(as_json, as_csv)
    game_id = session.game_to_read(game)
    if as_text:
        from ds_events.transfer import export_text

        with session.database.read() as connection:
            output.print_text(export_text(connection, game_id))
        return
    stored = session.store.load(game_id)
    events = session.store.read(game_id)
    output.print_report(
        {
            "game": format_id(game_id),
            "rows": [{**event._asdict(), "at": output.utc(event.at)} for event in events],
        },
        as_json=as_json,
        as_csv=as_csv,
        columns=["seq", "move", "score", "at"],
        show=lambda: _show_log(stored.header, events),
    )


def _show_games(session: Session, found: "list[GameRow]", which: Which) -> None:
    if not found:
        whose = "" if which.everyone else f" of {session.player}"
        output.say(f"ds: no games{whose}" + (" are of this kind" if which.is_narrowed else ""))
        return
    output.print_table(
        ["", "game", "deal", "status", ">score", ">moves", "started"]
        + (["player"] if which.everyone else []),
        [
            [
                "" if row.number is None else f"@{row.number}",
                format_id(row.id),
                row.deal_name,
                row.status,
                MODES[row.mode].scoring.format(row.score),
                row.moves,
                output.local_time(row.started_at, which.zone),
                *([row.player] if which.everyone else []),
            ]
            for row in found
        ],
    )


def _show_log(header: Header, events: list[Event]) -> None:
    from ds_events.replay import frames

    scoring = header.deal.mode.scoring
    output.print_table(
        [">seq", "move", ">change", ">score", "at"],
        [
            [
                frame.seq,
                frame.move,
                f"{frame.change:+}" if frame.change else "",
                scoring.format(frame.seen.score),
                output.local_time(frame.at, seconds=True),
            ]
            for frame in frames(header, events)
            if frame.move is not None
        ],
    )
