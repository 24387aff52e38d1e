"""The store against its peer `eventsourcing` and against the physical limit, on both engines.

Our side does all that it always does: every move is checked by the rules, and the summary and
the hash chain are written in the same transaction. What the peer does stands in
`tests.bench.peer`. The limits are those who do no more than has to be done (`tests.bench.bare`),
and one bare table of events (`tests.bench.raw`). All of them commit as durably, and each has a
database of its own in the same folder or on the same server.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import psycopg

from ds_core import Claim, is_compiled
from ds_events.database import Database, open_database
from ds_events.lines import read_lines
from ds_events.store import EventStore
from ds_events.transfer import import_records
from tests.bench.bare import (
    COMPARED,
    INGREDIENTS,
    SAME_ROWS,
    bare_appends,
    bare_loads,
    compare,
    compared_imports,
    folded_appends,
    held_appends,
    play,
    trusting_imports,
)
from tests.bench.measure import OURS, Contestant, Outcome, Work, race
from tests.bench.peer import CACHED, PLAIN, TUNED, CardGame, Games, open_games
from tests.bench.places import Place, Places, postgres_places, sqlite_places
from tests.bench.raw import Raw, open_raw
from tests.bench.recorded import PLAYER, RECORDED, begun, lines, rows
from tests.records import GameRecord

PEER: Final = "eventsourcing"
PEER_CACHED: Final = "eventsourcing, cache"
PEER_TUNED: Final = "eventsourcing, tuned"
LIMIT: Final = "limit"

IN_MEMORY: Final = Path("/dev/shm")
"""A disk that costs nothing, where there is one: what is left of a commit is the software."""

BYTES: Final = "bytes an event"

FOLDS: Final = {INGREDIENTS: play, COMPARED: compare}
"""The limits of what folds a game, and how."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is done: the rounds of a race, and the work of one round.

    What a commit costs changes with whatever else the disk has to do, so that contestants
    who commit every move take turns often, after a few moves.
    """

    turns: int
    appends: int
    rounds: int
    loads: int
    imported: int
    sized: int


FULL: Final = Extent(turns=100, appends=40, rounds=11, loads=16, imported=40, sized=960)
QUICK: Final = Extent(turns=5, appends=8, rounds=3, loads=5, imported=15, sized=480)


def benches(quick: bool) -> Iterator[Outcome]:
    """Yield the outcome of each race on SQLite, then on Postgres."""
    extent = QUICK if quick else FULL
    for engine, all_places in (("sqlite", sqlite_places), ("postgres", postgres_places)):
        with all_places() as places:
            for bench in (append_held, load_and_append, append_cached, import_games, load_games):
                with ExitStack() as stack:
                    yield bench(Track(engine, places, stack, extent))
            yield from sizes(Track(engine, places, stack, extent))
    if IN_MEMORY.is_dir():
        with sqlite_places(IN_MEMORY) as places, ExitStack() as stack:
            yield append_held(Track("sqlite in memory", places, stack, extent), target=None)


@dataclass(frozen=True, slots=True)
class Track:
    """Where a race is held; what contestants open is closed when it is over."""

    engine: str
    places: Places
    stack: ExitStack
    extent: Extent

    def named(self, bench: str) -> str:
        """Name a race with its engine."""
        return f"{bench} [{self.engine}]"

    def database(self) -> Database:
        """Open an empty database of ours; raises `NotDurable`."""
        place = self.places()
        database = open_database(place.address)
        self.stack.callback(database.close)
        with database.read() as connection:
            place.check_durable(OURS, lambda ask: connection.exec_driver_sql(ask).scalar())
        return database

    def peer(self, settings: dict[str, str]) -> Games:
        """Open an empty application of the peer's; raises `NotDurable`."""
        return self.stack.enter_context(closing(open_games(self.places(), settings)))

    def raw(self) -> Raw:
        """Open an empty bare table; raises `NotDurable`."""
        return self.stack.enter_context(closing(open_raw(self.places())))


