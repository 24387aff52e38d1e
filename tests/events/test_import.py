"""Import: each game whole or not at all, after the referee has found no fault in it."""

from typing import Any

import pytest

from ds_events import transfer
from ds_events.errors import LimitExceeded
from ds_events.ids import format_id
from ds_events.record import Event
from ds_events.store import EventStore
from ds_events.transfer import import_records
from tests.events.building import (
    START,
    FakeClock,
    as_line,
    audited,
    child,
    coded,
    contents,
    exported,
    found,
    game_line,
    take_in,
    vector_lines,
    vectors,
    without,
)

ID = "0KQ3000000000"
AT = "2026-11-30T02:10:00Z"


def _events(*moves: str, **said: object) -> list[dict[str, Any]]:
    return [{"seq": seq, "move": move} | said for seq, move in enumerate(moves, 1)]


def test_the_vector_games_are_imported_and_audit_clean(store: EventStore) -> None:
    report = take_in(store, vector_lines())

    events = sum(len(game["events"]) for game in vectors())
    assert (report.added, report.unchanged, report.rejected) == (33, 0, 0)
    assert (report.events, report.faults) == (events, [])
    audit = audited(store.database)
    assert (audit.games, audit.events, audit.unjudged, audit.faults) == (33, events, 0, [])
    again = take_in(store, vector_lines())
    assert (again.added, again.unchanged, again.rejected, again.events) == (0, 33, 0, 0)


def test_what_a_line_does_not_say_is_filled_in(store: EventStore) -> None:
    report = take_in(store, [game_line(id=ID)], player="noor")

    [(number, *_)] = contents(store.database)["games"]
    assert report.added == 1
    assert format_id(number) == ID
    header = store.header(number)
    assert (header.player.name, header.started_at) == ("noor", START)
    assert store.read(number) == [Event(1, "D", 0, START), Event(2, "T2T3", 5, START)]


