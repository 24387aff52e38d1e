"""The games that the races are run with, as rows of a table and as lines of a file."""

import json
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Final

from ds_core import Claim
from ds_events.ids import GameIds, format_id
from ds_events.store import EventStore
from ds_events.times import SECOND, format_time, parse_time
from tests.bench.raw import Row
from tests.records import VECTORS, GameRecord, games

RECORDED: Final = [game for game in games() if 270 <= len(game.claims) <= 400]
"""The recorded games of about 300 events: 302 on average."""

PLAYER: Final = "bench"

_BETWEEN_GAMES: Final = 3607 * SECOND


def rows(count: int) -> list[Row]:
    """Return the rows of the events of recorded games, under new ids."""
    ids = GameIds()
    return [row for game in islice(cycle(RECORDED), count) for row in rows_of(ids.new(), game)]


def rows_of(game_id: int, played: GameRecord) -> list[Row]:
    return [
        (game_id, claim.seq, claim.move, claim.score or 0, claim.at or 0) for claim in played.claims
    ]


def begun(store: EventStore, played: GameRecord, rest: int) -> tuple[int, Sequence[Claim]]:
    """Record a game but for the last moves, and return its id with those."""
    stored = store.record(PLAYER, played.deal, played.moves[:-rest])
    return stored.id, played.claims[-rest:]


def lines(count: int) -> list[bytes]:
    """Return recorded games as lines of ds-game/1, under new ids and each in its own time."""
    ids = GameIds()
    lengths = {len(game.claims) for game in RECORDED}
    with (VECTORS / "games.jsonl").open(encoding="utf-8") as vectors:
        said = [game for game in map(json.loads, vectors) if len(game["events"]) in lengths]
    written = []
    for number, game in enumerate(islice(cycle(said), count)):
        late = number * _BETWEEN_GAMES
        events = [{**event, "at": _later(event["at"], late)} for event in game["events"]]
        begun = {"id": format_id(ids.new()), "started_at": _later(game["started_at"], late)}
        written.append(json.dumps({**game, **begun, "events": events}).encode() + b"\n")
    return written


def _later(time: str, micros: int) -> str:
    return format_time(parse_time(time) + micros)
