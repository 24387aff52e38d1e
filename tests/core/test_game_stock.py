"""Stock and waste: R15 to R18."""

import pytest

from ds_core import MODES, Game, deal_cards, format_deck, parse_deck
from tests.core.building import ALL_MODES, DULL, refused, run, start, texts, tops

STOCK = "2S 3S 4S 5S 6S 7S 8S"


@pytest.mark.parametrize("mode", ["D1N", "D1V"])
def test_r15_draw_1_turns_one_card(mode: str) -> None:
    game = start(mode, stock=STOCK, moves="D")

    assert format_deck(game.waste) == "2S"
    assert format_deck(game.stock[:2]) == "3S 4S"


@pytest.mark.parametrize("mode", ["D3N", "D3V"])
def test_r15_draw_3_turns_three_of_which_the_last_is_available(mode: str) -> None:
    game = start(mode, columns={1: "5H"}, stock=STOCK, moves="D")
    assert format_deck(game.waste) == "2S 3S 4S"

    run(game, "WT1")

    assert format_deck(game.waste) == "2S 3S"
    run(game, "D")
    assert format_deck(game.waste) == "2S 3S 5S 6S 7S"


def test_r15_playing_the_last_frees_the_one_below() -> None:
    game = start("D3N", stock="2S AH AS", moves="D")

    run(game, "WF WF WF")

    assert game.foundations[:3] == [2, 0, 1]
    assert game.waste == []


def test_r15_the_last_draw_of_three_turns_what_is_left() -> None:
    # 59 cards are 19 draws of three and two more cards.
    game = start("D3N", moves="D " * 19)
    last_two = game.stock

    run(game, "D")

    assert (len(last_two), game.stock, game.waste[-2:]) == (2, [], last_two)


def test_r15_a_single_card_left_is_drawn_alone() -> None:
    # One card played leaves 58 for the next round: 19 draws and a single card.
    game = start("D3N", stock="2S 3S AS", moves="D WF " + "D " * 19 + "R " + "D " * 19)
    last = game.stock

    run(game, "D")

    assert (len(last), game.stock, game.waste[-1:]) == (1, [], last)


@pytest.mark.parametrize("mode", ALL_MODES)
def test_r15_mode_is_a_games_own_and_never_changes(mode: str) -> None:
    game = start(mode, stock=STOCK)

    for moves in ("D", "D U", "D D", "X"):
        run(game, moves)
        assert game.deal.mode == MODES[mode]


@pytest.mark.parametrize(("mode", "draws"), [("D1N", 59), ("D3N", 20)])
def test_r16_the_waste_is_turned_back_in_the_same_order(mode: str, draws: int) -> None:
    game = start(mode, stock=STOCK)
    order = game.stock

    run(game, "D " * draws)
    assert (game.waste, game.stock) == (order, [])
    run(game, "R")

    assert (game.waste, game.stock) == ([], order)


def test_r16_what_was_played_is_missing_from_the_next_round() -> None:
    game = start(stock="2S AS 3H", moves="D D WF")
    order = game.waste + game.stock

    run(game, "D " * 57 + "R")

    assert game.stock == order
    assert len(order) == 58


def test_r16_turning_back_and_the_next_draw_are_two_operations() -> None:
    game = start(moves="D " * 59)

    run(game, "R")
    assert (game.waste, game.moves, game.undoable) == ([], 60, 60)
    run(game, "D")

    assert (len(game.waste), game.moves, game.undoable) == (1, 61, 61)


def test_r16_as_often_as_the_player_likes() -> None:
    game = start("D3N")
    order = game.stock

    for turned in range(1, 31):
        run(game, "D " * 20 + "R")
        assert (game.stock, game.recycles) == (order, turned)


@pytest.mark.parametrize(("mode", "draws"), [("D1V", 59), ("D3V", 20)])
def test_r17_under_vegas_the_waste_is_never_turned_back(mode: str, draws: int) -> None:
    game = start(mode)
    assert refused(game, "R") == "R17"

    run(game, "D " * draws)

    assert game.stock == []
    assert "R" not in texts(game)
    assert refused(game, "R") == "R17"


@pytest.mark.parametrize(("mode", "draws"), [("D1N", 59), ("D1V", 59), ("D3N", 20), ("D3V", 20)])
def test_r18_an_empty_stock_gives_nothing(mode: str, draws: int) -> None:
    game = start(mode, moves="D " * draws)

    assert refused(game, "D") == "R18"
    assert "D" not in texts(game)


@pytest.mark.parametrize("draws", [0, 1, 58])
def test_r18_nothing_is_turned_back_while_the_stock_holds_cards(draws: int) -> None:
    game = start(columns=tops(DULL), moves="D " * draws)

    assert refused(game, "R") == "R18"
    assert "R" not in texts(game)


def test_r18_an_empty_waste_is_not_turned_back() -> None:
    # All 59 cards of this stock go home as they come.
    low = " ".join(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")
    spare = " ".join(rank + "S" for rank in "A234567")
    game = start(stock=f"{low} {spare}", moves="D WF " * 59)

    assert (game.stock, game.waste, game.status) == ([], [], "open")
    assert refused(game, "R") == "R18"
    assert refused(game, "D") == "R18"


def test_r5_the_stock_is_drawn_from_the_46th_card_on() -> None:
    words = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"] * 2
    game = Game(deal_cards(MODES["D3N"], parse_deck(" ".join(words))))

    run(game, "D D")

    assert format_deck(game.waste) == " ".join(words[45:51])
