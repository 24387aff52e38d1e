"""`ds replay` on a terminal: a person's keys on one side, what the screen shows on the other."""

import signal
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests import naive
from tests.cli.games import as_line, game, id_text, played, utc, vectors
from tests.cli.interactive import Watched
from tests.cli.running import PROGRAM, Ds

SAID = next(said for said in vectors() if said.get("code") == "DS1-D1N-ZEEU5HQ")
"""A checked game that is won after some undone moves."""

MOVES = [event["move"] for event in SAID["events"]]
LAST = len(MOVES)
HOME = [
    seq for seq, move in enumerate(MOVES, 1) if move == "WF" or (move[0] == "T" and move[-1] == "F")
]
SLOW = ("--speed", "0.01")
"""So that nothing moves but by keys."""


def _standing() -> list[int]:
    """Return the seqs of the operations that no undo takes back."""
    stands: list[int] = []
    for seq, move in enumerate(MOVES, 1):
        if move == "U":
            stands.pop()
        else:
            stands.append(seq)
    return stands


def _turned_up(said: dict[str, Any]) -> list[int]:
    """Return the events that turn a card up, by the second model (R10)."""
    found = []
    before = played(said, 0)
    for event in said["events"]:
        after = naive.play(before, event["move"])
        fewer = [len(a) < len(b) for a, b in zip(after.board.down, before.board.down, strict=True)]
        if any(fewer) and event["move"] != "U":
            found.append(event["seq"])
        before = after
    return found


@pytest.fixture
def stored(ds: Ds) -> Ds:
    """`ds` on a record of the game alone."""
    ds.ok("import", "-", stdin=as_line(SAID | {"player": "mika"}))
    return ds


def _board(ds: Ds, seq: int) -> list[str]:
    """Return the board that `ds show` prints, from the stock on, without free lines."""
    lines = ds.ok("show", "--at", str(seq)).out.splitlines()
    return [line for line in lines[2:] if line]


def _shown_board(watched: Watched) -> list[str]:
    return [line for line in watched.lines[3:-2] if line]


@pytest.mark.usefixtures("stored")
def test_every_key_does_what_the_help_says() -> None:
    turned, standing = _turned_up(SAID), 100
    later = min(seq for seq in turned if seq > standing)
    earlier = max(seq for seq in turned if seq < later)
    home = [seq for seq in HOME if seq < standing]
    with Watched("replay", *SLOW) as watched:
        watched.until_event(0)
        assert watched.state == "playing"
        for keys, seq in (
            (["right"], 1),
            (["l"], 2),
            (["n"], 3),
            (["left"], 2),
            (["h"], 1),
            (["p"], 0),
            (["p"], 0),
            (["page down"], 10),
            (["]"], 20),
            (["page up"], 10),
            (["["], 0),
            (["end"], LAST),
            (["right"], LAST),
            (["home"], 0),
            (["g", "1", "1", "backspace", "0", "0", "enter"], standing),
            (["t"], later),
            (["T"], earlier),
            (["g", "100", "enter"], standing),
            (["F"], home[-1]),
            (["F"], home[-2]),
            (["f"], home[-1]),
        ):
            watched.press(*keys)
            watched.until_event(seq)
            assert watched.state == ("at the end" if seq == LAST else "paused"), keys
        watched.press("g", "5")
        watched.until_shown("go to event: 5_")
        watched.press("escape")
        watched.until_shown("q quit")
        assert watched.event == home[-1]
        for keys, speed in (
            (["+"], "0.02"),
            (["up"] * 7, "2.56"),
            (["-"], "1.28"),
            (["down"], "0.64"),
            (["="] * 20, "1024"),
        ):
            watched.press(*keys)
            watched.until_shown(f" {speed}/s ")
        watched.press("?")
        watched.until_shown("ten events back")
        assert "stock" not in "\n".join(watched.lines)
        watched.press("q")
        watched.until_shown("stock")
        watched.press("q")
        assert watched.status() == 0


@pytest.mark.usefixtures("stored")
def test_what_cannot_be_found_is_said() -> None:
    with Watched("replay", *SLOW) as watched:
        watched.until_event(0)
        watched.press("T")
        watched.until_shown("no card is turned up before this event")
        watched.press("end", "f")
        watched.until_shown("no card goes to a foundation after this event")
        watched.press("g", "9999", "enter")
        watched.until_shown(f"the replay ends with event {LAST}")
        watched.press("x")
        watched.until_shown("q quit")


@pytest.mark.usefixtures("stored")
def test_it_plays_by_itself_and_a_pause_holds() -> None:
    with Watched("replay", "--speed", "20") as watched:
        watched.until(lambda: (watched.event or 0) >= 3)
        assert watched.state == "playing"
        watched.press(" ")
        watched.until(lambda: watched.state == "paused")
        held = watched.event
        time.sleep(0.5)
        assert watched.event == held
        watched.press("+", "+", "+", "+", " ")
        watched.until(lambda: watched.state == "at the end")
        assert watched.event == LAST
        # It stays until a key ends it; the space bar plays it again.
        time.sleep(0.3)
        assert watched.process.poll() is None
        watched.press(" ")
        watched.until(lambda: watched.state == "playing" and (watched.event or LAST) < LAST)


