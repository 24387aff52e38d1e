"""What reports say, as the documents that `--json` prints and that pages are made from."""

from typing import TYPE_CHECKING, Any

from ds_cli import output
from ds_events.ids import format_id

if TYPE_CHECKING:
    from ds_events.report import GameRow, Ledger
    from ds_events.statistics import Statistics, Tally


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
    return {
        "player": player,
        "games": len(rows),
        "staked": ledger.staked,
        "returned": ledger.returned,
        "net": ledger.net,
        "settled_net": ledger.settled_net,
        "rows": rows,
    }


def statistics_document(player: str | None, found: "Statistics") -> dict[str, Any]:
    """Return what `ds stats --json` prints; the player is `None` for everybody."""
    modes = {
        mode: {
            **_tally(of.tally),
            "best_score": of.best_score,
            "mean_score": of.mean_score,
            "current_streak": of.current_streak,
            "longest_streak": of.longest_streak,
            "fastest_win_s": of.fastest_win_s,
            "fewest_moves_win": of.fewest_moves_win,
        }
        for mode, of in found.modes.items()
    }
    return {"player": player, "modes": modes, "total": _tally(found.total)}


def _tally(tally: "Tally") -> dict[str, Any]:
    return {
        "games": tally.games,
        "won": tally.won,
        "abandoned": tally.abandoned,
        "open": tally.open,
        "win_rate": tally.win_rate,
    }
