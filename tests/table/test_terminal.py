"""`ds play` and `ds watch` as processes on a terminal: left, killed, and gone on with."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from ds_events.database import open_database
from ds_events.store import EventStore
from tests.cli.interactive import Watched
from tests.cli.running import contents, process

CODE = "DS1-D1N-AAAABOR"
"""The aces of columns 1 and 5 go home at once; 6 has another."""


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The record that the processes find in their environment."""
    path = tmp_path / "games.db"
    monkeypatch.setenv("DS_DATABASE_URL", str(path))
    monkeypatch.setenv("DS_PLAYER", "mika")
    for name in ("DS_DOUBLE_TAP", "NO_COLOR", "COLORTERM", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    open_database(path).close()
    return path


def _moves(database: Path) -> list[str]:
    return [row[2] for row in contents(database)["events"]]


def test_a_killed_table_is_gone_on_with_where_it_was(database: Path) -> None:
    """What the screen has shown is in the record, whenever the process is killed."""
    with Watched("play", CODE) as table:
        table.until_shown("score 0")
        for done, keys in enumerate(["1f", "5f", "6f", " "], 1):
            table.press(*keys)
            table.until_shown(f"moves {done} ")
            assert len(_moves(database)) == done
        table.press(" ")
        os.kill(table.process.pid, signal.SIGKILL)
        table.status()
    played = _moves(database)
    assert played in (["T1F", "T5F", "T6F", "D"], ["T1F", "T5F", "T6F", "D", "D"])

    with Watched("play", CODE) as again:
        again.until_shown(f"moves {len(played)} ")
        again.press("u", "q")
        assert again.status() == 0
    assert _moves(database) == [*played, "U"]
    assert process("audit").returncode == 0


def test_leaving_gives_the_terminal_back(database: Path) -> None:
    with Watched("play", CODE) as table:
        table.until_shown("score 0")
        table.press(" ", "q")
        assert table.status() == 0
        assert table.flags == table.flags_before
        assert not any("stock" in line for line in table.left_behind)
    assert _moves(database) == ["D"]


def test_an_interrupt_ends_it(database: Path) -> None:
    with Watched("play", CODE) as table:
        table.until_shown("score 0")
        table.press(" ")
        table.until_shown("moves 1 ")
        table.press("ctrl-c")
        assert table.status() == 130
        assert table.flags == table.flags_before
        assert "Traceback" not in table.raw.decode()
    assert _moves(database) == ["D"]


def test_the_longest_refusal_is_read_to_its_end(database: Path) -> None:
    """T♣ goes on neither foundation of clubs: the table moves up a line to say so."""
    with Watched("play", CODE) as table:
        table.until_shown("score 0")
        table.press("2", "f")
        table.until_shown("at 0 (R12)")
        assert "q quit" in table.lines[-1]
        table.press("q")
        assert table.status() == 0
    assert _moves(database) == []


def test_a_watcher_follows_the_game(database: Path) -> None:
    process("new", CODE)
    with Watched("watch", "@1", DS_PLAYER="mika") as watcher:
        watcher.until_shown("score 0")
        process("move", "T1F", "T5F")
        watcher.until_shown("score 25")
        watcher.press(" ", "u", "q")
        assert watcher.status() == 0
    assert _moves(database) == ["T1F", "T5F"]


@pytest.mark.parametrize(
    ("terminal", "colours"),
    [
        ({"TERM": "xterm"}, r"\x1b\[[0-9;]*?(3|4|9|10)[0-7][;m]"),
        ({"TERM": "xterm-256color"}, r"\x1b\[[0-9;]*?[34]8;5;"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, r"\x1b\[[0-9;]*?[34]8;2;"),
    ],
    ids=["16", "256", "all"],
)
def test_as_many_colours_as_the_terminal_has(
    monkeypatch: pytest.MonkeyPatch, terminal: dict[str, str], colours: str
) -> None:
    for name, value in terminal.items():
        monkeypatch.setenv(name, value)
    with Watched("play", CODE, TERM=terminal["TERM"]) as table:
        table.until_shown("10♣")
        table.press(" ")
        table.until_shown("moves 1 ")
        shown = table.raw.decode(errors="replace")
        table.press("q")
        assert table.status() == 0
    assert re.search(colours, shown)
    more = {"xterm": r"[34]8;[25];", "xterm-256color": r"[34]8;2;"}[terminal["TERM"]]
    assert "COLORTERM" in terminal or not re.search(more, shown)


def test_without_colours_all_is_black_and_white(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    with Watched("play", CODE, NO_COLOR="1") as table:
        table.until_shown("10♣")
        table.press("2")
        table.until_shown("picked: 10♣")
        table.press("q")
        assert table.status() == 0
        shown = table.raw.decode()
    colours = re.findall(r"[34]8;2;(\d+);(\d+);(\d+)", shown)
    assert colours
    assert all(len(set(colour)) == 1 for colour in colours)


def test_letters_for_those_who_ask_for_them() -> None:
    with Watched("play", CODE, "--ascii") as table:
        table.until_shown("10C")
        table.press("2", "up")
        table.until_shown("picked: 10C")
        table.press("q")
        assert table.status() == 0
        assert table.raw.decode().isascii()


@pytest.mark.parametrize("command", [["play"], ["watch", "@1"]], ids=["play", "watch"])
def test_a_table_needs_a_terminal(database: Path, command: list[str]) -> None:
    process("new", CODE)
    before = contents(database)
    ran = process(*command)
    assert ran.returncode == 2
    assert b"this is none" in ran.stderr
    assert contents(database) == before


def test_without_the_extra_its_name_is_told(database: Path) -> None:
    """And no game is started by a table that cannot be laid."""
    hidden = "sys.modules['textual.app'] = None"
    run = f"import sys; {hidden}; from ds_cli.main import main; sys.exit(main())"
    with Watched("play", program=(sys.executable, "-c", run)) as table:
        assert table.status() == 3
        assert "textual is needed for ds play" in " ".join(table.lines)
    assert contents(database)["games"] == []


@pytest.mark.parametrize(
    ("arguments", "status", "named"),
    [
        (["play", "DS1-D9N-AAAAAAB"], 2, "DS1-D9N-AAAAAAB"),
        (["play", CODE, "--game", "@1"], 2, "--game"),
        (["play", "--game", "@7"], 1, "@7"),
        (["watch", "@7"], 1, "@7"),
        (["watch"], 2, "GAME"),
    ],
    ids=["no code", "two games", "no such game", "none to watch", "nothing to watch"],
)
def test_what_is_no_game_is_told(
    database: Path, arguments: list[str], status: int, named: str
) -> None:
    with Watched(*arguments) as table:
        assert table.status() == status
        assert named in " ".join(table.lines)
    assert contents(database)["games"] == []


def test_which_game_is_opened(database: Path) -> None:
    """The newest open one, of the code if one is named; a new one where there is none."""
    store = EventStore(open_database(database))
    for code in ("DS1-D3N-AAAAAAB", CODE):
        process("new", code)
    for arguments, opened, games in (
        ([], CODE, 2),
        (["DS1-D3N-AAAAAAB"], "DS1-D3N-AAAAAAB", 2),
        (["--game", "@2"], "DS1-D3N-AAAAAAB", 2),
        (["DS1-D1V-AAAAAAB"], "DS1-D1V-AAAAAAB", 3),
    ):
        with Watched("play", *arguments) as table:
            table.until_shown(opened)
            table.press("q")
            assert table.status() == 0
        assert len(contents(database)["games"]) == games
    store.database.close()


def test_the_setting_for_double_taps() -> None:
    with Watched("play", DS_DOUBLE_TAP="perhaps") as table:
        assert table.status() == 2
        assert "DS_DOUBLE_TAP" in " ".join(table.lines)
