"""The command that seals the record, and writes proofs of what was sealed."""

from pathlib import Path
from typing import Annotated

import typer

from ds_cli import output
from ds_cli.options import GameOption, JsonOption, command
from ds_cli.session import Session
from ds_events.ids import format_id


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "seal",
        "ds seal >> seals.txt",
        "ds seal -o leaves.txt",
        "ds seal --game @1 -o proof.json",
    )(seal)


def seal(
    session: Session,
    game: GameOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the leaves, or with --game the proof, to FILE, whole or not at all.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Seal all games as they stand: one line, to be kept elsewhere.

    Whoever has the line can tell with `ds audit --seal` whether a sealed game has been
    changed or taken away since. With --game and -o no seal is made, but a proof is written
    that the newest seal holds that game, which `ds audit --proof` checks without a database.
    """
    from ds_events.files import write_whole
    from ds_events.seal import leaves_of, make_seal

    if game is not None:
        from ds_events.proof import make_proof

        if out is None:
            raise typer.BadParameter("--game writes a proof: name its file with -o")
        game_id = session.find(game)
        with session.database.read() as connection:
            made, proof = make_proof(connection, game_id)
        with write_whole(out) as file:
            file.write(proof.encode() + b"\n")
        output.say(f"ds: {out} proves game {format_id(game_id)} against this seal:")
    else:
        made = make_seal(session.database)
        if out is not None:
            with session.database.read() as connection, write_whole(out) as file:
                file.write(f"{made}\n".encode())
                for leaf in leaves_of(connection, made.at):
                    file.write(f"{leaf}\n".encode())
    if as_json:
        output.print_json(
            {
                "seal": str(made),
                "at": output.utc(made.at),
                "games": made.games,
                "events": made.events,
                "root": made.root.hex(),
            }
        )
    else:
        output.print_lines([[(str(made), "")]])
