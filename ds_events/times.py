"""Times as whole microseconds since 1970 in UTC, and how they are written.

A whole number is exact, orders and subtracts as it is, and is the same on both databases.
"""

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

Micros: TypeAlias = int
"""A time in microseconds since 1970-01-01 00:00 UTC; may be negative."""

Clock: TypeAlias = Callable[[], Micros]

SECOND: Final = 1_000_000

_DAY: Final = 86_400
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST: Final = -62_135_596_800 * SECOND
_LAST: Final = 253_402_300_800 * SECOND - 1
"""The bounds of the years 1 to 9999."""

_WRITTEN: Final = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:[0-5]\d)", re.ASCII
)


def now() -> Micros:
    """Return the present time of the machine."""
    return time.time_ns() // 1000


def parse_time(text: str) -> Micros:
    """Return the time that a text such as `2026-11-30T02:10:00.5Z` says.

    It has an offset, `Z` or `+09:00`, and at most six decimals. Raises `ValueError`.

    >>> parse_time("1970-01-01T09:00:00.5+09:00")
    500000
    """
    if not (_is_as_records_have_it(text) or _WRITTEN.fullmatch(text)):
        raise ValueError(
            f"{text!r} is no time: write one such as 2026-11-30T02:10:00.000000Z, "
            "with an offset and at most six decimals"
        )
    try:
        return from_datetime(datetime.fromisoformat(text))
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text!r} is no time: {error}") from None


def format_time(micros: Micros) -> str:
    """Return a time as records hold it: UTC, six decimals, `Z`.

    >>> format_time(500000)
    '1970-01-01T00:00:00.500000Z'
    """
    return to_datetime(micros).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def from_datetime(moment: datetime) -> Micros:
    """Return the microseconds of a datetime that has an offset; raises `OverflowError`."""
    since = moment - _EPOCH
    micros = (since.days * _DAY + since.seconds) * SECOND + since.microseconds
    if not _FIRST <= micros <= _LAST:
        raise OverflowError("it is outside the years 1 to 9999")
    return micros


def to_datetime(micros: Micros) -> datetime:
    """Return a time as a datetime in UTC; raises `OverflowError` outside the years 1 to 9999."""
    return _EPOCH + timedelta(microseconds=micros)


def _is_as_records_have_it(text: str) -> bool:
    """Whether a text is as `format_time` writes it as far as `datetime` would not see to it.

    That is how almost all are, and it takes a fraction of matching the pattern.
    """
    return (
        len(text) == 27
        and text[26] == "Z"
        and text[10] == "T"
        and text[19] == "."
        and text[5] != "W"
    )
