"""`ds demo`: a guided first run in a throw-away database."""

import os
import re
import shlex
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.cli.games import CODE
from tests.cli.running import Ds, environment, process


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str, list[str]]:
    """What a newcomer sees: status, both outputs in order, what was left in the temp folder."""
    folder = tmp_path_factory.mktemp("demo")
    for name in ("tmp", "home"):
        (folder / name).mkdir()
    changes: dict[str, str | None] = {
        name: None for name in os.environ if name.startswith(("DS_", "XDG_"))
    }
    changes |= {"TMPDIR": str(folder / "tmp"), "HOME": str(folder / "home")}
    changes |= {"DS_PLAYER": "mika", "PYTHONUTF8": "1"}
    ran = process("demo", env=environment(**changes), cwd=folder, stderr=subprocess.STDOUT)
    left = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    return ran.returncode, ran.stdout.decode(), left


Shown = tuple[int, str, list[str]]


def _steps(out: str) -> dict[str, str]:
    """Return what stands under each command that was run."""
    pieces = re.split(r"^\$ (ds .*)$", out, flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def test_it_ends_well(shown: Shown) -> None:
    status, out, _ = shown
    assert status == 0
    assert "Traceback" not in out
    assert "should not happen" not in out


def test_it_leaves_nothing_behind(shown: Shown) -> None:
    assert shown[2] == []


def test_every_command_that_it_runs_is_shown_and_listed_at_the_end(shown: Shown) -> None:
    out = shown[1]
    ran = re.findall(r"^\$ (ds .*)$", out, flags=re.MULTILINE)
    assert len(ran) >= 10
    listed = [line.strip() for line in out.splitlines() if line.startswith("  ds ")]
    assert listed == ran


def test_it_records_replays_reports_and_audits(shown: Shown) -> None:
    words = {shlex.split(command)[1] for command in _steps(shown[1])}
    assert words >= {"new", "move", "undo", "replay", "scores", "vegas", "stats", "audit"}


def test_the_second_ace_goes_to_the_second_foundation(shown: Shown) -> None:
    """R13: nobody says to which of the two; the first one is on F1 by then."""
    boards = [text for text in _steps(shown[1]).values() if "F2 A♠" in text]
    assert boards
    assert "F1 A♠ F2 A♠" in boards[0]
    assert any("F1 A♠ F2 -♠" in text for text in _steps(shown[1]).values())


def test_a_card_that_is_no_king_is_refused_on_an_empty_column(shown: Shown) -> None:
    """R11, and the board after it is the one before it."""
    steps = list(_steps(shown[1]).items())
    place = next(n for n, (_, text) in enumerate(steps) if "(R11)" in text)
    command, text = steps[place]
    move = command.split()[-1]
    assert f"{move} is refused (R11)" in text
    assert "king" in text
    # The column that it was tried on is empty on the board before.
    before = steps[place - 1][1]
    heads = next(line for line in before.splitlines() if line.split()[:1] == ["T1"])
    below = before.splitlines()[before.splitlines().index(heads) + 1]
    at = heads.index(move[2:4])
    assert below[at : at + 2] == "--"
    logged = next(text for command, text in steps if command == "ds log")
    assert move not in logged.split()


def test_its_audit_finds_nothing(shown: Shown) -> None:
    audit = next(text for command, text in _steps(shown[1]).items() if command == "ds audit")
    assert "no faults" in audit


def test_its_lines_fit_80_columns(shown: Shown) -> None:
    lines = [line for line in shown[1].splitlines() if not line.startswith("ds: ")]
    assert [line for line in lines if len(line) > 80] == []


def test_what_is_shown_can_be_typed(ds: Ds, shown: Shown) -> None:
    """Each command does by hand what it did in the demonstration."""
    for command, text in _steps(shown[1]).items():
        ran = ds(*shlex.split(command)[1:])
        refused = "is refused" in text.partition("\n\n")[0]
        assert ran.status == (1 if refused else 0), command
        if refused:
            assert ran.err.strip() in text


def test_the_users_own_record_and_environment_stay_as_they_are(
    ds: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    ds.ok("new", CODE)
    before, settings = ds.contents(), dict(os.environ)
    for arguments in (["demo"], ["--db", str(ds.database), "demo", "--player", "kai"]):
        assert ds(*arguments).status == 0
        assert ds.contents() == before
        assert dict(os.environ) == settings
    assert list(elsewhere.iterdir()) == []


def test_settings_that_were_not_there_are_not_there_afterwards(
    ds: Ds, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DS_DATABASE_URL", "DS_PLAYER"):
        monkeypatch.delenv(name)
    assert ds("demo").status == 0
    assert "DS_DATABASE_URL" not in os.environ
    assert "DS_PLAYER" not in os.environ
    assert list(home.rglob("*.db")) == []


def test_a_step_that_fails_is_said_and_ends_it(ds: Ds, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise sqlite3.Error("nothing works today")

    monkeypatch.setattr("ds_events.report.score_history", broken)
    ran = ds("demo")
    assert ran.status == 3
    assert "nothing works today" in ran.err
    assert "ds scores" in ran.err
    assert "ds stats" not in ran.out


def test_it_takes_nothing(ds: Ds) -> None:
    assert "more" in ds.fails(2, "demo", "more")
