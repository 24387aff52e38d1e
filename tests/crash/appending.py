"""A process that plays games of its own, batch by batch, until it is killed.

`python -m tests.crash.appending URL SEED` writes a line for each append that the store has
acknowledged. What it plays follows from the seed, so whoever reads the lines can tell what
has to be in the record, and what may be there besides: the one batch that was under way.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, count
from random import Random
from typing import Final

from ds_core import BOTS, DEALS, MODES, Deal, GameCode, deal_code, play_out
from ds_events.database import open_database
from ds_events.errors import StoreError
from ds_events.record import StoredGame
from ds_events.store import EventStore

LARGEST_BATCH: Final = 4

_MODES: Final = tuple(MODES.values())


@dataclass(frozen=True)
class Plan:
    """A game to be played to its end in batches of moves."""

    deal: Deal
    batches: tuple[tuple[str, ...], ...]

    @property
    def versions(self) -> list[int]:
        """The versions between batches, from 0 on: at no other may the game ever be found."""
        return list(accumulate(map(len, self.batches), initial=0))

    @property
    def moves(self) -> list[str]:
        return [move for batch in self.batches for move in batch]

    def batch_at(self, version: int) -> tuple[str, ...] | None:
        """The batch that is due at a version between batches, `None` at the end."""
        number = self.versions.index(version)
        return self.batches[number] if number < len(self.batches) else None


@dataclass(frozen=True)
class Acknowledged:
    """One line of an appending process: its game's number, id and version by then."""

    number: int
    game_id: int
    version: int

    def __str__(self) -> str:
        return f"{self.number} {self.game_id} {self.version}"


@dataclass(frozen=True)
class Told:
    """All that an appending process told: its acknowledged appends, and why it gave up."""

    appends: list[Acknowledged]
    error: str | None = None
    """The name of the error that ended it and its message, if it was not killed."""


@lru_cache(maxsize=256)
def planned(seed: int, number: int) -> Plan:
    """Return the game of that number, from 0, that an appending process plays."""
    random = Random(f"{seed}:{number}")
    code = GameCode(random.choice(_MODES), random.randrange(DEALS))
    deal = deal_code(code)
    moves = [move.text for move in play_out(deal, BOTS["greedy"](random.random))]
    batches = []
    while moves:
        size = random.randint(1, LARGEST_BATCH)
        batches.append(tuple(moves[:size]))
        del moves[:size]
    return Plan(deal, tuple(batches))


def player_of(seed: int) -> str:
    """Return the player who has the games of an appending process, and no others."""
    return f"appending {seed}"


def play(
    store: EventStore, seed: int, number: int, tell: Callable[[Acknowledged], object]
) -> StoredGame:
    """Create and play one planned game, telling of each step once it is acknowledged."""
    plan = planned(seed, number)
    game = store.create(player_of(seed), plan.deal)
    tell(Acknowledged(number, game.id, game.version))
    for batch in plan.batches:
        game = store.append(game.id, batch, expected_version=game.version)
        tell(Acknowledged(number, game.id, game.version))
    return game


def parse_told(said: str) -> Told:
    """Return what an appending process told; a line that it could not finish counts for nothing."""
    appends: list[Acknowledged] = []
    for line in said.splitlines(keepends=True):
        if line.startswith("! "):
            return Told(appends, line[2:].rstrip())
        if line.endswith("\n"):
            appends.append(Acknowledged(*map(int, line.split())))
    return Told(appends)


def main(url: str, seed: int) -> int:
    """Play until killed, or until the database fails."""
    try:
        store = EventStore(open_database(url))
        for number in count():
            play(store, seed, number, lambda done: _say(str(done)))
    except StoreError as error:
        _say(f"! {type(error).__name__}: {error}")
    return 3


def _say(line: str) -> None:
    # Past every buffer: what this process holds back dies with it.
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
