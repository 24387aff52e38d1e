"""The referee: what records claim, held against the rules."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ds_core import (
    FAULT_KINDS,
    WARNING_KINDS,
    Claim,
    Deal,
    EndClaims,
    Finding,
    Game,
    Move,
    Verdict,
    confirm,
    deal_cards,
    deal_code,
    fold,
    format_deck,
    judge,
    parse_code,
    parse_mode,
    parse_move,
    parse_moves,
    standing,
)
from tests import naive, records
from tests.core.building import ALL_MODES, coded, deal, snapshot, start, table, tidy_deck

# D 0, T1F +10, WF +10, T2F +15 (it turns a card up), D 0: all by R19.
COLUMNS = {1: "AS", 2: "9C AD"}
STOCK = "AH"
MOVES = ["D", "T1F", "WF", "T2F", "D"]
SCORES = [0, 10, 20, 35, 35]


def record(
    scores: list[int | None] | None = None,
    moves: list[str] | None = None,
    times: list[int | None] | None = None,
) -> list[Claim]:
    """Return claims about the moves, with the right scores and no times unless said."""
    moves = MOVES if moves is None else moves
    given_scores = SCORES if scores is None else scores
    at = times or [None] * len(moves)
    return [
        Claim(seq, move, score, time)
        for seq, (move, score, time) in enumerate(zip(moves, given_scores, at, strict=True), 1)
    ]


def judged(
    claims: list[Claim], end: EndClaims | None = None, started_at: int | None = None
) -> Verdict:
    return judge(deal("D1N", COLUMNS, STOCK), claims, end, started_at)


def score_faults(verdict: Verdict) -> list[tuple[object, ...]]:
    assert {fault.kind for fault in verdict.faults} <= {"score"}
    return [(f.seq, f.move, f.claimed, f.expected, f.drift) for f in verdict.faults]


def test_a_sound_record_has_no_finding() -> None:
    verdict = judged(record(), EndClaims("open", 35, 5))

    assert (verdict.faults, verdict.warnings) == ([], [])
    assert (verdict.events, verdict.unjudged) == (5, 0)
    assert [move.text for move in verdict.moves] == MOVES
    assert verdict.scores == SCORES
    assert snapshot(verdict.game) == snapshot(start("D1N", COLUMNS, STOCK, " ".join(MOVES)))


def test_an_empty_record_is_sound() -> None:
    verdict = judged([], EndClaims("open", 0, 0))

    assert (verdict.faults, verdict.warnings, verdict.events) == ([], [], 0)


def test_a_record_that_claims_nothing_is_sound() -> None:
    assert judged(record([None] * 5)).faults == []


@pytest.mark.parametrize("seq", range(1, 6))
def test_a_wrong_change_is_one_fault_at_its_event(seq: int) -> None:
    scores = [*SCORES[: seq - 1], *(score + 7 for score in SCORES[seq - 1 :])]
    change = SCORES[seq - 1] - [0, *SCORES][seq - 1]

    verdict = judged(record([*scores]))

    assert score_faults(verdict) == [(seq, MOVES[seq - 1], change + 7, change, 7)]


def test_a_constant_drift_after_it_is_no_second_fault() -> None:
    assert score_faults(judged(record([0, 15, 25, 40, 40]))) == [(2, "T1F", 15, 10, 5)]


def test_a_second_wrong_change_is_a_second_fault_with_the_running_drift() -> None:
    verdict = judged(record([0, 15, 25, 37, 37]))

    assert score_faults(verdict) == [(2, "T1F", 15, 10, 5), (4, "T2F", 12, 15, 2)]


def test_a_change_that_mends_the_score_is_a_fault_too() -> None:
    verdict = judged(record([0, 15, 20, 35, 35]))

    assert score_faults(verdict) == [(2, "T1F", 15, 10, 5), (3, "WF", 5, 10, 0)]
    wrong, mended = verdict.faults
    assert wrong.message.endswith("its score is now off by +5")
    assert mended.message.endswith("its score is now right again")


def test_a_wrong_score_at_a_single_event_is_two_wrong_changes() -> None:
    verdict = judged(record([0, 10, 99, 35, 35]))

    assert score_faults(verdict) == [(3, "WF", 89, 10, 79), (4, "T2F", -64, 15, 0)]


def test_the_first_claim_is_held_against_the_score_of_a_fresh_game() -> None:
    vegas = deal("D1V", COLUMNS, STOCK)

    assert judge(vegas, record([-104, -99, -94, -89, -89])).faults == []
    verdict = judge(vegas, record([0, 5, 10, 15, 15]))

    assert score_faults(verdict) == [(1, "D", 104, 0, 104)]


def test_nothing_is_claimed_where_no_score_stands() -> None:
    assert judged(record([None, 10, None, None, 35])).faults == []


def test_after_a_gap_the_change_is_counted_from_the_last_claim() -> None:
    verdict = judged(record([0, None, None, 40, 40]))

    assert score_faults(verdict) == [(4, "T2F", 40, 35, 5)]


def test_a_drift_from_before_a_gap_is_no_fault_after_it() -> None:
    verdict = judged(record([5, None, None, 40, 41]))

    assert score_faults(verdict) == [(1, "D", 5, 0, 5), (5, "D", 1, 0, 6)]


def test_a_score_fault_says_what_changed_and_by_how_much_it_is_off() -> None:
    (fault,) = judged(record([0, 15, 25, 40, 40])).faults

    assert all(part in fault.message for part in ("T1F", "+10", "+15", "+5"))


def test_the_right_scores_are_kept_whatever_is_claimed() -> None:
    verdict = judged(record([1, 2, 3, 4, 5]))

    assert verdict.scores == SCORES
    assert verdict.game.score == 35


@pytest.mark.parametrize(
    "seqs",
    [
        [2, 3, 4, 5, 6],
        [0, 1, 2, 3, 4],
        [1, 2, 4, 5, 6],
        [1, 2, 2, 3, 4],
        [1, 3, 2, 4, 5],
        [1, 2, 3, 4, -5],
    ],
)
def test_judging_stops_at_a_break_in_seq(seqs: list[int]) -> None:
    claims = [claim._replace(seq=seq) for claim, seq in zip(record(), seqs, strict=True)]
    sound = next(i for i, seq in enumerate(seqs) if seq != i + 1)

    verdict = judged(claims)

    (fault,) = verdict.faults
    assert (fault.kind, fault.seq, fault.move) == ("seq", seqs[sound], MOVES[sound])
    assert (fault.claimed, fault.expected) == (seqs[sound], sound + 1)
    assert str(seqs[sound]) in fault.message
    assert str(sound + 1) in fault.message
    assert len(verdict.moves) == len(verdict.scores) == sound
    assert (verdict.events, verdict.unjudged) == (5, 5 - sound - 1)


@pytest.mark.parametrize("text", ["", "d", "T3T3", "T3T7x1", "D D", "WF "])
def test_judging_stops_at_a_text_that_is_no_move(text: str) -> None:
    moves = ["D", "T1F", text, "T2F", "D"]

    verdict = judged(record(moves=moves))

    (fault,) = verdict.faults
    assert (fault.kind, fault.seq, fault.move) == ("unreadable_move", 3, text)
    assert fault.claimed == text
    assert repr(text) in fault.message
    assert (len(verdict.moves), verdict.events, verdict.unjudged) == (2, 5, 2)


@pytest.mark.parametrize(
    ("moves", "seq", "rule"),
    [
        (["WF", "D", "D", "D", "D"], 1, "R9"),
        (["U", "D", "D", "D", "D"], 1, "R26"),
        (["D", "D", "R", "D", "D"], 3, "R18"),
        (["D", "T1F", "T1F", "D", "D"], 3, "R7"),
        (["D", "T1F", "F2T2", "D", "D"], 3, "R14"),
        (["D", "T1F", "WF", "T2T1", "D"], 4, "R11"),
        (["D", "D", "D", "D", "T1T2"], 5, "R6"),
        (["D", "D", "D", "X", "U"], 5, "R24"),
        (["D", "T1F", "WF", "T2F", "T2F"], 5, "R12"),
    ],
)
def test_judging_stops_at_a_move_that_the_rules_refuse(
    moves: list[str], seq: int, rule: str
) -> None:
    verdict = judged(record([None] * 5, moves))

    (fault,) = verdict.faults
    assert (fault.kind, fault.seq, fault.move) == ("illegal_move", seq, moves[seq - 1])
    assert (fault.claimed, fault.expected) == (moves[seq - 1], rule)
    assert rule in fault.message
    assert [move.text for move in verdict.moves] == moves[: seq - 1]
    assert (verdict.events, verdict.unjudged) == (5, 5 - seq)


def test_the_game_is_left_as_the_sound_events_made_it() -> None:
    verdict = judged(record([None] * 5, ["D", "T1F", "T1F", "T2F", "D"]))

    assert snapshot(verdict.game) == snapshot(start("D1N", COLUMNS, STOCK, "D T1F"))


def test_what_follows_an_illegal_move_may_be_anything() -> None:
    claims = [Claim(1, "R"), Claim(7, "nonsense", -5, -5), Claim(7, "")]

    verdict = judged(claims)

    assert [fault.kind for fault in verdict.faults] == ["illegal_move"]
    assert (verdict.events, verdict.unjudged) == (3, 2)


def test_a_break_in_seq_comes_before_what_the_move_is() -> None:
    (fault,) = judged([Claim(2, "nonsense")]).faults

    assert fault.kind == "seq"


def test_the_score_of_a_refused_move_is_not_judged() -> None:
    verdict = judged([Claim(1, "WF", 10)])

    assert [fault.kind for fault in verdict.faults] == ["illegal_move"]


def test_claims_about_the_end_are_not_judged_where_judging_stopped() -> None:
    verdict = judged([Claim(1, "WF")], EndClaims("won", 1220, 163))

    assert [fault.kind for fault in verdict.faults] == ["illegal_move"]


@pytest.mark.parametrize(
    ("end", "kind", "claimed", "expected"),
    [
        (EndClaims(status="won"), "end_status", "won", "open"),
        (EndClaims(status="abandoned"), "end_status", "abandoned", "open"),
        (EndClaims(status="lost"), "end_status", "lost", "open"),
        (EndClaims(score=36), "end_score", 36, 35),
        (EndClaims(score=0), "end_score", 0, 35),
        (EndClaims(moves=4), "end_moves", 4, 5),
        (EndClaims(moves=0), "end_moves", 0, 5),
    ],
)
def test_claims_about_the_end_are_held_against_the_rules(
    end: EndClaims, kind: str, claimed: object, expected: object
) -> None:
    (fault,) = judged(record(), end).faults

    assert (fault.kind, fault.claimed, fault.expected) == (kind, claimed, expected)
    assert (fault.seq, fault.move, fault.drift) == (None, None, None)
    assert str(claimed) in fault.message
    assert str(expected) in fault.message


def test_the_end_is_compared_with_the_rules_alone_and_not_with_the_events_claims() -> None:
    drifted: list[int | None] = [0, 15, 25, 40, 40]

    assert [f.kind for f in judged(record(drifted), EndClaims(score=40)).faults] == [
        "score",
        "end_score",
    ]
    assert [f.kind for f in judged(record(drifted), EndClaims(score=35)).faults] == ["score"]


def test_the_move_counter_of_the_end_does_not_count_undo_and_abandoning() -> None:
    claims = record([None] * 5, ["D", "T1F", "U", "D", "X"])

    assert judged(claims, EndClaims("abandoned", 0, 3)).faults == []


def test_faults_come_in_the_order_of_the_events_and_those_about_the_end_last() -> None:
    verdict = judged(record([1, 11, 20, 35, 36]), EndClaims("won", 1, 2))

    assert [(fault.kind, fault.seq) for fault in verdict.faults] == [
        ("score", 1),
        ("score", 3),
        ("score", 5),
        ("end_status", None),
        ("end_score", None),
        ("end_moves", None),
    ]


def test_a_fault_before_the_stop_is_reported_as_well() -> None:
    verdict = judged([Claim(1, "D", 5), Claim(2, "WF", 15), Claim(3, "WF", 25)])

    assert [(fault.kind, fault.seq) for fault in verdict.faults] == [
        ("score", 1),
        ("illegal_move", 3),
    ]


@pytest.mark.parametrize(
    ("times", "started_at", "late"),
    [
        ([1, 2, 3, 4, 5], None, []),
        ([1, 1, 1, 1, 1], 1, []),
        ([1, 2, 1, 4, 5], None, [3]),
        ([5, 4, 3, 2, 1], None, [2, 3, 4, 5]),
        ([5, 1, 2, 3, 4], None, [2]),
        ([1, 2, 3, 4, 5], 2, [1]),
        ([1, 2, 3, 4, 5], 1, []),
        ([None, None, 1, None, 0], 2, [3, 5]),
        ([3, None, 2, None, 2], None, [3]),
        ([None] * 5, 10, []),
        ([-3, -2, -1, 0, 1], None, []),
    ],
)
def test_times_that_run_backwards_are_warnings_and_no_faults(
    times: list[int | None], started_at: int | None, late: list[int]
) -> None:
    verdict = judged(record(times=times), EndClaims("open", 35, 5), started_at)

    assert verdict.faults == []
    assert [(w.kind, w.seq, w.move) for w in verdict.warnings] == [
        ("times", seq, MOVES[seq - 1]) for seq in late
    ]


def loops(moves: str, columns: dict[int, str] | None = None, stock: str = "") -> list[Finding]:
    """Return the warnings about a record of these moves, of which nothing is a fault."""
    claims = [Claim(seq, move) for seq, move in enumerate(moves.split(), 1)]
    verdict = judge(deal("D1N", columns or {1: "AS", 2: "2H", 3: "3C"}, stock), claims)
    assert verdict.faults == []
    return verdict.warnings


@pytest.mark.parametrize(
    ("moves", "seq", "move", "times"),
    [
        ("T1F F1T2 T2F", 3, "T2F", 1),
        ("T1F F1T2 T2F D D", 3, "T2F", 1),
        ("T1F F1T2 T2F F1T2 T2F", 3, "T2F", 2),
        ("T1F F1T2 D U T2F F1T2", 5, "T2F", 1),
        ("T1F F1T2 T2F U T2F", 5, "T2F", 1),
    ],
)
def test_r14_a_card_that_scores_again_is_a_warning_and_no_fault(
    moves: str, seq: int, move: str, times: int
) -> None:
    (warning,) = loops(moves)

    assert (warning.kind, warning.seq, warning.move) == ("take_back_loop", seq, move)
    assert ("again once" if times == 1 else f"again {times} times") in warning.message
    assert f"{10 * times} " in warning.message


@pytest.mark.parametrize(
    "moves",
    [
        "T1F",
        "T1F F1T2",  # taken back, and not sent home again
        "T1F U T1F",  # home again after an undo: it scored once
        "T1F F1T2 T2F U",
        "T1F F1T2 T2F U U",
        "T1F F1T2 U D F1T2",
        "T1F F1T2 T2T3x2 T3F U X",
    ],
)
def test_r14_an_undone_loop_and_a_card_taken_back_once_are_no_warning(moves: str) -> None:
    assert loops(moves) == []


def test_r14_a_loop_over_the_other_foundation_of_the_row_counts_as_well() -> None:
    # Both foundations of the row stand at two when the 2S of the first goes to the 3H. Then
    # 3S goes home to the second, 2S goes home again, and the same 3S goes to the 4H and home
    # again, this time to the first: two cards have scored twice.
    (warning,) = loops(
        "D WF D WF D WF D WF F1T1 D WF T1F F2T2 T2F",
        {1: "3H", 2: "4H"},
        "AS AS 2S 2S 3S",
    )

    assert (warning.seq, warning.move) == (12, "T1F")
    assert "2 times" in warning.message
    assert "20 " in warning.message


def busy_foundations(dealt: Deal, chance: Random) -> list[Move]:
    """Play at random, with much going home and back, and an undo now and then."""
    game = Game(dealt)
    moves: list[Move] = []
    while game.status == "open" and len(moves) < 200:
        able = game.legal_moves()
        if chance.random() < 0.7:
            able = [move for move in able if "F" in move.text] or able
        if game.undoable and chance.random() < 0.05:
            able = [parse_move("U")]
        if not able:
            break
        moves.append(chance.choice(able))
        game.play(moves[-1])
    return moves


@pytest.mark.parametrize("mode", ALL_MODES)
@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=25)
def test_r14_loops_are_counted_card_by_card(mode: str, seed: int) -> None:
    chance = Random(seed)
    dealt = deal_cards(parse_mode(mode), tidy_deck(int(mode[1]), chance))
    moves = busy_foundations(dealt, chance)

    # A card that comes home without making its copies at home more than ever has scored before.
    model = naive.start(mode, tuple(format_deck(dealt.cards).split()))
    most: Counter[str] = Counter()
    again = []
    for seq, move in standing(moves):
        before = Counter(card for pile in model.board.foundations for card in pile)
        model = naive.play(model, move.text)
        after = Counter(card for pile in model.board.foundations for card in pile)
        for card in after - before:
            if after[card] <= most[card]:
                again.append((seq, move.text))
            most[card] = max(most[card], after[card])

    warnings = judge(dealt, [Claim(seq, move.text) for seq, move in enumerate(moves, 1)]).warnings

    assert [(w.kind, w.seq, w.move) for w in warnings] == [
        ("take_back_loop", *first) for first in again[:1]
    ]
    for warning in warnings:
        times = "once" if len(again) == 1 else f"{len(again)} times"
        points = f"${5 * len(again)} " if mode.endswith("V") else f"{10 * len(again)} "
        assert f"again {times}" in warning.message
        assert points in warning.message


def test_warnings_about_times_do_not_hide_loops() -> None:
    claims = [Claim(1, "T1F", at=5), Claim(2, "F1T2", at=4), Claim(3, "T2F", at=6)]

    verdict = judge(deal("D1N", {1: "AS", 2: "2H"}), claims)

    assert verdict.faults == []
    assert sorted(warning.kind for warning in verdict.warnings) == ["take_back_loop", "times"]


def test_every_kind_is_documented() -> None:
    assert set(FAULT_KINDS) == {
        "seq",
        "unreadable_move",
        "illegal_move",
        "score",
        "end_status",
        "end_score",
        "end_moves",
    }
    assert set(WARNING_KINDS) == {"times", "take_back_loop"}
    assert all({**FAULT_KINDS, **WARNING_KINDS}.values())


@pytest.mark.parametrize(
    ("moves", "stands"),
    [
        ("", []),
        ("D D U T2T3", [(1, "D"), (4, "T2T3")]),
        ("D D U U", []),
        ("D T1F U U D X", [(5, "D")]),
        ("X", []),
    ],
)
def test_r26_what_stands_is_what_was_not_taken_back(
    moves: str, stands: list[tuple[int, str]]
) -> None:
    assert [(seq, move.text) for seq, move in standing(parse_moves(moves))] == stands


@pytest.mark.parametrize("game", records.games(), ids=lambda game: game.name)
def test_r26_playing_what_stands_leads_to_the_same_table(game: records.GameRecord) -> None:
    whole = fold(game.deal, game.moves)
    short = fold(game.deal, [move for _, move in standing(game.moves)])

    assert {**table(whole), "status": None} == {**table(short), "status": None}


@given(
    st.sampled_from(records.games()).filter(lambda game: len(game.claims) < 400),
    st.dictionaries(st.integers(1, 120), st.integers(-50, 50).filter(bool), max_size=5),
)
@settings(deadline=None, max_examples=30)
def test_each_wrong_change_is_found_and_nothing_else(
    game: records.GameRecord, errors: dict[int, int]
) -> None:
    drift, claims = 0, []
    for claim in game.claims:
        drift += errors.get(claim.seq, 0)
        assert claim.score is not None
        claims.append(claim._replace(score=claim.score + drift))

    faults = judge(game.deal, claims, game.end, game.started_at).faults

    found = {f.seq: int(str(f.claimed)) - int(str(f.expected)) for f in faults}
    assert found == errors
    running = 0
    for fault in faults:
        assert fault.seq is not None
        running += errors[fault.seq]
        assert fault.drift == running


def test_a_referee_takes_claims_from_any_iterable_once() -> None:
    verdict = judge(coded("D1N", 1), (Claim(seq, "D") for seq in range(1, 4)))

    assert (verdict.events, verdict.faults) == (3, [])


def test_a_change_over_a_gap_in_the_claims_is_not_laid_to_the_last_move() -> None:
    # T2T3 turns a card up (R19): with both draws the score has changed by 5 since seq 1.
    claims = [Claim(1, "D", 0), Claim(2, "T2T3"), Claim(3, "D", 50)]

    [fault] = judge(deal_code(parse_code("DS1-D1N-AAAAAAB")), claims).faults

    assert (fault.seq, fault.claimed, fault.expected, fault.drift) == (3, 50, 5, 45)
    assert fault.message.startswith("all that came after seq 1 changes the score by +5")


DEAL = deal("D1N", COLUMNS, STOCK)


def complete(**changes: Any) -> list[Claim]:
    """The sound record with a time for each event, but for changes to its third."""
    claims = [
        Claim(seq, move, score, 100 + seq)
        for seq, (move, score) in enumerate(zip(MOVES, SCORES, strict=True), 1)
    ]
    claims[2] = claims[2]._replace(**changes)
    return claims


def test_a_record_that_says_everything_right_is_confirmed() -> None:
    game = confirm(DEAL, complete(), 101)

    assert game is not None
    assert snapshot(game) == snapshot(fold(DEAL, parse_moves(" ".join(MOVES))))


@pytest.mark.parametrize(
    "change",
    [
        {"seq": 4},
        {"move": "WFF"},
        {"move": "T1F"},
        {"score": 25},
        {"score": None},
        {"at": None},
        {"at": 101},
    ],
    ids=str,
)
def test_what_is_wrong_odd_or_missing_is_not_confirmed(change: dict[str, Any]) -> None:
    assert confirm(DEAL, complete(**change), 101) is None


def test_a_first_event_before_the_start_is_not_confirmed() -> None:
    assert confirm(DEAL, complete(), 102) is None
    assert confirm(DEAL, complete()) is not None


@pytest.mark.parametrize("change", [{"move": "T1F"}, {"move": "WFF"}, {"seq": 4}, {"score": 25}])
def test_with_times_or_without_a_fault_is_the_same(change: dict[str, Any]) -> None:
    with_times = judge(DEAL, complete(**change)).faults
    without = judge(DEAL, [claim._replace(at=None) for claim in complete(**change)]).faults

    assert with_times == without
    assert len(with_times) in (1, 2)
