"""The audit of a file: every kind of damage to every checked game is found where it is."""

from functools import cache
from typing import Any

import pytest

from ds_core import Deal, format_deck
from ds_events.audit import audit_lines
from ds_events.findings import AuditReport
from ds_events.ids import format_id
from ds_events.interchange import parse_record
from tests import naive, records
from tests.events.building import as_line, found, game_line, vector_at, vector_lines, vectors

GAMES = range(33)
START_SCORE = {"N": 0, "V": -104}


def _audit(*lines: bytes | dict[str, Any]) -> AuditReport:
    texts = [line if isinstance(line, bytes) else as_line(line) for line in lines]
    return audit_lines(enumerate(texts, 1))


def _middle(game: dict[str, Any]) -> int:
    """Return the index of an event in the middle of a game, not at its ends."""
    return len(game["events"]) // 2


def _score_before(game: dict[str, Any], index: int) -> int:
    """Return the score before an event; the vectors have the right ones."""
    if index:
        return int(game["events"][index - 1]["score"])
    return START_SCORE[(game.get("mode") or game["code"].split("-")[1])[-1]]


def test_the_checked_games_are_clean() -> None:
    report = _audit(*vector_lines())

    assert (report.games, report.events) == (33, sum(len(game["events"]) for game in vectors()))
    assert (report.unjudged, report.faults) == (0, [])


@pytest.mark.parametrize("number", GAMES)
def test_one_wrong_score_is_two_wrong_changes(number: int) -> None:
    game = vector_at(number)
    index = _middle(game)
    events = game["events"]
    right = [_score_before(game, index), events[index]["score"], events[index + 1]["score"]]

    events[index]["score"] += 10

    report = _audit(game)
    assert found(report.faults) == [
        ("score", index + 1, right[1] + 10 - right[0], right[1] - right[0]),
        ("score", index + 2, right[2] - right[1] - 10, right[2] - right[1]),
    ]
    assert [fault.finding.drift for fault in report.faults] == [10, 0]
    assert [fault.finding.move for fault in report.faults] == [
        event["move"] for event in events[index : index + 2]
    ]
    assert report.unjudged == 0


@pytest.mark.parametrize("number", GAMES)
def test_a_drift_is_one_fault_where_it_begins_and_one_at_the_end(number: int) -> None:
    game = vector_at(number)
    index = _middle(game)
    change = game["events"][index]["score"] - _score_before(game, index)
    last = game["score"]

    for event in game["events"][index:]:
        event["score"] -= 5
    game["score"] -= 5

    report = _audit(game)
    assert found(report.faults) == [
        ("score", index + 1, change - 5, change),
        ("end_score", None, last - 5, last),
    ]
    assert report.faults[0].finding.drift == -5


