"""Rows of the log: how games and events are inserted, read and folded.

Each function works in the transaction of the connection it is given.
"""

from collections.abc import Iterable, Sequence
from typing import Any

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


def insert_game(connection: Connection, stored: StoredGame) -> None:
    """Insert a game's row, its player and its summary; its events come after them."""
    header, deal = stored.header, stored.header.deal
    _insert_player(connection, header.player)
    row: dict[str, Any] = {
        "id": header.id,
        "player_id": header.player.id,
        "started_at": header.started_at,
    }
    if deal.code is not None:
        row["code"] = str(deal.code)
    else:
        row |= {"mode": str(deal.mode), "deck": format_deck(deal.cards), "label": deal.label}
    connection.execute(insert(games), row)
    connection.execute(insert(summaries), summary.summarise(stored))


def insert_events(connection: Connection, game_id: int, appended: Iterable[Event]) -> None:
    """Append events to a log; the database refuses a seq that is there already."""
    rows = [{"game_id": game_id, **event._asdict()} for event in appended]
    if rows:
        connection.execute(insert(events), rows)


def game_exists(connection: Connection, game_id: int) -> bool:
    """Return whether there is a game of that id."""
    return connection.scalar(select(games.c.id).where(games.c.id == game_id)) is not None


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


def _insert_player(connection: Connection, player: Player) -> None:
    adding = sqlite if connection.dialect.name == "sqlite" else postgresql
    unless_known = adding.insert(players).on_conflict_do_nothing()
    connection.execute(unless_known, {"id": player.id, "name": player.name})