def test_the_board_is_the_one_of_show(stored: Ds) -> None:
    with Watched("replay", *SLOW, size=(80, 40)) as watched:
        for seq in (0, 1, 17, 58, 99, LAST):
            watched.press("g", str(seq), "enter")
            watched.until_event(seq)
            assert _shown_board(watched) == _board(stored, seq)


def test_the_score_the_counters_and_the_clock_are_shown(stored: Ds) -> None:
    event = SAID["events"][99]
    shown = stored.json("show", "--at", "100")
    with Watched("replay", *SLOW, "--from", "100") as watched:
        watched.until_event(100)
        first, second, third, *_ = watched.lines
        assert first.split()[:3] == [shown["id"], SAID["code"], "mika"]
        assert second.split()[0] == event["move"]
        since = datetime.fromisoformat(event["at"]) - datetime.fromisoformat(SAID["started_at"])
        minutes, seconds = divmod(int(since.total_seconds()), 60)
        assert third == (
            f"score {event['score']}   moves {shown['moves']}   can undo {shown['undoable']}"
            f"   clock {minutes}:{seconds:02}"
        )


def test_the_move_is_in_words_and_its_cards_are_marked(ds: Ds) -> None:
    """QD is turned up by 5C going onto 6H; then 5C comes back."""
    said = game("D", "T2T3", "U", "X", id=id_text(7), started_at=utc())
    ds.ok("import", "-", stdin=as_line(said))
    drawn = ds.json("show", "--at", "1")["waste"][-1]
    with Watched("replay", *SLOW) as watched:
        for seq, words, marked in (
            (1, f"{_pretty(drawn)} from the stock", _pretty(drawn)),
            (2, "5♣ from column 2 to column 3, turns up Q♦   +5", "5♣"),
            (3, "T2T3 of event 2 is taken back   -5", "5♣"),
            (4, "the game is abandoned", ""),
        ):
            watched.press("right")
            watched.until_event(seq)
            assert watched.lines[1].split(maxsplit=1) == [said["events"][seq - 1]["move"], words]
            assert watched.marked == marked
            undone = "undone by event 3" in watched.lines[2]
            assert undone == (seq == 2)
        assert "abandoned" in watched.lines[2]


def _pretty(card: str) -> str:
    return card.translate(str.maketrans("SHDC", "♠♥♦♣"))


@pytest.mark.usefixtures("stored")
def test_the_final_line_leaves_out_what_was_undone() -> None:
    stay = _standing()
    undone = next(seq for seq in range(1, LAST) if seq not in stay and seq > stay[3])
    with Watched("replay", "--line", "final", *SLOW) as watched:
        watched.until_event(0)
        assert "final line" in watched.lines[0]
        for seq in stay[:12]:
            watched.press("right")
            watched.until_event(seq)
        watched.press("g", str(undone), "enter")
        watched.until_event(max(seq for seq in stay if seq < undone))
        watched.until_shown(f"event {undone} is not on the final line")
        watched.press("end")
        watched.until_event(stay[-1])
        assert f"score {SAID['score']} " in watched.lines[2]


@pytest.mark.usefixtures("stored")
def test_it_begins_at_from_and_ends_at_to() -> None:
    with Watched("replay", *SLOW, "--from", "20", "--to", "40") as watched:
        watched.until_event(20)
        watched.press("left")
        watched.until_event(19)
        watched.press("end")
        watched.until_event(40)
        watched.until(lambda: watched.state == "at the end")
        watched.press("right", "home")
        watched.until_event(0)


def test_it_fits_whatever_the_size(stored: Ds) -> None:
    with Watched("replay", *SLOW, "--from", "100", "--to", "100", size=(80, 24)) as watched:
        watched.until_event(100)
        for columns, lines in ((80, 16), (120, 50), (80, 12), (80, 24)):
            watched.resize(columns, lines)
            watched.until(lambda lines=lines: "quit" in watched.lines[lines - 1])  # type: ignore[misc]
            assert len(watched.lines) == lines
            assert "score" in watched.lines[2]
            assert watched.event == 100
            assert watched.emulator.spoilt == 0
            if lines >= 24:
                assert _shown_board(watched) == _board(stored, 100)
        for columns, lines in ((79, 24), (80, 11), (30, 10), (7, 3)):
            watched.resize(columns, lines)
            watched.until_shown("80x12")
            assert not "".join(watched.lines[1:])
            assert watched.emulator.spoilt == 0
        watched.press("q")
        assert watched.status() == 0


def test_nothing_scrolls_or_wraps_on_80_by_24(ds: Ds) -> None:
    name = "山田" * 32
    said = SAID | {"player": name}
    ds.ok("import", "-", stdin=as_line(said))
    with Watched("replay", "--speed", "400", "--player", name) as watched:
        watched.until(lambda: watched.state == "at the end")
        assert watched.emulator.spoilt == 0
        watched.press("?")
        watched.until_shown("half as fast")
        assert watched.emulator.spoilt == 0


