"""Commands that report: score history, Vegas ledger, statistics."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ds_cli import output
from ds_cli.documents import ledger_document, scores_document, statistics_document
from ds_cli.options import CsvOption, JsonOption, PlotOption, command
from ds_cli.session import Session
from ds_cli.which import Which
from ds_core import MODES, VEGAS
from ds_events.ids import format_id

if TYPE_CHECKING:
    from ds_events.report import GameRow, Ledger


def register(app: typer.Typer) -> None:
    """Add the commands that report."""
    command(
        app, "scores", "ds scores", "ds scores --csv > scores.csv", "ds scores --plot --mode D1N"
    )(scores)
    command(app, "vegas", "ds vegas", "ds vegas --json", "ds vegas --plot")(vegas)
    command(
        app,
        "stats",
        "ds stats",
        "ds stats --mode D1V --since 2026-11-01",
        "ds stats --by week --tz Europe/Berlin --json",
        "ds stats --by month --plot",
    )(stats)


def scores(
    session: Session,
    which: Which,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
    as_plot: PlotOption = False,
) -> None:
    """Show the score history, from the oldest game to the newest.

    --plot draws points and dollars apart.
    """
    from ds_events.report import score_history

    output.choose_format(as_json, as_csv, as_plot)
    filters = which.filters(session)
    with session.database.read() as connection:
        found = score_history(connection, which.player_id(session), filters)
    document = scores_document(which.player(session), found)
    if as_plot:
        from ds_cli.plots import plot_scores, show_plots

        show_plots(plot_scores(document, output.width()), which.none(session))
        return
    output.print_report(
        document,
        as_json=as_json,
        as_csv=as_csv,
        columns=["game", "code", "mode", "started_at", "status", "score", "moves", "duration_s"],
        show=lambda: _show_scores(session, which, found),
    )


def vegas(
    session: Session,
    which: Which,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
    as_plot: PlotOption = False,
) -> None:
    """Show the Vegas ledger, game by game.

    Closed games come in the order in which they ended, then the open ones at their present
    score. The balance runs over the rows that are shown; --plot draws it. docs/statistics.md
    says what each figure is.
    """
    from ds_events.report import vegas_ledger

    output.choose_format(as_json, as_csv, as_plot)
    filters = which.filters(session)
    with session.database.read() as connection:
        ledger = vegas_ledger(connection, which.player_id(session), filters)
    document = ledger_document(which.player(session), ledger)
    if as_plot:
        from ds_cli.plots import plot_balance, show_plots

        show_plots(plot_balance(document, output.width()), which.none(session, "Vegas "))
        return
    output.print_report(
        document,
        as_json=as_json,
        as_csv=as_csv,
        columns=["game", "code", "ended_at", "status", "score", "balance"],
        show=lambda: _show_ledger(session, which, ledger),
    )


def stats(
    session: Session,
    which: Which,
    by: Annotated[
        Literal["day", "week", "month"] | None,
        typer.Option(help="Also for each period in which games were started.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
    as_plot: PlotOption = False,
) -> None:
    """Show the statistics, by mode and in total.

    docs/statistics.md says what each figure is. With --by, JSON has both, and CSV and the
    table only the periods. --plot draws the win rates, of the modes or of the periods.
    """
    from ds_events.statistics import statistics

    output.choose_format(as_json, as_csv, as_plot)
    filters = which.filters(session)
    with session.database.read() as connection:
        found = statistics(connection, which.player_id(session), filters, by, which.zone)
    document = statistics_document(which.player(session), found, by, which.tz)
    if as_plot:
        from ds_cli.plots import plot_win_rates, show_plots

        show_plots(plot_win_rates(document, output.width()), which.none(session, "closed "))
        return
    output.print_report(
        document,
        as_json=as_json,
        as_csv=as_csv,
        columns=[*([] if by is None else ["period"]), "mode", *document["modes"]["D1N"]],
        rows=[row for of in document.get("periods", [document]) for row in _stats_rows(of)],
        show=lambda: _show_statistics(session, which, document),
    )


def _stats_rows(of: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a period, or of all, in CSV: each mode, and the total with what it has."""
    nothing = dict.fromkeys(of["modes"]["D1N"])
    modes = {**of["modes"], "total": {**nothing, **of["total"]}}
    return [
        {"period": of.get("period"), "mode": mode, **figures} for mode, figures in modes.items()
    ]


def _show_scores(session: Session, which: Which, found: "list[GameRow]") -> None:
    if not found:
        output.say(which.none(session))
        return
    output.print_table(
        ["started", "game", "mode", "status", ">score", ">moves", ">time"],
        [
            [
                output.local_time(row.started_at, which.zone),
                format_id(row.id),
                row.mode,
                row.status,
                MODES[row.mode].scoring.format(row.score),
                row.moves,
                output.duration(row.duration_s),
            ]
            for row in found
        ],
    )


def _show_ledger(session: Session, which: Which, ledger: "Ledger") -> None:
    if not ledger.rows:
        output.say(which.none(session, "Vegas "))
        return
    output.print_table(
        ["ended", "game", "deal", "status", ">score", ">balance"],
        [
            [
                ""
                if row.game.ended_at is None
                else output.local_time(row.game.ended_at, which.zone),
                format_id(row.game.id),
                row.game.deal_name,
                row.game.status,
                VEGAS.format(row.game.score),
                VEGAS.format(row.balance),
            ]
            for row in ledger.rows
        ],
    )
    staked, returned = VEGAS.format(ledger.staked), VEGAS.format(ledger.returned)
    net, settled = VEGAS.format(ledger.net), VEGAS.format(ledger.settled_net)
    games = output.counted(len(ledger.rows), "game")
    total = f"{games}: staked {staked}, returned {returned}, net {net}"
    output.print_lines([[(f"{total} ({settled} in closed games)", "bold")]])


def _show_statistics(session: Session, which: Which, document: dict[str, Any]) -> None:
    from ds_cli.stats import show_periods, show_statistics

    if not document["total"]["games"]:
        output.say(which.none(session))
    elif "periods" in document:
        show_periods(document, which.zone)
    else:
        show_statistics(document, which.zone)
