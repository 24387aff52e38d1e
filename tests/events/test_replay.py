"""Replay: the board after each event, and nothing that a player could not see."""

from collections.abc import Iterator

import pytest

from ds_core import MOVES, Game, format_card, view
from ds_events.record import Event
from ds_events.replay import Frame, frames
from ds_events.store import EventStore
from tests import naive, records
from tests.events.building import START, FakeClock, coded, scores_by_rule
from tests.records import GameRecord

SHORT = sorted(records.games(), key=lambda game: len(game.claims))[:8]


def _frames(store: EventStore, game_id: int, *, reveal: bool = False) -> list[Frame]:
    return list(frames(store.header(game_id), store.read(game_id), reveal=reveal))


def _recorded(store: EventStore, played: GameRecord) -> int:
    return store.record("mika", played.deal, played.moves).id


@pytest.mark.parametrize("reveal", [True, False])
@pytest.mark.parametrize("played", SHORT, ids=lambda played: played.name)
def test_each_frame_is_the_fold_up_to_its_event(
    store: EventStore, played: GameRecord, reveal: bool
) -> None:
    game_id = _recorded(store, played)

    shown = _frames(store, game_id, reveal=reveal)

    assert [frame.seq for frame in shown] == list(range(len(played.claims) + 1))
    assert [frame.move for frame in shown] == [None, *(claim.move for claim in played.claims)]
    live = Game(played.deal)
    for frame in shown:
        if frame.move is not None:
            live.play(MOVES[frame.move])
        assert frame.seen == view(live, reveal=reveal)
    assert shown[-1].seen.score == played.end.score
    for frame in shown[:: len(shown) // 4]:
        assert frame.seen == view(store.load(game_id, frame.seq).game, reveal=reveal)


@pytest.mark.parametrize("played", SHORT, ids=lambda played: played.name)
def test_the_changes_of_the_score_add_up(store: EventStore, played: GameRecord) -> None:
    shown = _frames(store, _recorded(store, played))

    claimed = [claim.score for claim in played.claims]
    begin = -104 if str(played.deal.mode).endswith("V") else 0
    assert shown[0].change == 0
    score = begin
    for frame, right in zip(shown[1:], claimed, strict=True):
        score += frame.change
        assert score == right == frame.seen.score


def test_undone_moves_are_shown_as_played(store: EventStore, clock: FakeClock) -> None:
    game = store.create("mika", coded())
    clock.tick(2)
    store.append(game.id, ["D", "T2T3"], expected_version=0)
    clock.tick(3)
    store.append(game.id, ["U", "X"], expected_version=2)

    shown = _frames(store, game.id)

    scores = scores_by_rule(coded(), ["D", "T2T3", "U", "X"])
    assert [(frame.seq, frame.move, frame.change, frame.at - START) for frame in shown] == [
        (0, None, 0, 0),
        (1, "D", scores[0], 2_000_000),
        (2, "T2T3", scores[1] - scores[0], 2_000_000),
        (3, "U", scores[2] - scores[1], 5_000_000),
        (4, "X", 0, 5_000_000),
    ]
    assert shown[3].seen.columns == shown[1].seen.columns
    assert shown[4].seen.status == "abandoned"


def test_a_game_without_events_has_its_deal_as_the_only_frame(store: EventStore) -> None:
    game = store.create("mika", coded())

    [frame] = _frames(store, game.id)

    assert (frame.seq, frame.move, frame.change, frame.at) == (0, None, 0, START)
    assert frame.seen.stock == 59


@pytest.mark.parametrize("played", SHORT[:3], ids=lambda played: played.name)
def test_face_down_cards_and_the_stock_stay_hidden(store: EventStore, played: GameRecord) -> None:
    game_id = _recorded(store, played)
    deck = tuple(format_card(card) for card in played.deal.cards)
    model = naive.start(str(played.deal.mode), deck)

    hidden = _frames(store, game_id)
    revealed = _frames(store, game_id, reveal=True)

    for frame, bare in zip(hidden, revealed, strict=True):
        if frame.move is not None:
            model = naive.play(model, frame.move)
        board = model.board
        assert frame.seen.hidden is None
        assert [column.down for column in frame.seen.columns] == [*map(len, board.down)]
        shown = [tuple(map(format_card, column.up)) for column in frame.seen.columns]
        assert shown == list(board.up)
        assert frame.seen.stock == len(board.stock)
        assert bare.seen.hidden is not None
        assert tuple(map(format_card, bare.seen.hidden.stock)) == board.stock
        down = [tuple(map(format_card, column)) for column in bare.seen.hidden.columns]
        assert down == list(board.down)


def test_frames_come_one_by_one(store: EventStore) -> None:
    # What is played back at leisure need not be read to its end first.
    game = store.record("mika", coded(), [MOVES["D"]] * 3)
    read: list[int] = []

    def log() -> Iterator[Event]:
        for event in store.read(game.id):
            read.append(event.seq)
            yield event

    shown = frames(game.header, log())
    seen = [(next(shown).seq, list(read)) for _ in range(3)]

    assert seen == [(0, []), (1, [1]), (2, [1, 2])]
