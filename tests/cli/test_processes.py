"""What only a process of its own can show: pipes, signals, kills, races, imports."""

import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.games import CODE, GAMES, as_line, vectors
from tests.cli.running import PROGRAM, Ds, contents, environment, process

HEAVY = {"sqlalchemy", "alembic", "pydantic", "rich", "jiter", "platformdirs", "gzip"}
"""What no help needs."""


@pytest.fixture
def filled(ds: Ds) -> Ds:
    """`ds` on a record of long checked games, and an open game of mika's."""
    # More than a pipe holds, so that whoever writes it notices that the reader has gone.
    said = [said for said in vectors() if len(said["events"]) == 1500][:3]
    ds.ok("import", "-", stdin="\n".join(map(as_line, said)))
    ds.ok("new", CODE)
    return ds


@pytest.mark.parametrize(
    "command",
    [
        ["export", "--all"],
        ["replay"],
        ["games", "--csv"],
        ["games", "--json"],
        ["--help"],
        ["show", "-h"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_a_pipe_that_nobody_reads_ends_it_quietly(filled: Ds, command: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = process(*command, stdout=writing)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_messages_that_nobody_reads_change_nothing(ds: Ds) -> None:
    """As with `ds … 2>&1 | head`: the answer is in the exit status."""
    ds.ok("new", CODE)
    for command, status in (["move", "R"], 1), (["move", "what"], 2), (["draw"], 0):
        reading, writing = os.pipe()
        os.close(reading)
        ran = process(*command, stderr=writing)
        os.close(writing)
        assert ran.returncode == status, command
        assert b"Traceback" not in ran.stdout
    assert ds.moves() == ["D"]


@pytest.mark.parametrize("command", [["export", "--all"], ["replay"], ["demo"]], ids=" ".join)
def test_a_pipe_that_is_closed_in_the_middle_ends_it_quietly(
    filled: Ds, command: list[str]
) -> None:
    with subprocess.Popen(
        [*PROGRAM, *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as writing:
        assert writing.stdout is not None
        assert writing.stderr is not None
        head = subprocess.run(["head", "-n", "1"], stdin=writing.stdout, stdout=-1, check=True)
        writing.stdout.close()
        err = writing.stderr.read()
        assert writing.wait(timeout=60) == 0
    assert head.stdout.count(b"\n") == 1
    if command == ["demo"]:
        # The refusal that the demonstration shows is no failure of its own.
        err = re.sub(rb"ds: T2T1 is refused .*\n", b"", err)
    assert err == b""


@pytest.mark.parametrize(
    "command",
    [["show"], ["export", "--all"], ["--help"]],
    ids=" ".join,
)
def test_a_full_disk_behind_stdout_is_said_once(filled: Ds, command: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        ran = process(*command, stdout=full)
    assert ran.returncode == 3
    assert b"Traceback" not in ran.stderr
    assert b"Exception ignored" not in ran.stderr
    (message,) = ran.stderr.decode().splitlines()
    assert message.startswith("ds: ")
    assert "space" in message


@pytest.mark.parametrize("stream", [1, 2])
def test_a_closed_output_is_no_reason_for_a_traceback(filled: Ds, stream: int) -> None:
    """As with `ds show >&-`, which some schedulers do."""
    for command in (["show"], ["move", "R"]):
        ran = process(*command, preexec_fn=lambda: os.close(stream))
        assert ran.returncode in (0, 1, 3)
        assert b"Traceback" not in ran.stderr + ran.stdout


def _interrupt_when(
    is_ready: Callable[["subprocess.Popen[bytes]"], bool], *arguments: str, stdin: bytes = b""
) -> tuple[int, str]:
    """Run `ds`, interrupt it at the moment that is waited for, return status and messages.

    As on a terminal, all processes that it has started are interrupted with it.
    """
    with subprocess.Popen(
        [*PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        bufsize=0,
        start_new_session=True,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(stdin)
        deadline = time.monotonic() + 30
        while not is_ready(running):
            assert running.poll() is None, running.stderr.read()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.killpg(running.pid, signal.SIGINT)
        # An interrupt that falls into a destructor is lost in Python: a person presses again.
        with suppress(subprocess.TimeoutExpired):
            running.wait(timeout=5)
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGINT)
        running.stdout.read()
        err = running.stderr.read().decode()
        return running.wait(timeout=60), err


def _tells_of_an_interrupt_quietly(err: str) -> bool:
    """Whether no frame of the program is shown; what Python ignores in a destructor it tells."""
    return "ds_cli" not in err and "should not happen" not in err


def test_ctrl_c_is_130_and_no_traceback(ds: Ds) -> None:
    status, err = _interrupt_when(
        lambda _: len(ds.contents()["games"]) > 1, "simulate", "--games", "200", "--seed", "1"
    )
    assert status == 130
    assert _tells_of_an_interrupt_quietly(err)
    # What was played to its end by then is in the record, each game whole.
    report = ds.json("audit")
    assert report["faults"] == []
    assert 1 < report["games"] < 200
    assert {row["status"] for row in ds.json("games", "--everyone")["rows"]} <= {"won", "abandoned"}


def _has_read_all(running: "subprocess.Popen[bytes]") -> bool:
    """Whether a process has taken what was written to it, and so waits for more."""
    assert running.stdin is not None
    waiting = fcntl.ioctl(running.stdin, termios.FIONREAD, struct.pack("i", 0))
    return waiting == struct.pack("i", 0)


def test_ctrl_c_while_waiting_for_stdin(ds: Ds) -> None:
    ds.ok("new", CODE)
    status, err = _interrupt_when(_has_read_all, "move", "-", stdin=b"D D ")
    assert (status, err) == (130, "")
    assert ds.moves() == []


@pytest.mark.parametrize("children", [1, 2, 3])
def test_ctrl_c_in_an_audit_by_several_processes(ds: Ds, children: int) -> None:
    """Also while they are starting; one of them belongs to Python."""
    ds.ok("import", str(GAMES))

    def has_started(running: "subprocess.Popen[bytes]") -> bool:
        listed = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        return len(listed.read_text().split()) >= children

    status, err = _interrupt_when(has_started, "audit", "--jobs", "2")
    assert (status, err) == (130, "")


def test_ctrl_c_in_the_demonstration_ends_it_and_leaves_nothing_behind(
    ds: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))

    def lets_a_bot_play(_: object) -> bool:
        return any(len(contents(path).get("games", [])) > 2 for path in folder.glob("*/*.db"))

    status, err = _interrupt_when(lets_a_bot_play, "demo")
    assert status == 130
    assert _tells_of_an_interrupt_quietly(err)
    # One interrupt, and no talk of statuses that were due.
    assert "130" not in err
    assert list(folder.iterdir()) == []


def test_of_many_who_move_at_once_one_wins(ds: Ds) -> None:
    """Serial per game: the others are told that they lost, and nothing is played twice."""
    started = ds.json("new", CODE)["id"]
    racing = [
        subprocess.Popen(
            [*PROGRAM, "move", "D", "--expect", "0", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        for _ in range(4)
    ]
    ended = [(*one.communicate(timeout=60), one.returncode) for one in racing]
    assert sorted(status for *_, status in ended) == [0, 1, 1, 1]
    for out, err, status in ended:
        if status:
            assert out == b""
            assert started.encode() in err
            assert b"seq 1, not 0" in err
    assert ds.moves() == ["D"]


def test_who_starts_at_once_in_a_new_file_shares_it(ds: Ds, tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    racing = [
        subprocess.Popen(
            [*PROGRAM, "new", CODE, "--json", "--db", str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        for _ in range(3)
    ]
    ended = [(*one.communicate(timeout=60), one.returncode) for one in racing]
    assert [status for *_, status in ended] == [0] * 3, [err for _, err, _ in ended]
    ids = {json.loads(out)["id"] for out, *_ in ended}
    assert {row["game"] for row in ds.json("games", "--db", str(path))["rows"]} == ids
    assert len(ids) == 3


def test_what_was_acknowledged_is_there_after_a_kill(ds: Ds) -> None:
    """Cases 3, 13 and 21: killed at any moment, each game is whole or not there."""
    with subprocess.Popen(
        [*PROGRAM, "simulate", "--games", "100000", "--seed", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
    ) as running:
        ds.ok("new", CODE)
        acknowledged: list[tuple[str, int]] = []
        while len(acknowledged) < 8:
            shown = ds.json("draw")
            acknowledged.append((shown["id"], shown["seq"]))
        running.kill()
        running.wait(timeout=60)
    report = ds.json("audit")
    assert (report["faults"], report["unjudged"]) == ([], 0)
    game_id, seq = acknowledged[-1]
    assert ds.json("show", "--game", game_id)["seq"] == seq
    # A crash leaves no game counted as lost, and no statistic that the log does not bear out.
    before = ds.json("stats", "--everyone")
    assert ds.json("db", "rebuild")["rebuilt"] == 0
    assert ds.json("stats", "--everyone") == before
    assert before["total"]["games"] == before["total"]["won"] + before["total"]["abandoned"] + 1


def test_an_import_that_is_killed_has_stored_each_game_whole_or_not(ds: Ds, tmp_path: Path) -> None:
    running = subprocess.Popen(
        [*PROGRAM, "import", *[str(GAMES)] * 50],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    deadline = time.monotonic() + 30
    while not ds.contents()["games"] and time.monotonic() < deadline:
        time.sleep(0.02)
    running.kill()
    running.wait(timeout=60)
    report = ds.json("audit")
    assert report["faults"] == []
    assert report["games"] >= 1
    assert ds.ok("import", str(GAMES), "--json").json["rejected"] == 0
    assert ds.json("audit")["games"] == 33


def _imported(*arguments: str) -> set[str]:
    """Return the names of the packages that a command has loaded."""
    program = (
        "import json, os, sys\n"
        "from ds_cli.main import main\n"
        "status = main(sys.argv[1:])\n"
        "sys.stdout.flush()\n"
        "os.write(2, json.dumps([status, sorted(sys.modules)]).encode())\n"
    )
    ran = process(*arguments, program=[sys.executable, "-c", program])
    status, modules = json.loads(ran.stderr.decode().splitlines()[-1])
    assert status == 0, ran.stderr
    return set(modules)


@pytest.mark.parametrize("arguments", [["--help"], ["move", "--help"], ["--version"]], ids=" ".join)
def test_help_loads_nothing_heavy(ds: Ds, arguments: list[str]) -> None:
    loaded = _imported(*arguments)
    packages = {name.partition(".")[0] for name in loaded}
    assert packages & HEAVY == set()
    assert "ds_events.interchange" not in loaded


@pytest.mark.parametrize(
    "arguments",
    [
        ["move", "D", "--expect", "1"],
        ["undo", "1"],
        ["new", CODE],
        ["show"],
        ["games"],
        ["stats"],
        ["audit"],
        ["seal"],
        ["db", "info"],
        ["db", "rebuild"],
    ],
    ids=" ".join,
)
def test_a_command_loads_nothing_of_other_databases_and_nothing_that_reads_json(
    ds: Ds, arguments: list[str]
) -> None:
    """Typer would load pydantic to check also what is not given, texts and flags."""
    ds.ok("new", CODE)
    ds.ok("draw")
    loaded = _imported(*arguments)
    assert "sqlalchemy.dialects.sqlite" in loaded
    assert loaded & {"psycopg", "sqlalchemy.dialects.postgresql", "sqlalchemy.orm"} == set()
    assert loaded & {"pydantic", "jiter", "ds_events.interchange"} == set()


@pytest.mark.parametrize("arguments", [["draw"], ["stats"], ["import", str(GAMES)]], ids=" ".join)
def test_no_ordinary_command_loads_alembic(ds: Ds, arguments: list[str]) -> None:
    ds.ok("new", CODE)
    loaded = _imported(*arguments)
    packages = {name.partition(".")[0] for name in loaded}
    assert "alembic" not in packages
    # Tables and boards in a pipe need no drawing either.
    assert "rich" not in packages
    if arguments[0] in ("draw", "stats"):
        assert "ds_events.interchange" not in loaded


def test_a_new_process_sees_what_another_one_recorded(ds: Ds) -> None:
    """Case 3: the Vegas ledger is computed from the record; a restart changes nothing."""
    ds.ok("import", str(GAMES))
    here = ds.json("vegas", "--player", "vector")
    there = process("vegas", "--player", "vector", "--json")
    assert json.loads(there.stdout) == here


def test_moves_come_through_a_pipe(ds: Ds) -> None:
    ds.ok("new", CODE)
    ran = process("move", "-", "--json", stdin=b"D D U\nT2T3\n")
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["played"] == ["D", "D", "U", "T2T3"]