@pytest.mark.parametrize("key", ["q", "escape"])
def test_quitting_gives_the_terminal_back_and_leaves_the_last_board(stored: Ds, key: str) -> None:
    with Watched("replay", *SLOW) as watched:
        watched.until_event(0)
        assert watched.flags != watched.flags_before
        watched.press("right", "right")
        watched.until_event(2)
        watched.press(key)
        assert watched.status() == 0
        assert watched.flags == watched.flags_before
        _is_given_back(watched)
        left = stored.ok("replay", "--at", "2").out.splitlines()
        assert watched.left_behind == [line for line in left if line]


def _is_given_back(watched: Watched) -> None:
    """The main screen is back, the cursor to be seen, and long lines go on, in the end."""

    def holds() -> bool:
        taken, given = (
            [watched.raw.rfind(b"\x1b[?" + mode) for mode in modes]
            for modes in ((b"1049h", b"25l", b"7l"), (b"1049l", b"25h", b"7h"))
        )
        return min(taken) >= 0 and max(taken) < min(given)

    watched.until(holds)


@pytest.mark.usefixtures("stored")
def test_ctrl_c_is_exit_130() -> None:
    with Watched("replay", *SLOW) as watched:
        watched.until_event(0)
        watched.press("ctrl-c")
        assert watched.status() == 130
        assert watched.flags == watched.flags_before
        _is_given_back(watched)


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_the_terminal_is_given_back(number: signal.Signals) -> None:
    with Watched("replay", *SLOW) as watched:
        watched.until_event(0)
        watched.process.send_signal(number)
        assert watched.status() == -number
        assert watched.flags == watched.flags_before
        _is_given_back(watched)


@pytest.mark.usefixtures("stored")
def test_ctrl_z_stops_it_and_the_shell_continues_it(tmp_path: Path) -> None:
    """As in a shell: the main screen is there in between, and then the replay again."""
    run = tmp_path / "run"
    run.write_text(f"#!/bin/sh\nexec '{PROGRAM[0]}' -c '{PROGRAM[2]}' \"$@\"\n", encoding="utf-8")
    run.chmod(0o700)
    shell = ("bash", "--norc", "--noprofile", "--noediting", "-i")
    with Watched(program=shell, PS1="$ ", HISTFILE=None) as watched:
        watched.until_shown("$")
        watched.press(f"{run} replay --speed 0.01", "enter")
        watched.until_event(0)
        watched.press("right")
        watched.until_event(1)
        taken = watched.flags
        watched.press("ctrl-z")
        watched.until_shown("Stopped")
        assert watched.flags != taken
        _is_given_back(watched)
        watched.press("fg", "enter")
        watched.until(lambda: watched.event == 1 and "Stopped" not in "\n".join(watched.lines))
        assert watched.flags == taken
        watched.press("right")
        watched.until_event(2)
        watched.press("q")
        watched.until(lambda: watched.flags != taken)
        _is_given_back(watched)
        watched.press("exit", "enter")
        assert watched.status() == 0


@pytest.mark.usefixtures("stored")
def test_a_terminal_without_suits_gets_letters() -> None:
    with Watched("replay", *SLOW, "--from", "60", PYTHONIOENCODING="ascii") as watched:
        watched.until_event(60)
        watched.press("?")
        watched.until_shown("ten events back")
        watched.press("x")
        watched.until_shown("stock")
        assert watched.raw.isascii()
        assert "\\u" not in "".join(watched.lines)


@pytest.mark.usefixtures("stored")
def test_no_color_leaves_the_marks() -> None:
    with Watched("replay", *SLOW, "--from", "1", "--to", "1", NO_COLOR="1") as watched:
        watched.until_event(1)
        colours = {
            cell.fg
            for row in watched.emulator.buffer.values()
            for cell in row.values()
            if cell.data.strip()
        }
        assert colours == {"default"}
        assert watched.marked


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(
    ("options", "term"),
    [
        (["--at", "2"], "xterm"),
        (["--to", "2", "--json"], "xterm"),
        (["--to", "2"], "dumb"),
    ],
    ids=str,
)
def test_it_stays_plain_where_that_is_asked_for_or_needed(options: list[str], term: str) -> None:
    with Watched("replay", "--speed", "100", *options, TERM=term) as watched:
        assert watched.status() == 0
        assert b"\x1b[?1049h" not in watched.raw
        assert watched.flags == watched.flags_before


def test_without_keys_it_is_plain(stored: Ds) -> None:
    """Output to a terminal, input from elsewhere: one frame below the other, as it always was."""
    screen = stored.screen("replay", "--to", "1", "--speed", "100")
    assert "\x1b[?1049h" not in screen.raw
    assert screen.lines == [
        line.rstrip() for line in stored.ok("replay", "--to", "1").out.splitlines()
    ]


def test_the_demo_does_not_stop_for_keys() -> None:
    with Watched("demo", size=(100, 40)) as watched:
        assert watched.status() == 0
        assert b"\x1b[?1049h" not in watched.raw
