"""Replay: the board after each event, and nothing that a player could not see."""

import pytest

from ds_core import MOVES, Game, View, format_card, view
from ds_events.replay import Frame, Line, Moved, frames
from ds_events.store import EventStore
from tests import naive, records
from tests.events.building import START, FakeClock, coded, scores_by_rule
from tests.records import GameRecord

SHORT = sorted(records.games(), key=lambda game: len(game.claims))[:8]


UNDOING = [game for game in records.games() if "U" in {claim.move for claim in game.claims[:120]}][
    :6
]
"""Games that take moves back early on."""


def _frames(
    store: EventStore, game_id: int, *, line: Line = "played", reveal: bool = False
) -> list[Frame]:
    header, events = store.header(game_id), store.read(game_id)
    return list(frames(header, events, line=line, reveal=reveal))


def _boards(played: GameRecord, count: int | None = None) -> list[naive.NaiveGame]:
    """Return the game at the start and after each of its first events, by the second model."""
    deck = tuple(format_card(card) for card in played.deal.cards)
    boards = [naive.start(str(played.deal.mode), deck)]
    for claim in played.claims[:count]:
        boards.append(naive.play(boards[-1], claim.move))
    return boards


def _sizes(position: naive.NaiveGame) -> dict[str, int]:
    """Return how many cards lie in each pile."""
    board = position.board
    columns = [len(down) + len(up) for down, up in zip(board.down, board.up, strict=True)]
    return {
        "S": len(board.stock),
        "W": len(board.waste),
        **{f"T{n}": size for n, size in enumerate(columns, 1)},
        **{f"F{n}": len(pile) for n, pile in enumerate(board.foundations, 1)},
    }


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


def test_boards_are_made_one_by_one(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    # Whoever looks at the first frames of a long game does not wait for its last.
    game = store.record("mika", coded(), [MOVES["D"]] * 3)
    seen: list[int] = []

    def counting(position: Game, *, reveal: bool) -> View:
        seen.append(position.seq)
        return view(position, reveal=reveal)

    monkeypatch.setattr("ds_events.replay.view", counting)
    shown = frames(game.header, store.read(game.id))
    assert [(next(shown).seq, list(seen)) for _ in range(2)] == [(0, [0]), (1, [0, 1])]


@pytest.mark.parametrize("played", SHORT + UNDOING, ids=lambda played: played.name)
def test_a_frame_says_which_cards_moved_and_what_was_turned_up(
    store: EventStore, played: GameRecord
) -> None:
    """Held against the piles of the second model: who lost cards, who has them on top now."""
    boards = _boards(played, 120)

    shown = _frames(store, _recorded(store, played))[: len(boards)]

    assert (shown[0].moved, shown[0].turned_up, shown[0].home) == (None, None, False)
    for frame, before, after in zip(shown[1:], boards, boards[1:], strict=False):
        was, now = _sizes(before), _sizes(after)
        changed = {pile: now[pile] - was[pile] for pile in was if now[pile] != was[pile]}
        if frame.move == "X":
            assert (changed, frame.moved) == ({}, None)
            continue
        assert frame.moved is not None
        moved = {frame.moved.source: -frame.moved.count, frame.moved.target: frame.moved.count}
        assert moved == changed
        less = [
            f"T{n}"
            for n, (one, two) in enumerate(zip(before.board.down, after.board.down, strict=True), 1)
            if len(two) < len(one)
        ]
        assert ([] if frame.turned_up is None else [frame.turned_up]) == less
        assert frame.home == (frame.move in {"WF", *(f"T{n}F" for n in range(1, 10))})


@pytest.mark.parametrize("played", UNDOING, ids=lambda played: played.name)
def test_the_final_line_is_what_stands_as_it_was_played(
    store: EventStore, played: GameRecord
) -> None:
    game_id = _recorded(store, played)
    moves = [claim.move for claim in played.claims]
    # How many operations stand after each event; one stands for good if they never get fewer.
    standing = [0]
    for move in moves:
        standing.append(standing[-1] + (0 if move == "X" else -1 if move == "U" else 1))
    stay = [
        seq
        for seq, move in enumerate(moves, 1)
        if move == "X" or (move != "U" and min(standing[seq:]) == standing[seq])
    ]

    everything = _frames(store, game_id)
    final = _frames(store, game_id, line="final")

    assert len(stay) < len(moves)
    assert [frame.seq for frame in final] == [0, *stay]
    assert final == [everything[seq] for seq in [0, *stay]]
    assert all(frame.stands for frame in final)
    assert [frame.seq for frame in everything if frame.stands] == [0, *stay]
    # Playing what is left from the deal leads to the same boards and scores, to the end.
    alone = Game(played.deal)
    for frame in final[1:]:
        alone.play(MOVES[str(frame.move)])
        one, other = view(alone), frame.seen
        assert (one.columns, one.waste, one.stock, one.foundations, one.score, one.status) == (
            *(other.columns, other.waste, other.stock, other.foundations),
            *(other.score, other.status),
        )
    end, last = everything[-1].seen, final[-1].seen
    assert (last.columns, last.waste, last.foundations) == (end.columns, end.waste, end.foundations)
    assert (last.score, last.status) == (end.score, end.status)


def test_a_frame_knows_its_undo_and_an_undo_its_operation(store: EventStore) -> None:
    moves = ["D", "T2T3", "D", "U", "T6T8", "U", "U", "D"]
    game = store.record("mika", coded(), [MOVES[move] for move in moves])

    shown = _frames(store, game.id)

    assert [frame.undone_by for frame in shown] == [None, None, 7, 4, None, 6, *[None] * 3]
    assert [frame.undoes for frame in shown] == [*[None] * 4, 3, None, 5, 2, None]
    assert shown[4].moved == Moved("W", "S", 1)
    assert shown[6].moved == Moved("T8", "T6", 1)
    # The counters are those of the record: seven events, of which four were operations (R27).
    final = _frames(store, game.id, line="final")
    assert [(frame.seq, frame.move, frame.seen.moves) for frame in final] == [
        (0, None, 0),
        (1, "D", 1),
        (8, "D", 5),
    ]


def test_drawing_and_turning_back_move_what_there_is(store: EventStore) -> None:
    """R15, R16: three cards at a time, then the two that are left, then all 59."""
    moves = [MOVES["D"]] * 20 + [MOVES["R"], MOVES["U"]]
    game = store.record("mika", coded("DS1-D3N-AAAAAAB"), moves)

    shown = _frames(store, game.id)

    assert [frame.moved for frame in shown[19:]] == [
        Moved("S", "W", 3),
        Moved("S", "W", 2),
        Moved("W", "S", 59),
        Moved("S", "W", 59),
    ]


def test_cards_come_home_to_the_foundation_that_took_them(store: EventStore) -> None:
    """R13: the second ace of spades goes to the second foundation; taken back, it comes from it."""
    moves = [MOVES[move] for move in ("T1F", "T5F", "U")]
    game = store.record("mika", coded("DS1-D1N-AAAABOR"), moves)

    shown = _frames(store, game.id)

    assert [frame.moved for frame in shown[1:]] == [
        Moved("T1", "F1", 1),
        Moved("T5", "F2", 1),
        Moved("F2", "T5", 1),
    ]
    assert [frame.home for frame in shown] == [False, True, True, False]
    assert [frame.turned_up for frame in shown] == [None, None, "T5", None]
