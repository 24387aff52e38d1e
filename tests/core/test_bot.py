"""Players that choose from a view."""

from random import Random

import pytest

from ds_core import (
    BOTS,
    Game,
    GameCode,
    GreedyBot,
    Move,
    RandomBot,
    View,
    advise,
    deal_cards,
    deal_code,
    fold,
    parse_mode,
    parse_move,
    play_out,
    view,
)
from tests.core.building import ALL_MODES, DULL, coded, deal, run, start, stuck_deck, tops


class Watched:
    """A bot that notes what another chose, and what it could choose from."""

    def __init__(self, name: str, seed: int) -> None:
        self.bot = BOTS[name](Random(seed).random)
        self.chosen: list[tuple[View, Move | None]] = []

    def choose(self, seen: View) -> Move | None:
        move = self.bot.choose(seen)
        self.chosen.append((seen, move))
        return move


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize("number", range(3))
def test_a_bot_plays_legal_moves_from_what_it_sees_until_the_game_is_closed(
    name: str, mode: str, number: int
) -> None:
    dealt = coded(mode, number)
    watched = Watched(name, number)

    moves = play_out(dealt, watched)

    game = fold(dealt, moves)
    assert game.status in ("won", "abandoned")
    assert (game.status == "abandoned") == (moves[-1].text == "X")
    assert [move.text for move in moves[:-1] if move.text in "UX"] == []
    assert all(seen.hidden is None for seen, _ in watched.chosen)
    assert all(move is None or move in seen.legal for seen, move in watched.chosen)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_the_same_chance_gives_the_same_game(name: str) -> None:
    dealt = coded("D1N", 17)

    first, second = (play_out(dealt, BOTS[name](Random(5).random)) for _ in range(2))

    assert first == second


def test_another_chance_gives_another_game() -> None:
    dealt = coded("D1N", 17)

    first, second = (play_out(dealt, RandomBot(Random(seed).random)) for seed in (5, 6))

    assert first != second


def test_the_random_bot_takes_every_legal_move_at_some_time() -> None:
    seen = view(start())
    bot = RandomBot(Random(1).random)

    assert {bot.choose(seen) for _ in range(500)} == set(seen.legal)


@pytest.mark.parametrize(("chance", "place"), [(0.0, 0), (1 - 2**-53, -1)])
def test_the_random_bot_reaches_the_first_and_the_last_move(chance: float, place: int) -> None:
    seen = view(start())

    assert RandomBot(lambda: chance).choose(seen) is seen.legal[place]


def test_the_greedy_bot_wins_at_least_a_third_of_40_draw_1_games() -> None:
    chance = Random(20261130)
    mode = parse_mode("D1N")
    deals = [deal_code(GameCode(mode, chance.randrange(2**35))) for _ in range(40)]

    won = sum(fold(dealt, play_out(dealt, GreedyBot())).status == "won" for dealt in deals)

    assert won * 3 >= 40


BLACK = tops(DULL)


@pytest.mark.parametrize(
    ("columns", "stock", "setup", "move", "names"),
    [
        ({1: "AS"}, "AH", "D", "T1F", "AS"),
        ({3: "AS", 6: "AH"}, "", "", "T6F", "AH"),  # more lie face down in column 6
        ({1: "9H", 2: "8C"}, "AH", "D", "WF", "AH"),
        ({1: "9H", 2: "8C", 3: "8S"}, "", "", "T3T1", "column 3"),
        ({1: "9H", 2: "8C"}, "8S", "D", "T2T1", "column 2"),
        ({1: "9H", 2: "9C"}, "8S", "D", "WT1", "8S"),
        ({}, "QH", "", "D", "draw"),
    ],
)
def test_the_advice_is_home_then_turning_up_then_the_waste_then_drawing(
    columns: dict[int, str], stock: str, setup: str, move: str, names: str
) -> None:
    advice = advise(view(start(columns=BLACK | columns, stock=stock, moves=setup)))

    assert advice is not None
    assert advice.move is parse_move(move)
    assert names in advice.why


