"""The command that records games played by a bot."""

import secrets
from typing import Annotated, Literal

import typer

from ds_cli import output
from ds_cli.options import CsvOption, JsonOption, command, whole_number
from ds_cli.progress import progress
from ds_cli.session import Session
from ds_core import MODES
from ds_events.ids import format_id


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "simulate",
        "ds simulate --games 200 --bot greedy --seed 1",
        "ds simulate --games 10 --mode D3V --player mika",
    )(simulate)


def simulate(
    session: Session,
    games: Annotated[
        int, typer.Option(metavar="N", parser=whole_number(1), help="How many games.")
    ],
    bot: Annotated[
        Literal["greedy", "random"],
        typer.Option(help="Who plays: greedy goes home and turns cards up where it can."),
    ] = "greedy",
    mode: Annotated[
        Literal["D1N", "D1V", "D3N", "D3V"] | None,
        typer.Option(help="The mode; else the four in turn.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="S",
            help="The same seed gives the same games; else by chance.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Record games played by a bot.

    They are of the player bot:NAME unless --player says another. A bot sees what a player
    sees. A game that it does not win it abandons, once nothing has gone home or been turned
    up for a full round of the stock.
    """
    from ds_events.simulate import simulate as run

    output.choose_format(as_json, as_csv)
    player = session.named_player or f"bot:{bot}"
    if seed is None:
        seed = secrets.randbelow(2**32)
        output.say(f"ds: --seed {seed} gives these games again")
    modes = list(MODES.values()) if mode is None else [MODES[mode]]
    rows = []
    with progress("playing", games) as advance:
        played = run(session.store, player, count=games, bot=bot, modes=modes, seed=seed)
        for done, stored in enumerate(played, 1):
            game = stored.game
            rows.append(
                {
                    "game": format_id(stored.id),
                    "code": str(stored.header.deal.code),
                    "mode": str(game.deal.mode),
                    "status": game.status,
                    "score": game.score,
                    "moves": game.moves,
                }
            )
            advance(done)
    output.print_report(
        {"player": player, "bot": bot, "seed": seed, "rows": rows},
        as_json=as_json,
        as_csv=as_csv,
        columns=["game", "code", "mode", "status", "score", "moves"],
        show=lambda: _print_summary(rows),
    )


def _print_summary(rows: list[dict[str, object]]) -> None:
    by_mode = {mode: [row for row in rows if row["mode"] == mode] for mode in MODES}
    output.print_table(
        ["mode", ">games", ">won", ">given up"],
        [
            [mode, len(played), won, len(played) - won]
            for mode, played in by_mode.items()
            if played
            for won in [sum(row["status"] == "won" for row in played)]
        ],
    )
