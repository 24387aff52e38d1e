"""Periods of the calendar in a time zone: days, weeks and months (docs/statistics.md)."""

from collections.abc import Callable
from contextlib import suppress
from datetime import date, tzinfo
from typing import Final, Literal, TypeAlias, get_args

from ds_events.times import Micros, in_zone

PeriodKind: TypeAlias = Literal["day", "week", "month"]

PERIOD_KINDS: Final[tuple[PeriodKind, ...]] = get_args(PeriodKind)


def parse_zone(name: str) -> tzinfo:
    """Return the time zone of an IANA name such as `Europe/Berlin`.

    Raises `ValueError` for a name that none has, with the one that was perhaps meant.
    """
    # Only here: most commands have nothing to do with time zones.
    from zoneinfo import ZoneInfo, available_timezones

    # For what is no zone it raises this or that, such as an error of the folder `Europe`.
    with suppress(KeyError, ValueError, OSError):
        return ZoneInfo(name)
    raise ValueError(f"{name!r} is no time zone: {_instead(name, sorted(available_timezones()))}")


def _instead(name: str, zones: list[str]) -> str:
    from difflib import get_close_matches

    by_lower_case = {zone.lower(): zone for zone in zones if zone != "localtime"}
    wanted = name.lower().replace(" ", "_")
    # People know the city and not where it is filed.
    cities = {zone.rpartition("/")[2]: zone for zone in by_lower_case if "/" in zone}
    for known in (by_lower_case, cities):
        for close in get_close_matches(wanted, known, 1, 0.75):
            meant = by_lower_case.get(close) or by_lower_case[cities[close]]
            return f"did you mean {meant}?"
    return "write one such as Europe/Berlin, America/New_York or UTC"


def period_namer(kind: PeriodKind, zone: tzinfo | None) -> Callable[[Micros], str]:
    """Return what names the period of a time: `2026-11-30`, `2026-W49` or `2026-11`.

    The names of one kind sort as the periods come.
    """
    name = {"day": date.isoformat, "week": _week, "month": _month}[kind]
    return lambda micros: name(in_zone(micros, zone).date())


def _week(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def _month(day: date) -> str:
    return day.isoformat()[:7]
