"""A record for the table, and a person who waits no longer than needed."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import textual._wait

from ds_cli.table import board
from ds_events.database import open_database
from ds_events.store import EventStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    """An empty record."""
    database = open_database(tmp_path / "games.db")
    yield EventStore(database)
    database.close()


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the pilot look sooner whether all that a key set off is done."""
    monkeypatch.setattr(textual._wait, "SLEEP_GRANULARITY", 0.002)
    monkeypatch.setattr(textual._wait, "SLEEP_IDLE", 0.001)


@pytest.fixture(autouse=True)
def _slow_clicks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a second pass between two clicks, however quickly the pilot makes them."""
    seconds = count()
    monkeypatch.setattr(board, "monotonic", lambda: float(next(seconds)))
