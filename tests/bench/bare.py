"""The measured limit: what ours reads and writes, by the bare driver and with nothing else.

The database is one of ours, with its tables, indexes, triggers and foreign keys, and the
connection is set as ours are. The statements are the same, and all their values are there
before the time begins: nothing is held against anything. `SAME_ROWS` is the driver alone;
`INGREDIENTS` also reads the text, plays and hashes, each by the call that ours makes, without
any check around it; `IN_FORM` checks the form of the text besides, and nothing that it says.
Whoever keeps these rows as durably can hardly be faster than that.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import jiter

from ds_core import MOVES, Claim, Deal, Game, parse_move
from ds_events import chain, interchange, log, postgres, sqlite, summary
from ds_events.database import Database
from ds_events.interchange import parse_json, parse_record
from ds_events.record import Header, StoredGame, extended, player_of, started
from ds_events.schema import EventRow, LogRow
from ds_events.store import EventStore
from ds_events.times import now, to_datetime
from tests.bench.measure import OURS, Contestant, Outcome, Work
from tests.bench.recorded import PLAYER, begun, lines
from tests.records import GameRecord

SAME_ROWS: Final = "bare driver, same rows"
INGREDIENTS: Final = "bare ingredients"
IN_FORM: Final = "bare ingredients, form checked"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

Statement: TypeAlias = tuple[str, Sequence[Any]]
"""What the driver is told, with its values."""


class Bare:
    """A connection of the driver's to a database of ours, borrowed until it is closed."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._borrowed = database.engine.raw_connection()
        if not database.is_sqlite:
            driver: Any = self._borrowed.driver_connection
            driver.autocommit = True
        self._cursor: Any = self._borrowed.cursor()

    def run(self, statements: Sequence[Statement]) -> None:
        """Run statements that answer nothing."""
        execute = self._cursor.execute
        for statement, values in statements:
            execute(statement, values)

    def read(self, statements: Sequence[Statement]) -> list[Any]:
        """Run statements, and return the rows of the last."""
        cursor = self._cursor
        rows: list[Any] = []
        for statement, values in statements:
            cursor.execute(statement, values)
            rows = cursor.fetchall()
        return rows

    def close(self) -> None:
        """Give the connection back."""
        self._borrowed.close()


def limited(outcome: Outcome, limit: str, *peers: str) -> Outcome:
    """Add how many times as fast as the peers the limit is, and how near to it ours is."""
    for peer in peers:
        outcome.faster(limit, peer)
    return outcome.faster(OURS, limit)


def bare_appends(
    bare: Bare, played: GameRecord, count: int, *, reads: bool = False, plays: bool = False
) -> Contestant:
    """Write what each of a game's last moves changes, after reading and playing it if told."""
    store = EventStore(bare.database)

    def ready() -> Work:
        game_id, rest = begun(store, played, count)
        read = _reading(bare.database, game_id) if reads else ()
        steps = _appending(bare.database, store.load(game_id), rest)

        def work() -> int:
            for step in steps:
                rows = bare.read(read)
                if plays:
                    _play(played.deal, rows)
                bare.run(step)
            return len(steps)

        return work

    return ready


def bare_loads(bare: Bare, game_ids: Sequence[int], *, plays: bool = False) -> Contestant:
    """Read games with their events, and play them if told; their deals are there before."""
    dealt: list[tuple[list[Statement], Deal]] = []
    with bare.database.read() as connection:
        for game_id in game_ids:
            deal = log.read_header(connection, game_id).deal
            dealt.append((_reading(bare.database, game_id), deal))

    def work() -> int:
        for statements, deal in dealt:
            rows = bare.read(statements)
            if plays:
                _play(deal, rows)
        return len(dealt)

    return lambda: work


def read_line(line: bytes) -> Any:
    """Return the JSON of a line, whatever its form."""
    return jiter.from_json(line)


def read_in_form(line: bytes) -> Any:
    """Return the JSON of a line that has no key twice or unknown, and no wrong type."""
    return parse_json(line, interchange._GAME_LINE)


def bare_imports(
    database: Database, count: int, read: Callable[[bytes], Any] = read_line
) -> Contestant:
    """Read the JSON and the times of games, play and hash them, insert their events.

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
                game, events = fresh.game, []
                for event in read(line)["events"]:
                    since = datetime.fromisoformat(event["at"]) - _EPOCH
                    at = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
                    game.play(MOVES[event["move"]])
                    events.append((event["seq"], event["move"], game.score, at))
                chain.extend(fresh.head, events)
                rows += [(fresh.id, *event) for event in events]
            with database.write() as connection:
                database.backend.insert_events(connection, rows)
            return len(rows)

        return work

    return ready


def bare_audit(bare: Bare) -> Contestant:
    """Read the events of all games one game after the other, hash and play them.

    The ids and the deals are there before.
    """
    dealt: list[tuple[Statement, Deal]] = []
    with bare.database.read() as connection:
        for game_id in list(log.all_ids(connection)):
            deal = log.read_header(connection, game_id).deal
            dealt.append((_events(bare.database, game_id), deal))

    def work() -> int:
        counted = 0
        for statement, deal in dealt:
            rows: list[LogRow] = bare.read([statement])
            chain.extend(b"", rows)
            _play(deal, rows)
            counted += len(rows)
        return counted

    return lambda: work


def _play(deal: Deal, rows: Sequence[LogRow]) -> None:
    play = Game(deal).play
    for _, move, _, _ in rows:
        play(MOVES[move])


def _reading(database: Database, game_id: int) -> list[Statement]:
    """Return what reads a game: its row with the player and the summary, then its events."""
    game = log.filled(log.GAME_QUERY, database.backend)
    return [(game, (game_id,)), _events(database, game_id)]


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
