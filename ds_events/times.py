"""Times as whole microseconds since 1970 in UTC, and how they are written.

A whole number is exact, orders and subtracts as it is, and is the same on both databases.
"""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from operator import sub
from typing import Final, TypeAlias

Micros: TypeAlias = int
"""A time in microseconds since 1970-01-01 00:00 UTC; may be negative."""

Clock: TypeAlias = Callable[[], Micros]

SECOND: Final = 1_000_000

IDLE_AFTER: Final[Micros] = 300 * SECOND
"""A gap between two events of a game that is longer than this is idle time as a whole."""

_DAY: Final = 86_400
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
FIRST: Final[Micros] = -62_135_596_800 * SECOND
LAST: Final[Micros] = 253_402_300_800 * SECOND - 1
"""The first and the last moment of the years 1 to 9999, in microseconds."""

_LONGEST: Final[Micros] = LAST - FIRST
"""More idle time no game has: only times that run backwards could add up to more."""

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
    if not FIRST <= micros <= LAST:
        raise OverflowError("it is outside the years 1 to 9999")
    return micros


def to_datetime(micros: Micros) -> datetime:
    """Return a time as a datetime in UTC; raises `OverflowError` outside the years 1 to 9999."""
    return _EPOCH + timedelta(microseconds=micros)


def in_zone(micros: Micros, zone: tzinfo | None) -> datetime:
    """Return a time as it is in a zone, or for `None` where the machine is.

    On the first and the last day of the calendar there may be no such time; it stays UTC then.
    """
    moment = to_datetime(micros)
    with suppress(OverflowError, ValueError):
        return moment.astimezone(zone)
    return moment


def more_idle(idle: Micros, earlier: Micros, later: Micros) -> Micros:
    """Return the idle time of a game that had `idle` before an event at `earlier`.

    `later` is when the next event came; that it came earlier is no idle time.
    """
    gap = later - earlier
    return min(idle + gap, _LONGEST) if gap > IDLE_AFTER else idle


def idle_time(times: Sequence[Micros]) -> Micros:
    """Return the idle time of a game whose events came at these times.

    >>> idle_time([0, 300 * SECOND, 601 * SECOND, 602 * SECOND]) // SECOND
    301
    """
    gaps: Iterable[Micros] = map(sub, times[1:], times)
    return min(sum([gap for gap in gaps if gap > IDLE_AFTER]), _LONGEST)


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
