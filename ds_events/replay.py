"""A record as frames, one for the start and one for each event."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ds_core import MOVES, Game, View, view
from ds_events.record import Event, Header
from ds_events.times import Micros


@dataclass(frozen=True, slots=True)
class Frame:
    """The board after one event; before the first, `seq` is 0 and there is no move.

    `change` is what the event did to the score; `at` is its time, or that of the start.
    """

    seq: int
    move: str | None
    change: int
    at: Micros
    seen: View


def frames(header: Header, events: Iterable[Event], *, reveal: bool = False) -> Iterator[Frame]:
    """Yield the board at the start and after each event of a log that has been folded.

    The events are those from the first on, as `EventStore.read` gives them; undone moves
    are shown as played. Face-down cards are hidden unless `reveal`.
    """
    game = Game(header.deal)
    yield Frame(0, None, 0, header.started_at, view(game, reveal=reveal))
    for event in events:
        before = game.score
        game.play(MOVES[event.move])
        change = game.score - before
        yield Frame(event.seq, event.move, change, event.at, view(game, reveal=reveal))
