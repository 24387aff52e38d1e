"""Cards, packs and decks: R1, R2, R5."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ds_core import (
    PACK,
    RANKS,
    SUITS,
    BadDeck,
    check_deck,
    format_card,
    format_deck,
    parse_card,
    parse_deck,
)
from ds_core.card import CARD_IS_RED, CARD_RANK, CARD_SUIT, TAKES

TWO_PACKS = Counter([rank + suit for suit in "SHDC" for rank in "A23456789TJQK"] * 2)


def test_r1_a_pack_is_52_different_cards() -> None:
    assert len(PACK) == 52
    assert {format_card(card) for card in PACK} == set(TWO_PACKS)


def test_r1_a_deck_holds_every_card_twice_and_no_joker() -> None:
    deck = parse_deck(" ".join(TWO_PACKS.elements()))

    assert len(deck) == 104
    assert Counter(map(format_card, deck)) == TWO_PACKS


def test_r1_nothing_tells_the_two_copies_apart() -> None:
    deck = parse_deck(" ".join([*TWO_PACKS, *TWO_PACKS]))

    assert deck[:52] == deck[52:]


def test_r2_ranks_rise_from_the_ace_to_the_king() -> None:
    assert RANKS == "A23456789TJQK"
    for suit in SUITS:
        ranks = [CARD_RANK[parse_card(rank + suit)] for rank in "A23456789TJQK"]
        assert ranks == list(range(13))


@pytest.mark.parametrize(("suit", "red"), [("S", False), ("C", False), ("H", True), ("D", True)])
def test_r2_hearts_and_diamonds_are_red_spades_and_clubs_black(suit: str, red: bool) -> None:
    assert {CARD_IS_RED[parse_card(rank + suit)] for rank in RANKS} == {red}


def test_r6_each_card_but_an_ace_takes_two() -> None:
    taken = {format_card(top): {format_card(card) for card in TAKES[top]} for top in PACK}

    assert taken["8S"] == taken["8C"] == {"7H", "7D"}
    assert taken["KD"] == {"QS", "QC"}
    assert taken["2H"] == {"AS", "AC"}
    assert all(len(taken[top]) == (0 if top[0] == "A" else 2) for top in taken)


def test_r5_a_card_is_rank_then_suit() -> None:
    ten_of_hearts = parse_card("TH")

    assert (CARD_RANK[ten_of_hearts], SUITS[CARD_SUIT[ten_of_hearts]]) == (9, "H")


@pytest.mark.parametrize("card", PACK)
def test_r5_a_card_reads_back_from_its_text(card: int) -> None:
    assert parse_card(format_card(card)) == card


@pytest.mark.parametrize(
    "text",
    ["", "A", "S", "SA", "as", "aS", "1S", "0S", "10S", "AX", "AS ", "ASS", "ＡS", "A♠", "*"],
)
def test_r5_anything_else_is_no_card(text: str) -> None:
    with pytest.raises(BadDeck) as caught:
        parse_card(text)

    assert caught.value.unreadable == ((1, text),)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("gap", [" ", "\n", "\r\n", "\t", "  \n "])
def test_r5_any_white_space_separates_the_cards_of_a_deck(gap: str) -> None:
    words = list(TWO_PACKS.elements())

    assert parse_deck(gap + gap.join(words) + gap) == parse_deck(" ".join(words))


@given(st.permutations(list(TWO_PACKS.elements())))
@settings(deadline=None, max_examples=20)
def test_r5_a_deck_reads_back_in_its_order(words: list[str]) -> None:
    deck = parse_deck(" ".join(words))

    assert list(map(format_card, deck)) == words
    assert format_deck(deck) == " ".join(words)
    assert check_deck(list(deck)) == deck


@st.composite
def spoilt_decks(draw: st.DrawFn) -> list[str]:
    """Two packs from which cards were lost, to which cards and rubbish were added."""
    words = draw(st.permutations(list(TWO_PACKS.elements())))
    words = words[draw(st.integers(0, 5)) :]
    for card in draw(st.lists(st.sampled_from(sorted(TWO_PACKS)), max_size=5)):
        words.insert(draw(st.integers(0, len(words))), card)
    for rubbish in draw(
        st.lists(st.sampled_from(["1S", "as", "10H", "??", "J", "KSQ"]), max_size=3)
    ):
        words.insert(draw(st.integers(0, len(words))), rubbish)
    return words


@given(spoilt_decks())
@settings(deadline=None, max_examples=100)
def test_r5_each_missing_surplus_and_unreadable_card_is_named(words: list[str]) -> None:
    readable = Counter(word for word in words if word in TWO_PACKS)
    unreadable = [(place, word) for place, word in enumerate(words, 1) if word not in TWO_PACKS]
    if readable == TWO_PACKS and not unreadable:
        assert len(parse_deck(" ".join(words))) == 104
        return

    with pytest.raises(BadDeck) as caught:
        parse_deck(" ".join(words))

    error = caught.value
    assert list(error.unreadable) == unreadable
    assert Counter(error.missing) == TWO_PACKS - readable
    assert Counter(error.surplus) == readable - TWO_PACKS
    named = [*error.missing, *error.surplus, *(f"{word!r} at {n}" for n, word in unreadable)]
    assert all(name in str(error) for name in named)


def test_r1_a_deck_of_card_values_is_checked_as_well() -> None:
    spoilt = [*PACK, *PACK]
    spoilt[0], spoilt[1], spoilt[103] = 52, -1, parse_card("QC")

    with pytest.raises(BadDeck) as caught:
        check_deck(spoilt)

    assert caught.value.unreadable == ((1, "52"), (2, "-1"))
    assert caught.value.missing == ("AS", "2S", "KC")
    assert caught.value.surplus == ("QC",)


def test_r1_one_pack_lacks_the_other() -> None:
    with pytest.raises(BadDeck) as caught:
        check_deck(PACK)

    assert sorted(caught.value.missing) == sorted(TWO_PACKS)
    assert not caught.value.surplus
