"""Scores, ledger and statistics counted by hand from ds-game/1 lines, plainly and slowly.

It follows the definitions of the command line's page, and shares nothing with the SQL that
it is compared with.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, floor, sqrt
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from tests.cli.games import MODES, dealt, game, id_text, played, utc, vector

_NIGHTS: Final = [
    (datetime.fromisoformat(night) - datetime.fromisoformat("2026-11-30T00:00Z")).total_seconds()
    for night in (
        *("2026-11-30T14:30Z", "2026-12-31T14:30Z", "2026-12-31T22:30Z"),
        *("2027-01-03T22:30Z", "2027-03-28T00:30Z", "2026-10-25T00:30Z", "2026-10-24T21:30Z"),
    )
]


def random_games(seed: int, count: int) -> list[dict[str, Any]]:
    """Return games of two players: won, abandoned, open, never played, in no order.

    Times are few, so that many games start and end at the same time.
    """
    chance = Random(seed)
    made = []
    for number in chance.sample(range(1, 10 * count), count):
        mode = chance.choice(MODES)
        kind = chance.choice(
            ["won", "won", "given up late", "abandoned", "open", "untouched", "given up at once"]
        )
        if kind in ("won", "given up late"):
            win = vector(label=f"APP-{mode}", status="won")
            moves = [event["move"] for event in win["events"]]
            if kind == "given up late":
                moves = [*moves[: chance.choice([70, 110, len(moves) - 2])], "X"]
            said = dealt(*moves, cards=win["deck"].split(), mode=mode, label="app")
        else:
            moves = {
                "abandoned": ["D"] * chance.randint(1, 9) + ["U", "X"],
                "open": ["D", "T2T3", "U"][: chance.randint(1, 3)],
                "untouched": [],
                "given up at once": ["X"],
            }[kind]
            said = game(*moves, code=f"DS1-{mode}-AAAAAAB")
        # Around midnight in Tokyo, around new year and where the clocks of Berlin are changed.
        night = chance.choice(_NIGHTS) if chance.random() < 0.4 else _NIGHTS[0]
        start = night + 600 * chance.randint(0, 2)
        pace = chance.choice([0.4, 1, 2.5, 7.3])
        gaps: list[float] = [int(pace * (number + 1)) - int(pace * number) for number in range(400)]
        if chance.random() < 0.4:
            for place in chance.sample(range(400), 60):
                gaps[place] = chance.choice([300, 300.000001, 301, 4000, -2])
        after = list(accumulate(gaps))
        said |= {"id": id_text(number), "player": chance.choice(["mika", "kai"])}
        said["started_at"] = utc(seconds=start)
        for event in said["events"]:
            event["at"] = utc(seconds=start + after[event["seq"] - 1])
        if said["events"] and chance.random() < 0.5:
            # Many games end together.
            said["events"][-1]["at"] = utc(seconds=night + 6000)
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
        "best_stretch": _stretch(rows, 1),
        "worst_stretch": _stretch(rows, -1),
        "rows": rows,
    }


def statistics(
    games: Iterable[Mapping[str, Any]], by: str | None = None, zone: str | None = None
) -> dict[str, Any]:
    """Return what `ds stats --json` gives, without the player."""
    counting = _counting(games)
    found = _of_games(counting)
    if by is None:
        return found
    names = [period(said["started_at"], by, zone or "Asia/Tokyo") for said in counting]
    periods = [
        {
            "period": name,
            **_of_games([said for said, its in zip(counting, names, strict=True) if its == name]),
        }
        for name in sorted(set(names))
    ]
    return {**found, "by": by, "tz": zone, "periods": periods}


def period(time: str, by: str, zone: str) -> str:
    """Return the name of the period that a time is in."""
    form = {"day": "%Y-%m-%d", "week": "%G-W%V", "month": "%Y-%m"}[by]
    return datetime.fromisoformat(time).astimezone(ZoneInfo(zone)).strftime(form)


def _of_games(counting: list[Mapping[str, Any]]) -> dict[str, Any]:
    vegas = [said for said in counting if _mode(said).endswith("V")]
    return {
        "modes": {
            mode: _of_mode([said for said in counting if _mode(said) == mode], mode)
            for mode in MODES
        },
        "total": {**_tally(counting), **_played(counting), **_money(vegas)},
    }


def _of_mode(games: list[Mapping[str, Any]], mode: str) -> dict[str, Any]:
    closed = _by_last_event([said for said in games if _end(said).status != "open"])
    won = [said for said in closed if _end(said).status == "won"]
    streaks = _streaks([_end(said).status == "won" for said in closed])
    now, longest = [
        [closed[place]["events"][-1]["at"] for place in streak]
        for streak in (
            streaks[-1] if streaks and streaks[-1][-1] == len(closed) - 1 else [],
            max(streaks, key=len, default=[]),
        )
    ]
    home = [_home(said) for said in closed if _end(said).status == "abandoned"]
    active = [_micros(said) - _idle(said) for said in won]
    return {
        **_tally(games),
        **_spread([_end(said).board.score for said in closed], "score"),
        **_spread([_end(said).board.score for said in won], "won_score"),
        "current_streak": len(now),
        "current_streak_from": now[0] if now else None,
        "longest_streak": len(longest),
        "longest_streak_from": longest[0] if longest else None,
        "longest_streak_to": longest[-1] if longest else None,
        "fastest_win_s": min(map(_seconds, won), default=None),
        "mean_win_s": _mean([Fraction(_micros(said), 10**6) for said in won]),
        "fastest_active_win_s": min((micros // 10**6 for micros in active), default=None),
        "mean_active_win_s": _mean([Fraction(micros, 10**6) for micros in active]),
        "fewest_moves_win": min((_end(said).moves for said in won), default=None),
        **_played(games),
        "home_not_won_best": max(home, default=None),
        "home_not_won_mean": _mean(home),
        **(_money(games) if mode.endswith("V") else dict.fromkeys(_MONEY)),
    }


def _streaks(hits: list[bool]) -> list[list[int]]:
    """Return the places of each run of hits."""
    places = [place for place, hit in enumerate(hits) if hit]
    starts = [place for place in places if place == 0 or not hits[place - 1]]
    ends = [place for place in places if place + 1 == len(hits) or not hits[place + 1]]
    return [list(range(start, end + 1)) for start, end in zip(starts, ends, strict=True)]


def _spread(numbers: list[int], what: str) -> dict[str, Any]:
    return {
        f"best_{what}": max(numbers, default=None),
        f"mean_{what}": _mean(numbers),
        f"median_{what}": _quantile(numbers, Fraction(1, 2)),
        f"q1_{what}": _quantile(numbers, Fraction(1, 4)),
        f"q3_{what}": _quantile(numbers, Fraction(3, 4)),
    }


def _quantile(numbers: list[int], share: Fraction) -> float | None:
    """Interpolate between the two ranks that a share of the way lies between."""
    if not numbers:
        return None
    place = share * (len(numbers) - 1)
    below, above = sorted(numbers)[floor(place)], sorted(numbers)[ceil(place)]
    return float(below + (above - below) * (place - floor(place)))


def _mean(numbers: Sequence[int | Fraction]) -> float | None:
    return float(Fraction(sum(numbers)) / len(numbers)) if numbers else None


def _tally(games: list[Mapping[str, Any]]) -> dict[str, Any]:
    statuses = [_end(said).status for said in games]
    won, abandoned = statuses.count("won"), statuses.count("abandoned")
    closed = won + abandoned
    low = high = rate = None
    if closed:
        rate = won / closed
        # Wilson: where (p - rate)^2 = z^2 p (1 - p) / n, a quadratic in p.
        z = 1.96 - 3.6015460e-5
        a, b, c = 1 + z * z / closed, -2 * rate - z * z / closed, rate * rate
        root = sqrt(max(b * b - 4 * a * c, 0))
        low, high = (-b - root) / (2 * a), (-b + root) / (2 * a)
    return {
        "games": len(statuses),
        "won": won,
        "abandoned": abandoned,
        "open": statuses.count("open"),
        "win_rate": rate,
        "win_rate_low": low,
        "win_rate_high": high,
    }


def _played(games: list[Mapping[str, Any]]) -> dict[str, Any]:
    idle = sum(map(_idle, games))
    moves = [_end(said).moves for said in games]
    undos = [_end(said).undos for said in games]
    passes = [1 + _end(said).stands.count("R") for said in games]
    return {
        "active_s": (sum(map(_micros, games)) - idle) // 10**6,
        "idle_s": idle // 10**6,
        "moves": sum(moves),
        "undos": sum(undos),
        "passes": sum(passes),
        "mean_moves": _mean(moves),
        "mean_undos": _mean(undos),
        "mean_passes": _mean(passes),
    }


_MONEY: Final = (
    *("staked", "returned", "net", "return_on_stake", "biggest_win", "biggest_loss"),
    *("longest_drought", "longest_drought_from", "longest_drought_to"),
)


def _money(games: list[Mapping[str, Any]]) -> dict[str, Any]:
    book = ledger(games)
    settled = [row for row in book["rows"] if row["status"] != "open"]
    droughts = _streaks([row["score"] <= 0 for row in settled])
    longest = [settled[place]["ended_at"] for place in max(droughts, key=len, default=[])]
    return {
        **{key: book[key] for key in ("staked", "returned", "net")},
        "return_on_stake": book["net"] / book["staked"] if games else None,
        "biggest_win": max((row["score"] for row in settled if row["score"] > 0), default=None),
        "biggest_loss": min((row["score"] for row in settled if row["score"] < 0), default=None),
        "longest_drought": len(longest),
        "longest_drought_from": longest[0] if longest else None,
        "longest_drought_to": longest[-1] if longest else None,
    }


def _stretch(rows: list[dict[str, Any]], sign: int) -> dict[str, Any] | None:
    """Try all runs of rows for that of the greatest gain, or loss for -1.

    Of equal ones it is the one that ends first, then the shortest.
    """
    found: tuple[int, int, int] | None = None
    for last in range(len(rows)):
        change = 0
        for first in range(last, -1, -1):
            change += rows[first]["score"]
            if sign * change > (0 if found is None else sign * found[2]):
                found = first, last, change
    if found is None:
        return None
    first, last, change = found
    return {
        "change": change,
        "games": last - first + 1,
        "from": rows[first]["game"],
        "to": rows[last]["game"],
    }


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


def _home(said: Mapping[str, Any]) -> int:
    return sum(map(len, _end(said).board.foundations))


def _times(said: Mapping[str, Any]) -> list[datetime]:
    return [datetime.fromisoformat(event["at"]) for event in said["events"]]


def _micros(said: Mapping[str, Any]) -> int:
    times = _times(said)
    return (times[-1] - times[0]) // timedelta(microseconds=1)


def _idle(said: Mapping[str, Any]) -> int:
    gaps = [later - earlier for earlier, later in pairwise(_times(said))]
    long = [gap for gap in gaps if gap > timedelta(minutes=5)]
    return sum(long, timedelta()) // timedelta(microseconds=1)


def _seconds(said: Mapping[str, Any]) -> int:
    return _micros(said) // 10**6
