"""Which build of the rules is running."""

from types import FunctionType


def is_compiled() -> bool:
    """Whether the rules run as compiled code; `False` in plain Python.

    Both do the same; only the speed differs.
    """
    return not isinstance(is_compiled, FunctionType)
