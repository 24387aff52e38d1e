"""The help of every command, and the reference page that is made of it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import reference
from tests.cli.running import environment

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "commands.md"

CONTRACT = (
    *("new", "move", "draw", "tap", "undo", "abandon", "show", "legal", "hint", "games", "log"),
    *("deal", "replay", "scores", "vegas", "stats", "audit", "export", "import", "simulate"),
    *("play", "watch"),
    *("db upgrade", "db info", "db rebuild", "db backup", "demo"),
)

COMMANDS = pytest.mark.parametrize("command", reference.commands())


def test_every_command_of_the_contract_is_there() -> None:
    assert {f"ds {name}" for name in CONTRACT} <= set(reference.commands())


@COMMANDS
def test_help_fits_80_columns(command: str) -> None:
    text = reference.help_of(command)
    assert [line for line in text.splitlines() if len(line) > 80] == []


@COMMANDS
def test_help_has_an_example_that_begins_with_the_command(command: str) -> None:
    text = reference.help_of(command)
    head, _, examples = text.partition("Example")
    assert head
    shown = [line for line in examples.splitlines() if re.match(r"    \S", line)]
    assert shown
    # `ds` alone and the groups show how their members are used.
    assert all(f"{command}" in line for line in shown), shown


@COMMANDS
def test_no_line_of_help_is_cut(command: str) -> None:
    """A list of commands is read whole, or it is no help."""
    lines = reference.help_of(command).partition("Commands:")[2].splitlines()
    assert [line for line in lines if line.rstrip().endswith("...")] == []


@COMMANDS
def test_the_usage_line_names_each_argument_once_and_plainly(command: str) -> None:
    """As in the man pages: `FILE...`, `[GAME]...`, and no brackets within brackets."""
    usage = reference.help_of(command).split("\n\n")[0]
    assert usage.startswith(f"Usage: {command} ")
    for ugly in ("[[", "{", "......", "...}"):
        assert ugly not in usage, usage
    assert "list[" not in reference.help_of(command)


@COMMANDS
def test_shared_options_are_in_every_help_but_the_groups(command: str) -> None:
    text = reference.help_of(command)
    if "Commands:" in text and command != "ds":
        return
    for option in ("--db", "--player", "--debug", "--help"):
        assert re.search(rf"^  .*{option}\b", text, re.MULTILINE)
    for variable in ("DS_DATABASE_URL", "DS_PLAYER"):
        assert variable in text


@pytest.mark.parametrize("name", ["show", "new", "move", "log", "audit", "stats", "db info"])
def test_what_reports_takes_json(name: str) -> None:
    assert re.search(r"^  --json\b", reference.help_of(f"ds {name}"), re.MULTILINE)


def test_the_reference_page_is_what_the_program_says() -> None:
    """`python -m tests.cli.reference > docs/commands.md` brings it up to date."""
    assert PAGE.read_text(encoding="utf-8") == reference.page()


def test_the_reference_page_is_printed_the_same_whatever_the_terminal() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.cli.reference"],
        cwd=ROOT,
        env=environment(COLUMNS="40", FORCE_COLOR="1"),
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert ran.stderr == b""
    assert ran.stdout.decode() == PAGE.read_text(encoding="utf-8")


def test_the_page_has_a_section_for_each_command() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith("# Commands\n")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == reference.commands()
    assert text.count("```") == 2 * len(reference.commands())
