"""The event store: the one way to write the record."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Final

from ds_core import Deal, IllegalMove, Move, parse_move
from ds_events import log
from ds_events.database import Database
from ds_events.errors import WrongExpectedVersion
from ds_events.ids import GameIds
from ds_events.limits import check_events, check_label
from ds_events.record import Event, Header, StoredGame, extended, player_of, started
from ds_events.schema import LogRow
from ds_events.times import Clock, now

CACHED_GAMES: Final = 64
"""How many games a store keeps folded, the latest used."""


class EventStore:
    """The games of a database: start one, append to it, load it, read its log.

    `clock` gives the times of what is recorded. The latest games are kept folded, and held
    against the database at every append; what a store returns is the caller's own.

    >>> store = EventStore(open_database(games_db))
    >>> game = store.create("mika", deal_code(parse_code("DS1-D1N-AAAAAAB")))
    >>> game = store.append(game.id, ["D", "T2T3"], expected_version=0)
    >>> game.version, game.game.score
    (2, 5)
    """

    def __init__(self, database: Database, clock: Clock = now) -> None:
        self.database = database
        self._clock = clock
        self._ids = GameIds()
        self._cache: OrderedDict[int, StoredGame] = OrderedDict()

    def create(self, player: str, deal: Deal) -> StoredGame:
        """Start a game for a player and return it at version 0.

        Raises `LimitExceeded` for a name or label that cannot be recorded.
        """
        return self.record(player, deal, [])

    def record(self, player: str, deal: Deal, moves: Sequence[Move]) -> StoredGame:
        """Record a game with its first moves in one transaction, whole or not at all.

        Raises `LimitExceeded`, or `IllegalMove` for a move that cannot be played.
        """
        check_label(deal.label)
        check_events(len(moves))
        owner = player_of(player)
        while True:
            at = self._clock()
            fresh = started(Header(self._ids.new(), owner, deal, at))
            stored, events = extended(fresh, moves, at)
            if self.add([(stored, events)]) == [True]:
                return stored

    def append(
        self, game_id: int, moves: Sequence[Move | str], *, expected_version: int
    ) -> StoredGame:
        """Play moves on a game and record them, all or none; return the game after them.

        `expected_version` is how many events the game has had as the caller knows it.
        Raises `WrongExpectedVersion` if it has had others since, `NotationError`,
        `IllegalMove` or `GameClosed` for a move that cannot be played, `GameNotFound`,
        `LimitExceeded`, `CorruptLog` or a `DatabaseError`; nothing is recorded then. After
        `OutcomeUnknown` alone it may have been: load the game to know.
        """
        parsed = [move if isinstance(move, Move) else parse_move(move) for move in moves]
        before = self._taken(game_id, expected_version)
        try:
            after, appended = extended(before, parsed, self._clock())
        except IllegalMove:
            # What was taken may be behind; then that is what the caller has to know.
            self._expect(game_id, expected_version)
            raise
        check_events(after.version)
        kept = after.copy()
        if not appended:
            self._expect(game_id, expected_version)
        else:
            with self.database.bare(writes=True) as connection:
                was_expected = log.append(connection, after, appended, expected_version)
            if not was_expected:
                raise WrongExpectedVersion(game_id, expected_version, self.version(game_id))
        self._keep(kept)
        return after

    def add(self, batch: Iterable[tuple[StoredGame, Sequence[LogRow]]]) -> list[bool]:
        """Record whole games with their logs, in one transaction.

        The games have been played by the rules already (`ds_events.record.extended`, the
        referee). Returns for each whether it was recorded: one whose id is taken already is
        not, and the game of that id is left as it was.
        """
        games = list(batch)
        added = []
        with self.database.write() as connection:
            fresh = log.insert_games(connection, [stored for stored, _ in games])
            for stored, _ in games:
                added.append(stored.id in fresh)
                fresh.discard(stored.id)
            log.insert_events(
                connection,
                [
                    (stored.id, appended)
                    for (stored, appended), is_new in zip(games, added, strict=True)
                    if is_new
                ],
            )
        return added

    def load(self, game_id: int, at: int | None = None) -> StoredGame:
        """Return a game as its log makes it, or as it stood after event `at`.

        Raises `GameNotFound`, `CorruptLog` for a log that contradicts the rules or itself,
        and `WrongExpectedVersion` if the game has not come as far as `at`.
        """
        stored = self._load(game_id, at)
        if at is None:
            self._keep(stored.copy())
        return stored

    def header(self, game_id: int) -> Header:
        """Return what was fixed when a game was started; raises `GameNotFound`."""
        with self.database.read() as connection:
            return log.read_header(connection, game_id)

    def read(self, game_id: int, after: int = 0) -> list[Event]:
        """Return a game's events behind seq `after` in order; raises `GameNotFound`."""
        with self.database.read() as connection:
            log.read_version(connection, game_id)
            return log.read_events(connection, game_id, after)

    def _taken(self, game_id: int, expected: int) -> StoredGame:
        """Return the game at the version that an append expects, as kept or from its log.

        It is kept no longer: only what has been recorded is put back.
        """
        kept = self._cache.pop(game_id, None)
        if kept is not None and kept.version == expected:
            return kept
        self._expect(game_id, expected)
        return self._load(game_id)

    def _load(self, game_id: int, at: int | None = None) -> StoredGame:
        with self.database.bare() as connection:
            return log.load(connection, game_id, at)

    def _expect(self, game_id: int, expected: int) -> None:
        """Raise `WrongExpectedVersion` unless a game is at the version that is expected."""
        actual = self.version(game_id)
        if actual != expected:
            raise WrongExpectedVersion(game_id, expected, actual)

    def version(self, game_id: int) -> int:
        """Return how many events a game has had; raises `GameNotFound` or `CorruptLog`."""
        with self.database.bare() as connection:
            return log.read_version(connection, game_id)

    def _keep(self, stored: StoredGame) -> None:
        """Keep a game folded, whose `Game` nobody else has."""
        self._cache[stored.id] = stored
        self._cache.move_to_end(stored.id)
        if len(self._cache) > CACHED_GAMES:
            self._cache.popitem(last=False)
