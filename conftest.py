"""Names that the examples in the docstrings and the README assume."""

from pathlib import Path
from typing import Any

import pytest

import ds_core
from ds_events.database import open_database


@pytest.fixture(autouse=True)
def _names_for_doctests(doctest_namespace: dict[str, Any], tmp_path: Path) -> None:
    doctest_namespace.update({name: getattr(ds_core, name) for name in ds_core.__all__})
    doctest_namespace.update({"open_database": open_database, "games_db": tmp_path / "games.db"})
