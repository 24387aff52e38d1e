"""Commands that exchange records: export and import of ds-game/1."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ds_cli import output
from ds_cli.files import open_records
from ds_cli.options import JsonOption, command
from ds_cli.output import counted
from ds_cli.progress import progress
from ds_cli.session import Session


def register(app: typer.Typer) -> None:
    """Add the commands that exchange."""
    command(app, "export", "ds export > game.jsonl", "ds export --all -o games.jsonl.gz")(export)
    command(app, "import", "ds import games.jsonl", "zcat games.gz | ds import -")(import_files)


def export(
    session: Session,
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Games; the newest open one if none is named."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every game of every player.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write FILE, whole or not at all; .gz packs it.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write games as ds-game/1, one game a line of JSON."""
    from ds_events.files import write_whole
    from ds_events.transfer import export_records

    if games and everything:
        raise typer.BadParameter("games and --all: name one of the two")
    ids = None
    if not everything:
        ids = [session.find(game) for game in games or []] or [session.game_to_read(None)]
    with (
        session.database.read() as connection,
        progress("exporting", len(ids) if ids else None) as advance,
    ):
        records = enumerate(export_records(connection, ids), 1)
        if out is None or str(out) == "-":
            for done, record in records:
                sys.stdout.buffer.write(record.encode() + b"\n")
                advance(done)
            sys.stdout.buffer.flush()
        else:
            with write_whole(out) as file:
                for done, record in records:
                    file.write(record.encode() + b"\n")
                    advance(done)


def import_files(
    session: Session,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files of ds-game/1; .gz is unpacked, - is stdin."),
    ],
    as_json: JsonOption = False,
) -> None:
    """Store the games of files, each whole or not at all.

    A game is stored only if the referee finds no fault in it, and a rejected one does not
    keep the others out. A game that is stored already changes nothing. Exits with 1 if any
    line is rejected.
    """
    from ds_events.lines import read_lines
    from ds_events.transfer import ImportReport, import_records

    total = ImportReport()
    faults: list[dict[str, object]] = []
    warnings: list[dict[str, object]] = []
    for path in files:
        with open_records(path) as stream, progress(f"importing {path}") as advance:
            report = import_records(
                session.store, read_lines(stream), session.player, progress=advance
            )
        total.added += report.added
        total.unchanged += report.unchanged
        total.rejected += report.rejected
        faults += [{"file": str(path), **fault.as_row()} for fault in report.faults]
        warnings += [{"file": str(path), **warning.as_row()} for warning in report.warnings]
        for fault in report.faults:
            output.say(f"ds: {path}: rejected: {fault}")
        for warning in report.warnings:
            output.say(f"ds: {path}: warning: {warning}")
    if as_json:
        output.print_json(
            {
                "added": total.added,
                "unchanged": total.unchanged,
                "rejected": total.rejected,
                "faults": faults,
                "warnings": warnings,
            }
        )
    else:
        summary = (
            f"{counted(total.added, 'game')} added, {total.unchanged or 'none'} stored already, "
            f"{total.rejected or 'none'} rejected"
        )
        output.print_lines([[(summary, "bold")]])
    if total.rejected:
        raise typer.Exit(1)
