"""Many games whose outcome is known beforehand, for statistics, ledger and lists.

They are beginnings of the checked games, of which the vectors say every score, so that what
is counted here owes nothing to the code under test.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, Final

from ds_events.ids import format_id, player_id
from tests.events.building import MODES, SECOND, START, utc, vectors, without

PLAYERS: Final = ("mika", "noor", "ada")


@dataclass(frozen=True)
class Known:
    """One game as ds-game/1 says it, and what follows from the definitions; times in µs."""

    line: dict[str, Any]
    id: int
    player: str
    mode: str
    status: str
    score: int
    moves: int
    version: int
    started_at: int
    first_at: int | None
    last_at: int | None
    idle: int
    undos: int
    recycles: int
    home: int

    @property
    def counts(self) -> bool:
        return self.moves >= 1

    @property
    def is_closed(self) -> bool:
        return self.status != "open"

    @property
    def ended_at(self) -> int:
        """When it was closed."""
        assert self.is_closed
        return self._end

    @property
    def duration(self) -> int:
        """From the first event to the last."""
        assert self.first_at is not None
        return self._end - self.first_at

    @property
    def _end(self) -> int:
        assert self.last_at is not None
        return self.last_at

    @property
    def key(self) -> tuple[int, int]:
        """By this the newest game is the largest."""
        return self.started_at, self.id


def some_games(seed: int, count: int) -> list[Known]:
    """Return games of all modes and states, with many equal times, in no order."""
    chance = Random(seed)
    return [_game(chance, chance.getrandbits(63)) for _ in range(count)]


def _game(chance: Random, game_id: int) -> Known:
    mode = chance.choice(MODES)
    ending = chance.choice(["won", "won", "open", "abandoned", "abandoned", "bare"])
    game = _source(chance, mode, ending)
    events = game["events"]
    if ending != "won":
        # Sometimes nothing has been played at all.
        events = events[: chance.choice([0, 1, 2, 5, 9])] if ending != "bare" else []
    moves = [event["move"] for event in events]
    scores = [event["score"] for event in events]
    if ending == "abandoned" or (ending == "bare" and chance.random() < 0.5):
        moves.append("X")
        scores.append(scores[-1] if scores else _start(mode))
    started_at = START + chance.randrange(5) * 3600 * SECOND
    times = _times(chance, started_at, len(moves))
    status = "won" if ending == "won" else "abandoned" if moves[-1:] == ["X"] else "open"
    player = chance.choice(PLAYERS)
    score = scores[-1] if scores else _start(mode)
    counted = sum(move not in "UX" for move in moves)
    stands = _stands(moves)
    line = without(game, "status", "score", "moves") | {
        "id": format_id(game_id),
        "player": player,
        "started_at": utc(started_at),
        "events": [
            {"seq": seq, "move": move, "score": score, "at": utc(at)}
            for seq, (move, score, at) in enumerate(zip(moves, scores, times, strict=True), 1)
        ],
        "status": status,
        "score": score,
        "moves": counted,
    }
    return Known(
        line=line,
        id=game_id,
        player=player,
        mode=mode,
        status=status,
        score=score,
        moves=counted,
        version=len(moves),
        started_at=started_at,
        first_at=times[0] if times else None,
        last_at=times[-1] if times else None,
        idle=sum(
            later - earlier for earlier, later in pairwise(times) if later - earlier > 300 * SECOND
        ),
        undos=moves.count("U"),
        recycles=stands.count("R"),
        home=sum(move.endswith("F") for move in stands)
        - sum(move.startswith("F") for move in stands),
    )


@cache
def _by_mode() -> dict[str, list[dict[str, Any]]]:
    sources: dict[str, list[dict[str, Any]]] = {mode: [] for mode in MODES}
    for game in vectors():
        sources[game.get("mode") or game["code"].split("-")[1]].append(game)
    return sources


def _source(chance: Random, mode: str, ending: str) -> dict[str, Any]:
    wanted = [game for game in _by_mode()[mode] if ending != "won" or game["status"] == "won"]
    return chance.choice(wanted)


def _stands(moves: Sequence[str]) -> list[str]:
    """Return the operations that have not been taken back."""
    stands: list[str] = []
    for move in moves:
        if move == "U":
            stands.pop()
        elif move != "X":
            stands.append(move)
    return stands


def _start(mode: str) -> int:
    return -104 if mode.endswith("V") else 0


def _times(chance: Random, started_at: int, count: int) -> list[int]:
    """Return times that begin after the start and end on few different moments."""
    first = started_at + chance.randrange(3 * SECOND)
    if chance.random() < 0.4:
        # A gap is idle time if it is longer than five minutes.
        limit = 300 * SECOND
        pauses = [0, 1, SECOND, limit - 1, limit, limit + 1, 2 * limit, -SECOND, -3 * limit]
        rare = [*pauses, *[2 * SECOND] * 20]
        gaps = chance.choices(rare if count > 20 else pauses, k=count)
        return [first + sum(gaps[1 : number + 1]) for number in range(count)]
    last = first + chance.choice([0, 999_999, SECOND, 3600 * SECOND, 90_000_001])
    if chance.random() < 0.7:
        last = started_at + 4 * SECOND
    return [first + (last - first) * i // max(count - 1, 1) for i in range(count)]


def id_of(player: str | None) -> int | None:
    return None if player is None else player_id(player)
