"""`ds replay` and `ds log`: a game as it was played, undone moves included (R28)."""

import re
from pathlib import Path
from typing import Any

import pytest

from ds_cli.terminal.playback import FASTEST
from ds_events.record import StoredGame
from ds_events.store import EventStore
from tests import naive
from tests.cli.games import (
    CODE,
    as_line,
    board_json,
    deck,
    game,
    id_text,
    played,
    shown_json,
    utc,
    vectors,
)
from tests.cli.running import Ds


def _said(*moves: str) -> dict[str, Any]:
    """Return a game with a time for each event, ten seconds apart."""
    said = game(*moves, id=id_text(7), started_at=utc("2026-11-30T02:10:00"))
    for event in said["events"]:
        event["at"] = utc("2026-11-30T02:10:00", 10 * event["seq"])
    return said


@pytest.fixture
def said(ds: Ds) -> dict[str, Any]:
    """A stored game with undone moves."""
    said = _said("D", "T2T3", "D", "U", "T6T8", "U", "U", "D")
    ds.ok("import", "-", stdin=as_line(said))
    return said


def test_frames_are_the_boards_after_each_event(ds: Ds, said: dict[str, Any]) -> None:
    document = ds.json("replay")
    assert {key: document[key] for key in shown_json(said)} == shown_json(said)
    frames = document["frames"]
    assert [frame["seq"] for frame in frames] == list(range(9))
    assert [frame["move"] for frame in frames] == [None, *[e["move"] for e in said["events"]]]
    assert [frame["at"] for frame in frames] == [
        said["started_at"],
        *[event["at"] for event in said["events"]],
    ]
    for seq, frame in enumerate(frames):
        board = board_json(played(said, seq))
        assert {key: frame[key] for key in board} == board
        before = played(said, max(seq - 1, 0)).board.score
        assert frame["change"] == board["score"] - before


@pytest.mark.parametrize(
    ("options", "seqs"),
    [
        (["--at", "0"], [0]),
        (["--at", "8"], [8]),
        (["--from", "6"], [6, 7, 8]),
        (["--to", "1"], [0, 1]),
        (["--from", "3", "--to", "5"], [3, 4, 5]),
        (["--from", "4", "--to", "4"], [4]),
        (["--from", "8"], [8]),
    ],
)
def test_some_frames_alone(
    ds: Ds, said: dict[str, Any], options: list[str], seqs: list[int]
) -> None:
    everything = ds.json("replay")["frames"]
    assert ds.json("replay", *options)["frames"] == [everything[seq] for seq in seqs]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--at", "9"], ["8", "9"]),
        (["--from", "9"], ["8", "9"]),
        (["--to", "9"], ["8", "9"]),
        (["--from", "5", "--to", "4"], ["--from 5", "--to 4"]),
        (["--at", "1", "--from", "1"], ["--at", "--from"]),
        (["--at", "1", "--to", "1"], ["--at", "--to"]),
        (["--at", "-1"], ["--at"]),
        (["--from", "x"], ["--from"]),
        (["--speed", "0"], ["--speed"]),
        (["--speed", "-1"], ["--speed"]),
        (["--speed", "fast"], ["--speed"]),
        (["--speed", "nan"], ["--speed"]),
        (["--speed", "inf"], ["--speed", "1024"]),
        (["--speed", "1e308"], ["--speed", "1024"]),
        (["--speed", "1025"], ["--speed", "1024"]),
    ],
)
def test_frames_that_are_not_there_are_wrong_usage(
    ds: Ds, said: dict[str, Any], options: list[str], named: list[str]
) -> None:
    message = ds.fails(2, "replay", *options)
    for part in named:
        assert part in message


def test_the_final_line_is_what_was_not_taken_back(ds: Ds, said: dict[str, Any]) -> None:
    """Of eight events, D and the last D stand; their frames are those of the line as played."""
    everything = ds.json("replay")
    assert [frame["undone_by"] for frame in everything["frames"]] == [
        *(None, None, 7, 4, None, 6, None, None, None)
    ]
    final = ds.json("replay", "--line", "final")
    assert final == everything | {"frames": [everything["frames"][seq] for seq in (0, 1, 8)]}
    assert ds.json("replay", "--line", "played") == everything
    out = ds.ok("replay", "--line", "final", "--from", "1").out
    assert out == "".join(ds.ok("replay", "--at", seq).out for seq in ("1", "8"))
    assert ds.json("replay", "--line", "final", "--to", "7")["frames"] == final["frames"][:2]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--at", "3"], "event 3 is left out with --line final"),
        (["--at", "7"], "event 7 is left out with --line final"),
        (["--from", "2", "--to", "7"], "the events from 2 to 7 are left out"),
    ],
)
def test_what_the_final_line_leaves_out_cannot_be_shown(
    ds: Ds, said: dict[str, Any], options: list[str], named: str
) -> None:
    assert named in ds.fails(2, "replay", "--line", "final", *options)
    ds.ok("replay", *options)