@pytest.mark.parametrize("number", GAMES)
def test_every_later_wrong_change_is_reported_too(number: int) -> None:
    game = vector_at(number)
    size = len(game["events"])
    wrong = sorted({1, size // 3, size // 2, size - 1})
    changes = {}
    for index in wrong:
        change = game["events"][index]["score"] - _score_before(game, index)
        changes[index + 1] = (change + 15, change)

    for index in wrong:
        for event in game["events"][index:]:
            event["score"] += 15

    report = _audit(game)
    assert found(report.faults) == [
        ("score", seq, *claimed_and_right) for seq, claimed_and_right in changes.items()
    ]
    assert [fault.finding.drift for fault in report.faults] == [15, 30, 45, 60]


@pytest.mark.parametrize("number", GAMES)
@pytest.mark.parametrize("at", ["first", "middle", "last but one"])
def test_a_missing_event_is_named_and_stops_the_judging(number: int, at: str) -> None:
    game = vector_at(number)
    size = len(game["events"])
    index = {"first": 0, "middle": _middle(game), "last but one": size - 2}[at]

    del game["events"][index]

    report = _audit(game)
    assert found(report.faults) == [("seq", index + 2, index + 2, index + 1)]
    assert (report.events, report.unjudged) == (size - 1, size - 2 - index)


@pytest.mark.parametrize("number", GAMES)
def test_a_swapped_pair_is_named_and_stops_the_judging(number: int) -> None:
    game = vector_at(number)
    index = _middle(game)
    events = game["events"]

    events[index], events[index + 1] = events[index + 1], events[index]

    report = _audit(game)
    assert found(report.faults) == [("seq", index + 2, index + 2, index + 1)]
    assert report.unjudged == len(events) - index - 1


@cache
def _at_the_middle(number: int) -> naive.NaiveGame:
    """Return a checked game before its middle event, as the naive model plays it."""
    game = vector_at(number)
    played = records.games()[number]
    state = naive.start(str(played.deal.mode), _texts(played.deal))
    for event in game["events"][: _middle(game)]:
        state = naive.play(state, event["move"])
    return state


def _texts(deal: Deal) -> tuple[str, ...]:
    return tuple(format_deck(deal.cards).split())


@pytest.mark.parametrize("number", GAMES)
def test_an_illegal_move_is_named_with_the_rule_and_stops_the_judging(number: int) -> None:
    game = vector_at(number)
    index = _middle(game)
    refused: dict[str, str] = {}
    for move in naive.NOTATION:
        rule = naive.refusal(_at_the_middle(number), move)
        if rule is not None:
            refused.setdefault(rule, move)
    assert len(refused) >= 3

    for rule, move in refused.items():
        game["events"][index]["move"] = move
        report = _audit(game)

        assert found(report.faults) == [("illegal_move", index + 1, move, rule)]
        assert report.unjudged == len(game["events"]) - index - 1
        assert f"{move} is refused ({rule})" in report.faults[0].finding.message


@pytest.mark.parametrize("number", GAMES)
def test_a_swapped_pair_of_moves_is_judged_by_the_rules(number: int) -> None:
    game = vector_at(number)
    index = _middle(game)
    pair = game["events"][index : index + 2]
    pair[0]["move"], pair[1]["move"] = pair[1]["move"], pair[0]["move"]
    state, refused = _at_the_middle(number), None
    for event in pair:
        rule = naive.refusal(state, event["move"])
        if rule is not None:
            refused = ("illegal_move", event["seq"], event["move"], rule)
            break
        state = naive.play(state, event["move"])

    faults = found(_audit(game).faults)

    illegal = [fault for fault in faults if fault[0] == "illegal_move"]
    if refused is None:
        assert all(seq is not None and seq > index + 2 for _, seq, _, _ in illegal)
    else:
        assert faults[-1] == refused
        assert illegal == [refused]


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("status", "abandoned", "end_status"),
        ("score", 1_000_000, "end_score"),
        ("moves", 0, "end_moves"),
    ],
)
def test_a_claim_about_the_end_is_held_against_the_rules(
    key: str, value: object, kind: str
) -> None:
    for game in vectors():
        right = game[key]
        report = _audit(game | {key: value})
        assert found(report.faults) == ([(kind, None, value, right)] if right != value else [])


def test_no_claims_are_no_faults() -> None:
    game = vector_at(0)
    bare = [{"seq": event["seq"], "move": event["move"]} for event in game["events"]]

    report = _audit({"format": "ds-game/1", "code": game["code"], "events": bare})

    assert (report.games, report.events, report.faults) == (1, len(bare), [])


def test_a_line_that_cannot_be_read_is_a_fault_and_the_others_are_judged() -> None:
    told: list[int] = []
    lines = [(3, b"nonsense"), (5, as_line(game_line(score=7))), (9, as_line(game_line()))]

    report = audit_lines(lines, told.append)

    game = format_id(parse_record(lines[2][1]).id)
    assert [(fault.line, fault.game, fault.finding.kind) for fault in report.faults] == [
        (3, None, "format"),
        (5, game, "end_score"),
    ]
    assert (report.games, report.events) == (3, 4)
    assert told == [3, 5, 9]


def test_take_backs_that_scored_again_are_warned_of() -> None:
    # A♠ goes home and comes back onto a red two, again and again.
    deck = _deck_that_ends_in("2H AS")
    moves = ["T2F", "F1T1", "T1F", "F1T1", "T1F"]

    report = _audit(
        {
            "format": "ds-game/1",
            "mode": "D1V",
            "deck": deck,
            "events": [{"seq": seq, "move": move} for seq, move in enumerate(moves, 1)],
            "score": -104 + 3 * 5,
        }
    )

    assert report.faults == []
    assert [(warning.finding.kind, warning.finding.seq) for warning in report.warnings] == [
        ("take_back_loop", 3)
    ]
    assert "2 times" in report.warnings[0].finding.message
    assert "$10" in report.warnings[0].finding.message


def _deck_that_ends_in(tops: str) -> str:
    """Return a deck whose first columns end in the given cards."""
    wanted = tops.split()
    rest = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"] * 2
    for card in wanted:
        rest.remove(card)
    dealt: list[str] = []
    for column in range(1, 10):
        dealt += [rest.pop() for _ in range(column - 1)]
        dealt.append(wanted.pop(0) if wanted else rest.pop())
    return " ".join([*dealt, *rest])
