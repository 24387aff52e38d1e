"""The environment in which the tests of the command line run, and the ways to run it."""

import functools
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from ds_events.database import Database, open_database
from tests.cli.running import Ds

_STYLING = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "TERM")


@pytest.fixture(scope="session", autouse=True)
def _commands_are_built_once() -> Iterator[None]:
    """Keep what Typer builds anew at each run: for thousands of runs it is half of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", functools.cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session")
def empty_record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record without games; to copy it is much faster than to make one."""
    path = tmp_path_factory.mktemp("record") / "empty.db"
    open_database(path).close()
    return path


@pytest.fixture(autouse=True)
def home(tmp_path: Path) -> Iterator[Path]:
    """A user without settings, mika in Tokyo; returns the home folder."""
    folder = tmp_path / "home"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("DS_", "XDG_", "TTY_")) or name in _STYLING:
                patch.delenv(name)
        patch.setenv("HOME", str(folder))
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        patch.setenv("DS_DATABASE_URL", str(tmp_path / "games.db"))
        patch.setenv("DS_PLAYER", "mika")
        patch.setenv("PYTHONUTF8", "1")
        # Nine hours ahead the whole year round: a local time is never taken for UTC.
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield folder
    time.tzset()


@pytest.fixture
def database(tmp_path: Path, empty_record: Path) -> Path:
    """The test's own record, empty and ready."""
    return Path(shutil.copy(empty_record, tmp_path / "games.db"))


@pytest.fixture
def ds(database: Path, capsys: pytest.CaptureFixture[str]) -> Ds:
    """`ds` in this process, on the test's own record."""

    def captured() -> tuple[str, str]:
        out, err = capsys.readouterr()
        return out, err

    return Ds(database, captured)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long for a lock."""
    for function in (open_database, Database.__init__):
        defaults = function.__kwdefaults__
        assert defaults is not None
        monkeypatch.setitem(defaults, "timeout", 0.05)
