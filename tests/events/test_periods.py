"""Periods: days, weeks and months as the calendar of a time zone has them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ds_events.periods import PERIOD_KINDS, PeriodKind, parse_zone, period_namer
from ds_events.statistics import Report, Statistics, statistics
from ds_events.store import EventStore
from ds_events.times import from_datetime, in_zone
from tests.events.building import EPOCH, take_in, utc
from tests.events.many_games import PLAYERS, Known, id_of, some_games
from tests.events.test_statistics import right

FORMS = {"day": "%Y-%m-%d", "week": "%G-W%V", "month": "%Y-%m"}
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"]
ZONES += ["Australia/Lord_Howe", "America/St_Johns"]


MOMENTS = st.datetimes(timezones=st.just(UTC)).filter(lambda moment: 1000 < moment.year < 9999)
"""Those before the year 1000 `strftime` writes without zeros."""


def _micros(text: str, zone: str = "UTC") -> int:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=ZoneInfo(zone))
    return (moment.astimezone(UTC) - EPOCH) // timedelta(microseconds=1)


@given(
    MOMENTS,
    st.sampled_from(ZONES),
    st.sampled_from(PERIOD_KINDS),
)
def test_a_period_is_named_as_the_calendar_of_its_zone_has_it(
    moment: datetime, zone: str, kind: PeriodKind
) -> None:
    name = period_namer(kind, ZoneInfo(zone))(from_datetime(moment))

    assert name == moment.astimezone(ZoneInfo(zone)).strftime(FORMS[kind])


@pytest.mark.parametrize(
    ("time", "zone", "day", "week", "month"),
    [
        # The last microsecond of a year, and the first of the next, here and elsewhere.
        ("2026-12-31T23:59:59.999999", "UTC", "2026-12-31", "2026-W53", "2026-12"),
        ("2027-01-01T00:00:00", "UTC", "2027-01-01", "2026-W53", "2027-01"),
        ("2026-12-31T23:59:59.999999Z", "Asia/Tokyo", "2027-01-01", "2026-W53", "2027-01"),
        ("2027-01-01T04:59:59Z", "America/New_York", "2026-12-31", "2026-W53", "2026-12"),
        # A week belongs to the year that most of it lies in.
        ("2027-01-03T23:59:59", "UTC", "2027-01-03", "2026-W53", "2027-01"),
        ("2027-01-04T00:00:00", "UTC", "2027-01-04", "2027-W01", "2027-01"),
        ("2024-12-30T00:00:00", "UTC", "2024-12-30", "2025-W01", "2024-12"),
        # In Berlin the clocks go from 2 to 3 on March 28, and from 3 to 2 on October 25.
        ("2027-03-27T22:59:59Z", "Europe/Berlin", "2027-03-27", "2027-W12", "2027-03"),
        ("2027-03-27T23:00:00Z", "Europe/Berlin", "2027-03-28", "2027-W12", "2027-03"),
        ("2027-03-28T21:59:59Z", "Europe/Berlin", "2027-03-28", "2027-W12", "2027-03"),
        ("2027-03-28T22:00:00Z", "Europe/Berlin", "2027-03-29", "2027-W13", "2027-03"),
        ("2026-10-24T22:00:00Z", "Europe/Berlin", "2026-10-25", "2026-W43", "2026-10"),
        ("2026-10-25T22:59:59Z", "Europe/Berlin", "2026-10-25", "2026-W43", "2026-10"),
        ("2026-10-25T23:00:00Z", "Europe/Berlin", "2026-10-26", "2026-W44", "2026-10"),
        # The ends of the calendar, of which some have no local time.
        ("0001-01-01T00:00:00Z", "America/New_York", "0001-01-01", "0001-W01", "0001-01"),
        ("9999-12-31T23:59:59Z", "Asia/Tokyo", "9999-12-31", "9999-W52", "9999-12"),
    ],
)
def test_periods_where_the_calendar_turns(
    time: str, zone: str, day: str, week: str, month: str
) -> None:
    micros = _micros(time, zone)

    names = [period_namer(kind, ZoneInfo(zone))(micros) for kind in PERIOD_KINDS]

    assert names == [day, week, month]


def test_without_a_zone_it_is_where_the_machine_is() -> None:
    micros = _micros("2026-11-30T12:00:00")
    here = datetime(2026, 11, 30, 12, tzinfo=UTC).astimezone()

    assert in_zone(micros, None) == here
    assert in_zone(micros, None).utcoffset() == here.utcoffset()
    assert period_namer("day", None)(micros) == here.strftime("%Y-%m-%d")


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("Europe/Berln", "did you mean Europe/Berlin?"),
        ("europe/berlin", "did you mean Europe/Berlin?"),
        ("berlin", "did you mean Europe/Berlin?"),
        ("new york", "did you mean America/New_York?"),
        ("Nowhere/At all", "write one such as"),
        ("", "write one such as"),
        ("+02:00", "write one such as"),
        ("Europe", "write one such as"),
        ("Europe/", "Europe/"),
        ("/etc/localtime", "write one such as"),
        ("../../etc/passwd", "write one such as"),
        ("zone.tab", "write one such as"),
        ("a\0b", "write one such as"),
        ("x" * 5000, "write one such as"),
        ("\ud800", "write one such as"),
    ],
)
def test_what_is_no_time_zone_is_refused_and_repeated(name: str, instead: str) -> None:
    with pytest.raises(ValueError, match="is no time zone") as caught:
        parse_zone(name)

    assert str(caught.value).startswith(f"{name!r} is no time zone: ")
    assert instead in str(caught.value)


@pytest.mark.parametrize("zone", ZONES)
def test_a_time_zone_is_known_by_its_name(zone: str) -> None:
    assert parse_zone(zone) == ZoneInfo(zone)


def _spread_out(seed: int) -> list[Known]:
    """Return games that start around the turns of days, weeks, months and clocks."""
    chance = Random(seed)
    turns = [
        _micros(time)
        for time in (
            *("2026-10-24T22:00:00", "2026-10-25T01:00:00", "2026-10-25T23:00:00"),
            *("2026-12-31T23:00:00", "2027-01-03T23:00:00", "2027-03-28T01:00:00"),
        )
    ]
    moved = []
    for game in some_games(seed, 40):
        start = chance.choice(turns) + chance.choice([-1, 0, 1, -3_600_000_000, 7_000_000_000])
        line = game.line | {"started_at": utc(start)}
        moved.append(replace(game, line=line, started_at=start))
    return moved


@pytest.mark.parametrize("kind", PERIOD_KINDS)
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Tokyo"])
def test_a_period_has_the_statistics_of_the_games_started_in_it(
    store: EventStore, kind: PeriodKind, zone: str
) -> None:
    games = _spread_out(len(zone) + len(kind))
    assert take_in(store, [game.line for game in games]).added == 40

    for player in (PLAYERS[0], None):
        mine = [game for game in games if player in (None, game.player)]
        with store.database.read() as connection:
            told = statistics(connection, id_of(player), None, kind, ZoneInfo(zone))

        periods = _right_periods(mine, kind, zone)
        assert len(periods) > 1
        assert list(told.periods) == list(periods)
        assert told == Report(right(mine), periods)


def _right_periods(games: Sequence[Known], kind: PeriodKind, zone: str) -> dict[str, Statistics]:
    def name(game: Known) -> str:
        moment = EPOCH + timedelta(microseconds=game.started_at)
        return moment.astimezone(ZoneInfo(zone)).strftime(FORMS[kind])

    names = sorted({name(game) for game in games if game.counts})
    return {each: right([game for game in games if name(game) == each]) for each in names}
