"""The command that referees records: those of the database, or those of a file."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ds_cli import output
from ds_cli.documents import FINDING_COLUMNS
from ds_cli.files import open_records
from ds_cli.options import CsvOption, JsonOption, command, whole_number
from ds_cli.output import counted
from ds_cli.progress import progress, reading
from ds_cli.session import Session
from ds_events.findings import AuditReport, Located

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ds_events.database import Database


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "audit",
        "ds audit",
        "ds audit @1 @2",
        "ds audit --file games.jsonl --json",
        "ds audit --jobs 4",
        'ds audit --seal "$(tail -n 1 seals.txt)"',
    )(audit)


def audit(
    session: Session,
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games; all of every player if none is named."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Referee a file of ds-game/1 or ds-text/1 without storing it; .gz is "
            "unpacked, - is stdin.",
            show_default=False,
        ),
    ] = None,
    seal: Annotated[
        str | None,
        typer.Option(
            metavar="LINE",
            help="Hold the record against a line that `ds seal` printed, quoted.",
            show_default=False,
        ),
    ] = None,
    proof: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --seal: check the proof in FILE, without a database; - is stdin.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole_number(1),
            help="Audit all games with N processes at once.",
            show_default=False,
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Audit all games of a Postgres database with the workers of a Dask scheduler.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Hold records against the rules and against themselves.

    Every game is computed anew from its moves, and each event whose score, move or number
    is not what the rules say is named; for stored games the hash chain and the summaries
    are checked as well. Exits with 1 if there is a fault. Warnings are no faults.

    With --seal, what was sealed is held against the line alone: first the stored leaves,
    then each game's chain up to the version that was sealed. Games added since and moves
    played since do not matter.
    """
    output.choose_format(as_json, as_csv)
    if (bool(games) + (file is not None) + (seal is not None)) > 1:
        raise typer.BadParameter("games, --file and --seal: name one of the three")
    if jobs is not None and dask is not None:
        raise typer.BadParameter("--jobs and --dask: name one of the two")
    if (jobs is not None or dask is not None) and (games or file or seal):
        raise typer.BadParameter(
            "--jobs and --dask spread the audit of all games, and of nothing else"
        )
    if proof is not None:
        if seal is None:
            raise typer.BadParameter("--proof is checked against a seal: give its line with --seal")
        report = _audit_proof(proof, seal)
    elif seal is not None:
        report = _audit_seal(session, seal)
    elif file is not None:
        report = _audit_file(file)
    else:
        report = _audit_database(session, games or [], jobs or 1, dask)
    faults = [fault.as_row() for fault in report.faults]
    output.print_report(
        {
            "games": report.games,
            "events": report.events,
            "unjudged": report.unjudged,
            "faults": faults,
            "warnings": [warning.as_row() for warning in report.warnings],
            "kinds": report.kinds(),
        },
        as_json=as_json,
        as_csv=as_csv,
        rows=faults,
        columns=FINDING_COLUMNS,
        show=lambda: _show(report),
    )
    if report.faults:
        raise typer.Exit(1)


def _audit_file(path: Path) -> AuditReport:
    from ds_events.audit import audit_lines
    from ds_events.lines import read_lines

    with open_records(path) as stream, reading("auditing", stream) as advance:
        return audit_lines(read_lines(stream), advance)


def _audit_database(
    session: Session, references: list[str], jobs: int, dask: str | None
) -> AuditReport:
    from ds_events.audit import audit_database, audit_games

    ids = session.find_all(references)
    with progress("auditing") as advance:
        if ids:
            return audit_games(session.database, ids, advance)
        with _workers(session.database, jobs, dask) as workers:
            return audit_database(session.database, workers, advance)


def _workers(
    database: "Database", jobs: int, dask: str | None
) -> "AbstractContextManager[Executor | None]":
    from ds_events.workers import cluster, processes

    if dask is not None:
        if database.is_sqlite:
            raise typer.BadParameter(
                "--dask: workers elsewhere cannot reach an SQLite file; --jobs uses processes here"
            )
        return cluster(dask)
    return processes(jobs) if jobs > 1 else nullcontext()


def _audit_seal(session: Session, line: str) -> AuditReport:
    from ds_events.seal import audit_seal, parse_seal

    seal = parse_seal(line)
    with session.database.read() as connection, progress("auditing", seal.games) as advance:
        return audit_seal(connection, seal, advance)


def _audit_proof(path: Path, line: str) -> AuditReport:
    from ds_events.limits import MAX_LINE
    from ds_events.proof import audit_proof
    from ds_events.seal import parse_seal

    seal = parse_seal(line)
    with open_records(path) as stream:
        return audit_proof(stream.read(MAX_LINE + 1), seal)


def _show(report: AuditReport) -> None:
    lines = [_finding_line("fault", "bold red", fault) for fault in report.faults]
    lines += [_finding_line("warning", "yellow", warning) for warning in report.warnings]
    unjudged = f", {report.unjudged} of them not judged" if report.unjudged else ""
    seen = f"{counted(report.games, 'game')}, {counted(report.events, 'event')}{unjudged}"
    found = f"{counted(len(report.faults), 'fault')}, {counted(len(report.warnings), 'warning')}"
    style = "bold red" if report.faults else "bold green"
    kinds = ", ".join(f"{kind} {number}" for kind, number in report.kinds().items())
    total = f"{seen}: {found}" + (f" ({kinds})" if kinds else "")
    output.print_lines([*lines, [(total, style)]])


def _finding_line(word: str, style: str, located: Located) -> output.Line:
    return [
        (word, style),
        (f"  {output.safe(str(located))}", ""),
        (f"  [{located.finding.kind}]", "dim"),
    ]
