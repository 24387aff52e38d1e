"""How a score came about: its parts make the score, and are those of R21 and R22."""

import pytest

from ds_core import account, fold, parse_moves, standing
from ds_core.account import Account
from tests.core.building import deal
from tests.records import GameRecord, games

GAMES = [game for game in games() if len(game.claims) < 1000]


@pytest.mark.parametrize("played", GAMES, ids=lambda game: game.name)
def test_the_parts_make_the_score(played: GameRecord) -> None:
    found = account(played.deal, played.moves)
    game = fold(played.deal, played.moves)
    assert found.score == played.end.score
    stands = [move.text for _, move in standing(played.moves)]
    assert found.home[0] == sum(text.endswith("F") for text in stands)
    assert found.turned_up[0] == game.turned_up
    assert found.from_waste[0] == sum(text.startswith("WT") for text in stands)
    assert found.turned_back[0] == stands.count("R")


@pytest.mark.parametrize("played", GAMES, ids=lambda game: game.name)
def test_each_part_is_worth_what_the_rules_say(played: GameRecord) -> None:
    """R19, R20, R22."""
    found = account(played.deal, played.moves)
    if played.deal.mode.scoring.is_money:
        assert found.start == -104
        assert found.home[1] == 5 * found.home[0]
        assert (found.turned_up[1], found.from_waste[1]) == (0, 0)
        assert found.turned_back == (0, 0)
    else:
        assert found.start == 0
        assert found.home[1] == 10 * found.home[0]
        assert found.turned_up[1] == 5 * found.turned_up[0]
        assert found.from_waste[1] == 5 * found.from_waste[0]
        assert -100 * found.turned_back[0] <= found.turned_back[1] <= 0


def test_turning_back_costs_no_more_than_there_is() -> None:
    """R20: at 0 it costs nothing, and with 10 points it costs 10."""
    dealt = deal("D1N", {1: "AS"})
    draws = "D " * 59
    nothing = account(dealt, parse_moves(draws + "R"))
    assert nothing == Account(0, (0, 0), (0, 0), (0, 0), (1, 0))
    ten = account(dealt, parse_moves("T1F " + draws + "R"))
    assert ten == Account(0, (1, 10), (0, 0), (0, 0), (1, -10))
    undone = account(dealt, parse_moves("T1F " + draws + "R U"))
    assert undone == Account(0, (1, 10), (0, 0), (0, 0), (0, 0))


def test_a_card_taken_back_scores_again() -> None:
    """R14."""
    dealt = deal("D1N", {1: "AS", 2: "2H"})
    found = account(dealt, parse_moves("T1F F1T2 T2F"))
    assert found == Account(0, (2, 20), (0, 0), (0, 0), (0, 0))
