"""The measured limits: what ours reads, does and writes, and nothing else.

The database is one of ours, with its tables, indexes, triggers and foreign keys, and the
connection is one of ours. `SAME_ROWS` is the driver alone: the same statements, with all their
values there before the time begins. `INGREDIENTS` also reads the text, plays and hashes, each by
the call that ours makes, and holds nothing against anything. `COMPARED` does the least that an
answer can be trusted after: the text is read strictly, and all that a record or a log says is
held against the rules. Whoever keeps these rows as durably can hardly be faster than that.
"""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import jiter

from ds_core import MOVES, Claim, Deal, Game, confirm, deal_code, parse_code, parse_move
from ds_events import chain, log, postgres, sqlite, summary
from ds_events.bare import Bare
from ds_events.database import Database
from ds_events.errors import WrongExpectedVersion
from ds_events.interchange import parse_record
from ds_events.record import Header, Player, StoredGame, extended, player_of, started
from ds_events.schema import EventRow, KeptGame, LogRow
from ds_events.store import EventStore
from ds_events.times import now, to_datetime
from tests.bench.measure import Contestant, Work
from tests.bench.recorded import PLAYER, begun, lines
from tests.records import GameRecord

SAME_ROWS: Final = "bare driver, same rows"
INGREDIENTS: Final = "bare ingredients"
COMPARED: Final = "bare ingredients, compared"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

Statement: TypeAlias = tuple[str, Sequence[Any]]
"""What the driver is told, with its values."""

Fold: TypeAlias = Callable[[Deal, Sequence[LogRow]], Game]
"""What makes a game of its log."""


def play(deal: Deal, rows: Sequence[LogRow]) -> Game:
    """Play a log by the rules, whatever else it says."""
    game = Game(deal)
    for _, move, _, _ in rows:
        game.play(MOVES[move])
    return game


def compare(deal: Deal, rows: Sequence[LogRow]) -> Game:
    """Play a log by the rules, and hold each number, score and time in it against them."""
    game = confirm(deal, rows)
    assert game
    return game


def bare_appends(
    database: Database, played: GameRecord, count: int, *, reads: bool = False
) -> Contestant:
    """Write what each of a game's last moves changes, and read the game before if it `reads`."""
    store = EventStore(database)

    def ready() -> Work:
        game_id, rest = begun(store, played, count)
        read = _reading(database, game_id)
        steps = _appending(database, store.load(game_id), rest)

        def work() -> int:
            with database.bare(writes=True) as bare:
                for step in steps:
                    if reads:
                        _run(bare, read)
                    for statement in step:
                        bare.run(*statement)
            return len(steps)

        return work

    return ready


def held_appends(database: Database, played: GameRecord, count: int) -> Contestant:
    """Play each of a game's last moves on a game that is held, hash it and write the change.

    Each is a call of its own, as ours is: it finds the game, borrows a connection, and hands out
    a copy, as what is held is not for others to change.
    """
    store = EventStore(database)
    held: dict[int, StoredGame] = {}

    def append(game_id: int, move: str, expected: int) -> StoredGame:
        before = held[game_id]
        if before.version != expected:
            raise WrongExpectedVersion(game_id, expected, before.version)
        with database.bare(writes=True) as bare:
            after = _append(bare, before, move)
        held[game_id] = after
        return after.copy()

    def ready() -> Work:
        game_id, rest = begun(store, played, count)
        held[game_id] = store.load(game_id)
        version = held[game_id].version

        def work() -> int:
            for seq, claim in enumerate(rest, version):
                append(game_id, claim.move, seq)
            return len(rest)

        return work

    return ready


def folded_appends(database: Database, played: GameRecord, count: int, fold: Fold) -> Contestant:
    """Read and fold a game for each of its last moves, play the move, hash and write it."""
    store = EventStore(database)

    def ready() -> Work:
        game_id, rest = begun(store, played, count)
        read = _reading(database, game_id)

        def work() -> int:
            with database.bare(writes=True) as bare:
                for claim in rest:
                    _append(bare, _folded(_run(bare, read), fold), claim.move)
            return len(rest)

        return work

    return ready


def bare_loads(database: Database, game_ids: Sequence[int], fold: Fold | None = None) -> Contestant:
    """Read games with their events, and with `fold` make games of them."""
    reading = [_reading(database, game_id) for game_id in game_ids]

    def work() -> int:
        with database.bare() as bare:
            for statement in reading:
                rows = _run(bare, statement)
                if fold:
                    _folded(rows, fold)
        return len(reading)

    return lambda: work


def trusting_imports(database: Database, count: int) -> Contestant:
    """Read the events of games whatever their form, play and hash them, and insert them.

    The rows of the games themselves are there before, and so are their deals.
    """

    def ready() -> Work:
        file = lines(count)
        dealt = []
        for record in map(parse_record, file):
            header = Header(record.id, player_of(PLAYER), record.deal, record.started_at or 0)
            dealt.append(started(header))
        with database.write() as connection:
            log.insert_games(connection, dealt)

        def work() -> int:
            rows: list[EventRow] = []
            for line, fresh in zip(file, dealt, strict=True):
                events: list[LogRow] = []
                for event in jiter.from_json(line)["events"]:
                    since = datetime.fromisoformat(event["at"]) - _EPOCH
                    at = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
                    events.append((event["seq"], event["move"], event["score"], at))
                play(fresh.header.deal, events)
                chain.extend(fresh.head, events)
                rows += [(fresh.id, *event) for event in events]
            with database.write() as connection:
                database.backend.insert_events(connection, rows)
            return len(rows)

        return work

    return ready


