"""What databases hold before something is killed on them."""

from functools import cache
from random import Random
from typing import Final

from ds_core import BOTS, DEALS, MODES, GameCode, deal_code, parse_code, parse_moves, play_out
from ds_events.database import open_database
from ds_events.store import EventStore
from ds_events.transfer import BATCH_EVENTS, import_records
from tests.cli.games import GAMES
from tests.crash.checks import CODE, SPARE
from tests.crash.places import Template
from tests.events.older import make_older

_OLDEST: Final = "0001"
"""The schema that upgrades begin with."""


def _ready(url: str) -> None:
    """The newest schema without games."""
    open_database(url).close()


def _played(url: str) -> None:
    """Some games to their end, and one that goes on."""
    database = open_database(url)
    _fill(EventStore(database), whole_games=4)
    database.close()


def _many(url: str) -> None:
    """More games than a rebuild puts right in one transaction, each with a few moves."""
    database = open_database(url)
    store = EventStore(database)
    for number in range(230):
        deal = deal_code(GameCode(MODES["D1N"], number))
        store.record("mika", deal, parse_moves("D D U D"))
    _fill(store, whole_games=0)
    database.close()


def _old(url: str) -> None:
    """Some games in a database of the oldest schema."""
    make_older(url, _OLDEST, lambda store: _fill(store, whole_games=4)).close()


@cache
def few_lines() -> list[bytes]:
    """Return the short ones of the checked games, in the order of the file."""
    return [line for line in GAMES.read_bytes().splitlines() if len(line) < 50_000]


@cache
def many_lines() -> list[bytes]:
    """Return all checked games, the short ones for two players: more than one transaction."""
    again = [line.replace(b'"player":"vector"', b'"player":"noor"') for line in few_lines()]
    lines = GAMES.read_bytes().splitlines() + again
    assert sum(line.count(b'"seq"') for line in lines) > BATCH_EVENTS
    return lines


def _import(url: str, lines: list[bytes]) -> None:
    database = open_database(url)
    import_records(EventStore(database), enumerate(lines, 1), "mika")
    database.close()


def _fill(store: EventStore, *, whole_games: int) -> None:
    random = Random(1)
    for _ in range(whole_games):
        deal = deal_code(GameCode(MODES["D3V"], random.randrange(DEALS)))
        store.record("mika", deal, play_out(deal, BOTS["greedy"](random.random)))
    store.create(SPARE, deal_code(parse_code(CODE)))


READY: Final = Template(_ready)
PLAYED: Final = Template(_played)
MANY: Final = Template(_many)
WITH_FEW: Final = Template(lambda url: _import(url, few_lines()))
WITH_MANY: Final = Template(lambda url: _import(url, many_lines()))
OLD: Final = Template(_old)
