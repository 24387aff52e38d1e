"""The peer of the store: the library `eventsourcing`, used as its documentation shows.

A game is an aggregate with one kind of event for a move; an application saves it and gets it
back. What was decided, where there was a choice:

- A command hands the peer the move and the score after it, which it takes as given: it checks
  no rule, keeps no board and writes no summary and no hash chain, so its folds are as cheap as
  folds can be. Its library keeps the time of each event, as ours does.
- Events are written by its default transcoder, JSON, without compression or encryption.
- `PLAIN` is the application as it is without any setting. `TUNED` has the aggregate cache, as
  large as ours, without fast-forward: nothing is read for a game that is in it, as nothing is
  by ours. A game from the cache is still copied for the caller, which is the default and what
  its documentation wants for commands; ours copies as well. On Postgres the tuned one inserts
  with the database function that the library offers for speed.
- The SQLite recorder switches to WAL and leaves `synchronous` as SQLite was compiled; here it
  is set to FULL, as on our side, and its connection is asked what holds.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import make_url

from tests.bench.measure import PeerMissing
from tests.bench.places import Place

try:
    from eventsourcing.application import Application
    from eventsourcing.domain import Aggregate, event
except ModuleNotFoundError as error:
    raise PeerMissing(error) from error

PLAIN: Final[dict[str, str]] = {}
"""The settings of the peer as it comes."""

CACHED: Final = {"AGGREGATE_CACHE_MAXSIZE": "64"}
"""With its cache, which reads what is new of a game each time it is asked for."""

TUNED: Final = {
    **CACHED,
    "AGGREGATE_CACHE_FASTFORWARD": "n",
    "POSTGRES_ENABLE_DB_FUNCTIONS": "y",
}
"""The settings of the peer at its fastest; those of the other engine do nothing."""


_PIPELINED: Final = 6
"""Games of 300 events that a save can hold in pipeline mode."""


class CardGame(Aggregate):
    """A game: how many moves it has had, and its score after the last."""

    @event("Started")
    def __init__(self, player: str, deal: str) -> None:
        self.player = player
        self.deal = deal
        self.moves = 0
        self.score = 0

    @event("MovePlayed")
    def play(self, move: str, score: int) -> None:
        """Take a move as played."""
        self.moves += 1
        self.score = score


class Games(Application):
    """The games in a database of their own."""

    at_once: int | None = None
    """How many games of 300 events one save can hold; `None` for any number."""

    def save_all(self, games: Sequence[CardGame]) -> None:
        """Save many games with as few calls of `save` as it takes."""
        for first in range(0, len(games), self.at_once or len(games)):
            self.save(*games[first:][: self.at_once])


def open_games(place: Place, settings: Mapping[str, str]) -> Games:
    """Return the application over an empty place; raises `NotDurable` if it cannot be so."""
    if place.is_sqlite:
        where = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": place.address}
    else:
        url = make_url(place.address)
        where = {
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": str(url.database),
            "POSTGRES_HOST": str(url.host or url.query["host"]),
            "POSTGRES_PORT": str(url.port or 5432),
            "POSTGRES_USER": str(url.username),
            "POSTGRES_PASSWORD": str(url.password or "none is asked for"),
        }
    games = Games({**where, **settings})
    if not place.is_sqlite and "POSTGRES_ENABLE_DB_FUNCTIONS" not in settings:
        games.at_once = _PIPELINED
    # All work is done by one thread, so that a pool keeps using the one connection it has.
    store = games.factory.datastore
    with store.get_connection(commit=True) if place.is_sqlite else store.get_connection() as used:
        cursor = used.cursor()
        if place.is_sqlite:
            cursor.execute("PRAGMA synchronous=FULL")

        def ask(statement: str) -> object:
            cursor.execute(statement)
            (answer,) = dict(cursor.fetchone()).values()
            return answer

        place.check_durable("eventsourcing", ask)
    return games
