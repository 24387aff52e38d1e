"""Every checked vector, whole: deals, games, positions and refusals."""

from collections import Counter
from hashlib import sha256

import pytest

from ds_core import (
    EndClaims,
    Game,
    GameClosed,
    IllegalMove,
    NotationError,
    RulesError,
    double_tap,
    fold,
    format_deck,
    judge,
    parse_code,
    parse_deck,
    parse_move,
    shuffle,
    tap,
    view,
)
from tests import naive, records
from tests.core.building import board, every_card, snapshot, texts

# SHA-256 of each file as it was checked.
CHECKED = {
    "deals.json": "13840d46de07674b1c933f649b2f97345c8884a9900a77b3ca15c53eb5f8e59f",
    "games.jsonl": "0d25a3e48bfbb96a5143c43369173351f94bde63086e881c62793a9b0321fbbf",
    "positions.jsonl": "03f52d6574e36cd77b2554ff2c2579c4f43fa415f4de0d0e8b24f709cd838e60",
    "refusals.jsonl": "ff04ff85c3a0a6a55dc374db315d62c41f71f1bcaf974475e597ee522718a785",
}


def test_no_vector_is_missing() -> None:
    assert len(records.golden_decks()) == 8
    assert len(records.games()) == 33
    assert len(records.positions()) == 99
    assert len(records.refusals()) == 48


@pytest.mark.parametrize(("name", "digest"), CHECKED.items())
def test_the_vectors_are_those_that_were_checked(name: str, digest: str) -> None:
    vectors = (records.VECTORS / name).read_bytes()

    assert sha256(vectors).hexdigest() == digest
    if records.SHARED.is_dir():
        assert vectors == (records.SHARED / name).read_bytes()


def test_every_shared_vector_is_here() -> None:
    here = {path.name for path in records.VECTORS.iterdir()}
    shared = {path.name for path in records.SHARED.glob("*")}

    assert here >= {*CHECKED, *shared}


@pytest.mark.parametrize(("deal", "deck"), records.golden_decks().items())
def test_r35_golden_deals(deal: str, deck: str) -> None:
    cards = shuffle(parse_code(f"DS1-D1N-{deal}"))

    assert format_deck(cards) == deck
    assert parse_deck(deck) == cards


games = pytest.mark.parametrize("record", records.games(), ids=lambda record: record.name)


@games
def test_games_score_as_recorded_after_every_event(record: records.GameRecord) -> None:
    game = Game(record.deal)
    for claim in record.claims:
        game.play(parse_move(claim.move))
        assert (game.seq, game.score) == (claim.seq, claim.score)

    assert EndClaims(game.status, game.score, game.moves) == record.end


@games
def test_the_referee_finds_nothing_in_the_games(record: records.GameRecord) -> None:
    verdict = judge(record.deal, record.claims, record.end, record.started_at)

    assert verdict.faults == []
    assert (verdict.events, verdict.unjudged) == (len(record.claims), 0)
    assert [warning.kind for warning in verdict.warnings if warning.kind == "times"] == []
    assert [move.text for move in verdict.moves] == [claim.move for claim in record.claims]
    assert verdict.scores == [claim.score for claim in record.claims]


@games
def test_r1_all_104_cards_are_there_after_every_event(record: records.GameRecord) -> None:
    game = Game(record.deal)
    for move in record.moves:
        game.play(move)
        assert set(every_card(game).values()) == {2}


@games
def test_the_naive_model_agrees_with_the_games(record: records.GameRecord) -> None:
    deck = tuple(format_deck(record.deal.cards).split())
    model = naive.start(str(record.deal.mode), deck)
    for claim in record.claims:
        model = naive.play(model, claim.move)
        assert model.board.score == claim.score

    assert EndClaims(model.status, model.board.score, model.moves) == record.end
    assert board(fold(record.deal, record.moves)) == model.board


positions = pytest.mark.parametrize(
    "position", records.positions(), ids=lambda position: position.name
)


@positions
def test_positions_have_their_board_and_their_legal_moves(position: records.Position) -> None:
    game = fold(position.deal, position.moves)
    seen = board(game)

    assert [
        (len(down), list(up)) for down, up in zip(seen.down, seen.up, strict=True)
    ] == position.columns
    assert list(seen.waste) == position.waste
    assert len(seen.stock) == position.stock
    assert game.foundations == position.foundations
    assert (game.score, game.undoable) == (position.score, position.undoable)
    assert texts(game) == position.legal
    assert sorted(move.text for move in view(game).legal) == position.legal


@positions
def test_positions_answer_taps_and_double_taps(position: records.Position) -> None:
    seen = view(fold(position.deal, position.moves))

    assert {pile: str(tap(seen, pile) or "") or None for pile in position.tap} == position.tap
    assert {
        pile: str(double_tap(seen, pile) or "") or None for pile in position.double
    } == position.double


def perft(game: Game, depth: int) -> int:
    """Count the ways to play so many operations."""
    if not depth:
        return 1
    total = 0
    for move in game.legal_moves():
        twin = game.copy()
        twin.play(move)
        total += perft(twin, depth - 1)
    return total


@pytest.mark.parametrize(
    "position",
    [position for position in records.positions() if position.perft],
    ids=lambda position: position.name,
)
def test_positions_have_as_many_continuations(position: records.Position) -> None:
    game = fold(position.deal, position.moves)

    assert [perft(game, depth) for depth in (1, 2, 3)] == position.perft


@positions
def test_the_naive_model_agrees_with_the_positions(position: records.Position) -> None:
    model = naive.start(str(position.deal.mode), tuple(format_deck(position.deal.cards).split()))
    for move in position.moves:
        model = naive.play(model, move.text)

    assert naive.legal(model) == position.legal
    assert (model.board.score, model.undoable) == (position.score, position.undoable)
    assert {pile: naive.tap(model, pile) for pile in position.tap} == position.tap
    assert {pile: naive.double_tap(model, pile) for pile in position.double} == position.double


@pytest.mark.parametrize("refusal", records.refusals(), ids=lambda refusal: refusal.name)
def test_refusals_name_their_rule_and_leave_the_game_as_it_was(refusal: records.Refusal) -> None:
    game = fold(refusal.deal, refusal.moves)
    before, could = snapshot(game), texts(game)

    with pytest.raises(RulesError) as caught:
        game.play(parse_move(refusal.refused))

    assert isinstance(caught.value, IllegalMove | NotationError)
    assert caught.value.rule == refusal.rule
    assert isinstance(caught.value, GameClosed) == (refusal.rule == "R24")
    assert (snapshot(game), texts(game)) == (before, could)


def test_the_refusals_cover_every_rule_that_refuses() -> None:
    rules = Counter(refusal.rule for refusal in records.refusals())

    assert set(rules) == {
        "R6",
        "R7",
        "R9",
        "R11",
        "R12",
        "R14",
        "R17",
        "R18",
        "R24",
        "R26",
        "R37",
    }


@pytest.mark.parametrize("refusal", records.refusals(), ids=lambda refusal: refusal.name)
def test_the_naive_model_agrees_with_the_refusals(refusal: records.Refusal) -> None:
    model = naive.start(str(refusal.deal.mode), tuple(format_deck(refusal.deal.cards).split()))
    for move in refusal.moves:
        model = naive.play(model, move.text)

    assert naive.refusal(model, refusal.refused) == refusal.rule
