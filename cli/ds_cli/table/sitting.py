"""A game that a person plays: every operation is in the record before anything shows it."""

from collections.abc import Callable

from ds_cli.table.layout import Spot
from ds_core import Account, Advice, Deal, Move, View, account, advise, parse_move, view
from ds_core.move import ABANDON, UNDO
from ds_events.errors import OutcomeUnknown, WrongExpectedVersion
from ds_events.record import Event, StoredGame
from ds_events.replay import Frame, moved_by
from ds_events.store import EventStore
from ds_events.times import SECOND, more_idle, now


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
            self.catch_up()
            raise
        self._take(after)
        return self._frame(move, before)

    def catch_up(self) -> bool:
        """Take up what others have played since, and return whether there was anything."""
        stands = self.store.load(self.stored.id)
        is_news = stands.version != self.stored.version
        if is_news:
            self._take(stands)
        return is_news

    def advice(self) -> Advice | None:
        """Return one sensible move and why, or `None`."""
        return advise(self.seen)

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
        return (until - first - more_idle(stored.idle, last, until)) // SECOND

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
