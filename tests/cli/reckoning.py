"""Scores, ledger and statistics counted by hand from ds-game/1 lines, plainly and slowly.

It follows the definitions of the command line's page, and shares nothing with the SQL that
it is compared with.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from tests.cli.games import MODES, dealt, game, id_text, played, utc, vector

TALLY: Final = ("games", "won", "abandoned", "open", "win_rate")


def random_games(seed: int, count: int) -> list[dict[str, Any]]:
    """Return games of two players: won, abandoned, open, never played, in no order.

    Times are few, so that many games start and end at the same time.
    """
    chance = Random(seed)
    made = []
    for number in chance.sample(range(1, 10 * count), count):
        mode = chance.choice(MODES)
        kind = chance.choice(["won", "won", "abandoned", "open", "untouched", "given up at once"])
        if kind == "won":
            win = vector(label=f"APP-{mode}", status="won")
            moves = [event["move"] for event in win["events"]]
            said = dealt(*moves, cards=win["deck"].split(), mode=mode, label="app")
        else:
            moves = {
                "abandoned": ["D"] * chance.randint(1, 9) + ["U", "X"],
                "open": ["D", "T2T3", "U"][: chance.randint(1, 3)],
                "untouched": [],
                "given up at once": ["X"],
            }[kind]
            said = game(*moves, code=f"DS1-{mode}-AAAAAAB")
        start = 600 * chance.randint(0, 5)
        pace = chance.choice([0.4, 1, 2.5, 7.3])
        said |= {"id": id_text(number), "player": chance.choice(["mika", "kai"])}
        said["started_at"] = utc(seconds=start)
        for event in said["events"]:
            event["at"] = utc(seconds=start + int(pace * event["seq"]))
        made.append(said)
    return made


def scores(games: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of `ds scores --json`, from the oldest to the newest."""
    counting = sorted(_counting(games), key=lambda said: (said["started_at"], said["id"]))
    return [
        {
            "game": said["id"],
            "code": said.get("code"),
            "mode": _mode(said),
            "started_at": said["started_at"],
            "status": _end(said).status,
            "score": _end(said).board.score,
            "moves": _end(said).moves,
            "duration_s": _seconds(said),
        }
        for said in counting
    ]


def ledger(games: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what `ds vegas --json` gives, without the player."""
    vegas = [said for said in _counting(games) if _mode(said).endswith("V")]
    closed = [said for said in vegas if _end(said).status != "open"]
    still_open = [said for said in vegas if _end(said).status == "open"]
    rows = []
    balance = 0
    for said in _by_last_event(closed) + _by_last_event(still_open):
        balance += _end(said).board.score
        rows.append(
            {
                "game": said["id"],
                "code": said.get("code"),
                "ended_at": None if said in still_open else said["events"][-1]["at"],
                "status": _end(said).status,
                "score": _end(said).board.score,
                "balance": balance,
            }
        )
    staked = 104 * len(vegas)
    returned = sum(_end(said).board.score + 104 for said in vegas)
    return {
        "games": len(vegas),
        "staked": staked,
        "returned": returned,
        "net": returned - staked,
        "settled_net": sum(_end(said).board.score for said in closed),
        "rows": rows,
    }


def statistics(games: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what `ds stats --json` gives, without the player."""
    counting = _counting(games)
    by_mode = {mode: [said for said in counting if _mode(said) == mode] for mode in MODES}
    return {
        "modes": {mode: _of_mode(of) for mode, of in by_mode.items()},
        "total": _tally(counting),
    }


def _of_mode(games: list[Mapping[str, Any]]) -> dict[str, Any]:
    closed = _by_last_event([said for said in games if _end(said).status != "open"])
    won = [said for said in closed if _end(said).status == "won"]
    points = [_end(said).board.score for said in closed]
    run = longest = 0
    for said in closed:
        run = run + 1 if _end(said).status == "won" else 0
        longest = max(longest, run)
    return {
        **_tally(games),
        "best_score": max(points, default=None),
        "mean_score": sum(points) / len(points) if points else None,
        "current_streak": run,
        "longest_streak": longest,
        "fastest_win_s": min(map(_seconds, won), default=None),
        "fewest_moves_win": min((_end(said).moves for said in won), default=None),
    }


def _tally(games: list[Mapping[str, Any]]) -> dict[str, Any]:
    statuses = [_end(said).status for said in games]
    won, abandoned = statuses.count("won"), statuses.count("abandoned")
    rate = won / (won + abandoned) if won + abandoned else None
    counted = [len(statuses), won, abandoned, statuses.count("open"), rate]
    return dict(zip(TALLY, counted, strict=True))


def _counting(games: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """A game counts once its move counter is at least 1."""
    return [said for said in games if _end(said).moves >= 1]


_ENDS: dict[str, Any] = {}


def _end(said: Mapping[str, Any]) -> Any:
    """Return the game as it ends; the second model is too slow to play it each time."""
    key = f"{said.get('code') or said['mode']} {[event['move'] for event in said['events']]}"
    if key not in _ENDS:
        _ENDS[key] = played(said)
    return _ENDS[key]


def _mode(said: Mapping[str, Any]) -> str:
    return said["mode"] if "mode" in said else str(said["code"].split("-")[1])


def _by_last_event(games: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(games, key=lambda said: (said["events"][-1]["at"], said["id"]))


def _seconds(said: Mapping[str, Any]) -> int:
    times = [datetime.fromisoformat(event["at"]) for event in said["events"]]
    return (times[-1] - times[0]) // timedelta(seconds=1)
