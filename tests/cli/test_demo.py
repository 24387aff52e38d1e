"""`ds demo`: a guided first run in a throw-away database."""

import os
import re
import shlex
import sqlite3
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.games import CODE
from tests.cli.running import Ds, environment, process


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str, dict[str, str]]:
    """What a newcomer sees: status, both outputs in order, the files that were left."""
    folder = tmp_path_factory.mktemp("demo")
    for name in ("tmp", "home"):
        (folder / name).mkdir()
    changes: dict[str, str | None] = {
        name: None for name in os.environ if name.startswith(("DS_", "XDG_"))
    }
    changes |= {"TMPDIR": str(folder / "tmp"), "HOME": str(folder / "home")}
    # Where matplotlib keeps what it knows of fonts; it is not ours to leave or not.
    changes |= {"MPLCONFIGDIR": str(tmp_path_factory.mktemp("fonts"))}
    changes |= {"DS_PLAYER": "mika", "PYTHONUTF8": "1"}
    ran = process("demo", env=environment(**changes), cwd=folder, stderr=subprocess.STDOUT)
    left = {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8", errors="replace")
        for path in folder.rglob("*")
        if path.is_file()
    }
    return ran.returncode, ran.stdout.decode(), left


Shown = tuple[int, str, dict[str, str]]


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where what is temporary goes, so that no demonstration leaves pages on the machine."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def _steps(out: str) -> dict[str, str]:
    """Return what stands under each command that was run."""
    pieces = re.split(r"^\$ (ds .*)$", out, flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def test_it_ends_well(shown: Shown) -> None:
    status, out, _ = shown
    assert status == 0
    assert "Traceback" not in out
    assert "should not happen" not in out


def test_it_leaves_a_report_and_a_replay_and_nothing_else(shown: Shown) -> None:
    _, out, left = shown
    assert sorted(Path(name).name for name in left) == ["replay.html", "report.html"]
    (folder,) = {Path(name).parent for name in left}
    assert folder.parts[0] == "tmp"
    assert folder.name.startswith("ds-demo-")
    ends = [line.strip() for line in out.splitlines()[-6:]]
    for name in left:
        assert any(line.endswith(name) for line in ends), name
    assert "is gone" in out


def test_its_pages_are_of_the_games_that_it_recorded(shown: Shown) -> None:
    report, replay = (
        next(text for path, text in shown[2].items() if path.endswith(name))
        for name in ("report.html", "replay.html")
    )
    for page in (report, replay):
        assert page.startswith("<!DOCTYPE html>")
        assert "bot:greedy" in page
    # Twelve games and sixty more; the one that is replayed is won, with every card home.
    assert '<data value="72" data-of="stats.total.games">72</data>' in report
    assert "won with $416" in replay
    (game,) = set(re.findall(r"\b[0-9A-HJKMNP-TV-Z]{13}\b", replay.partition("<script")[0]))
    assert game in report


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
    # The folder of the tests is longer than that of a system.
    lines = [re.sub(r"/\S*/tmp/(?=ds-demo-)", "/tmp/", line) for line in lines]
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


def test_a_step_that_fails_leaves_no_pages(
    ds: Ds, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ds_events.report.score_history", None)
    assert ds("demo").status != 0
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_without_the_extra_it_names_what_there_would_be(
    ds: Ds, temporary: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    found = find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == package else found(name)
    )
    ran = ds.ok("demo")
    assert "ds report" not in ran.out
    assert "pip install 'double-solitaire-record[report]'" in ran.out
    assert list(temporary.iterdir()) == []


def test_it_takes_nothing(ds: Ds) -> None:
    assert "more" in ds.fails(2, "demo", "more")
