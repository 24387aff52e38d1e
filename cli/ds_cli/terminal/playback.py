"""Where a replay stands and how it goes on: no clock, no keys, no screen."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from ds_events.replay import Frame

SLOWEST: Final = 1 / 16
FASTEST: Final = 1024.0
"""Frames a second between which the speed is changed."""


class Playback:
    """A replay at one of its frames, playing or paused.

    `position` is the place of the frame that is shown, from 0; `speed` is in frames a second.
    It begins playing. To step or jump anywhere pauses it, and so does the last frame: it is
    only `play_or_pause` that lets it go on.
    """

    def __init__(self, frames: Sequence[Frame], position: int = 0, speed: float = 1.0) -> None:
        """Begin at a place; raises `ValueError` without frames or for a place without one."""
        if not 0 <= position < len(frames):
            raise ValueError(f"there is no frame {position} of {len(frames)}")
        self.frames = frames
        self.position = position
        self.speed = speed
        self._playing = True
        self._passed = 0.0

    @property
    def frame(self) -> Frame:
        """The frame that is shown."""
        return self.frames[self.position]

    @property
    def is_at_end(self) -> bool:
        """Whether the last frame is shown."""
        return self.position == len(self.frames) - 1

    @property
    def is_playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._playing and not self.is_at_end

    @property
    def due(self) -> float | None:
        """In how many seconds the next frame is due; `None` for never."""
        return max(0.0, 1 / self.speed - self._passed) if self.is_playing else None

    def pass_time(self, seconds: float) -> None:
        """Let time pass: as many frames go by as are due, and what is left over counts on."""
        if not self.is_playing:
            return
        self._passed += seconds
        due = int(self._passed * self.speed)
        self._passed -= due / self.speed
        self.position = min(self.position + due, len(self.frames) - 1)
        if self.is_at_end:
            self._pause()

    def play_or_pause(self) -> None:
        """Pause, or play on; from the last frame, play again from the first."""
        if self.is_playing:
            self._pause()
            return
        if self.is_at_end:
            self.position = 0
        self._playing, self._passed = True, 0.0

    def step(self, by: int) -> None:
        """Go so many frames on, or back; not past the ends."""
        self._go(min(max(self.position + by, 0), len(self.frames) - 1))

    def go_to_first(self) -> None:
        """Go to the first frame."""
        self._go(0)

    def go_to_last(self) -> None:
        """Go to the last frame."""
        self._go(len(self.frames) - 1)

    def go_to_event(self, seq: int) -> bool:
        """Go to an event, or to the last frame before it; return whether it has a frame."""
        place = bisect_right(self.frames, seq, key=_seq) - 1
        self._go(max(place, 0))
        return self.frame.seq == seq

    def go_to_next(self, wanted: Callable[[Frame], bool], by: int = 1) -> bool:
        """Go to the nearest frame that is wanted, behind this one or before it (`by` -1).

        Return whether there is one; if not, nothing changes.
        """
        end = len(self.frames) if by > 0 else -1
        for place in range(self.position + by, end, by):
            if wanted(self.frames[place]):
                self._go(place)
                return True
        return False

    def faster(self) -> None:
        """Double the speed, up to `FASTEST`."""
        self._change_speed(max(self.speed, min(self.speed * 2, FASTEST)))

    def slower(self) -> None:
        """Halve the speed, down to `SLOWEST`."""
        self._change_speed(min(self.speed, max(self.speed / 2, SLOWEST)))

    def _change_speed(self, speed: float) -> None:
        # The part of a frame's time that has passed stays the same part.
        self._passed *= self.speed / speed
        self.speed = speed

    def _go(self, position: int) -> None:
        self.position = position
        self._pause()

    def _pause(self) -> None:
        self._playing, self._passed = False, 0.0


def place_from(frames: Sequence[Frame], seq: int) -> int:
    """Return the place of the first frame of an event from `seq` on, or the last place."""
    return min(bisect_left(frames, seq, key=_seq), len(frames) - 1)


def _seq(frame: Frame) -> int:
    return frame.seq
