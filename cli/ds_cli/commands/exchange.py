"""Commands that exchange records: export, and import of what was exported."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ds_cli import output
from ds_cli.documents import FINDING_COLUMNS
from ds_cli.files import open_records
from ds_cli.options import CsvOption, JsonOption, command
from ds_cli.output import counted
from ds_cli.progress import progress, reading
from ds_cli.session import Session

if TYPE_CHECKING:
    from ds_events.transfer import ImportReport


def register(app: typer.Typer) -> None:
    """Add the commands that exchange."""
    command(
        app,
        "export",
        "ds export > game.jsonl",
        "ds export --all -o games.jsonl.gz",
        "ds export --all --parquet -o tables",
    )(export)
    command(app, "import", "ds import games.jsonl", "zcat games.gz | ds import -")(import_files)


def export(
    session: Session,
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help="Games; if none is named, the newest open one, or the newest if none is open.",
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every game of every player.")] = False,
    as_parquet: Annotated[
        bool,
        typer.Option(
            "--parquet",
            help="Write games.parquet and events.parquet into the folder that -o names.",
        ),
    ] = False,
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
    """Write games as ds-game/1, one game a line of JSON.

    With --parquet they are written as two tables for DuckDB, pandas and the like. The folder
    is new or empty, or holds an older export, which is replaced as a whole.
    """
    if games and everything:
        raise typer.BadParameter("games and --all: name one of the two")
    folder = _parquet_folder(out) if as_parquet else None
    ids = None
    if not everything:
        ids = session.find_all(games or []) or [session.game_to_read(None)]
    if folder is not None:
        _export_parquet(session, ids, folder)
    else:
        _export_lines(session, ids, out)


def _parquet_folder(out: Path | None) -> Path:
    if out is None or str(out) == "-":
        raise typer.BadParameter("--parquet writes two files: name a folder for them with -o")
    if out.suffix == ".gz":
        raise typer.BadParameter(f"--parquet packs its files itself: {out} is to be a folder")
    return out


def _export_parquet(session: Session, ids: list[int] | None, folder: Path) -> None:
    from ds_events.parquet import export_parquet

    total = len(ids) if ids else None
    with session.database.read() as connection, progress("exporting", total) as advance:
        export_parquet(connection, folder, ids, advance)


def _export_lines(session: Session, ids: list[int] | None, out: Path | None) -> None:
    from ds_events.files import write_whole
    from ds_events.transfer import export_records

    total = len(ids) if ids else None
    with session.database.read() as connection:
        records = export_records(connection, ids)
        if out is None or str(out) == "-":
            # Where data and progress share a terminal, the data is progress enough.
            with progress("exporting", total, quiet=output.is_terminal()) as advance:
                for done, record in enumerate(records, 1):
                    output.print_record(record)
                    advance(done)
        else:
            with write_whole(out) as file, progress("exporting", total) as advance:
                for done, record in enumerate(records, 1):
                    file.write(record.encode() + b"\n")
                    advance(done)


def import_files(
    session: Session,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="Files of ds-game/1 or ds-text/1; .gz is unpacked, - is stdin.",
        ),
    ],
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Store the games of files, each whole or not at all.

    A game is stored only if the referee finds no fault in it, and a rejected one does not
    keep the others out. A game that is stored already changes nothing. Exits with 1 if any
    game is rejected.
    """
    from ds_events.lines import read_lines
    from ds_events.transfer import ImportReport, import_records

    output.choose_format(as_json, as_csv)
    reports: list[tuple[Path, ImportReport]] = []
    try:
        for path in files:
            report = ImportReport()
            reports.append((path, report))
            with open_records(path) as stream, reading(f"importing {path}", stream) as advance:
                lines = read_lines(stream)
                import_records(session.store, lines, session.player, report, progress=advance)
    except BaseException:
        # What has been stored is said even where a later file, or a later line, fails.
        if any(report.added or report.unchanged or report.rejected for _, report in reports):
            _show_imported(reports, as_json, as_csv)
        raise
    _show_imported(reports, as_json, as_csv)
    if any(report.rejected for _, report in reports):
        raise typer.Exit(1)


def _show_imported(reports: "list[tuple[Path, ImportReport]]", as_json: bool, as_csv: bool) -> None:
    for path, report in reports:
        for fault in report.faults:
            output.say(f"ds: {path}: rejected: {fault}")
        for warning in report.warnings:
            output.say(f"ds: {path}: warning: {warning}")
    added, unchanged, rejected = (
        sum(getattr(report, name) for _, report in reports)
        for name in ("added", "unchanged", "rejected")
    )
    kept_out = f"{unchanged or 'none'} stored already, {rejected or 'none'} rejected"
    total = f"{counted(added, 'game')} added, {kept_out}"
    if as_csv:
        output.say(f"ds: {total}")
    faults = _rows(reports, "faults")
    output.print_report(
        {
            "added": added,
            "unchanged": unchanged,
            "rejected": rejected,
            "faults": faults,
            "warnings": _rows(reports, "warnings"),
        },
        as_json=as_json,
        as_csv=as_csv,
        columns=["file", *FINDING_COLUMNS],
        rows=faults,
        show=lambda: output.print_lines([[(total, "bold")]]),
    )


def _rows(reports: "list[tuple[Path, ImportReport]]", name: str) -> list[dict[str, object]]:
    return [
        {"file": str(path), **located.as_row()}
        for path, report in reports
        for located in getattr(report, name)
    ]