def test_an_event_without_a_time_came_with_the_one_before(store: EventStore) -> None:
    events = _events("D", "D", "D", "D")
    events[1]["at"] = "1970-01-01T00:00:02Z"
    events[3]["at"] = "1970-01-01T00:00:04Z"

    take_in(
        store,
        [
            game_line(id=ID, events=events, started_at="1970-01-01T00:00:01Z"),
            game_line(id=ID[:-1] + "1", events=events),
        ],
    )

    first, second = (row[0] for row in contents(store.database)["games"])
    assert [event.at // 1_000_000 for event in store.read(first)] == [1, 2, 2, 4]
    # Without a start the first time of an event is that of all before it.
    assert store.header(second).started_at == 2_000_000
    assert [event.at // 1_000_000 for event in store.read(second)] == [2, 2, 2, 4]


def test_an_imported_open_game_is_played_on(store: EventStore) -> None:
    take_in(store, [game_line(id=ID)])
    [(number, *_)] = contents(store.database)["games"]

    game = store.append(number, ["U", "U", "X"], expected_version=2)

    assert (game.version, game.game.status, game.game.score) == (5, "abandoned", 0)


@pytest.mark.parametrize("name", ["", "x" * 65, "a\0b"])
def test_a_player_who_cannot_be_recorded_is_refused(store: EventStore, name: str) -> None:
    with pytest.raises(LimitExceeded):
        take_in(store, [game_line()], player=name)

    assert not any(contents(store.database).values())


SCORED = [
    {"seq": 1, "move": "D", "score": 0},
    {"seq": 2, "move": "T2T3", "score": 5},
    {"seq": 3, "move": "D", "score": 5},
]
REJECTED = [
    pytest.param(
        game_line(events=[SCORED[0], SCORED[1] | {"score": 10}, SCORED[2]]),
        [("score", 2, 10, 5), ("score", 3, -5, 0)],
        id="a wrong score",
    ),
    pytest.param(
        game_line(events=[SCORED[0] | {"score": 7}, SCORED[1] | {"score": 12}]),
        [("score", 1, 7, 0)],
        id="a constant drift",
    ),
    pytest.param(
        game_line(events=_events("D", "R", "D")),
        [("illegal_move", 2, "R", "R18")],
        id="an illegal move",
    ),
    pytest.param(
        game_line(events=_events("D", "t2t3")),
        [("unreadable_move", 2, "t2t3", None)],
        id="an unreadable move",
    ),
    pytest.param(
        game_line(events=[SCORED[0], SCORED[2]]), [("seq", 3, 3, 2)], id="a missing event"
    ),
    pytest.param(game_line(events=SCORED[1:]), [("seq", 2, 2, 1)], id="no first event"),
    pytest.param(
        game_line(events=_events("X", "D")), [("illegal_move", 2, "D", "R24")], id="past the end"
    ),
    pytest.param(
        game_line(status="won", score=1220, moves=3),
        [
            ("end_status", None, "won", "open"),
            ("end_score", None, 1220, 5),
            ("end_moves", None, 3, 2),
        ],
        id="claims about the end",
    ),
    pytest.param(game_line(undo=1), [("format", None, None, None)], id="an unknown key"),
    pytest.param(b"nonsense", [("format", None, None, None)], id="no JSON"),
]


@pytest.mark.parametrize(("bad", "faults"), REJECTED)
def test_a_rejected_game_leaves_no_trace_and_the_others_are_stored(
    store: EventStore, bad: bytes | dict[str, Any], faults: list[Any]
) -> None:
    if isinstance(bad, dict):
        bad = bad | {"id": ID}
    others = [game_line(player="mika"), game_line(player="noor"), game_line(player="ada")]

    report = take_in(store, [others[0], bad, *others[1:]], player="nobody")

    assert (report.added, report.unchanged, report.rejected) == (3, 0, 1)
    assert found(report.faults) == faults
    assert {fault.line for fault in report.faults} == {2}
    for fault in report.faults:
        assert fault.game == (None if fault.finding.kind == "format" else ID)
        assert fault.finding.message
    stored = contents(store.database)
    assert len(stored["games"]) == len(stored["summaries"]) == 3
    assert sorted(name for _, name in stored["players"]) == ["ada", "mika", "noor"]
    assert len(stored["events"]) == 6


def test_a_rejection_shows_what_a_person_needs(store: EventStore) -> None:
    bad = game_line(id=ID, events=[SCORED[0], SCORED[1] | {"score": 15}])

    [fault] = take_in(store, [bad]).faults

    row = fault.as_row()
    assert without(row, "message") == {
        "game": ID,
        "line": 1,
        "seq": 2,
        "move": "T2T3",
        "kind": "score",
        "claimed": 15,
        "expected": 5,
        "drift": 10,
    }
    for told in ("T2T3", "15", "5", "10"):
        assert told in row["message"]


FULL = game_line(
    id=ID,
    player="mika",
    started_at=AT,
    events=[
        {"seq": 1, "move": "D", "score": 0, "at": AT},
        {"seq": 2, "move": "T2T3", "score": 5, "at": AT},
    ],
    status="open",
    score=5,
    moves=2,
)


@pytest.mark.parametrize(
    "again",
    [
        pytest.param(FULL, id="the same"),
        pytest.param(without(FULL, "player"), id="no player"),
        pytest.param(without(FULL, "started_at"), id="no start"),
        pytest.param(without(FULL, "status", "score", "moves"), id="no end"),
        pytest.param(FULL | {"events": _events("D", "T2T3")}, id="no times and scores"),
        pytest.param(
            FULL | {"events": [_events("D")[0], FULL["events"][1]]}, id="some times and scores"
        ),
        pytest.param(game_line(id=ID), id="moves alone"),
    ],
)
def test_a_game_stored_already_as_far_as_the_line_says_changes_nothing(
    store: EventStore, again: dict[str, Any]
) -> None:
    take_in(store, [FULL])
    before = contents(store.database)

    report = take_in(store, [again], player="noor")

    assert (report.added, report.unchanged, report.rejected, report.faults) == (0, 1, 0, [])
    assert contents(store.database) == before


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"player": "noor"}, id="player"),
        pytest.param({"started_at": "2026-11-30T02:09:59Z"}, id="start"),
        pytest.param({"code": "DS1-D3N-AAAAAAB", "score": 5}, id="code"),
        pytest.param({"events": FULL["events"][:1], "score": 0, "moves": 1}, id="fewer events"),
        pytest.param({"events": _events("D", "T2T3", "D"), "moves": 3}, id="more events"),
        pytest.param({"events": _events("T2T3", "D")}, id="other moves"),
        pytest.param(
            {"events": [FULL["events"][0], FULL["events"][1] | {"at": "2026-11-30T02:10:01Z"}]},
            id="a time",
        ),
    ],
)
@pytest.mark.parametrize("together", [True, False], ids=["in one file", "in two"])
def test_the_same_id_with_other_content_is_rejected(
    store: EventStore, other: dict[str, Any], together: bool
) -> None:
    take_in(store, [FULL])
    right = contents(store.database)
    lines = [FULL, FULL | other] if together else [FULL | other]

    report = take_in(store, [*lines, game_line(player="ada")])

    assert (report.added, report.rejected) == (1, 1)
    assert found(report.faults) == [("conflict", None, None, None)]
    assert (report.faults[0].game, report.faults[0].line) == (ID, len(lines))
    assert ID in report.faults[0].finding.message
    kept = contents(store.database)
    assert right["games"][0] in kept["games"]
    assert [row for row in kept["events"] if row[0] == right["games"][0][0]] == right["events"]


