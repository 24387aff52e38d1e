"""The command that writes the whole report as a page."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from ds_cli import output
from ds_cli.documents import (
    game_document,
    ledger_document,
    scores_document,
    statistics_document,
)
from ds_cli.files import check_target
from ds_cli.options import command
from ds_cli.session import Session
from ds_cli.which import Which
from ds_events.extras import needed_for
from ds_events.ids import format_id

if TYPE_CHECKING:
    from ds_cli.pages.report_page import Report


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "report",
        "ds report --html report.html",
        "ds report --html report.html --with-replays",
        "ds report --everyone --since 2026-11-01 --html november.html",
    )(report)


def report(
    session: Session,
    which: Which,
    html: Annotated[
        Path, typer.Option(metavar="FILE", help="Write the page into FILE; - is stdout.")
    ],
    with_replays: Annotated[
        bool,
        typer.Option(
            "--with-replays", help="Write a replay of each game listed as well, beside FILE."
        ),
    ] = False,
) -> None:
    """Write the whole report as one page, which needs nothing else.

    It has charts and tables of scores, Vegas balance, win rates, streaks, durations and
    activity, and lists the games, the newest thousand of them. With --with-replays each leads
    to its replay, in a folder beside FILE. The page is written whole or not at all.
    """
    check_target("--html", html)
    if with_replays:
        from ds_cli.pages.replays import check_beside

        check_beside(html)
    with needed_for("--html", "report"):
        import jinja2  # noqa: F401 (that a page can be made is known before any is begun)
        import matplotlib as mpl  # noqa: F401

    from ds_cli.pages.report_page import report_page

    found = _documents(session, which)
    if with_replays and found.shown:
        from ds_cli.pages.replays import replays_beside

        with replays_beside(html, session.store, found.shown) as folder:
            found.replays.update(
                (game, f"{quote(folder.name)}/{game}.html") for game in found.shown
            )
            _write(html, report_page(found))
        replays = output.counted(len(found.shown), "replay")
        output.say(f"ds: {html} leads to {replays} in {folder}")
    else:
        _write(html, report_page(found))
        if with_replays:
            output.say(f"ds: {html} lists no game, so there is no replay beside it")


def _documents(session: Session, which: Which) -> "Report":
    """Return what `--json` prints of each report, all of one snapshot of the record."""
    from ds_cli.pages.report_page import Report
    from ds_events.attempts import repeated_deals
    from ds_events.report import list_games, score_history, vegas_ledger
    from ds_events.statistics import statistics

    filters = which.filters(session)
    owner, name = which.player_id(session), which.player(session)
    with session.database.read() as connection:
        counted = statistics(connection, owner, filters, "month", which.zone)
        scores = score_history(connection, owner, filters)
        ledger = vegas_ledger(connection, owner, filters)
        games = list_games(connection, owner, filters)
        attempts = repeated_deals(connection, games)
    return Report(
        statistics=statistics_document(name, counted, "month", which.tz),
        scores=scores_document(name, scores),
        vegas=ledger_document(name, ledger),
        games={"player": name, "rows": [game_document(row) for row in games]},
        attempts=[[format_id(row.id) for row in tried] for tried in attempts],
        only=list(_only(session, which)),
        zone=which.zone,
    )


def _only(session: Session, which: Which) -> list[str]:
    """Which games were asked for, in words."""
    said = {
        "of mode {}": which.mode,
        "that are {}": {"abandoned": "given up"}.get(which.status or "", which.status),
        "started from {} on": which.since,
        "started up to {}": which.until,
        "of the deal of {}": which.deal_words(session),
    }
    return [words.format(value) for words, value in said.items() if value is not None]


def _write(path: Path, page: str) -> None:
    if str(path) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(page.encode())
        return
    from ds_events.files import write_whole

    with write_whole(path) as file:
        file.write(page.encode())
