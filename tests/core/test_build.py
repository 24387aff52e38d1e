"""Which build of the rules is running."""

from pathlib import Path

from ds_core import game, is_compiled


def test_it_is_told_whether_the_rules_are_compiled() -> None:
    loaded_from = Path(str(game.__file__))

    assert is_compiled() == (loaded_from.suffix != ".py")
