"""What reports say, as the documents that `--json` prints and that pages are made from."""

from typing import TYPE_CHECKING, Any, Final

from ds_cli import output
from ds_events.ids import format_id
from ds_events.stretch import Stretch, best_stretch, worst_stretch

if TYPE_CHECKING:
    from ds_events.measures import Run, Spread
    from ds_events.report import GameRow, Ledger
    from ds_events.statistics import ModeStatistics, Money, Play, Report, Statistics, Tally


FINDING_COLUMNS: Final = (
    *("game", "line", "seq", "move", "kind", "claimed", "expected", "drift", "message"),
)
"""The columns of faults and warnings: of an audit, an import, a rebuild."""


def game_document(row: "GameRow") -> dict[str, Any]:
    """Return a row of `ds games --json`."""
    return {
        "number": row.number,
        "game": format_id(row.id),
        "code": row.code,
        "label": row.label,
        "mode": row.mode,
        "player": str(row.player),
        "status": row.status,
        "score": row.score,
        "moves": row.moves,
        "seq": row.version,
        "started_at": output.utc(row.started_at),
        "last_at": output.utc(row.last_at),
        "ended_at": output.utc(row.ended_at),
        "duration_s": row.duration_s,
    }


def scores_document(player: str | None, found: "list[GameRow]") -> dict[str, Any]:
    """Return what `ds scores --json` prints; the player is `None` for everybody."""
    rows = [
        {
            "game": format_id(row.id),
            "code": row.code,
            "mode": row.mode,
            "started_at": output.utc(row.started_at),
            "status": row.status,
            "score": row.score,
            "moves": row.moves,
            "duration_s": row.duration_s,
        }
        for row in found
    ]
    return {"player": player, "rows": rows}


def ledger_document(player: str | None, ledger: "Ledger") -> dict[str, Any]:
    """Return what `ds vegas --json` prints; the player is `None` for everybody."""
    rows = [
        {
            "game": format_id(row.game.id),
            "code": row.game.code,
            "ended_at": output.utc(row.game.ended_at),
            "status": row.game.status,
            "score": row.game.score,
            "balance": row.balance,
        }
        for row in ledger.rows
    ]
    scores = [row.game.score for row in ledger.rows]
    return {
        "player": player,
        "games": len(rows),
        "staked": ledger.staked,
        "returned": ledger.returned,
        "net": ledger.net,
        "settled_net": ledger.settled_net,
        "best_stretch": _stretch(best_stretch(scores), rows),
        "worst_stretch": _stretch(worst_stretch(scores), rows),
        "rows": rows,
    }


def _stretch(found: "Stretch | None", rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    if found is None:
        return None
    first, last = rows[found.first]["game"], rows[found.last]["game"]
    return {"change": found.change, "games": found.games, "from": first, "to": last}


def statistics_document(
    player: str | None, found: "Report", by: str | None = None, tz: str | None = None
) -> dict[str, Any]:
    """Return what `ds stats --json` prints; the player is `None` for everybody.

    `tz` is the time zone of the periods, `None` for that of the machine.
    """
    document = {"player": player, **_of_games(found.whole)}
    if by is not None:
        periods = [{"period": name, **_of_games(of)} for name, of in found.periods.items()]
        document |= {"by": by, "tz": tz, "periods": periods}
    return document


def _of_games(found: "Statistics") -> dict[str, Any]:
    return {
        "modes": {mode: _of_mode(of) for mode, of in found.modes.items()},
        "total": {
            **_tally(found.total.tally),
            **_play(found.total.play),
            **_money(found.total.vegas),
        },
    }


def _of_mode(of: "ModeStatistics") -> dict[str, Any]:
    return {
        **_tally(of.tally),
        **_spread(of.scores, "score"),
        **_spread(of.won_scores, "won_score"),
        "current_streak": of.current_streak.length,
        "current_streak_from": output.utc(of.current_streak.first),
        **_run(of.longest_streak, "longest_streak"),
        "fastest_win_s": of.wins.fastest_s,
        "mean_win_s": of.wins.mean_s,
        "fastest_active_win_s": of.wins.fastest_active_s,
        "mean_active_win_s": of.wins.mean_active_s,
        "fewest_moves_win": of.wins.fewest_moves,
        **_play(of.play),
        "home_not_won_best": of.home_not_won.best,
        "home_not_won_mean": of.home_not_won.mean,
        **(dict.fromkeys(MONEY) if of.vegas is None else _money(of.vegas)),
    }


def _tally(tally: "Tally") -> dict[str, Any]:
    low, high = tally.win_interval or (None, None)
    return {
        "games": tally.games,
        "won": tally.won,
        "abandoned": tally.abandoned,
        "open": tally.open,
        "win_rate": tally.win_rate,
        "win_rate_low": low,
        "win_rate_high": high,
    }


def _spread(of: "Spread", what: str) -> dict[str, Any]:
    return {
        f"best_{what}": of.best,
        f"mean_{what}": of.mean,
        f"median_{what}": of.median,
        f"q1_{what}": of.q1,
        f"q3_{what}": of.q3,
    }


def _run(of: "Run", name: str) -> dict[str, Any]:
    return {
        name: of.length,
        f"{name}_from": output.utc(of.first),
        f"{name}_to": output.utc(of.last),
    }


def _play(of: "Play") -> dict[str, Any]:
    return {
        "active_s": of.active_s,
        "idle_s": of.idle_s,
        "moves": of.moves,
        "undos": of.undos,
        "passes": of.passes,
        "mean_moves": of.mean_moves,
        "mean_undos": of.mean_undos,
        "mean_passes": of.mean_passes,
    }


MONEY: Final = (
    *("staked", "returned", "net", "return_on_stake", "biggest_win", "biggest_loss"),
    *("longest_drought", "longest_drought_from", "longest_drought_to"),
)
"""The keys of the statistics that Vegas games alone have."""


def _money(of: "Money") -> dict[str, Any]:
    drought = _run(of.longest_drought, "longest_drought")
    said = [of.staked, of.returned, of.net, of.return_on_stake, of.biggest_win, of.biggest_loss]
    return dict(zip(MONEY, [*said, *drought.values()], strict=True))
