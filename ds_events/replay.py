"""A record as frames, one for the start and one for each event."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ds_core import MOVES, Game, Move, View, view
from ds_core.move import (
    ABANDON,
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    DRAW,
    FOUNDATION_TO_COLUMN,
    TURN_BACK,
    UNDO,
    WASTE_TO_COLUMN,
    WASTE_TO_FOUNDATION,
)
from ds_events.record import Event, Header
from ds_events.times import Micros

Line: TypeAlias = Literal["played", "final"]
"""What is shown: every event as it was played, or the operations that stand at the end."""

LINES: Final[tuple[Line, ...]] = ("played", "final")

_FROM_COLUMN: Final = (COLUMN_TO_COLUMN, COLUMN_TO_FOUNDATION)


@dataclass(frozen=True, slots=True)
class Moved:
    """Cards that an event moved, as they lie after it: the last `count` of `target`.

    Piles are named as for a tap: `S` the stock, `W` the waste, `T1` to `T9`, `F1` to `F8`.
    Cards that go to the stock lie there face down, the next to be drawn on top.
    """

    source: str
    target: str
    count: int

    def back(self) -> "Moved":
        """Return the same cards on their way back."""
        return Moved(self.target, self.source, self.count)


@dataclass(frozen=True, slots=True)
class Frame:
    """The board after one event; before the first, `seq` is 0 and there is no move.

    `change` is what the event did to the score; `at` is its time, or that of the start.
    `moved` says which cards it moved, `None` at the start and for abandoning; for an undo
    they are what came back. `turned_up` is the column, `T1` to `T9`, in which the event
    turned a card up (R10). An operation that is taken back later in the record has in
    `undone_by` the seq of that undo, and the undo in `undoes` the seq of the operation.
    """

    seq: int
    move: str | None
    change: int
    at: Micros
    seen: View
    moved: Moved | None = None
    turned_up: str | None = None
    undone_by: int | None = None
    undoes: int | None = None

    @property
    def home(self) -> bool:
        """Whether it is a move of a card to a foundation; taking such a move back is none."""
        return self.move is not None and MOVES[self.move].kind in (
            WASTE_TO_FOUNDATION,
            COLUMN_TO_FOUNDATION,
        )

    @property
    def stands(self) -> bool:
        """Whether it is part of the final line: neither undone later nor an undo itself."""
        return self.undone_by is None and self.undoes is None


def frames(
    header: Header, events: Iterable[Event], *, line: Line = "played", reveal: bool = False
) -> Iterator[Frame]:
    """Yield the board at the start and after each event of a log that has been folded.

    The events are all of a game from the first on, as `EventStore.read` gives them. Face-down
    cards are hidden unless `reveal`.

    With `line` "final", undone operations and undos are left out. What is left keeps its
    number, and is shown as it was: since an undo restores exactly what was there (R26), the
    board and the score after an operation that stands are the same whether or not others
    were tried before it. So a frame of the final line is the frame of that number of the
    line as played, its counters included: the moves counter still counts what was undone
    before it (R27). The last frame has the game's final board and score; if the game ends
    with undos, the counters of its end lie after that frame.
    """
    log = list(events)
    undone_by = _undone_by(log)
    game = Game(header.deal)
    yield Frame(0, None, 0, header.started_at, view(game, reveal=reveal))
    played: list[tuple[int, Moved]] = []
    for event in log:
        move = MOVES[event.move]
        score, down, foundations = game.score, game.face_down[:], game.foundations[:]
        drawn = game.drawn
        game.play(move)
        undoes, moved, turned_up = None, None, None
        if move.kind == UNDO:
            undoes, way = played.pop()
            moved = way.back()
        elif move.kind != ABANDON:
            moved = moved_by(move, foundations, game.foundations, abs(game.drawn - drawn))
            if game.face_down != down:
                turned_up = moved.source
            played.append((event.seq, moved))
        if line == "final" and (undoes is not None or event.seq in undone_by):
            continue
        yield Frame(
            seq=event.seq,
            move=event.move,
            change=game.score - score,
            at=event.at,
            seen=view(game, reveal=reveal),
            moved=moved,
            turned_up=turned_up,
            undone_by=undone_by.get(event.seq),
            undoes=undoes,
        )


def _undone_by(log: Iterable[Event]) -> dict[int, int]:
    """Return the seq of each operation that is taken back, with that of the undo."""
    undone: dict[int, int] = {}
    stands: list[int] = []
    for event in log:
        kind = MOVES[event.move].kind
        if kind == UNDO:
            undone[stands.pop()] = event.seq
        elif kind != ABANDON:
            stands.append(event.seq)
    return undone


def moved_by(move: Move, before: Sequence[int], after: Sequence[int], turned: int) -> Moved:
    """Return which cards an operation moved; undos and abandoning are none.

    `before` and `after` are the heights of the foundations, and `turned` is how many cards a
    draw turned, or turning the waste back.
    """
    kind = move.kind
    if kind == DRAW:
        return Moved("S", "W", turned)
    if kind == TURN_BACK:
        return Moved("W", "S", turned)
    if kind == FOUNDATION_TO_COLUMN:
        return Moved(f"F{move.source + 1}", f"T{move.target + 1}", 1)
    source = f"T{move.source + 1}" if kind in _FROM_COLUMN else "W"
    if kind in (COLUMN_TO_COLUMN, WASTE_TO_COLUMN):
        return Moved(source, f"T{move.target + 1}", move.count)
    target = next(i for i, height in enumerate(after) if height != before[i])
    return Moved(source, f"F{target + 1}", 1)
