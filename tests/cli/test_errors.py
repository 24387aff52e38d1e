"""The one place where errors become messages: usage, debugging, what should not happen."""

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from ds_cli.main import main
from ds_core import game
from ds_events.errors import OutcomeUnknown
from ds_events.store import EventStore
from tests.cli.games import CODE
from tests.cli.running import Ds, process


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["nope"], ["nope", "`ds --help`"]),
        (["--nope"], ["--nope", "`ds --help`"]),
        (["show", "--nope"], ["--nope", "`ds show --help`"]),
        (["show", "more"], ["more", "`ds show --help`"]),
        (["move", "D", "--game"], ["--game", "`ds move --help`"]),
        (["--db"], ["--db"]),
        (["tap"], ["PILE", "`ds tap --help`"]),
        (["deal"], ["CODE", "`ds deal --help`"]),
        (["import"], ["FILE", "`ds import --help`"]),
        (["undo", "1", "2"], ["2", "`ds undo --help`"]),
        (["db", "info", "--nope"], ["--nope", "`ds db info --help`"]),
        (["show", "--at", "1.5"], ["--at", "1.5", "`ds show --help`"]),
        # A value that is the name of a command is not the command.
        (["--player", "show", "games", "--nope"], ["--nope", "`ds games --help`"]),
        (["move", "D", "--game", "undo", "--nope"], ["--nope", "`ds move --help`"]),
    ],
)
def test_wrong_usage_is_one_line_with_the_help_to_read(
    ds: Ds, arguments: list[str], named: list[str]
) -> None:
    message = ds.fails(2, *arguments)
    for part in named:
        assert part in message


def test_a_mistyped_command_or_option_is_guessed(ds: Ds) -> None:
    """As git does."""
    assert "show" in ds.fails(2, "shwo")
    assert "--reveal" in ds.fails(2, "show", "--reveel")


def test_without_a_command_the_help_is_shown(ds: Ds) -> None:
    ran = ds()
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("Usage: ds ")


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_goes_to_stdout(ds: Ds, option: str) -> None:
    for command in ([], ["show"], ["db"], ["db", "info"]):
        ran = ds.ok(*command, option)
        assert ran.out.startswith(" ".join(["Usage: ds", *command]))
        assert ran.err == ""


@pytest.mark.parametrize(
    ("compiled", "rules"), [(True, "compiled"), (False, "in plain Python")], ids=str
)
def test_the_version_is_that_of_the_package_and_of_the_rules(
    ds: Ds, monkeypatch: pytest.MonkeyPatch, compiled: bool, rules: str
) -> None:
    monkeypatch.setattr("ds_cli.main.is_compiled", lambda: compiled)

    ran = ds.ok("--version")

    assert ran.out == f"ds {version('double-solitaire-record')} (rules {rules})\n"


def test_the_version_tells_the_rules_that_are_running() -> None:
    on_sources = Path(str(game.__file__)).suffix == ".py"

    said = process("--version").stdout.decode()

    assert said.endswith("(rules in plain Python)\n" if on_sources else "(rules compiled)\n")


@pytest.fixture
def _broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `ds show` fail in a way that nobody has thought of."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("a secret\x1b[31m of the program")

    monkeypatch.setattr(EventStore, "load", fail)


@pytest.mark.usefixtures("_broken")
def test_what_should_not_happen_is_still_a_message(ds: Ds) -> None:
    ds.ok("new", CODE)
    message = ds.fails(3, "show")
    assert "ZeroDivisionError" in message
    assert "--debug" in message
    assert "\x1b" not in message


@pytest.mark.usefixtures("_broken")
@pytest.mark.parametrize("arguments", [["show", "--debug"], ["--debug", "show"]])
def test_debug_shows_the_traceback_before_the_message(ds: Ds, arguments: list[str]) -> None:
    ds.ok("new", CODE)
    ran = ds(*arguments)
    assert (ran.status, ran.out) == (3, "")
    assert ran.err.startswith("Traceback (most recent call last):")
    assert "ZeroDivisionError" in ran.err.splitlines()[-1]


def test_debug_shows_where_a_refusal_came_from_too(ds: Ds) -> None:
    ds.ok("new", CODE)
    ran = ds("move", "R", "--debug")
    assert ran.status == 1
    assert "Traceback" in ran.err
    assert ran.err.splitlines()[-1].startswith("ds: R is refused (R18)")


def test_debug_changes_nothing_where_all_is_well(ds: Ds) -> None:
    ran = ds.ok("new", CODE, "--debug")
    assert ran.err == ""
    assert CODE in ran.out


def test_a_commit_of_unknown_outcome_is_the_environments_fault(
    ds: Ds, monkeypatch: pytest.MonkeyPatch
) -> None:
    ds.ok("new", CODE)

    def lose(*_: object, **__: object) -> None:
        raise OutcomeUnknown("the connection was lost while it was being committed")

    monkeypatch.setattr(EventStore, "append", lose)
    assert "lost" in ds.fails(3, "draw")


def test_a_lost_race_is_a_no(ds: Ds, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody plays between the look at the game and the move."""
    started = ds.json("new", CODE)["id"]
    append = EventStore.append

    def overtaken(store: EventStore, game_id: int, moves: Any, *, expected_version: int) -> Any:
        append(EventStore(store.database), game_id, ["D"], expected_version=expected_version)
        return append(store, game_id, moves, expected_version=expected_version)

    ds.ok("draw")
    monkeypatch.setattr(EventStore, "append", overtaken)
    for seq, command in enumerate(
        (["move", "D"], ["draw"], ["undo"], ["tap", "S"], ["abandon"]), 1
    ):
        ran = ds(*command)
        assert (ran.status, ran.out) == (1, "")
        for said in (started, f"seq {seq + 1}", f"not {seq}"):
            assert said in ran.err
    assert set(ds.moves()) == {"D"}


def test_main_takes_its_arguments_from_the_command_line(
    ds: Ds, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["ds", "deal", CODE, "--json"])
    assert main() == 0
    assert CODE in capsys.readouterr().out


def test_ds_is_installed_as_a_program() -> None:
    from importlib.metadata import entry_points

    (script,) = entry_points(group="console_scripts", name="ds")
    assert script.load() is main


def test_messages_repeat_what_was_typed_without_its_control_characters(ds: Ds) -> None:
    ds.ok("new", CODE)
    nasty = "\x1b]0;owned\x07\u202e\x9b2J"
    for arguments in (
        ["move", nasty],
        ["deal", nasty],
        ["tap", nasty],
        ["show", "--game", nasty],
        ["games", "--since", nasty],
        ["games", "--mode", nasty],
        ["new", "--deck", nasty],
        ["import", nasty],
        [nasty],
        ["games", "--db", f"mysql{nasty}://x"],
    ):
        ran = ds(*arguments)
        assert ran.status in (1, 2), arguments
        assert all(c.isprintable() or c == "\n" for c in ran.err), ran.err
        assert ran.err.count("\n") == 1
