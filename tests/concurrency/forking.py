"""A process that forks with a database open, and goes on in both; the child outlives it.

`python -m tests.concurrency.forking URL` writes a line for each append that was acknowledged:
the player of the game and its version. The child dies without closing anything.
"""

import os
import signal
import sys
import time
from typing import Final

from ds_events.database import open_database
from ds_events.store import EventStore
from tests.concurrency.work import DEAL

TOGETHER: Final = 100
"""Moves that each plays while the other plays as well."""

ALONE: Final = 20
"""Moves that the child plays after its parent has gone."""


def main(url: str) -> int:
    """Play in both processes."""
    database = open_database(url)
    store = EventStore(database)
    games = {player: store.create(player, DEAL).id for player in ("parent", "child")}
    # By now it has connections of each kind.
    for game_id in games.values():
        store.load(game_id)
    parent = os.getpid()
    who = "parent" if os.fork() else "child"
    _play(store, who, games[who], 0, TOGETHER)
    if who == "parent":
        database.close()
        return 0
    while os.getppid() == parent:
        time.sleep(0.01)
    _play(store, who, games[who], TOGETHER, TOGETHER + ALONE)
    os.kill(os.getpid(), signal.SIGKILL)
    return 1


def _play(store: EventStore, who: str, game_id: int, first: int, last: int) -> None:
    for version in range(first, last):
        after = store.append(game_id, ["U" if version % 2 else "D"], expected_version=version)
        os.write(1, f"{who} {after.version}\n".encode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
