"""A game as it is recorded: its header, its events, and where it stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ds_core import Deal, Game, IllegalMove, Move
from ds_events import chain
from ds_events.ids import erased_name, player_id
from ds_events.limits import check_name
from ds_events.times import Micros, more_idle

if TYPE_CHECKING:
    from ds_events.schema import LogRow


class Event(NamedTuple):
    """One event of a log: number from 1, move (R37), score after it, time of appending."""

    seq: int
    move: str
    score: int
    at: Micros


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays: an id, and a name that is `None` once it has been erased."""

    id: int
    name: str | None

    def __str__(self) -> str:
        return erased_name(self.id) if self.name is None else self.name


def player_of(name: str) -> Player:
    """Return the player of a name; raises `LimitExceeded` for one that cannot be recorded.

    An erased name, as it is shown and exported, keeps its id and stays erased.

    >>> str(player_of("mika")), player_of("~0000000000001")
    ('mika', Player(id=1, name=None))
    """
    name = check_name(name)
    known = player_id(name)
    return Player(known, None if name == erased_name(known) else name)


@dataclass(frozen=True, slots=True)
class Header:
    """What is fixed when a game is started."""

    id: int
    player: Player
    deal: Deal
    started_at: Micros


class StoredGame(NamedTuple):
    """A game of the record as it stands at some version.

    `first_at` and `last_at` are the times of its first and last event, `None` without any;
    `idle` is its idle time, and `head` the head of its hash chain (`ds_events.chain`).
    `game` belongs to whoever asked for it.
    """

    header: Header
    game: Game
    first_at: Micros | None
    last_at: Micros | None
    idle: Micros
    head: bytes

    def copy(self) -> "StoredGame":
        """Return the same with a `Game` that shares nothing that changes."""
        game, first_at, last_at = self.game.copy(), self.first_at, self.last_at
        return StoredGame(self.header, game, first_at, last_at, self.idle, self.head)

    @property
    def id(self) -> int:
        """The id of the game."""
        return self.header.id

    @property
    def version(self) -> int:
        """How many events the game has had: what the next append has to expect."""
        return self.game.seq

    @property
    def ended_at(self) -> Micros | None:
        """When the game was won or abandoned, `None` while it is open."""
        return None if self.game.status == "open" else self.last_at


def started(header: Header) -> StoredGame:
    """Return a game without events."""
    head = chain.genesis(header.id, header.player.id, header.deal, header.started_at)
    return StoredGame(header, Game(header.deal), None, None, 0, head)


def extended(
    before: StoredGame, moves: Iterable[Move], clock: Micros
) -> "tuple[StoredGame, list[LogRow]]":
    """Play moves on a game, and return the game after them with the events for its log.

    `before` is used up: its `Game` is the one that is played on. All events are timed alike: by
    the clock, but never before what the game holds already. Raises `IllegalMove` or `GameClosed`.
    """
    game = before.game
    at = max(clock, before.header.started_at if before.last_at is None else before.last_at)
    events: list[LogRow] = []
    for place, move in enumerate(moves, 1):
        try:
            game.play(move)
        except IllegalMove as error:
            error.place = place
            raise
        events.append((game.seq, move.text, game.score, at))
    if not events:
        return before, events
    first_at, idle = at, 0
    if before.first_at is not None and before.last_at is not None:
        first_at, idle = before.first_at, more_idle(before.idle, before.last_at, at)
    head = chain.extend(before.head, events)
    return StoredGame(before.header, game, first_at, at, idle, head), events