def test_part_of_a_run_moves_where_that_frees_a_card_that_can_go_home() -> None:
    # The 2S lies on the 3H, and could lie on the 3D: then the 3H could follow AH and 2H home.
    columns = BLACK | {1: "3H", 2: "3D", 3: "9C 2S"}
    game = start(columns=columns, stock="AH 2H", moves="T3T1 D WF D WF")

    advice = advise(view(game))

    assert advice is not None
    assert (advice.move.text, "3H" in advice.why) == ("T1T2", True)


def test_part_of_a_run_stays_where_nothing_can_go_home() -> None:
    columns = BLACK | {1: "3H", 2: "3D", 3: "9C 2S"}
    game = start(columns=columns, moves="T3T1")
    assert parse_move("T1T2") in game.legal_moves()

    advice = advise(view(game))

    assert advice is not None
    assert advice.move.text == "D"


@pytest.mark.parametrize(
    ("columns", "stock", "setup", "move"),
    [
        # A king waits on face-down cards, or on the waste, or there is none.
        ({1: "7H", 2: "8S"}, "", "", "T1T2"),
        ({1: "7H", 2: "8S", 5: "9C"}, "KD", "D", "T1T2"),
    ],
)
def test_a_column_is_emptied_where_a_king_waits_for_it(
    columns: dict[int, str], stock: str, setup: str, move: str
) -> None:
    advice = advise(view(start(columns=BLACK | columns, stock=stock, moves=setup)))

    assert advice is not None
    assert (advice.move.text, "column 1" in advice.why) == (move, True)


def test_no_column_is_emptied_for_nothing() -> None:
    without_kings = tops("7H 8S QS QC JS JC TS TC 9S")
    game = start(columns=without_kings)
    assert parse_move("T1T2") in game.legal_moves()

    advice = advise(view(game))

    assert advice is not None
    assert advice.move.text == "D"


def test_a_king_at_the_head_of_its_column_is_not_moved_about() -> None:
    game = start(columns=BLACK | {1: "KH", 2: "2H AH"}, moves="T2F T2F")
    assert parse_move("T1T2") in game.legal_moves()

    advice = advise(view(game))

    assert advice is not None
    assert advice.move.text != "T1T2"


@pytest.mark.parametrize(("mode", "move"), [("D1N", "R"), ("D3N", "R"), ("D1V", None)])
def test_with_nothing_left_to_draw_the_waste_is_turned_back(mode: str, move: str | None) -> None:
    game = Game(deal_cards(parse_mode(mode), stuck_deck()))
    while game.stock:
        run(game, "D")

    advice = advise(view(game))

    assert (advice.move.text if advice else None) == move


@pytest.mark.parametrize("name", sorted(BOTS))
def test_where_nothing_is_legal_there_is_no_advice_and_the_bots_give_up(name: str) -> None:
    seen = view(start(moves="X"))

    assert seen.legal == ()
    assert advise(seen) is None
    assert BOTS[name](Random(1).random).choose(seen) is None


def test_a_bot_that_gives_up_abandons_its_game() -> None:
    class Quitter:
        def choose(self, seen: View) -> Move | None:
            return seen.legal[0] if seen.moves < 3 else None

    moves = play_out(deal(), Quitter())

    assert len(moves) == 4
    assert moves[-1] is parse_move("X")


def test_a_bot_that_makes_no_progress_is_stopped_after_a_full_round() -> None:
    class Drawer:
        def choose(self, seen: View) -> Move | None:
            return next(move for move in seen.legal if move.text in "DR")

    moves = play_out(coded("D1N", 3), Drawer())

    # At least each of the 59 cards was seen, and it had its number of idle moves.
    assert moves[-1] is parse_move("X")
    assert [move.text for move in moves].count("D") >= 59
    assert 120 <= len(moves) < 400


def test_a_bot_that_never_draws_is_stopped_too() -> None:
    class Shuttler:
        """Sends an ace home and takes it back, for ever."""

        def __init__(self) -> None:
            self.left = 20_000

        def choose(self, seen: View) -> Move | None:
            self.left -= 1
            assert self.left, "it was never stopped"
            texts = ("T1F", "T2F", "F1T2")
            return next(move for move in seen.legal if move.text in texts)

    moves = play_out(deal("D1N", {1: "AS", 2: "2H"}), Shuttler())

    assert moves[-1] is parse_move("X")
