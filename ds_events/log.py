"""Rows of the log: how games and events are inserted, read and folded.

Each function works in the transaction of the connection it is given.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import islice
from operator import itemgetter
from types import ModuleType
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, Select, bindparam, insert, select

from ds_core import (
    Game,
    RulesError,
    confirm,
    deal_cards,
    deal_code,
    format_deck,
    judge,
    parse_code,
    parse_deck,
    parse_mode,
)
from ds_events import chain, postgres, sqlite, summary
from ds_events.bare import Asked, Bare
from ds_events.errors import (
    CorruptLog,
    DatabaseError,
    GameNotFound,
    WrongExpectedVersion,
    damage_told,
)
from ds_events.ids import format_id
from ds_events.record import Event, Header, Player, StoredGame
from ds_events.schema import KeptGame, LogRow, games, players, summaries
from ds_events.times import Micros, idle_time

PAGE: Final = 1000
"""Ids that are read, or asked for, at once."""

SPAN_GAMES: Final = 100
SPAN_EVENTS: Final = 20_000
"""Games and events that one transaction looks at: a small part of the lock time-out."""


class Span(NamedTuple):
    """Games that are looked at together: the first and the last id, both included."""

    first: int
    last: int


# Statements that are made once: to build one takes longer than to run it.
_IDS: Final = select(games.c.id).where(games.c.id > bindparam("after")).order_by(games.c.id)
_SIZES: Final = (
    select(games.c.id, summaries.c.version)
    .outerjoin(summaries, summaries.c.game_id == games.c.id)
    .where(games.c.id > bindparam("after"))
    .order_by(games.c.id)
)
_GAMES: Final = (
    select(games, players.c.name)
    .outerjoin(players, players.c.id == games.c.player_id)
    .where(games.c.id.between(bindparam("first"), bindparam("last")))
    .order_by(games.c.id)
)
_SUMMARIES: Final = select(summaries).where(
    summaries.c.game_id.between(bindparam("first"), bindparam("last"))
)

# What is read all the time is asked of the driver itself; events come as `LogRow`.
VERSION_QUERY: Final = "SELECT version FROM summaries WHERE game_id = {place}"
LOG_QUERY: Final = (
    "SELECT seq, move, score, {at} FROM events "
    "WHERE game_id = {place} AND seq BETWEEN {place} AND {place} ORDER BY seq"
)
# A game and its events with one statement: all is of one snapshot, and to ask a server twice
# takes a quarter longer. The game is the first row, as JSON in the place of a move.
GAME_QUERY: Final = (
    "SELECT {place} AS seq, CAST({json}(games.id, games.player_id, code, games.mode, deck, label, "
    "name, version, {head}, idle) AS text) AS move, 0 AS score, {started_at} AS at FROM games "
    "LEFT JOIN players ON players.id = games.player_id "
    "LEFT JOIN summaries ON game_id = games.id WHERE games.id = {place} "
    f"UNION ALL SELECT * FROM ({LOG_QUERY}) AS logged"
)

LOWEST: Final = -(2**63)
HIGHEST: Final = 2**63 - 1
"""The bounds of a column on either database: also a seq that no append wrote is read."""


def insert_games(connection: Connection, batch: Iterable[StoredGame]) -> set[int]:
    """Insert games with their players and summaries, and return the ids that were free.

    A game whose id is taken, also by one further up in the batch, is left out. The events
    come after them.
    """
    given: dict[int, StoredGame] = {}
    for stored in batch:
        given.setdefault(stored.id, stored)
    # In the order of their ids: whoever inserts some of the same at the same time waits for
    # the other, and never each for each.
    wanted = [given[game_id] for game_id in sorted(given.keys() - _taken(connection, given))]
    if not wanted:
        return set()
    _insert_players(connection, {stored.header.player for stored in wanted})
    adding = _dialect(connection).insert(games).on_conflict_do_nothing().returning(games.c.id)
    added = set(connection.scalars(adding, [_game_row(stored.header) for stored in wanted]))
    rows = [summary.summarise(stored) for stored in wanted if stored.id in added]
    if rows:
        connection.execute(insert(summaries), rows)
    return added


def insert_events(connection: Connection, appended: Iterable[tuple[int, Iterable[LogRow]]]) -> None:
    """Append events to the logs of games; the database refuses a seq that is there already."""
    rows = [(game_id, *event) for game_id, events in appended for event in events]
    if rows:
        _backend(connection).insert_events(connection, rows)


def append(connection: Asked, after: StoredGame, appended: Sequence[LogRow], expected: int) -> bool:
    """Append events that have led to a game, if it is at version `expected`.

    Returns whether it was; else nothing is changed. This is what lets a single writer win
    each seq.
    """
    bare = bare_of(connection)
    done: bool = bare.backend.append(bare, after.id, appended, summary.changes(after), expected)
    return done


def pages(connection: Connection, found: Select[Any], **values: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a statement that asks for those behind `after` by their first column.

    They are read some at a time. Raises `DatabaseError` where they are not in order, as only
    a damaged file has them, which could go on for ever.
    """
    after = LOWEST
    found = found.limit(PAGE)
    while page := connection.execute(found, {**values, "after": after}).all():
        for row in page:
            if row[0] <= after:
                raise DatabaseError("the database is damaged: its games are not in order of id")
            after = row[0]
            yield row


