"""Each of the numbered rules has a test that names it."""

import re
from pathlib import Path

import pytest

NAMED = {
    int(number)
    for path in Path(__file__).parent.glob("test_*.py")
    for name in re.findall(r"^def test_((?:r\d+_)+)", path.read_text("utf-8"), re.MULTILINE)
    for number in re.findall(r"\d+", name)
}


@pytest.mark.parametrize("number", range(1, 38))
def test_each_rule_is_named_by_a_test(number: int) -> None:
    assert number in NAMED