def test_faults_come_in_the_order_of_the_lines(store: EventStore) -> None:
    # A conflict is only seen when its batch is stored, later than what cannot be read.
    report = take_in(store, [FULL, FULL | {"player": "noor"}, b"nonsense", FULL | {"score": 7}])

    assert [(fault.line, fault.finding.kind) for fault in report.faults] == [
        (2, "conflict"),
        (3, "format"),
        (4, "end_score"),
    ]
    assert (report.added, report.rejected) == (1, 3)


def test_a_game_that_has_been_played_on_since_its_export_is_a_conflict(store: EventStore) -> None:
    game = store.create("mika", coded())
    store.append(game.id, ["D"], expected_version=0)
    [line] = exported(store.database)
    store.append(game.id, ["D"], expected_version=1)

    report = take_in(store, [line.encode()])

    assert found(report.faults) == [("conflict", None, None, None)]
    assert store.load(game.id).version == 2


def test_times_that_run_backwards_are_kept_and_warned_of(store: EventStore) -> None:
    events = _events("D", "D", "D")
    for event, second in zip(events, (3, 1, 2), strict=True):
        event["at"] = f"1970-01-01T00:00:0{second}Z"

    report = take_in(store, [game_line(id=ID, events=events, started_at="1970-01-01T00:00:04Z")])

    assert (report.added, report.faults) == (1, [])
    assert found(report.warnings) == [("times", 1, None, None), ("times", 2, None, None)]
    assert {(warning.game, warning.line) for warning in report.warnings} == {(ID, 1)}
    [(number, *_)] = contents(store.database)["games"]
    assert [event.at // 1_000_000 for event in store.read(number)] == [3, 1, 2]
    assert store.header(number).started_at == 4_000_000
    assert found(audited(store.database).warnings) == found(report.warnings)


def test_games_are_committed_in_batches(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    # A game counts its events and one more: two of these fill a batch.
    monkeypatch.setattr(transfer, "BATCH_EVENTS", 6)
    stored: list[int] = []

    def lines() -> Any:
        for number in range(1, 6):
            stored.append(len(contents(store.database)["games"]))
            yield number, as_line(game_line(player=f"p{number}"))

    told: list[int] = []
    report = import_records(store, lines(), "mika", clock=FakeClock(), progress=told.append)

    assert report.added == 5
    assert stored == [0, 0, 2, 2, 4]
    assert told == [1, 2, 3, 4, 5]
    assert len(contents(store.database)["games"]) == 5


def test_games_of_different_batches_know_each_other(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "BATCH_EVENTS", 1)

    report = take_in(store, [FULL, FULL, FULL | {"player": "noor"}])

    assert (report.added, report.unchanged, report.rejected) == (1, 1, 1)


IMPORTER = """
import sys
from ds_events.database import Database
from ds_events.store import EventStore
from ds_events.transfer import import_records

store = EventStore(Database(sys.argv[1]))
lines = enumerate(sys.stdin.buffer.read().splitlines(), 1)
report = import_records(store, lines, "mika")
print(report.added, report.unchanged, report.rejected)
store.database.close()
"""


def test_two_processes_that_import_the_same_file_store_each_game_once(store: EventStore) -> None:
    url = store.database.url.render_as_string(hide_password=False)
    games = [game_line(player=f"p{number}") for number in range(30)]
    text = "\n".join(as_line(game).decode() for game in games)
    processes = [child(IMPORTER, url) for _ in range(2)]
    for process in processes:
        assert process.stdin
        process.stdin.write(text)
        process.stdin.close()

    counts = []
    for process in processes:
        assert process.stdout
        counts.append([int(word) for word in process.stdout.read().split()])
        assert process.wait(60) == 0
        process.stdout.close()
        assert process.stderr
        process.stderr.close()

    assert [sum(column) for column in zip(*counts, strict=True)] == [30, 30, 0]
    assert len(contents(store.database)["events"]) == 60
    assert audited(store.database).faults == []


@pytest.mark.parametrize(
    ("bad", "beginning"),
    [
        pytest.param(b"nonsense", "line 1: not readable", id="no game"),
        pytest.param(game_line(id=ID, score=7), f"line 1, game {ID}: ", id="no event"),
        pytest.param(
            game_line(id=ID, events=_events("D", "R")), f"line 1, game {ID}, seq 2: ", id="all"
        ),
    ],
)
def test_a_rejection_says_where_in_words(
    store: EventStore, bad: bytes | dict[str, Any], beginning: str
) -> None:
    [fault] = take_in(store, [bad]).faults

    assert str(fault) == beginning.removesuffix("not readable") + fault.finding.message
    assert str(fault).startswith(beginning)
