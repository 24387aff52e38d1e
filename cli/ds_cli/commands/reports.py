"""Commands that report: score history, Vegas ledger, statistics."""

from typing import TYPE_CHECKING, Any

import typer

from ds_cli import output
from ds_cli.documents import ledger_document, scores_document, statistics_document
from ds_cli.options import CsvOption, EveryoneOption, JsonOption, command
from ds_cli.session import Session
from ds_core import MODES, VEGAS
from ds_events.ids import format_id

if TYPE_CHECKING:
    from ds_events.report import GameRow, Ledger


def register(app: typer.Typer) -> None:
    """Add the commands that report."""
    command(app, "scores", "ds scores", "ds scores --csv > scores.csv")(scores)
    command(app, "vegas", "ds vegas", "ds vegas --json")(vegas)
    command(app, "stats", "ds stats", "ds stats --everyone --json")(stats)


def scores(
    session: Session,
    everyone: EveryoneOption = False,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Show the score history, from the oldest game to the newest."""
    from ds_events.report import score_history

    output.choose_format(as_json, as_csv)
    with session.database.read() as connection:
        found = score_history(connection, _whose(session, everyone))
    output.print_report(
        scores_document(_name(session, everyone), found),
        as_json=as_json,
        as_csv=as_csv,
        columns=["game", "code", "mode", "started_at", "status", "score", "moves", "duration_s"],
        show=lambda: _show_scores(session, everyone, found),
    )


def vegas(
    session: Session,
    everyone: EveryoneOption = False,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Show the Vegas ledger, game by game.

    Each game stakes $104 and returns $5 for each card home. Closed games come in the order
    in which they ended, then the open ones at their present score.
    """
    from ds_events.report import vegas_ledger

    output.choose_format(as_json, as_csv)
    with session.database.read() as connection:
        ledger = vegas_ledger(connection, _whose(session, everyone))
    output.print_report(
        ledger_document(_name(session, everyone), ledger),
        as_json=as_json,
        as_csv=as_csv,
        columns=["game", "code", "ended_at", "status", "score", "balance"],
        show=lambda: _show_ledger(session, everyone, ledger),
    )


def stats(
    session: Session,
    everyone: EveryoneOption = False,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Show the statistics, each mode for itself.

    Totals are of games alone: points and dollars are never added up. The win rate is that
    of closed games, scores are those of closed games. A streak is a run of won games of one
    mode, which an abandoned one ends.
    """
    from ds_events.statistics import statistics

    output.choose_format(as_json, as_csv)
    with session.database.read() as connection:
        found = statistics(connection, _whose(session, everyone))
    document = statistics_document(_name(session, everyone), found)
    modes, total = document["modes"], document["total"]
    columns = ["mode", *modes["D1N"]]
    by_mode = [{"mode": mode, **of} for mode, of in modes.items()]
    output.print_report(
        document,
        as_json=as_json,
        as_csv=as_csv,
        columns=columns,
        rows=[*by_mode, {**dict.fromkeys(columns), "mode": "total", **total}],
        show=lambda: _show_statistics(modes, total),
    )


def _show_scores(session: Session, everyone: bool, found: "list[GameRow]") -> None:
    if not found:
        _say_none(session, everyone)
        return
    output.print_table(
        ["started", "game", "mode", "status", ">score", ">moves", ">time"],
        [
            [
                output.local_time(row.started_at),
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


def _show_ledger(session: Session, everyone: bool, ledger: "Ledger") -> None:
    if not ledger.rows:
        _say_none(session, everyone, "Vegas ")
        return
    output.print_table(
        ["ended", "game", "deal", "status", ">score", ">balance"],
        [
            [
                "" if row.game.ended_at is None else output.local_time(row.game.ended_at),
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


def _show_statistics(modes: dict[str, dict[str, Any]], total: dict[str, Any]) -> None:
    output.print_table(
        [
            "mode",
            *(">games", ">won", ">given up", ">open", ">rate"),
            *(">best", ">mean", ">streak", ">fastest", ">fewest"),
        ],
        [
            *(_stats_row(mode, of) for mode, of in modes.items()),
            ["total", *_tally(total), *[None] * 5],
        ],
    )


def _stats_row(mode: str, of: dict[str, Any]) -> list[object]:
    scoring = MODES[mode].scoring
    best, mean = of["best_score"], of["mean_score"]
    return [
        mode,
        *_tally(of),
        None if best is None else scoring.format(best),
        None if mean is None else scoring.format(round(mean)),
        f"{of['current_streak']}/{of['longest_streak']}" if of["games"] else None,
        output.duration(of["fastest_win_s"]),
        of["fewest_moves_win"],
    ]


def _tally(of: dict[str, Any]) -> list[object]:
    rate = of["win_rate"]
    return [
        of["games"],
        of["won"],
        of["abandoned"],
        of["open"],
        None if rate is None else f"{rate:.1%}",
    ]


def _whose(session: Session, everyone: bool) -> int | None:
    return None if everyone else session.player_id


def _name(session: Session, everyone: bool) -> str | None:
    return None if everyone else session.player


def _say_none(session: Session, everyone: bool, kind: str = "") -> None:
    whose = "anybody" if everyone else session.player
    output.say(f"ds: no {kind}game of {whose} has been played yet")
