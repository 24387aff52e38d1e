"""Rows of the log: how games and events are inserted, read and folded.

Each function works in the transaction of the connection it is given.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from types import ModuleType
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from ds_core import (
    MOVES,
    Game,
    IllegalMove,
    RulesError,
    deal_cards,
    deal_code,
    format_deck,
    parse_code,
    parse_deck,
    parse_mode,
)
from ds_events import chain, summary
from ds_events.errors import CorruptLog, GameNotFound, WrongExpectedVersion
from ds_events.ids import format_id
from ds_events.record import Event, Header, Player, StoredGame
from ds_events.schema import events, games, players, summaries

PAGE: Final = 1000
"""Ids that are read, or asked for, at once."""


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


def insert_events(connection: Connection, appended: Iterable[tuple[int, Iterable[Event]]]) -> None:
    """Append events to the logs of games; the database refuses a seq that is there already."""
    rows = [
        {"game_id": game_id, **event._asdict()} for game_id, events in appended for event in events
    ]
    if rows:
        connection.execute(insert(events), rows)


def all_ids(connection: Connection) -> Iterator[int]:
    """Yield the id of every game, in order."""
    found = select(games.c.id).order_by(games.c.id).limit(PAGE)
    page = connection.scalars(found).all()
    while page:
        yield from page
        page = connection.scalars(found.where(games.c.id > page[-1])).all()


def read_version(connection: Connection, game_id: int, *, lock: bool = False) -> int:
    """Return how many events a game has had; raises `GameNotFound` or `CorruptLog`.

    With `lock` nobody else can append to it until the transaction ends.
    """
    kept = select(summaries.c.version).where(summaries.c.game_id == game_id)
    if lock:
        kept = kept.with_for_update()
    version: int | None = connection.scalar(kept)
    if version is None:
        read_header(connection, game_id)
        raise CorruptLog(game_id, None, "it has no summary; `ds db rebuild` makes it again")
    return version


def read_header(connection: Connection, game_id: int) -> Header:
    """Return a game's header; raises `GameNotFound` or `CorruptLog`."""
    named = select(games, players.c.name).outerjoin(players, players.c.id == games.c.player_id)
    row = connection.execute(named.where(games.c.id == game_id)).one_or_none()
    if row is None:
        raise GameNotFound(f"there is no game {format_id(game_id)}: `ds games` lists them")
    return header_of(row)


def header_of(row: Row[Any]) -> Header:
    """Return the header of a row of `games` with its player's name; raises `CorruptLog`."""
    try:
        if row.code is not None:
            deal = deal_code(parse_code(row.code))
            kept, written = row.code, str(deal.code)
        else:
            deal = deal_cards(parse_mode(row.mode), parse_deck(row.deck), row.label)
            kept, written = row.deck, format_deck(deal.cards)
    except RulesError as error:
        raise CorruptLog(row.id, None, f"its deal cannot be read: {error}") from error
    if kept != written:
        raise CorruptLog(row.id, None, f"its deal is written {kept!r}, and not {written!r}")
    return Header(row.id, Player(row.player_id, row.name), deal, row.started_at)


def read_events(
    connection: Connection, game_id: int, after: int | None = None, upto: int | None = None
) -> list[Event]:
    """Return a game's events in order, those behind seq `after`, up to and with `upto`."""
    found = select(events.c.seq, events.c.move, events.c.score, events.c.at).where(
        events.c.game_id == game_id
    )
    if after is not None:
        found = found.where(events.c.seq > after)
    if upto is not None:
        found = found.where(events.c.seq <= upto)
    rows = connection.execute(found.order_by(events.c.seq))
    return [Event(*row) for row in rows]


def load(connection: Connection, game_id: int, upto: int | None = None) -> StoredGame:
    """Return a game folded from its log by the rules, whole or up to event `upto`.

    Every number and score in the log is held against the fold. Raises `GameNotFound`,
    `CorruptLog`, and `WrongExpectedVersion` if the game has not come as far as `upto`.
    """
    header = read_header(connection, game_id)
    version = read_version(connection, game_id)
    if upto is not None and not 0 <= upto <= version:
        raise WrongExpectedVersion(game_id, upto, version)
    log = read_events(connection, game_id, upto=upto)
    if len(log) != (version if upto is None else upto):
        reason = f"it has {len(log)} events where its summary counts {version}"
        raise CorruptLog(game_id, None, reason)
    game = fold_log(header, log)
    if upto is None:
        kept = select(summaries.c.head).where(summaries.c.game_id == game_id)
        head = bytes(connection.scalars(kept).one())
    else:
        head = chain_of(header, log)
    first_at, last_at = (log[0].at, log[-1].at) if log else (None, None)
    return StoredGame(header, game, first_at, last_at, head)


def fold_log(header: Header, log: Sequence[Event]) -> Game:
    """Return the game that a log makes; raises `CorruptLog` where it contradicts the rules."""
    game = Game(header.deal)
    for due, event in enumerate(log, 1):
        if event.seq != due:
            raise CorruptLog(header.id, due, "the event is missing")
        move = MOVES.get(event.move)
        if move is None:
            raise CorruptLog(header.id, due, f"{event.move!r} is no move (R37)")
        try:
            game.play(move)
        except IllegalMove as error:
            raise CorruptLog(header.id, due, str(error)) from error
        if event.score != game.score:
            reason = f"its score is {event.score}, and by the rules it is {game.score}"
            raise CorruptLog(header.id, due, reason)
    return game


def chain_of(header: Header, log: Iterable[Event]) -> bytes:
    """Return the head of the hash chain over a header and its events."""
    head = chain.genesis(header.id, header.player.id, header.deal, header.started_at)
    for event in log:
        head = chain.link(head, *event)
    return head


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


def _dialect(connection: Connection) -> ModuleType:
    """The module with what an INSERT of this database can do."""
    return sqlite if connection.dialect.name == "sqlite" else postgresql
