"""Game codes and modes: R33, R34."""

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ds_core import (
    DEALS,
    MODES,
    STANDARD,
    VEGAS,
    BadCode,
    GameCode,
    parse_code,
    parse_mode,
)

WRITTEN = re.compile("DS1-D[13][NV]-[A-Z2-7]{7}")

modes = st.sampled_from(sorted(MODES))
deals = st.integers(0, 2**35 - 1)


@pytest.mark.parametrize(
    ("text", "draw", "scoring"),
    [("D1N", 1, STANDARD), ("D1V", 1, VEGAS), ("D3N", 3, STANDARD), ("D3V", 3, VEGAS)],
)
def test_r33_a_code_says_draw_count_and_scoring(text: str, draw: int, scoring: object) -> None:
    mode = parse_code(f"DS1-{text}-AAAAAAB").mode

    assert (mode.draw, mode.scoring) == (draw, scoring)
    assert mode == parse_mode(text) == MODES[text]
    assert str(mode) == text


def test_r33_there_are_four_modes() -> None:
    assert set(MODES) == {"D1N", "D1V", "D3N", "D3V"}


@pytest.mark.parametrize(
    ("deal", "number"),
    [
        ("AAAAAAA", 0),
        ("AAAAAAB", 1),
        ("AAAAAAZ", 25),
        ("AAAAAA2", 26),
        ("AAAAAA7", 31),
        ("AAAAABA", 32),
        ("BAAAAAA", 32**6),
        ("7777777", 2**35 - 1),
    ],
)
def test_r34_a_deal_is_seven_big_endian_symbols_of_base_32(deal: str, number: int) -> None:
    code = parse_code(f"DS1-D1N-{deal}")

    assert code.deal == number
    assert code.deal_text == deal
    assert str(GameCode(parse_mode("D1N"), number)) == f"DS1-D1N-{deal}"


def test_r34_there_are_two_to_the_35_deals() -> None:
    assert DEALS == 2**35


@pytest.mark.parametrize("number", [-1, 2**35])
def test_r34_no_code_is_made_for_a_deal_outside_the_range(number: int) -> None:
    with pytest.raises(BadCode, match=str(number)):
        GameCode(parse_mode("D1N"), number)


@given(modes, deals)
@settings(deadline=None)
def test_r34_a_code_reads_back_from_its_text(mode: str, number: int) -> None:
    code = GameCode(parse_mode(mode), number)

    assert parse_code(str(code)) == code
    assert str(parse_code(str(code))) == str(code)


@given(modes, deals)
@settings(deadline=None)
def test_r34_people_may_type_lower_case_and_records_hold_upper_case(mode: str, number: int) -> None:
    text = str(GameCode(parse_mode(mode), number))

    assert text == text.upper()
    assert str(parse_code(text.lower())) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no game code"),
        ("DS1", "no game code"),
        ("DS1-D1N", "no game code"),
        ("DS1-D1N-AAAAAAB-", "no game code"),
        ("DS1D1NAAAAAAB", "no game code"),
        ("DS1_D1N_AAAAAAB", "no game code"),
        ("DS2-D1N-AAAAAAB", "'DS2'"),
        ("-D1N-AAAAAAB", "''"),
        (" DS1-D1N-AAAAAAB", "' DS1'"),
        ("DS1-D2N-AAAAAAB", "'D2N'"),
        ("DS1-D1X-AAAAAAB", "'D1X'"),
        ("DS1-N1D-AAAAAAB", "'N1D'"),
        ("DS1--AAAAAAB", "''"),
        ("DS1-D1N-AAAAAB", "6 symbols"),
        ("DS1-D1N-AAAAAAAB", "8 symbols"),
        ("DS1-D1N-", "0 symbols"),
        ("DS1-D1N-AAAAAA0", "'0'"),
        ("DS1-D1N-AAAAAA1", "'1'"),
        ("DS1-D1N-AAAAAA8", "'8'"),
        ("DS1-D1N-AAAAAA9", "'9'"),
        ("DS1-D1N-AAAAAA=", "'='"),
        ("DS1-D1N-AAAAAAB\n", "n'"),
        ("DS1-D1N-AAAAAAB ", "' '"),
        # Upper case makes an S of the first of these and an I of the second.
        ("Dſ1-D1N-AAAAAAB", "no game code"),
        ("DS1-D1N-AAAAAAı", "no game code"),
        ("DS1-D1N-AAAAAAＢ", "no game code"),
        ("DS1-D١N-AAAAAAB", "no game code"),
    ],
)
def test_r33_any_other_code_is_refused_with_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(BadCode) as caught:
        parse_code(text)

    assert says in str(caught.value)
    assert repr(text) in str(caught.value)


@given(st.text(alphabet="DS123NVAB7-", max_size=17) | st.text())
@settings(deadline=None)
def test_r33_what_is_no_code_is_refused(text: str) -> None:
    assume(not (text.isascii() and WRITTEN.fullmatch(text.upper())))

    with pytest.raises(BadCode) as caught:
        parse_code(text)

    assert repr(text) in str(caught.value)


@given(modes, deals, st.integers(0, 14), st.characters())
@settings(deadline=None)
def test_r33_a_code_with_one_other_character_is_another_or_none(
    mode: str, number: int, place: int, character: str
) -> None:
    code = str(GameCode(parse_mode(mode), number))
    text = code[:place] + character + code[place + 1 :]

    if text.isascii() and WRITTEN.fullmatch(text.upper()):
        assert str(parse_code(text)) == text.upper()
    else:
        with pytest.raises(BadCode) as caught:
            parse_code(text)
        assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["", "d1n", "D1", "D1N ", "D2N", "N", "DS1-D1N"])
def test_r33_any_other_mode_is_refused(text: str) -> None:
    with pytest.raises(BadCode, match="D1N, D1V, D3N, D3V") as caught:
        parse_mode(text)

    assert repr(text) in str(caught.value)
