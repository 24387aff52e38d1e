"""The eight foundations: R12, R13, R14."""

import pytest

from ds_core import RANKS, SUITS, IllegalMove, format_deck, parse_move
from tests.core.building import refused, run, start, texts, up

SUIT_ROWS = [("S", 0), ("H", 2), ("D", 4), ("C", 6)]


def all_of(suit: str) -> str:
    return " ".join(rank + suit for rank in RANKS)


@pytest.mark.parametrize(("suit", "row"), SUIT_ROWS)
def test_r12_rows_are_spades_hearts_diamonds_clubs_from_the_top(suit: str, row: int) -> None:
    game = start(stock=f"A{suit} A{suit}", moves="D WF D WF")

    assert [i for i, height in enumerate(game.foundations) if height] == [row, row + 1]


@pytest.mark.parametrize(("suit", "row"), SUIT_ROWS)
def test_r12_a_foundation_is_built_from_ace_to_king(suit: str, row: int) -> None:
    game = start(stock=all_of(suit))

    for height in range(1, 14):
        run(game, "D WF")
        assert game.foundations[row] == height

    assert (game.foundations[row + 1], game.home) == (0, 13)


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize("height", range(12))
def test_r12_a_foundation_takes_the_next_card_of_its_suit_only(suit: str, height: int) -> None:
    started = " ".join(all_of(suit).split()[:height])
    taken = []
    for rank in RANKS:
        for other in SUITS:
            game = start(stock=f"{started} {rank}{other}", moves="D WF " * height + "D")
            if "WF" in texts(game):
                taken.append(rank + other)
            else:
                assert refused(game, "WF") == "R12"

    aces = {f"A{other}" for other in SUITS}
    assert set(taken) == aces | {RANKS[height] + suit}


@pytest.mark.parametrize(("suit", "row"), SUIT_ROWS)
def test_r12_a_refusal_says_how_high_the_row_of_the_suit_stands(suit: str, row: int) -> None:
    game = start(stock=f"A{suit} 2{suit} A{suit} 4{suit}", moves="D WF D WF D WF D")

    with pytest.raises(IllegalMove) as caught:
        game.play(parse_move("WF"))

    assert f"F{row + 1} stands at 2, F{row + 2} at 1" in str(caught.value)


def test_r12_one_card_at_a_time() -> None:
    game = start(columns={1: "2H", 2: "AS"}, moves="T2T1")

    assert "T1F" in texts(game)
    run(game, "T1F")

    assert (up(game, 1), game.home) == ("2H", 1)


def test_r13_the_first_ace_goes_left_and_the_second_right() -> None:
    game = start(columns={1: "AS", 2: "AS"}, moves="T1F")
    assert game.foundations[:2] == [1, 0]

    run(game, "T2F")

    assert game.foundations[:2] == [1, 1]


def test_r13_a_card_goes_to_the_one_that_takes_it() -> None:
    game = start(stock="AS AS 2S 2S 3S", moves="D WF D WF D WF")
    assert game.foundations[:2] == [2, 1]

    run(game, "D WF D WF")

    assert game.foundations[:2] == [3, 2]


def test_r13_where_both_take_it_it_goes_to_the_first_of_the_row() -> None:
    game = start(stock="AD AD 2D 2D 3D", moves="D WF D WF D WF D WF")
    assert game.foundations[4:6] == [2, 2]

    run(game, "D WF")

    assert game.foundations[4:6] == [3, 2]


def test_r13_where_only_the_second_takes_it_it_goes_there() -> None:
    game = start(columns={1: "3H"}, stock="AS AS 2S 2S 3S", moves="D WF D WF D WF D WF F1T1")
    assert game.foundations[:2] == [1, 2]

    run(game, "D WF")

    assert game.foundations[:2] == [1, 3]


def test_r13_a_foundation_emptied_again_takes_the_next_ace() -> None:
    game = start(columns={1: "AS", 2: "2H", 3: "AS"}, moves="T1F F1T2")
    assert game.foundations == [0] * 8

    run(game, "T3F")

    assert game.foundations[:2] == [1, 0]
    run(game, "T2F")
    assert game.foundations[:2] == [1, 1]


@pytest.mark.parametrize("number", [1, 2])
def test_r14_either_of_a_row_gives_its_top_card_back(number: int) -> None:
    game = start(columns={1: "2H"}, stock="AS AS", moves="D WF D WF")

    run(game, f"F{number}T1")

    assert up(game, 1) == "2H AS"
    assert (game.foundations[number - 1], game.foundations[2 - number]) == (0, 1)
    assert (game.home, game.take_backs) == (1, 1)


def test_r14_a_card_comes_back_only_where_a_column_takes_it() -> None:
    game = start(columns={1: "2S", 2: "3D", 3: "2D", 4: "AS"}, moves="T4F")

    back = [text for text in texts(game) if text.startswith("F")]

    assert "F1T3" in back
    assert not {"F1T1", "F1T2"} & set(back)
    assert refused(game, "F1T1") == "R6"
    assert refused(game, "F1T2") == "R6"


def test_r14_a_king_may_come_back_to_an_empty_column() -> None:
    game = start(columns={1: "AC"}, stock=all_of("H"), moves="T1F " + "D WF " * 13)

    run(game, "F3T1")

    assert up(game, 1) == "KH"
    assert game.foundations[2] == 12


def test_r14_only_the_top_card_comes_back() -> None:
    game = start(columns={1: "2H", 2: "3H"}, stock="AS 2S", moves="D WF D WF")

    assert refused(game, "F1T1") == "R6"  # the ace would fit, but the 2S lies on it
    run(game, "F1T2 F1T1")

    assert (up(game, 1), up(game, 2)) == ("2H AS", "3H 2S")


@pytest.mark.parametrize("number", range(1, 9))
def test_r14_an_empty_foundation_gives_nothing(number: int) -> None:
    assert refused(start(), f"F{number}T1") == "R14"


def test_r14_there_is_no_move_from_foundation_to_foundation() -> None:
    game = start(columns={1: "AS"}, moves="T1F")

    for source in range(1, 9):
        for target in range(1, 9):
            assert refused(game, f"F{source}F{target}") == "R37"
        assert refused(game, f"F{source}F") == "R37"


def test_r14_a_card_that_came_back_is_a_card_of_its_column() -> None:
    game = start(columns={1: "AS", 2: "2H", 3: "3C"}, moves="T1F F1T2")

    run(game, "T2T3x2")

    assert up(game, 3) == "3C 2H AS"
    assert format_deck(game.waste) == ""
