"""Names that the examples in the docstrings assume."""

from typing import Any

import pytest

import ds_core


@pytest.fixture(autouse=True)
def _names_for_doctests(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace.update({name: getattr(ds_core, name) for name in ds_core.__all__})
