"""Games that a bot plays, recorded like any other."""

from collections.abc import Iterator, Sequence
from random import Random

from ds_core import BOTS, DEALS, GameCode, Mode, deal_code, play_out
from ds_events.record import StoredGame
from ds_events.store import EventStore


def simulate(
    store: EventStore, player: str, *, count: int, bot: str, modes: Sequence[Mode], seed: int
) -> Iterator[StoredGame]:
    """Yield games as a bot has played and recorded them, each closed, the modes in turn.

    The same seed, bot and modes give the same codes, moves and scores on every machine.
    """
    for number in range(count):
        # Only `random` is promised to give the same numbers in every version of Python.
        chance = Random(f"{seed}:{number}").random
        deal = deal_code(GameCode(modes[number % len(modes)], int(chance() * DEALS)))
        yield store.record(player, deal, play_out(deal, BOTS[bot](chance)))