def append_held(track: Track, target: float | None = 1.5) -> Outcome:
    """One move a durable commit, in a game that is held in memory by all."""
    played = RECORDED[0]
    outcome = race(
        track.named("append, game held"),
        {
            OURS: _ours_appends(track, played),
            PEER: _peer_saves(track, played, PLAIN),
            PEER_TUNED: _peer_saves(track, played, TUNED),
            SAME_ROWS: bare_appends(track.database(), played, track.extent.appends),
            INGREDIENTS: held_appends(track.database(), played, track.extent.appends),
        },
        track.extent.turns,
    )
    outcome.faster(OURS, PEER, target).faster(OURS, PEER_TUNED, target)
    return outcome.limited(SAME_ROWS, INGREDIENTS)


def load_and_append(track: Track) -> Outcome:
    """Load a game of about 300 events, play a move on it and store it, with nothing kept.

    The peer's cache would be empty each time, so there is nothing to tune.
    """
    played = RECORDED[0]
    database = track.database()
    app = track.peer(PLAIN)

    def ours() -> Work:
        game_id, rest = begun(EventStore(database), played, track.extent.appends)

        def work() -> int:
            for claim in rest:
                store = EventStore(database)
                loaded = store.load(game_id)
                store.append(game_id, [claim.move], expected_version=loaded.version)
            return len(rest)

        return work

    outcome = race(
        track.named("load, decide, append"),
        {
            OURS: ours,
            PEER: _peer_plays(track, played, app),
            SAME_ROWS: bare_appends(track.database(), played, track.extent.appends, reads=True),
            **{
                limit: folded_appends(track.database(), played, track.extent.appends, fold)
                for limit, fold in FOLDS.items()
            },
        },
        track.extent.turns,
    )
    return outcome.faster(OURS, PEER, 10).limited(SAME_ROWS, *FOLDS)


def append_cached(track: Track) -> Outcome:
    """The same with the caches of both on.

    Ours holds the kept game against the database at every append. The peer's cache does so
    with fast-forward, which is its default; tuned it trusts that nobody else writes.
    """
    played = RECORDED[0]
    outcome = race(
        track.named("load, decide, append, cached"),
        {
            OURS: _ours_appends(track, played),
            PEER_CACHED: _peer_plays(track, played, track.peer(CACHED)),
            PEER_TUNED: _peer_plays(track, played, track.peer(TUNED)),
            SAME_ROWS: bare_appends(track.database(), played, track.extent.appends),
            INGREDIENTS: held_appends(track.database(), played, track.extent.appends),
        },
        track.extent.turns,
    )
    outcome.faster(OURS, PEER_CACHED, 1.5).faster(OURS, PEER_TUNED, 1.5)
    return outcome.limited(SAME_ROWS, INGREDIENTS)


def import_games(track: Track) -> Outcome:
    """Recorded games into the store: ours refereed line by line, the peer's built beforehand."""
    count = track.extent.imported
    store = EventStore(track.database())
    raw = track.raw()

    def ours() -> Work:
        file = b"".join(lines(count))

        def work() -> int:
            report = import_records(store, read_lines(BytesIO(file)), PLAYER)
            assert report.added == count, report.faults
            return report.events

        return work

    def bare() -> Work:
        ready = raw.ready(rows(count))

        def work() -> int:
            raw.load(ready)
            return len(ready)

        return work

    outcome = race(
        track.named("import"),
        {
            OURS: ours,
            PEER: _peer_imports(track.peer(PLAIN), count),
            PEER_TUNED: _peer_imports(track.peer(TUNED), count),
            INGREDIENTS: trusting_imports(track.database(), count),
            COMPARED: compared_imports(track.database(), count),
            raw.name: bare,
        },
        track.extent.rounds,
        counted="events",
    )
    outcome.faster(OURS, PEER, 3).faster(OURS, PEER_TUNED, 3)
    return outcome.limited(INGREDIENTS, COMPARED).faster(OURS, raw.name)


def load_games(track: Track) -> Outcome:
    """Load games from their events, with nothing kept: ours by the rules, all scores checked."""
    loads = track.extent.loads
    database = track.database()
    import_records(EventStore(database), read_lines(BytesIO(b"".join(lines(loads)))), PLAYER)
    with database.read() as connection:
        ours_ids = list(connection.exec_driver_sql("SELECT id FROM games").scalars())
    app = track.peer(PLAIN)
    peers = _aggregates(loads)
    app.save_all(peers)

    def ours() -> int:
        for game_id in ours_ids:
            EventStore(database).load(game_id)
        return loads

    def peer() -> int:
        for game in peers:
            app.repository.get(game.id)
        return loads

    outcome = race(
        track.named("load"),
        {
            OURS: lambda: ours,
            PEER: lambda: peer,
            SAME_ROWS: bare_loads(database, ours_ids),
            **{limit: bare_loads(database, ours_ids, fold) for limit, fold in FOLDS.items()},
        },
        track.extent.rounds,
    )
    return outcome.faster(OURS, PEER, 12 if is_compiled() else 8).limited(SAME_ROWS, *FOLDS)


