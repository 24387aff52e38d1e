"""Packages that only an extra installs: asked for where they are used, and named where missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from ds_events.errors import MissingExtra


@contextmanager
def needed_for(purpose: str, extra: str) -> Iterator[None]:
    """Import what an extra installs inside the block; raises `MissingExtra` where it is not.

    >>> with needed_for("--plot", "report"):
    ...     import no_such_package
    Traceback (most recent call last):
    ds_events.errors.MissingExtra: no_such_package is needed for --plot: pip install ...
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        raise MissingExtra(package, purpose, extra) from error
