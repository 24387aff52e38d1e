"""Times: read with an offset, kept in microseconds, written in UTC."""

import re
import time
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ds_events.times import (
    format_time,
    from_datetime,
    idle_time,
    more_idle,
    now,
    parse_time,
    to_datetime,
)
from tests.events.building import EPOCH, utc

MOMENTS = st.datetimes(timezones=st.just(UTC))
OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59)


@given(MOMENTS)
def test_a_time_is_written_in_utc_with_six_decimals_and_read_back(moment: datetime) -> None:
    micros = (moment - EPOCH) // timedelta(microseconds=1)

    assert from_datetime(moment) == micros
    assert to_datetime(micros) == moment
    assert format_time(micros) == utc(micros)
    assert len(format_time(micros)) == len("2026-11-30T02:10:00.000000Z")
    assert parse_time(format_time(micros)) == micros


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)), OFFSETS)  # noqa: DTZ001
def test_an_offset_is_taken_off(local: datetime, minutes: int) -> None:
    sign = "-" if minutes < 0 else "+"
    offset = f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
    text = local.isoformat(timespec="microseconds") + offset

    moment = local.replace(tzinfo=timezone(timedelta(minutes=minutes)))

    assert parse_time(text) == (moment - EPOCH) // timedelta(microseconds=1)


@pytest.mark.parametrize("decimals", range(7))
def test_fewer_decimals_and_none_are_read(decimals: int) -> None:
    fraction = "." + "123456"[:decimals] if decimals else ""

    micros = int("123456"[:decimals].ljust(6, "0"))
    assert parse_time(f"1970-01-01T00:00:00{fraction}Z") == micros


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("1970-01-01T00:00:00+00:01", -60_000_000),
        ("1970-01-01T00:00:00-23:59", 86_340_000_000),
        ("1970-01-01T00:00:00-00:00", 0),
    ],
)
def test_times_around_the_beginning(text: str, micros: int) -> None:
    assert parse_time(text) == micros


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-11-30",
        "2026-11-30T02:10:00",
        "2026-11-30 02:10:00Z",
        "2026-11-30T02:10Z",
        "2026-11-30T02Z",
        "20261130T021000Z",
        "2026-W49-1T02:10:00Z",
        "2026-11-30T02:10:00.Z",
        "2026-11-30T02:10:00,5Z",
        "2026-11-30T02:10:00.1234567Z",
        "2026-11-30T02:10:00z",
        "2026-11-30t02:10:00Z",
        "2026-11-30T02:10:00Z ",
        "2026-11-30T02:10:00Z\n",
        " 2026-11-30T02:10:00Z",
        "2026-11-30T02:10:00+0900",
        "2026-11-30T02:10:00+09",
        "2026-11-30T02:10:00+09:00:30",
        "2026-11-30T02:10:00 +09:00",
        "2026-11-30T02:10:00+24:00",
        "2026-11-30T02:10:00Z+09:00",
        "2026-02-29T02:10:00Z",
        "2026-04-31T02:10:00Z",
        "2026-13-01T02:10:00Z",
        "2026-00-01T02:10:00Z",
        "2026-11-00T02:10:00Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T02:60:00Z",
        "2026-11-30T02:10:60Z",
        "0000-11-30T02:10:00Z",
        "10000-11-30T02:10:00Z",
        "-2026-11-30T02:10:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "２０２６-11-30T02:10:00Z",
    ],
)
def test_what_is_no_time_is_refused_and_repeated(text: str) -> None:
    with pytest.raises(ValueError, match="is no time") as caught:
        parse_time(text)

    assert repr(text) in str(caught.value)


def test_now_is_the_time_of_the_machine() -> None:
    before = time.time()
    given_time = now()
    after = time.time()

    assert before - 0.001 <= given_time / 1_000_000 <= after + 0.001


AS_DOCUMENTED = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-5][0-9])"
)


@given(MOMENTS, st.integers(0, 26), st.sampled_from("0123456789-:.,TtWZz+ \u0663"))
def test_what_is_almost_a_time_is_refused(moment: datetime, place: int, other: str) -> None:
    text = format_time(from_datetime(moment))
    text = text[:place] + other + text[place + 1 :]
    try:
        micros = parse_time(text)
    except ValueError:
        return
    assert AS_DOCUMENTED.fullmatch(text), text
    assert micros == (datetime.fromisoformat(text) - EPOCH) // timedelta(microseconds=1)


@pytest.mark.parametrize("text", ["2026-W48-1T02:10:00.000000Z", "20261130T021000.00000000000Z"])
def test_other_ways_to_write_a_date_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no time"):
        parse_time(text)


@pytest.mark.parametrize(
    ("seconds", "idle"),
    [
        ([], 0),
        ([7], 0),
        ([0, 300], 0),
        ([0, 300.000001], 300.000001),
        ([0, 299, 598, 897], 0),
        ([0, 301, 302, 1000], 999),
        # Backwards is no idle time, whatever comes after it is a gap like any other.
        ([5000, 0, 301], 301),
    ],
)
def test_a_gap_of_more_than_five_minutes_is_idle_as_a_whole(
    seconds: list[float], idle: float
) -> None:
    times = [round(second * 1_000_000) for second in seconds]
    grown = 0
    for earlier, later in pairwise(times):
        grown = more_idle(grown, earlier, later)

    assert idle_time(times) == grown == round(idle * 1_000_000)


def test_idle_time_is_never_more_than_a_database_holds() -> None:
    """Times that run from one end of the calendar to the other and back, again and again."""
    ends = [parse_time("0001-01-01T00:00:00Z"), parse_time("9999-12-31T23:59:59.999999Z")]
    grown = 0
    for earlier, later in pairwise(ends * 100):
        grown = more_idle(grown, earlier, later)

    assert idle_time(ends * 100) == grown == ends[1] - ends[0] < 2**63
