"""How games end, and what never happens by itself: R23, R24, R25."""

import pytest

from ds_core import Game, GameClosed, deal_cards, parse_mode, parse_move
from tests import records
from tests.core.building import ALL_MODES, refused, run, start, stuck_deck, table, texts, up
from tests.naive import NOTATION


def last_move(mode: str) -> tuple[Game, str]:
    """Return a game one move before it is won, and that move."""
    record = next(r for r in records.games() if r.deal.label == f"APP-{mode}")
    *others, last = record.moves
    return run(Game(record.deal), " ".join(map(str, others))), last.text


@pytest.mark.parametrize("mode", ALL_MODES)
def test_r23_a_game_is_won_with_the_last_of_104_cards(mode: str) -> None:
    game, last = last_move(mode)
    assert (game.status, game.home) == ("open", 103)

    run(game, last)

    assert (game.status, game.home, game.foundations) == ("won", 104, [13] * 8)


@pytest.mark.parametrize("mode", ["D1V", "D3V"])
def test_r23_a_stuck_game_stays_open_and_can_be_undone(mode: str) -> None:
    game = Game(deal_cards(parse_mode(mode), stuck_deck()))

    while game.stock:
        run(game, "D")
    assert (texts(game), game.status) == ([], "open")

    run(game, "U")
    assert "D" in texts(game)


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("text", ["U", "X", "D", "R", "WF", "T1F", "T1T2", "F1T1", "F8T9"])
def test_r24_a_won_game_takes_no_event(mode: str, text: str) -> None:
    game, last = last_move(mode)
    run(game, last)

    assert refused(game, text) == "R24"


def test_r24_a_closed_game_refuses_every_move_there_is() -> None:
    game, last = last_move("D1N")
    run(game, last)
    abandoned = start(columns={1: "AS"}, moves="T1F X")

    assert {refused(game, text) for text in NOTATION} == {"R24"}
    assert {refused(abandoned, text) for text in NOTATION} == {"R24"}


def test_r24_nothing_is_undoable_or_legal_in_a_won_game() -> None:
    game, last = last_move("D1N")
    assert game.undoable == 162

    run(game, last)

    assert (game.undoable, texts(game)) == (0, [])


@pytest.mark.parametrize(
    ("moves", "score"), [("", 0), ("D", 0), ("T1F", 10), ("T1F U", 0), ("D U", 0)]
)
def test_r24_a_game_may_be_abandoned_at_any_point(moves: str, score: int) -> None:
    game = start(columns={1: "AS"}, moves=moves)
    before, seq = table(game), game.seq

    run(game, "X")

    assert game.status == "abandoned"
    assert (game.seq, game.undoable, texts(game)) == (seq + 1, 0, [])
    assert game.score == score
    assert {**table(game), "status": "open"} == before


def test_r24_the_refusal_says_how_the_game_was_closed() -> None:
    game, last = last_move("D1N")
    run(game, last)
    with pytest.raises(GameClosed, match="won") as caught:
        game.play(parse_move("U"))
    assert (caught.value.move, caught.value.rule) == ("U", "R24")

    with pytest.raises(GameClosed, match="abandoned"):
        start(moves="X").play(parse_move("D"))


def test_r24_any_other_game_is_open() -> None:
    assert start().status == "open"
    assert start(moves="D U").status == "open"


def test_r25_an_ace_that_is_turned_up_stays_where_it_is() -> None:
    game = start(columns={1: "9H", 2: "AS 8S"}, stock="AH", moves="D T2T1")

    assert (up(game, 2), len(game.waste), game.home) == ("AS", 1, 0)


@pytest.mark.parametrize("mode", ALL_MODES)
def test_r25_each_event_of_a_whole_game_moves_at_most_one_pile_onto_another(mode: str) -> None:
    record = next(r for r in records.games() if r.deal.label == f"APP-{mode}")
    game = Game(record.deal)
    for move in record.moves:
        columns, home = [len(column) for column in game.columns], game.home
        waste, stock = len(game.waste), len(game.stock)
        game.play(move)
        changed = [
            *(len(c) != size for c, size in zip(game.columns, columns, strict=True)),
            game.home != home,
            len(game.waste) != waste,
            len(game.stock) != stock,
        ]
        assert sum(changed) == 2
        assert game.home - home == move.text.endswith("F")
