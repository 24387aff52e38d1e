"""Commands about the database: its schema, its size, its summaries, a copy of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ds_cli import output
from ds_cli.documents import FINDING_COLUMNS
from ds_cli.options import CsvOption, JsonOption, command, group
from ds_cli.progress import progress
from ds_cli.session import Session
from ds_events.errors import SchemaAhead, SchemaBehind

if TYPE_CHECKING:
    from ds_events.rebuild import RebuildReport


def register(app: typer.Typer) -> None:
    """Add the group `db`."""
    db = group(app, "db", "Look after the database.", "ds db info", "ds db backup copy.db")
    command(db, "upgrade", "ds db upgrade --db games.db")(upgrade)
    command(db, "info", "ds db info", "ds db info --json")(info)
    command(db, "rebuild", "ds db rebuild")(rebuild)
    command(db, "backup", "ds db backup games-2026-11-30.db")(backup)


def upgrade(session: Session) -> None:
    """Bring the schema to the version that this program needs."""
    from ds_events.schema import HEAD

    database = session.unchecked_database
    found = database.upgrade()
    if found == HEAD:
        output.say(f"ds: {database} has the schema version {HEAD} already")
    else:
        before = "" if found is None else f" from {found}"
        output.say(f"ds: {database} has been brought{before} to the schema version {HEAD}")


def info(session: Session, as_json: JsonOption = False, as_csv: CsvOption = False) -> None:
    """Show engine, schema, size, counts and durability."""
    from ds_events.upkeep import describe

    output.choose_format(as_json, as_csv)
    try:
        found = describe(session.database)
    except (SchemaBehind, SchemaAhead):
        found = describe(session.unchecked_database)
    document = {
        "database": found.database,
        "engine": found.engine,
        "schema": found.schema,
        "schema_needed": found.schema_needed,
        "size_bytes": found.size,
        "players": found.players,
        "games": found.games,
        "events": found.events,
        "settings": found.settings,
    }
    values = {name: value for name, value in document.items() if name != "settings"}
    values |= found.settings
    output.print_report(
        document,
        as_json=as_json,
        as_csv=as_csv,
        columns=["name", "value"],
        rows=[{"name": name, "value": value} for name, value in values.items()],
        show=lambda: output.print_table(
            ["", "value"], [[name.replace("_", " "), value] for name, value in values.items()]
        ),
    )


def rebuild(session: Session, as_json: JsonOption = False, as_csv: CsvOption = False) -> None:
    """Make the summaries again from the log.

    Scores, statistics and lists rest on them. A game whose log is damaged, or whose hash
    chain ends otherwise than the stored head, is left as it is and named; then the exit
    status is 1.
    """
    from ds_events.rebuild import rebuild as run

    output.choose_format(as_json, as_csv)
    with progress("rebuilding") as advance:
        report = run(session.database, advance)
    faults = [fault.as_row() for fault in report.faults]
    output.print_report(
        {"games": report.games, "rebuilt": report.rebuilt, "faults": faults},
        as_json=as_json,
        as_csv=as_csv,
        columns=FINDING_COLUMNS,
        rows=faults,
        show=lambda: _show_rebuilt(report),
    )
    if report.faults:
        raise typer.Exit(1)


def _show_rebuilt(report: "RebuildReport") -> None:
    for fault in report.faults:
        output.say(f"ds: game {fault.game}: {fault.finding.message}")
    games = output.counted(report.games, "game")
    summaries = output.counted(report.rebuilt, "summary", "summaries")
    output.print_lines([[(f"{games}: {summaries} put right", "")]])


def backup(
    session: Session,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file for the copy.")],
) -> None:
    """Write a consistent copy, also while others write."""
    from ds_events.upkeep import backup as run

    run(session.database, file)
    output.say(f"ds: {session.database} has been copied to {file}")