def test_there_are_two_lines_of_play(ds: Ds, said: dict[str, Any]) -> None:
    message = ds.fails(2, "replay", "--line", "best")
    assert "'played'" in message
    assert "'final'" in message


def test_people_see_every_board_with_its_move_and_local_time(ds: Ds, said: dict[str, Any]) -> None:
    out = ds.ok("replay").out
    frames = out.split("  T1    T2    T3")
    assert len(frames) == 1 + 9
    # 02:10 UTC is 11:10 in Tokyo.
    assert "2026-11-30 11:10:20" in out
    second = next(line for line in out.splitlines() if "T2T3" in line)
    assert second.split()[:3] == ["2", "T2T3", "+5"]
    assert out.count(id_text(7)) == 9


def test_a_replay_into_a_pipe_does_not_wait(ds: Ds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: pytest.fail(f"waited {seconds} s"))
    ds.ok("new", CODE)
    ds.ok("move", "D", "D")
    assert "stock 57" in ds.ok("replay", "--speed", "0.01").out


def test_money_is_shown_as_money(ds: Ds) -> None:
    """R22; the second checked game in D1V with an ace in reach starts at -$104."""
    said = vectors()[7] | {"id": id_text(3)}
    ds.ok("import", "-", stdin=as_line(said))
    home = next(e for e in said["events"] if e["score"] == -99)
    out = ds.ok("replay", "--game", id_text(3), "--at", str(home["seq"])).out
    assert "score -$99" in out
    assert f"{home['move']}  +$5" in out
    assert "-$99" in ds.ok("log", "--game", id_text(3)).out


def test_the_log_has_every_event(ds: Ds, said: dict[str, Any]) -> None:
    scores = []
    position = naive.start("D1N", tuple(deck()))
    for event in said["events"]:
        position = naive.play(position, event["move"])
        scores.append(position.board.score)
    rows = [
        {"seq": e["seq"], "move": e["move"], "score": score, "at": e["at"]}
        for e, score in zip(said["events"], scores, strict=True)
    ]
    document = ds.json("log")
    assert document == {"game": id_text(7), "rows": rows}
    assert list(document["rows"][0]) == ["seq", "move", "score", "at"]
    ran = ds.ok("log", "--csv")
    assert ran.out.splitlines()[0] == "seq,move,score,at"
    assert ran.csv == [{key: str(value) for key, value in row.items()} for row in rows]


def test_the_log_for_people_has_changes_and_local_times(ds: Ds, said: dict[str, Any]) -> None:
    lines = [line.split() for line in ds.ok("log").out.splitlines()]
    assert lines[0] == ["seq", "move", "change", "score", "at"]
    assert lines[1] == ["1", "D", "0", "2026-11-30", "11:10:10"]
    assert lines[2] == ["2", "T2T3", "+5", "5", "2026-11-30", "11:10:20"]
    # Taking T2T3 back takes its points with it (R26).
    assert lines[7] == ["7", "U", "-5", "0", "2026-11-30", "11:11:10"]
    assert len(lines) == 1 + 8


def test_a_game_without_events_has_an_empty_log(ds: Ds) -> None:
    started = ds.json("new", CODE)["id"]
    assert ds.json("log") == {"game": started, "rows": []}
    assert ds.ok("log", "--csv").out == "seq,move,score,at\n"
    assert len(ds.json("replay")["frames"]) == 1
    assert ds.ok("log").status == 0


@pytest.mark.parametrize("command", ["log", "games", "scores", "vegas", "stats", "audit"])
def test_two_formats_at_once_are_wrong_usage(ds: Ds, command: str) -> None:
    ds.ok("new", CODE)
    message = ds.fails(2, command, "--json", "--csv")
    assert "--json" in message
    assert "--csv" in message


def test_the_highest_speed_is_the_one_that_keys_reach(ds: Ds, said: dict[str, Any]) -> None:
    assert ds.ok("replay", "--speed", str(FASTEST)).out == ds.ok("replay").out


@pytest.mark.parametrize("command", ["replay", "report"])
def test_what_is_played_meanwhile_is_in_no_part_of_a_replay(
    ds: Ds, said: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """The heading says how far the game was, so the frames go as far."""
    events = len(said["events"])
    load = EventStore.load

    def load_and_play_on(store: EventStore, *of: Any) -> StoredGame:
        stored = load(store, *of)
        with monkeypatch.context() as patch:
            patch.setattr(EventStore, "load", load)
            store.append(stored.id, ["D"], expected_version=events)
        return stored

    monkeypatch.setattr(EventStore, "load", load_and_play_on)
    page = tmp_path / "page.html"
    ds.ok(command, "--html", str(page), *(["--with-replays"] if command == "report" else []))
    if command == "report":
        (page,) = (tmp_path / "page-replays").iterdir()
    text = page.read_text(encoding="utf-8")
    assert re.findall(r'<a href="#(\d+)"', text) == [str(seq) for seq in range(events + 1)]