def all_ids(connection: Connection) -> Iterator[int]:
    """Yield the id of every game, in order."""
    for (game_id,) in pages(connection, _IDS):
        yield game_id


def spans(connection: Connection) -> Iterator[Span]:
    """Yield spans of ids in order, each with as much as one transaction is to look at.

    Together they hold every game there is, and any that comes to be.
    """
    first, size, held = LOWEST, 0, 0
    for game_id, version in pages(connection, _SIZES):
        size += 1
        held += version or 0
        if size >= SPAN_GAMES or held >= SPAN_EVENTS:
            yield Span(first, game_id)
            first, size, held = game_id + 1, 0, 0
    yield Span(first, HIGHEST)


def read_span(connection: Connection, span: Span) -> list[tuple[Row[Any], Row[Any] | None]]:
    """Return each game of a span in order, with its player's name, and its summary if any."""
    kept = {row.game_id: row for row in connection.execute(_SUMMARIES, span._asdict())}
    return [(row, kept.get(row.id)) for row in connection.execute(_GAMES, span._asdict())]


def read_version(connection: Asked, game_id: int) -> int:
    """Return how many events a game has had; raises `GameNotFound` or `CorruptLog`."""
    for (version,) in _asked(connection, VERSION_QUERY, game_id):
        if type(version) is not int:
            raise _damaged_summary(game_id)
        return version
    read_header(connection, game_id)
    raise _no_summary(game_id)


def read_header(connection: Asked, game_id: int) -> Header:
    """Return a game's header; raises `GameNotFound` or `CorruptLog`."""
    with damage_told(game_id):
        return header_of(_read_game(connection, game_id, upto=LOWEST)[0])


def _read_game(connection: Asked, game_id: int, upto: int) -> tuple[KeptGame, list[LogRow]]:
    """Return what is kept of a game, and its events up to and with `upto`."""
    rows = _asked(connection, GAME_QUERY, LOWEST, game_id, game_id, LOWEST, upto)
    # Most likely they come so; but a union promises no order.
    rows.sort(key=itemgetter(0))
    if not rows or rows[0][0] != LOWEST:
        raise GameNotFound(f"there is no game {format_id(game_id)}: `ds games` lists them")
    (_, kept, _, started_at), *log = rows
    return KeptGame._make([*json.loads(kept), started_at]), log


def header_of(row: KeptGame | Row[Any]) -> Header:
    """Return the header of a row of `games` with its player's name; raises `CorruptLog`."""
    try:
        if row.code is not None:
            deal = deal_code(parse_code(row.code))
            kept, written = row.code, str(deal.code)
        else:
            deal = deal_cards(parse_mode(row.mode or ""), parse_deck(row.deck or ""), row.label)
            kept, written = row.deck, format_deck(deal.cards)
    except RulesError as error:
        raise CorruptLog(row.id, None, f"its deal cannot be read: {error}") from error
    if kept != written:
        raise CorruptLog(row.id, None, f"its deal is written {kept!r}, and not {written!r}")
    return Header(row.id, Player(row.player_id, row.name), deal, row.started_at)


def read_events(
    connection: Asked, game_id: int, after: int | None = None, upto: int | None = None
) -> list[Event]:
    """Return a game's events in order, those behind seq `after`, up to and with `upto`."""
    return list(map(Event._make, read_log(connection, game_id, after, upto)))


def read_log(
    connection: Asked, game_id: int, after: int | None = None, upto: int | None = None
) -> list[LogRow]:
    """Return the same as plain rows, which is faster."""
    first = LOWEST if after is None else after + 1
    last = HIGHEST if upto is None else upto
    return _asked(connection, LOG_QUERY, game_id, first, last)


def load(connection: Asked, game_id: int, upto: int | None = None) -> StoredGame:
    """Return a game folded from its log by the rules, whole or up to event `upto`.

    Every number and score in the log is held against the fold. Raises `GameNotFound`,
    `CorruptLog`, and `WrongExpectedVersion` if the game has not come as far as `upto`.
    """
    return load_with_log(connection, game_id, upto)[0]


def load_with_log(
    connection: Asked, game_id: int, upto: int | None = None
) -> tuple[StoredGame, list[LogRow]]:
    """Return the same with the log that it was folded from."""
    with damage_told(game_id):
        return _load(connection, game_id, upto)