def compared_imports(database: Database, count: int) -> Contestant:
    """Read games strictly, hold them against the rules, hash and insert all of them.

    What is wrong with a line is never said, and nothing is looked for that is allowed and odd.
    """

    def ready() -> Work:
        file = lines(count)

        def work() -> int:
            games: list[StoredGame] = []
            rows: list[EventRow] = []
            for record in map(parse_record, file):
                events: Any = record.claims
                game = confirm(record.deal, events, record.started_at)
                assert game
                header = Header(record.id, player_of(PLAYER), record.deal, record.started_at or 0)
                head = log.chain_of(header, events)
                games.append(StoredGame(header, game, *log.times_of(events), head))
                rows += [(record.id, *event) for event in events]
            with database.write() as connection:
                log.insert_games(connection, games)
                database.backend.insert_events(connection, rows)
            return len(rows)

        return work

    return ready


def trusting_audit(database: Database) -> Contestant:
    """Read the events of all games one game after the other, hash and play them.

    The ids and the deals are there before.
    """
    with database.read() as connection:
        game_ids = list(log.all_ids(connection))
    dealt = [(_events(database, game_id), _deal(database, game_id)) for game_id in game_ids]

    def work() -> int:
        counted = 0
        with database.bare() as bare:
            for statement, deal in dealt:
                rows = _run(bare, statement)
                chain.extend(b"", rows)
                play(deal, rows)
                counted += len(rows)
        return counted

    return lambda: work


def compared_audit(database: Database) -> Contestant:
    """Read all games and summaries, hold the logs against the rules and hashes against those kept.

    Nothing else is looked at: no other column of a summary, no player, no trigger.
    """

    def work() -> int:
        counted = 0
        with database.read() as connection:
            bare = log.bare_of(connection)
            for span in list(log.spans(connection)):
                for row, kept in log.read_span(connection, span):
                    header = log.header_of(row)
                    rows = log.read_log(bare, row.id)
                    compare(header.deal, rows)
                    assert kept is not None
                    assert log.chain_of(header, rows) == kept.head
                    counted += len(rows)
        return counted

    return lambda: work


def _run(bare: Bare, statement: Statement) -> list[Any]:
    asked, values = statement
    rows: list[Any] = bare.run(asked, values).fetchall()
    return rows


def _folded(rows: Sequence[Any], fold: Fold) -> StoredGame:
    """Make a game of what `_reading` finds."""
    (_, said, _, started_at), *events = rows
    kept = KeptGame._make([*json.loads(said), started_at])
    deal = deal_code(parse_code(kept.code or ""))
    header = Header(kept.id, Player(kept.player_id, kept.name), deal, started_at)
    first_at, last_at = events[0][3], events[-1][3]
    head = bytes.fromhex(kept.head or "")
    return StoredGame(header, fold(deal, events), first_at, last_at, kept.idle or 0, head)


def _append(bare: Bare, before: StoredGame, move: str) -> StoredGame:
    """Play a move on a game, hash it and write the change."""
    game, version = before.game, before.version
    game.play(MOVES[move])
    row = (game.seq, move, game.score, now())
    head = chain.extend(before.head, [row])
    after = StoredGame(before.header, game, before.first_at, row[3], before.idle, head)
    log.append(bare, after, [row], version)
    return after


def _deal(database: Database, game_id: int) -> Deal:
    with database.bare() as bare:
        return log.read_header(bare, game_id).deal


def _reading(database: Database, game_id: int) -> Statement:
    """Return what reads a game: its row with the player and the summary, then its events."""
    game = log.filled(log.GAME_QUERY, database.backend)
    return game, (log.LOWEST, game_id, game_id, log.LOWEST, log.HIGHEST)


def _events(database: Database, game_id: int) -> Statement:
    return log.filled(log.LOG_QUERY, database.backend), (game_id, log.LOWEST, log.HIGHEST)


def _appending(
    database: Database, game: StoredGame, rest: Sequence[Claim]
) -> list[list[Statement]]:
    """Return what writes each of the moves to come in a transaction of its own.

    What has to be durable is the game's summary, if that is at the version expected, and a row
    of the log.
    """
    steps: list[list[Statement]] = []
    for claim in rest:
        at_version = (game.id, game.version)
        game, [(seq, move, score, at)] = extended(game, [parse_move(claim.move)], now())
        changes = summary.changes(game)
        if database.is_sqlite:
            steps.append(
                [
                    ("BEGIN IMMEDIATE", ()),
                    (sqlite._advancing(*changes), (*changes.values(), *at_version)),
                    (sqlite._INSERT_EVENTS, (game.id, seq, move, score, at)),
                    ("COMMIT", ()),
                ]
            )
        else:
            sent = [postgres._sent(column, value) for column, value in changes.items()]
            row = (seq, move, score, to_datetime(at))
            steps.append([(postgres._appending(True, *changes), (*sent, *at_version, *row))])
    return steps
