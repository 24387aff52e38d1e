"""Where a replay in place stands: time that passes, steps, jumps, speed; and what keys mean."""

from collections.abc import Sequence
from typing import Any, cast

import pytest

from ds_cli.output import Line
from ds_cli.terminal import keys
from ds_cli.terminal.keys import Decoder
from ds_cli.terminal.playback import FASTEST, SLOWEST, Playback, place_from
from ds_cli.terminal.screen import Screen
from ds_cli.terminal.takeover import Terminal
from ds_cli.terminal.watch import Watching
from ds_core import Game, deal_code, parse_code, view
from ds_events.replay import Frame

SEEN = view(Game(deal_code(parse_code("DS1-D1N-AAAAAAB"))))


def _frames(*seqs: int, turned: Sequence[int] = ()) -> list[Frame]:
    return [
        Frame(seq, "D" if seq else None, 0, 0, SEEN, turned_up="T1" if seq in turned else None)
        for seq in seqs
    ]


TEN = _frames(*range(11), turned=(3, 7))


def test_frames_go_by_as_they_are_due() -> None:
    playback = Playback(TEN, speed=2)
    assert (playback.position, playback.is_playing, playback.due) == (0, True, 0.5)
    playback.pass_time(0.375)
    assert (playback.position, playback.due) == (0, 0.125)
    playback.pass_time(0.25)
    assert (playback.position, playback.due) == (1, 0.375)
    # Whoever looked away for two seconds finds it four frames on.
    playback.pass_time(2)
    assert (playback.position, playback.due) == (5, 0.375)


def test_the_last_frame_is_the_end_of_playing() -> None:
    playback = Playback(TEN, 8, speed=1)
    playback.pass_time(100)
    assert (playback.position, playback.is_at_end, playback.is_playing) == (10, True, False)
    assert playback.due is None
    playback.step(-1)
    assert not playback.is_playing


def test_a_pause_holds_and_what_has_passed_of_a_frame_is_forgotten() -> None:
    playback = Playback(TEN, speed=1)
    playback.pass_time(0.75)
    playback.play_or_pause()
    assert (playback.is_playing, playback.due) == (False, None)
    playback.pass_time(1000)
    assert playback.position == 0
    playback.play_or_pause()
    assert (playback.is_playing, playback.due) == (True, 1)


def test_from_the_end_it_plays_again_from_the_first() -> None:
    playback = Playback(TEN, 10)
    playback.play_or_pause()
    assert (playback.position, playback.is_playing) == (0, True)


def test_one_frame_is_first_and_last() -> None:
    playback = Playback(_frames(0))
    assert (playback.is_at_end, playback.is_playing, playback.due) == (True, False, None)
    for act in (playback.go_to_first, playback.go_to_last, playback.play_or_pause):
        act()
        assert (playback.position, playback.is_playing) == (0, False)
    playback.step(10)
    playback.pass_time(5)
    assert playback.position == 0


@pytest.mark.parametrize(("by", "place"), [(1, 6), (-1, 4), (10, 10), (-10, 0), (3, 8)])
def test_steps_stay_within_the_ends_and_pause(by: int, place: int) -> None:
    playback = Playback(TEN, 5)
    playback.step(by)
    assert (playback.position, playback.is_playing) == (place, False)


def test_to_an_event_of_a_line_with_gaps() -> None:
    playback = Playback(_frames(0, 1, 4, 9))
    for seq, found, place in ((4, True, 2), (8, False, 2), (3, False, 1), (0, True, 0)):
        assert playback.go_to_event(seq) is found
        assert (playback.position, playback.is_playing) == (place, False)
    assert playback.go_to_event(100) is False
    assert playback.position == 3


def test_to_what_is_wanted_next_or_before() -> None:
    playback = Playback(TEN, 3)

    def turned(frame: Frame) -> bool:
        return frame.turned_up is not None

    for by, found, place in ((1, True, 7), (1, False, 7), (-1, True, 3), (-1, False, 3)):
        assert playback.go_to_next(turned, by) is found
        assert playback.position == place


def test_a_search_for_nothing_changes_nothing() -> None:
    playback = Playback(TEN, 8)
    assert not playback.go_to_next(lambda frame: False)
    assert (playback.position, playback.is_playing) == (8, True)


def test_the_speed_is_doubled_and_halved_within_bounds() -> None:
    playback = Playback(TEN)
    playback.pass_time(0.5)
    playback.faster()
    # Half of the frame's time had passed, and has.
    assert (playback.speed, playback.due) == (2, 0.25)
    for _ in range(30):
        playback.faster()
    assert playback.speed == FASTEST
    for _ in range(30):
        playback.slower()
    assert playback.speed == SLOWEST


