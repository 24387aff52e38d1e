"""What a replay in place shows: pure lines, as many as fit."""

from collections.abc import Sequence
from typing import Final

from ds_cli.board import LEAST_HEIGHT, board_lines
from ds_cli.drawing import Drawing, Marks
from ds_cli.output import Line, Span, can_write, cropped, duration, local_time, places, safe
from ds_cli.showing import change_text
from ds_cli.terminal.playback import Playback
from ds_cli.terminal.words import meaning
from ds_events.replay import Frame
from ds_events.replay import Line as LineOfPlay
from ds_events.times import SECOND

LEAST_SIZE: Final = (80, 5 + LEAST_HEIGHT)
"""Columns and lines without which nothing is shown but how many are needed."""

_AIRY: Final = 24
"""The number of lines from which on one is left free above the board."""

_HINTS: Final = (
    *(("space", "play"), ("{arrows}", "step"), ("[]", "ten"), ("g", "event"), ("t", "turn-up")),
    *(("f", "home"), ("+-", "speed"), ("?", "help"), ("q", "quit")),
)
_LESS_NEEDED: Final = "[]"
"""The hint that goes first where there is no room for all."""

HELP: Final = (
    (("Space", "pause, play on"), ("g 12 Enter", "go to event 12")),
    (("Right, l, n", "one event on"), ("Left, h, p", "one event back")),
    (("PgDn, ]", "ten events on"), ("PgUp, [", "ten events back")),
    (("t", "to the next card turned up"), ("T", "to the one before")),
    (("f", "to the next card sent home"), ("F", "to the one before")),
    (("End", "to the last board"), ("Home", "to the first board")),
    (("+, Up", "twice as fast"), ("-, Down", "half as fast")),
)
"""The keys and what they do, two in a line."""

_STATES: Final = {"won": "bold green", "abandoned": "yellow"}


class Screen:
    """What is shown of a game's replay, whose frames are of one line of play.

    `names` tell the game apart; `frames` are what the replay can show.
    """

    def __init__(self, names: Sequence[str], frames: Sequence[Frame], line: LineOfPlay) -> None:
        self._names = "  ".join(map(safe, names))
        self._frames = frames
        self._is_final = line == "final"
        self._moves = {frame.seq: frame.move for frame in frames}
        self._drawing = Drawing()
        self._arrows, self._done, self._open = (
            ("←→", "━", "─") if can_write("←→━─") else ("arrows", "=", "-")
        )

    def lines(
        self, playback: Playback, size: tuple[int, int], *, said: str = "", is_help: bool = False
    ) -> list[Line]:
        """Return the screen: as many lines as there are, none of them as wide as it.

        `said` stands in place of the hints about keys, the help in place of the board. On a
        screen below `LEAST_SIZE` there is only a line that says so.
        """
        columns, height = size
        if columns < LEAST_SIZE[0] or height < LEAST_SIZE[1]:
            return self._too_small(columns, height)
        frame = playback.frame
        top: list[Line] = [
            self._headline(frame, columns - 1),
            self._event(frame),
            self._counters(frame),
            *([[]] if height >= _AIRY else []),
        ]
        room = height - len(top) - 2
        board = self._help() if is_help else self._board(frame, room)
        free: list[Line] = [[]] * (room - len(board))
        if is_help:
            said = "any key goes back to the board"
        bottom: list[Line] = [
            self._progress(playback, columns - 1),
            [(said, "bold")] if said else self._hints(columns),
        ]
        return [cropped(line, columns - 1) for line in (*top, *board, *free, *bottom)]

    def _too_small(self, columns: int, height: int) -> list[Line]:
        wanted = f"{LEAST_SIZE[0]}x{LEAST_SIZE[1]}"
        for text in (
            f"too small: {columns}x{height}, and {wanted} are needed; q quits",
            f"{wanted} needed",
            wanted,
        ):
            if len(text) < columns:
                return [[(text, "bold")]]
        return []

    def _headline(self, frame: Frame, room: int) -> Line:
        """Whose game it is, and when the event was."""
        at = local_time(frame.at, seconds=True)
        line = " ".join(["final line", at]) if self._is_final else at
        [*names] = cropped([(self._names, "bold")], room - len(line) - 2)
        space = room - len(line) - sum(places(text) for text, _ in names)
        return [*names, (" " * space, ""), (line, "dim")]

    def _event(self, frame: Frame) -> Line:
        """The move, what it means, and what it did to the score."""
        undone = None if frame.undoes is None else self._moves.get(frame.undoes)
        words = meaning(frame, self._drawing.name, undone)
        if frame.move is None:
            return [("start", "bold cyan"), (f"  {words}", "")]
        line: list[Span] = [(f"{frame.move:<7}", "bold cyan"), (f" {words}", "")]
        if frame.change:
            line.append((f"   {change_text(frame)}", f"bold {_colour(frame.change)}"))
        return line

    def _counters(self, frame: Frame) -> Line:
        seen = frame.seen
        clock = duration((frame.at - self._frames[0].at) // SECOND)
        line: list[Span] = [
            *(("score ", "dim"), (seen.mode.scoring.format(seen.score), "bold")),
            *(("   moves ", "dim"), (str(seen.moves), "")),
            *(("   can undo ", "dim"), (str(seen.undoable), "")),
            *(("   clock ", "dim"), (clock, ""), ("   ", "")),
        ]
        if frame.undone_by is not None:
            line.append((f"undone by event {frame.undone_by}", "yellow"))
        elif seen.status != "open":
            line.append((seen.status, _STATES[seen.status]))
        return line

    def _board(self, frame: Frame, room: int) -> list[Line]:
        moved = frame.moved
        marks = Marks(turned_up=frame.turned_up)
        if moved is not None:
            marks = Marks(moved.target, moved.count, frame.turned_up)
        return board_lines(frame.seen, marks=marks, height=room)

    def _help(self) -> list[Line]:
        lines: list[Line] = []
        for left, right in HELP:
            spans = [(f"  {left[0]:<13}", "bold cyan"), (f"{left[1]:<26}", "")]
            lines.append([*spans, (f"  {right[0]:<13}", "bold cyan"), (right[1], "")])
        return lines

    def _progress(self, playback: Playback, room: int) -> Line:
        """How it goes on, how far it is, and where."""
        state = (
            "playing" if playback.is_playing else "at the end" if playback.is_at_end else "paused"
        )
        left = f"{state:<10} {playback.speed:g}/s  "
        last = self._frames[-1].seq
        right = f"  event {playback.frame.seq:>{len(str(last))}} of {last}"
        bar = room - len(left) - len(right)
        steps = len(self._frames) - 1
        done = bar if not steps else bar * playback.position // steps
        return [
            (left, "bold green" if playback.is_playing else "bold yellow"),
            (self._done * done, "cyan"),
            (self._open * (bar - done), "dim"),
            (right, ""),
        ]

    def _hints(self, room: int) -> Line:
        line: list[Span] = []
        for key, does in _HINTS:
            if room < LEAST_SIZE[0] + len("  [] ten") and key == _LESS_NEEDED:
                continue
            line += [
                ("  " if line else "", ""),
                (key.format(arrows=self._arrows), "bold"),
                (f" {does}", "dim"),
            ]
        return line


def _colour(change: int) -> str:
    return "green" if change > 0 else "red"
