"""What a game starts from: R3, R4, R5, R33, R35, R36."""

import os
import subprocess
import sys
from hashlib import shake_256
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ds_core import (
    PACK,
    BadDeck,
    Game,
    GameCode,
    deal_cards,
    deal_code,
    format_card,
    format_deck,
    parse_code,
    parse_deck,
    parse_mode,
    shuffle,
)
from ds_core.deal import _shuffled, _words
from tests import records
from tests.core.building import coded

ROOT = Path(__file__).parents[2]

# Found by trying six million deals: in each a word is rejected, at that step of the shuffle.
REJECTING = {"QABH6ZN": 100, "QABJC6H": 29, "QABLVC6": 74, "QAFJA6A": 68}


def plain_shuffle(deal: str, *, reject: bool = True) -> list[str]:
    """Shuffle as R35 says, with nothing but its words; without rejecting, if asked."""
    pack = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    cards = pack + pack
    stream = shake_256(f"DS1:{deal}".encode()).digest(4 * 1000)
    words = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, 4000, 4)]
    for i in range(103, 0, -1):
        word = words.pop(0)
        while reject and word >= 2**32 - (2**32 % (i + 1)):
            word = words.pop(0)
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def dealt(deal: str) -> list[str]:
    return [format_card(card) for card in shuffle(parse_code(f"DS1-D1N-{deal}"))]


def test_r3_nine_columns_of_one_to_nine_cards_each_with_its_last_face_up() -> None:
    game = Game(coded("D1N", 1))

    assert [len(column) for column in game.columns] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert sum(game.face_down) == 36
    assert game.face_down == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert game.turned_up == 0


def test_r4_the_other_59_cards_are_the_stock_and_all_else_is_empty() -> None:
    game = Game(coded("D1N", 1))

    assert len(game.stock) == 59
    assert game.waste == []
    assert game.foundations == [0] * 8
    assert game.home == 0


def test_r5_a_deck_is_dealt_column_by_column_and_the_rest_is_drawn_in_order() -> None:
    text = records.golden_decks()["AAAAAAB"]
    words = text.split()

    game = Game(deal_cards(parse_mode("D1N"), parse_deck(text)))

    assert format_deck(game.columns[0]) == words[0]
    assert format_deck(game.columns[1]) == " ".join(words[1:3])
    assert format_deck(game.columns[2]) == " ".join(words[3:6])
    assert format_deck(game.columns[8]) == " ".join(words[36:45])
    assert format_deck(game.stock) == " ".join(words[45:])


@given(st.integers(0, 2**35 - 1))
@settings(deadline=None, max_examples=60)
def test_r35_the_shuffle_is_what_a_plain_reading_of_the_rule_gives(number: int) -> None:
    code = GameCode(parse_mode("D1N"), number)

    assert [format_card(card) for card in shuffle(code)] == plain_shuffle(code.deal_text)


@pytest.mark.parametrize("deal", REJECTING)
def test_r35_a_word_that_would_favour_some_places_is_rejected(deal: str) -> None:
    assert dealt(deal) == plain_shuffle(deal)
    # So the deal does need it: taking the word would have made another deck.
    assert dealt(deal) != plain_shuffle(deal, reject=False)


def test_r35_the_limit_itself_is_rejected_and_the_word_below_it_is_not() -> None:
    words = []
    for bound in range(104, 1, -1):
        limit = 2**32 - 2**32 % bound
        words += [word for word in (limit, 2**32 - 1) if limit <= word < 2**32]
        # The last word that counts swaps a card with itself.
        words.append(limit - 1)

    assert _shuffled(iter(words)) == PACK + PACK


def test_r35_the_words_never_run_out_and_never_repeat() -> None:
    words = _words(b"DS1:AAAAAAA")
    stream = shake_256(b"DS1:AAAAAAA").digest(4 * 2000)

    taken = [next(words) for _ in range(2000)]

    assert taken == [int.from_bytes(stream[at : at + 4], "big") for at in range(0, 8000, 4)]


def test_r35_a_shuffle_survives_as_many_rejected_words_as_come() -> None:
    # 104 does not divide 2**32, so that the first step takes none of the highest word.
    words = chain([2**32 - 1] * 500, _words(b"DS1:AAAAAAB"))

    assert format_deck(_shuffled(words)) == records.golden_decks()["AAAAAAB"]


def test_r33_a_code_stands_for_its_mode_and_its_shuffle() -> None:
    code = parse_code("DS1-D3V-AAAAAAB")

    deal = deal_code(code)

    assert deal.code == code
    assert deal.mode == parse_mode("D3V")
    assert format_deck(deal.cards) == records.golden_decks()["AAAAAAB"]
    assert deal.label is None


@pytest.mark.parametrize("mode", ["D1N", "D1V", "D3N", "D3V"])
def test_r34_the_layout_is_the_same_in_all_four_modes(mode: str) -> None:
    deal = deal_code(parse_code(f"DS1-{mode}-YNG7BY3"))

    assert format_deck(deal.cards) == records.golden_decks()["YNG7BY3"]


@pytest.mark.parametrize("seed", ["0", "1", "4242", "random"])
def test_r33_deals_do_not_depend_on_the_hash_seed(seed: str) -> None:
    deals = [*records.golden_decks(), *REJECTING]
    script = (
        "import sys; from ds_core import *\n"
        "for deal in sys.argv[1:]:\n"
        "    print(format_deck(shuffle(parse_code('DS1-D1N-' + deal))))"
    )

    child = subprocess.run(
        [sys.executable, "-c", script, *deals],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    expected = [
        *records.golden_decks().values(),
        *(" ".join(plain_shuffle(deal)) for deal in REJECTING),
    ]
    assert child.stdout.splitlines() == expected


def test_r36_a_game_dealt_elsewhere_has_its_cards_and_perhaps_a_label() -> None:
    cards = shuffle(parse_code("DS1-D1N-AAAAAAB"))

    deal = deal_cards(parse_mode("D3V"), list(cards), "APP-17")

    assert (deal.mode, deal.cards, deal.code, deal.label) == (
        parse_mode("D3V"),
        cards,
        None,
        "APP-17",
    )


def test_r36_a_label_that_looks_like_a_code_deals_nothing() -> None:
    cards = PACK + PACK

    deal = deal_cards(parse_mode("D1N"), cards, "DS1-D3V-AAAAAAB")

    assert (deal.mode, deal.cards, deal.code) == (parse_mode("D1N"), cards, None)


def test_r36_cards_that_are_not_two_packs_are_no_deal() -> None:
    with pytest.raises(BadDeck):
        deal_cards(parse_mode("D1N"), PACK)


def test_a_deck_given_as_a_list_is_not_changed_by_playing() -> None:
    cards = [*PACK, *PACK]
    game = Game(deal_cards(parse_mode("D1N"), cards))

    cards.reverse()
    game.talon.clear()

    assert game.deal.cards == PACK + PACK
