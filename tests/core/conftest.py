"""The helpers assert as well: their failures show values like those of the tests."""

import pytest

pytest.register_assert_rewrite("tests.core.building")