def _load(connection: Asked, game_id: int, upto: int | None) -> tuple[StoredGame, list[LogRow]]:
    last = HIGHEST if upto is None else min(max(upto, LOWEST), HIGHEST)
    row, log = _read_game(connection, game_id, last)
    header, version, idle, head = header_of(row), row.version, row.idle, row.head or ""
    if version is None:
        raise _no_summary(game_id)
    # A damaged file can hold anything.
    if type(version) is not int or type(idle) is not int or len(head) != 2 * chain.HEAD_SIZE:
        raise _damaged_summary(game_id)
    if upto is not None and not 0 <= upto <= version:
        raise WrongExpectedVersion(game_id, upto, version)
    if len(log) != (version if upto is None else upto):
        reason = f"it has {len(log)} events where its summary counts {version}"
        raise CorruptLog(game_id, None, reason)
    game = fold_log(header, log)
    if upto is not None:
        return StoredGame(header, game, *times_of(log), chain_of(header, log)), log
    return StoredGame(header, game, *_ends_of(log), idle, bytes.fromhex(head)), log


def fold_log(header: Header, log: Sequence[LogRow]) -> Game:
    """Return the game that a log makes; raises `CorruptLog` where it contradicts the rules."""
    game = confirm(header.deal, log, header.started_at)
    if game is None:
        # Most often it is damaged; but times may also run backwards in what was imported.
        verdict = judge(header.deal, log, None, header.started_at)
        for fault in verdict.faults:
            raise CorruptLog(header.id, fault.seq, fault.message)
        game = verdict.game
    return game


def chain_of(header: Header, log: Iterable[LogRow]) -> bytes:
    """Return the head of the hash chain over a header and its events."""
    genesis = chain.genesis(header.id, header.player.id, header.deal, header.started_at)
    return chain.extend(genesis, log)


def times_of(log: Sequence[LogRow]) -> tuple[Micros | None, Micros | None, Micros]:
    """Return the times of the first and the last event, `None` where there is none, and idle."""
    return *_ends_of(log), idle_time([row[3] for row in log])


def _ends_of(log: Sequence[LogRow]) -> tuple[Micros | None, Micros | None]:
    return (log[0][3], log[-1][3]) if log else (None, None)


def _taken(connection: Connection, ids: Iterable[int]) -> set[int]:
    """Return those of some ids that games have."""
    taken: set[int] = set()
    rest = iter(ids)
    while page := list(islice(rest, PAGE)):
        taken.update(connection.scalars(select(games.c.id).where(games.c.id.in_(page))))
    return taken


def _insert_players(connection: Connection, wanted: Iterable[Player]) -> None:
    unless_known = _dialect(connection).insert(players).on_conflict_do_nothing()
    rows = [{"id": player.id, "name": player.name} for player in wanted]
    connection.execute(unless_known, sorted(rows, key=itemgetter("id")))


def _game_row(header: Header) -> dict[str, Any]:
    deal = header.deal
    has_code = deal.code is not None
    return {
        "id": header.id,
        "player_id": header.player.id,
        "code": str(deal.code) if has_code else None,
        "mode": None if has_code else str(deal.mode),
        "deck": None if has_code else format_deck(deal.cards),
        "label": deal.label,
        "started_at": header.started_at,
    }


def _no_summary(game_id: int) -> CorruptLog:
    return CorruptLog(game_id, None, "it has no summary; `ds db rebuild` makes it again")


def _damaged_summary(game_id: int) -> CorruptLog:
    return CorruptLog(game_id, None, "its summary is damaged; `ds db rebuild` makes it again")


def bare_of(connection: Asked) -> Bare:
    """Return the driver's own connection, in whatever transaction it is."""
    if isinstance(connection, Bare):
        return connection
    return Bare(connection.connection.driver_connection, _backend(connection))


def _asked(connection: Asked, query: str, *values: Any) -> list[Any]:
    """Return all rows that a query of ours finds."""
    bare = bare_of(connection)
    rows: list[Any] = bare.run(filled(query, bare.backend), values).fetchall()
    return rows


@cache
def filled(query: str, backend: ModuleType) -> str:
    """Return a query as a database wants it."""
    return query.format(
        place=backend.PLACE,
        at=backend.MICROS.format("at"),
        started_at=backend.MICROS.format("games.started_at"),
        json=backend.JSON_ARRAY,
        head=backend.HEX.format("head"),
    )


def _backend(connection: Connection) -> ModuleType:
    """The module of ours with what is particular to this database."""
    return sqlite if connection.dialect.name == "sqlite" else postgres


def _dialect(connection: Connection) -> ModuleType:
    """The module of SQLAlchemy with what an INSERT of this database can do."""
    return import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