@pytest.mark.parametrize("speed", [0.01, 5000])
def test_a_speed_beyond_the_bounds_was_asked_for_and_stays(speed: float) -> None:
    playback = Playback(TEN, speed=speed)
    (playback.slower if speed < 1 else playback.faster)()
    assert playback.speed == speed


@pytest.mark.parametrize(("frames", "place"), [([], 0), (TEN, 11), (TEN, -1)])
def test_there_is_no_playback_of_nothing(frames: list[Frame], place: int) -> None:
    with pytest.raises(ValueError, match="there is no frame"):
        Playback(frames, place)


def test_the_place_to_begin_is_the_first_event_from_there_on() -> None:
    line = _frames(0, 1, 4, 9)
    assert [place_from(line, seq) for seq in (0, 1, 2, 4, 5, 9, 10)] == [0, 1, 2, 2, 3, 3, 3]


class _Slow:
    """A terminal at which time passes as it is told: waited for, and stopped by Ctrl-Z."""

    size = (80, 24)

    def __init__(self, *waits: tuple[float, float, list[str]]) -> None:
        self.now = self.away = 0.0
        self._waits = list(waits)

    def show(self, lines: Sequence[Line]) -> None:
        assert len(lines) == 24

    def wait(self, seconds: float | None) -> list[str]:
        passed, stopped, typed = self._waits.pop(0)
        self.now += passed + stopped
        self.away += stopped
        return typed


@pytest.mark.parametrize(
    ("waits", "place"),
    [
        ([(3, 0, []), (0.5, 0, ["q"])], 3),
        # An hour under Ctrl-Z, and half an hour under the help or a pause, are no time at all.
        ([(1, 0, []), (0, 3600, []), (1, 0, ["q"])], 2),
        ([(2, 0, ["?"]), (1800, 0, ["x"]), (1, 0, ["q"])], 3),
        ([(2, 0, [" "]), (1800, 0, [" "]), (1, 0, ["q"])], 3),
    ],
)
def test_only_time_before_a_persons_eyes_counts(
    monkeypatch: pytest.MonkeyPatch, waits: list[tuple[float, float, list[str]]], place: int
) -> None:
    terminal = _Slow(*waits)
    monkeypatch.setattr("ds_cli.terminal.watch.time.monotonic", lambda: terminal.now)
    playback = Playback(TEN, speed=1)
    Watching(playback, Screen(["a game"], TEN, "played")).run(cast("Terminal", terminal))
    assert playback.position == place


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        (b"q", ["q"]),
        (b" t+?", [" ", "t", "+", "?"]),
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", [keys.UP, keys.DOWN, keys.RIGHT, keys.LEFT]),
        (b"\x1bOA\x1bOB\x1bOC\x1bOD", [keys.UP, keys.DOWN, keys.RIGHT, keys.LEFT]),
        (b"\x1b[H\x1b[F\x1bOH\x1bOF", [keys.HOME, keys.END] * 2),
        (b"\x1b[1~\x1b[4~\x1b[7~\x1b[8~", [keys.HOME, keys.END] * 2),
        (b"\x1b[5~\x1b[6~", [keys.PAGE_UP, keys.PAGE_DOWN]),
        # With Ctrl held.
        (b"\x1b[1;5C\x1b[5;5~", [keys.RIGHT, keys.PAGE_UP]),
        (b"\r\n\x7f\x08", [keys.ENTER, keys.ENTER, keys.BACKSPACE, keys.BACKSPACE]),
        # F5, Insert, Alt-x, Ctrl-A and an umlaut are no keys of ours, and no others either.
        (b"\x1b[15~\x1b[2~\x1bx\x01\xc3\xa4n", ["n"]),
        (b"\x1b\x1b[C", [keys.ESCAPE, keys.RIGHT]),
    ],
)
def test_keys_are_known_by_what_terminals_send(typed: bytes, known: list[str]) -> None:
    decoder = Decoder()
    assert decoder.feed(typed) == known
    assert not decoder.is_half
    # And as well if it comes byte by byte.
    assert [key for byte in typed for key in decoder.feed(bytes([byte]))] == known


@pytest.mark.parametrize(
    ("typed", "given_up"), [(b"\x1b", [keys.ESCAPE]), (b"\x1b[", []), (b"\x1b[5", [])]
)
def test_an_escape_that_nothing_follows_is_the_key(typed: bytes, given_up: list[Any]) -> None:
    decoder = Decoder()
    assert decoder.feed(typed) == []
    assert decoder.is_half
    assert decoder.give_up() == given_up
    assert not decoder.is_half
    assert decoder.feed(b"n") == ["n"]
