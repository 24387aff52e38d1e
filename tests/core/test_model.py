"""The engine and the naive model, step by step side by side."""

from random import Random
from typing import ClassVar
from unittest import TestCase

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from ds_core import Card, Game, deal_cards, format_deck, parse_mode
from tests import naive
from tests.core.building import (
    ALL_MODES,
    board,
    coded,
    eager,
    every_card,
    refused,
    run,
    texts,
    tidy_deck,
)


class Pair:
    """An engine game and a naive game of one deal, of which every event is compared."""

    def __init__(self, mode: str, cards: list[Card]) -> None:
        self.game = Game(deal_cards(parse_mode(mode), cards))
        self.model = naive.start(mode, tuple(format_deck(cards).split()))
        self.agree()

    def play(self, text: str) -> str | None:
        """Play a move on both, or see both refuse it; return the rule that did."""
        try:
            self.model = naive.play(self.model, text)
        except naive.Refused as refusal:
            rule = str(refusal)
            assert refused(self.game, text) == rule
            return rule
        run(self.game, text)
        self.agree()
        return None

    def agree(self) -> None:
        game, model = self.game, self.model
        assert board(game) == model.board
        assert texts(game) == naive.legal(model)
        assert (game.status, game.moves, game.undos, game.undoable) == (
            model.status,
            model.moves,
            model.undos,
            model.undoable,
        )
        assert game.seq == model.moves + model.undos + (model.status == "abandoned")
        assert game.home == sum(map(len, model.board.foundations))
        assert game.turned_up == 36 - sum(map(len, model.board.down))
        assert game.recycles == model.stands.count("R")
        assert game.take_backs == sum(text[0] == "F" for text in model.stands)
        assert set(every_card(game).values()) == {2}


class SideBySide(RuleBasedStateMachine):
    mode: ClassVar[str]

    @initialize(number=st.integers(0, 2**35 - 1), swaps=st.sampled_from([None, 0, 1, 5]))
    def deal(self, number: int, swaps: int | None) -> None:
        """Deal any deck, or one that is soon won, with some cards out of place."""
        cards = (
            list(coded(self.mode, number).cards)
            if swaps is None
            else tidy_deck(int(self.mode[1]), Random(number), swaps)
        )
        self.pair = Pair(self.mode, cards)

    @rule(choice=st.integers(0, 2**16))
    def legal_move(self, choice: int) -> None:
        legal = texts(self.pair.game)
        if legal:
            assert self.pair.play(legal[choice % len(legal)]) is None

    @rule(seed=st.integers(0, 2**32), count=st.integers(1, 40))
    def wander(self, seed: int, count: int) -> None:
        chance = Random(seed)
        for _ in range(count):
            if legal := texts(self.pair.game):
                assert self.pair.play(chance.choice(legal)) is None

    @rule(count=st.integers(1, 80))
    def hurry_home(self, count: int) -> None:
        for _ in range(count):
            if (text := eager(self.pair.game)) is not None:
                assert self.pair.play(text) is None

    @rule(count=st.sampled_from([1, 1, 2, 5, 30, 210]))
    def undo(self, count: int) -> None:
        for _ in range(count):
            if self.pair.play("U") is not None:
                break

    @rule(text=st.sampled_from(sorted(set(naive.NOTATION) - {"X"})))
    def any_move(self, text: str) -> None:
        self.pair.play(text)

    @rule(text=st.text(alphabet="DRUXWFT19x", max_size=6).filter(lambda t: t not in naive.NOTATION))
    def unreadable(self, text: str) -> None:
        assert self.pair.play(text) == "R37"

    @precondition(lambda self: self.pair.game.moves > 100)
    @rule()
    def abandon(self) -> None:
        self.pair.play("X")


class SideBySideD1N(SideBySide):
    mode = "D1N"


class SideBySideD1V(SideBySide):
    mode = "D1V"


class SideBySideD3N(SideBySide):
    mode = "D3N"


class SideBySideD3V(SideBySide):
    mode = "D3V"


def _case(machine: type[SideBySide]) -> type[TestCase]:
    case = machine.TestCase
    case.settings = settings(deadline=None, max_examples=25, stateful_step_count=15)
    return case


TestD1N = _case(SideBySideD1N)
TestD1V = _case(SideBySideD1V)
TestD3N = _case(SideBySideD3N)
TestD3V = _case(SideBySideD3V)


@pytest.mark.parametrize("mode", ALL_MODES)
def test_both_win_a_tidy_deck_and_then_refuse_everything(mode: str) -> None:
    pair = Pair(mode, tidy_deck(int(mode[1]), Random(7)))

    while (text := eager(pair.game)) is not None:
        assert pair.play(text) is None

    assert (pair.game.status, pair.game.score) == ("won", 416 if mode.endswith("V") else 1220)
    assert pair.play("U") == pair.play("X") == pair.play("D") == "R24"


@pytest.mark.parametrize("mode", ALL_MODES)
def test_both_take_back_200_operations_of_all_kinds_and_no_more(mode: str) -> None:
    chance = Random(11)
    pair = Pair(mode, tidy_deck(int(mode[1]), chance, swaps=40))
    # Weighted so that all kinds come, and the game is not over before the limit is reached.
    while pair.game.moves < 260:
        legal = texts(pair.game)
        pair.play(chance.choice(legal))

    undone = 0
    while pair.play("U") is None:
        undone += 1

    assert undone == 200
    assert pair.play("U") == "R26"


@pytest.mark.parametrize("mode", ALL_MODES)
def test_both_judge_each_of_the_1031_moves_alike(mode: str) -> None:
    chance = Random(mode)
    for number in range(3):
        pair = Pair(mode, list(coded("D1N", number).cards))
        for _ in range(chance.randrange(150)):
            if legal := texts(pair.game):
                pair.play(chance.choice(legal))
        for text in naive.NOTATION:
            rule = naive.refusal(pair.model, text)
            if rule is not None:
                assert refused(pair.game, text) == rule
