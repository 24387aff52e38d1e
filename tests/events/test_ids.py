"""Ids: how they are written and read, what they are made of, in which order they come."""

import time
from hashlib import blake2b
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ds_events.ids import (
    GameIds,
    content_id,
    erased_name,
    format_id,
    parse_id,
    parse_prefix,
    player_id,
)
from ds_events.record import player_of

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
IDS = st.integers(0, 2**63 - 1)


def _value(text: str) -> int:
    return sum(CROCKFORD.index(symbol) * 32**place for place, symbol in enumerate(text[::-1]))


@given(IDS)
def test_an_id_is_written_in_crockford_base_32_and_read_back(number: int) -> None:
    text = format_id(number)

    assert len(text) == 13
    assert _value(text) == number
    assert parse_id(text) == parse_id(text.lower()) == number


@given(IDS, IDS)
def test_ids_are_ordered_as_their_texts_are(one: int, other: int) -> None:
    assert (one < other) == (format_id(one) < format_id(other))


def test_letters_that_look_like_digits_are_read_as_these() -> None:
    assert parse_id("0000000000oO1") == parse_id("0000000000001") == 1
    assert parse_id("00000000000iI") == parse_id("00000000000lL") == 33


@pytest.mark.parametrize(
    "text",
    [
        "",
        "000000000000",
        "00000000000000",
        "000000000000U",
        "000000000000-",
        " 00000000000Z",
        "000000000000\u0661",
        "000000000000\uff11",
        "\u0131000000000000",
        "8000000000000",
        "ZZZZZZZZZZZZZ",
    ],
)
def test_what_is_no_id_is_none(text: str) -> None:
    assert parse_id(text) is None


@given(IDS, st.integers(1, 13))
def test_a_prefix_stands_for_the_ids_that_begin_with_it(number: int, length: int) -> None:
    prefix = format_id(number)[:length]

    assert parse_prefix(prefix) == (
        _value(prefix.ljust(13, "0")),
        _value(prefix.ljust(13, "Z")),
    )


@pytest.mark.parametrize("text", ["", "8", "U", "@1", "00000000000000", "é"])
def test_what_no_id_begins_with_is_none(text: str) -> None:
    assert parse_prefix(text) is None


@pytest.mark.parametrize("name", ["mika", "Mika", "ゲーム", "~mika", "~8000000000000", "~1"])
def test_a_players_id_is_the_first_63_bits_of_the_hash_of_the_name(name: str) -> None:
    bits = f"{int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), 'big'):064b}"

    assert player_id(name) == content_id(name.encode()) == int(bits[:63], 2)
    assert player_of(name).name == name


def test_a_name_is_the_same_however_its_letters_are_composed() -> None:
    assert player_id("Zoe\u0308") == player_id("Zo\u00eb")


@given(IDS)
def test_an_erased_name_keeps_the_id_that_it_shows(number: int) -> None:
    name = erased_name(number)

    assert name == f"~{format_id(number)}"
    assert player_id(name) == number
    assert player_of(name).name is None
    assert str(player_of(name)) == name


def test_game_ids_grow_and_begin_with_the_time() -> None:
    ids = GameIds()

    before = time.time_ns() // 1_000_000
    made = [ids.new() for _ in range(2000)]
    after = time.time_ns() // 1_000_000

    assert made == sorted(set(made))
    assert before <= made[0] >> 21 <= after
    assert all(number < 2**63 for number in made)


def test_two_sources_hardly_ever_give_the_same_id() -> None:
    assert len({GameIds().new() for _ in range(100)}) == 100


def test_game_ids_are_unique_between_threads() -> None:
    ids = GameIds()
    made: list[list[int]] = [[], [], []]

    def take(mine: list[int]) -> None:
        mine.extend(ids.new() for _ in range(3000))

    threads = [Thread(target=take, args=(mine,)) for mine in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({number for mine in made for number in mine}) == 9000
    assert all(mine == sorted(mine) for mine in made)
