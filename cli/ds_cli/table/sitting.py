"""A game that a person plays: every operation is in the record before anything shows it."""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from ds_cli.table.layout import Spot
from ds_core import Account, Advice, Deal, Move, View, account, advise, parse_move, view
from ds_core.move import ABANDON, UNDO
from ds_events.errors import OutcomeUnknown, StoreError, WrongExpectedVersion
from ds_events.ids import player_id
from ds_events.record import Event, StoredGame
from ds_events.replay import Frame, moved_by
from ds_events.statistics import Statistics, statistics
from ds_events.store import EventStore
from ds_events.times import SECOND, more_idle, now


class News(NamedTuple):
    """How many operations have come, and what the one did if it was one."""

    operations: int
    frame: Frame | None


class Sitting:
    """A player at the table, with one game on it as the record has it.

    `stored` is the game at the version that is shown, `seen` what a player sees of it, and
    `touched` the cards that the last operation moved, as they lie now. Others may play on it
    meanwhile: nothing of theirs is ever overwritten.
    """

    def __init__(
        self,
        store: EventStore,
        player: str,
        stored: StoredGame,
        clock: Callable[[], int] = now,
    ) -> None:
        self.store = store
        self.player = player
        self._clock = clock
        self.touched: Spot | None = None
        self._take(stored)

    def start(self, deal: Deal) -> None:
        """Start another game; this one stays as it is. Raises what `EventStore.create` raises."""
        self._take(self.store.create(self.player, deal))

    def play(self, move: Move) -> Frame:
        """Record an operation, take up the game after it, and return what it did.

        Raises what `EventStore.append` raises. Where somebody else has played on the game,
        or where it is not known whether the operation was recorded, the game is taken up as
        it stands now.
        """
        before = self.seen
        try:
            after = self.store.append(self.stored.id, [move], expected_version=self.stored.version)
        except (WrongExpectedVersion, OutcomeUnknown):
            # If that fails as well, the table looks again later; this is what has to be said.
            with suppress(StoreError):
                self.catch_up()
            raise
        self._take(after)
        return self._frame(move, before)

    def catch_up(self) -> News | None:
        """Take up what has been recorded since, by whomever; return what it was, if anything."""
        if self.store.version(self.stored.id) == self.stored.version:
            return None
        before = self.seen
        self._take(self.store.load(self.stored.id))
        new = self.store.read(self.stored.id, before.seq)[: self.stored.version - before.seq]
        frame = self._frame(parse_move(new[0].move), before) if len(new) == 1 else None
        return News(len(new), frame)

    def advice(self) -> Advice | None:
        """Return one sensible move and why, or `None`."""
        return advise(self.seen)

    def statistics(self) -> Statistics:
        """Return the player's statistics."""
        with self.store.database.read() as connection:
            return statistics(connection, player_id(self.player)).whole

    def events(self) -> list[Event]:
        """Return the events of the game, as far as it is shown."""
        return self.store.read(self.stored.id)[: self.stored.version]

    def account(self) -> Account:
        """Return how the score came about."""
        moves = [parse_move(event.move) for event in self.events()]
        return account(self.stored.header.deal, moves)

    def seconds(self) -> int:
        """Return how long the game has been played, in whole seconds, without idle time."""
        stored = self.stored
        first, last = stored.first_at, stored.last_at
        if first is None or last is None:
            return 0
        until = self._clock() if stored.ended_at is None else last
        return max(0, until - first - more_idle(stored.idle, last, until)) // SECOND

    def _frame(self, move: Move, before: View) -> Frame:
        """What the operation did that has just been played; of an undo, only its change."""
        seen, at = self.seen, self.stored.last_at
        assert at is not None
        change = seen.score - before.score
        if move.kind in (UNDO, ABANDON):
            return Frame(seen.seq, move.text, change, at, seen)
        turned = abs(len(seen.waste) - len(before.waste))
        moved = moved_by(move, before.foundations, seen.foundations, turned)
        self.touched = Spot(moved.target, moved.count)
        turned_up = None
        if moved.source[0] == "T":
            column = int(moved.source[1]) - 1
            if seen.columns[column].down < before.columns[column].down:
                turned_up = moved.source
        return Frame(seen.seq, move.text, change, at, seen, moved, turned_up)

    def _take(self, stored: StoredGame) -> None:
        self.stored = stored
        self.seen: View = view(stored.game)
        self.touched = None
