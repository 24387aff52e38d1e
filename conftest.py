"""Names that the examples in docstrings and README assume, and the choice of browser tests."""

import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

import ds_core
from ds_events.database import open_database

# Where the tests were started in the background, children would ignore an interrupt as well.
signal.signal(signal.SIGINT, signal.default_int_handler)

NAMED_BROWSER = "DS_TEST_BROWSER"
"""The variable that names the Chromium to test pages with."""

_KNOWN_AS = ("chromium", "chromium-browser", "google-chrome")


def find_browser() -> str | None:
    """Return the path of a Chromium, or `None`."""
    named = os.environ.get(NAMED_BROWSER)
    return named or next(filter(None, map(shutil.which, _KNOWN_AS)), None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option with which a missing browser is a failure."""
    parser.addoption(
        "--require-browser",
        action="store_true",
        help="fail where there is no browser, instead of leaving out the tests that need one",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests in a browser where there is none, unless they are required."""
    if config.getoption("--require-browser") or find_browser() is not None:
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say that tests were left out, also where workers have run them."""
    if not config.getoption("--require-browser") and find_browser() is None:
        terminalreporter.write_line(
            "The tests in a browser were left out: there is no Chromium here; "
            f"install one, or name one with {NAMED_BROWSER}."
        )


@pytest.fixture(autouse=True)
def _names_for_doctests(doctest_namespace: dict[str, Any], tmp_path: Path) -> None:
    doctest_namespace.update({name: getattr(ds_core, name) for name in ds_core.__all__})
    doctest_namespace.update({"open_database": open_database, "games_db": tmp_path / "games.db"})