def sizes(track: Track) -> Iterator[Outcome]:
    """All tables and indexes of a few hundred games, for each event."""
    count = track.extent.sized
    events = len(rows(count))
    kept = {OURS: track.places(), "raw": track.places()}
    database = open_database(kept[OURS].address)
    with closing(database):
        import_records(EventStore(database), read_lines(BytesIO(b"".join(lines(count)))), PLAYER)
    with closing(open_raw(kept["raw"])) as raw:
        raw.load(raw.ready(rows(count)))

    def weigh(bench: str, limit: float) -> Outcome:
        costs = {who: _bytes(place) / events for who, place in kept.items()}
        outcome = Outcome(track.named(bench), BYTES, {**costs, LIMIT: limit})
        return outcome.dearer(OURS, LIMIT, 1).dearer(OURS, "raw")

    if track.engine == "postgres":
        yield weigh("size", 105)
        return
    yield weigh("size as written", 40)
    for place in kept.values():
        with closing(sqlite3.connect(place.address)) as connection:
            connection.execute("VACUUM")
    yield weigh("size after VACUUM", 32)


def _ours_appends(track: Track, played: GameRecord) -> Contestant:
    """Append the last moves of a game to it one by one, kept by the store."""
    store = EventStore(track.database())

    def ready() -> Work:
        game_id, rest = begun(store, played, track.extent.appends)
        version = store.load(game_id).version

        def work() -> int:
            for seq, claim in enumerate(rest, version):
                store.append(game_id, [claim.move], expected_version=seq)
            return len(rest)

        return work

    return ready


def _peer_saves(track: Track, played: GameRecord, settings: dict[str, str]) -> Contestant:
    """Play the last moves of a game on an aggregate that is held, saved after each."""
    app = track.peer(settings)

    def ready() -> Work:
        game, rest = _saved(app, played, track.extent.appends)

        def work() -> int:
            for claim in rest:
                game.play(claim.move, claim.score)
                app.save(game)
            return len(rest)

        return work

    return ready


def _peer_plays(track: Track, played: GameRecord, app: Games) -> Contestant:
    """Get a game from the repository for each of its last moves, play the move and save it."""

    def ready() -> Work:
        game, rest = _saved(app, played, track.extent.appends)
        game_id = game.id
        app.repository.get(game_id)

        def work() -> int:
            for claim in rest:
                got = app.repository.get(game_id)
                got.play(claim.move, claim.score)
                app.save(got)
            return len(rest)

        return work

    return ready


def _peer_imports(app: Games, count: int) -> Contestant:
    """Save many games at once, which have been built before."""

    def ready() -> Work:
        built = _aggregates(count)
        events = len(rows(count))

        def work() -> int:
            app.save_all(built)
            return events

        return work

    return ready


def _saved(app: Games, played: GameRecord, rest: int) -> tuple[CardGame, Sequence[Claim]]:
    """Save a game of the peer's but for the last moves, and return it with those."""
    game = _aggregate(played, played.claims[:-rest])
    app.save(game)
    return game, played.claims[-rest:]


def _aggregate(played: GameRecord, claims: Sequence[Claim]) -> CardGame:
    game: CardGame = CardGame(PLAYER, str(played.deal.code))
    for claim in claims:
        game.play(claim.move, claim.score)
    return game


def _aggregates(count: int) -> list[CardGame]:
    return [_aggregate(played, played.claims) for played in islice(cycle(RECORDED), count)]


def _bytes(place: Place) -> int:
    """Return what a database takes: the whole file, or all tables with their indexes."""
    if place.is_sqlite:
        return Path(place.address).stat().st_size
    with psycopg.connect(place.address) as connection:
        found = connection.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        ).fetchone()
    return int(found[0]) if found else 0
