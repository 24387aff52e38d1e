"""Proofs: that a game was in a seal, checked from the line and the proof alone."""

import json
from typing import Any

import pytest

from ds_core import fold, parse_moves
from ds_events.errors import BadRecord, CorruptLog, GameNotFound
from ds_events.findings import AuditReport
from ds_events.ids import format_id
from ds_events.proof import audit_proof, make_proof
from ds_events.seal import Seal, make_seal
from ds_events.store import EventStore
from ds_events.upkeep import erase_name
from tests.events.building import (
    FakeClock,
    as_line,
    coded,
    contents,
    exported,
    found,
    own_deal,
    scores_by_rule,
    without,
)
from tests.events.tampering import change_event


@pytest.fixture
def game(store: EventStore) -> int:
    """Give one of five games: D T2T3 D."""
    ids = []
    for name in ("ada", "noor", "mika", "mika", "ada"):
        made = store.create(name, own_deal("D3V", "APP") if name == "ada" else coded())
        moves = parse_moves("D T2T3 D" if name == "mika" else "D")
        store.append(made.id, moves, expected_version=0)
        ids.append(made.id)
    return ids[2]


def _proof(store: EventStore, game_id: int) -> tuple[Seal, dict[str, Any]]:
    with store.database.read() as connection:
        seal, text = make_proof(connection, game_id)
    proof: dict[str, Any] = json.loads(text)
    assert as_line(proof).decode() == text
    return seal, proof


def _audit(proof: dict[str, Any], seal: Seal) -> AuditReport:
    return audit_proof(as_line(proof), seal)


def test_a_proof_holds_the_game_as_it_was_sealed(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    seal = make_seal(store.database, clock)
    [sealed] = [line for line in exported(store.database) if format_id(game) in line]
    store.append(game, ["U", "X"], expected_version=3)

    of_proof, proof = _proof(store, game)

    assert of_proof == seal
    assert proof["format"] == "ds-proof/1"
    assert proof["seal"] == str(seal)
    assert as_line(proof["record"]).decode() == sealed
    report = _audit(proof, seal)
    assert (report.games, report.events, report.faults) == (1, 3, [])


def test_every_sealed_game_can_be_proved(store: EventStore, game: int, clock: FakeClock) -> None:
    seal = make_seal(store.database, clock)
    ids = [json.loads(line)["id"] for line in exported(store.database)]

    for index, text in enumerate(ids):
        [number] = [row for row in _ids(store) if format_id(row) == text]
        _, proof = _proof(store, number)
        assert proof["index"] == index
        assert _audit(proof, seal).faults == []


def _ids(store: EventStore) -> list[int]:
    return [row[0] for row in contents(store.database)["games"]]


def test_a_proof_is_of_the_newest_seal(store: EventStore, game: int, clock: FakeClock) -> None:
    old = make_seal(store.database, clock)
    store.append(game, ["D"], expected_version=3)
    new = make_seal(store.database, clock)

    of_proof, proof = _proof(store, game)

    assert of_proof == new
    assert len(proof["record"]["events"]) == 4
    assert found(_audit(proof, old).faults)[0][0] == "seal"


def test_erasing_the_name_does_not_break_the_proof(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    seal = make_seal(store.database, clock)
    _, before = _proof(store, game)
    erase_name(store.database, "mika")

    _, after = _proof(store, game)

    assert "mika" not in json.dumps(after)
    assert after["record"]["player"].startswith("~")
    assert _audit(before, seal).faults == _audit(after, seal).faults == []


def test_a_game_that_no_seal_holds_cannot_be_proved(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    make_seal(store.database, clock)
    later = store.create("mika", coded())

    with pytest.raises(GameNotFound, match=format_id(later.id)):
        _proof(store, later.id)


def test_a_game_that_is_not_what_was_sealed_cannot_be_proved(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    make_seal(store.database, clock)
    store.append(game, ["D"], expected_version=3)
    change_event(store.database, game, 2, at=1)

    with pytest.raises(CorruptLog, match="not what was sealed"):
        _proof(store, game)


def _forged(proof: dict[str, Any], how: str) -> dict[str, Any]:
    record = proof["record"]
    if how == "player":
        return proof | {"record": record | {"player": "mallory"}}
    if how == "id":
        return proof | {"record": record | {"id": "0000000000001"}}
    if how == "start":
        return proof | {"record": record | {"started_at": "2026-11-30T02:09:59.000000Z"}}
    if how == "a time":
        first, *others = record["events"]
        events = [first | {"at": "2026-11-30T02:10:00.000001Z"}, *others]
        return proof | {"record": record | {"events": events}}
    if how == "fewer events":
        cut = without(record, "status", "score", "moves") | {"events": record["events"][:2]}
        return proof | {"record": cut}
    if how == "index":
        return proof | {"index": proof["index"] + 1}
    if how == "index past the end":
        return proof | {"index": 5}
    if how == "no path":
        return proof | {"path": []}
    if how == "a step turned":
        return proof | {"path": [step[::-1] for step in proof["path"]]}
    return proof | {"path": [*proof["path"], "00" * 32]}


@pytest.mark.parametrize(
    "how",
    [
        "player",
        "id",
        "start",
        "a time",
        "fewer events",
        "index",
        "index past the end",
        "no path",
        "a step turned",
        "a step more",
    ],
)
def test_a_forged_proof_is_found(store: EventStore, game: int, clock: FakeClock, how: str) -> None:
    seal = make_seal(store.database, clock)
    _, proof = _proof(store, game)

    report = _audit(_forged(proof, how), seal)

    [fault] = report.faults
    assert fault.finding.kind == "seal"
    assert fault.finding.expected == seal.root.hex()


def test_a_record_that_the_rules_refuse_is_found_in_a_proof(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    seal = make_seal(store.database, clock)
    _, proof = _proof(store, game)
    right = scores_by_rule(coded(), ["D", "T2T3", "D"])
    assert [event["score"] for event in proof["record"]["events"]] == right
    proof["record"]["events"][1]["score"] = 500

    report = _audit(proof, seal)

    assert found(report.faults)[0] == ("score", 2, 500, fold(coded(), parse_moves("D T2T3")).score)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"format": "ds-proof/2"}, id="format"),
        pytest.param({"format": None}, id="no format"),
        pytest.param({"index": "2"}, id="index as a text"),
        pytest.param({"index": True}, id="index as a truth value"),
        pytest.param({"index": None}, id="no index"),
        pytest.param({"path": "00"}, id="path as a text"),
        pytest.param({"path": ["00"]}, id="a short step"),
        pytest.param({"path": ["zz" * 32]}, id="no hex"),
        pytest.param({"path": [7]}, id="a number for a step"),
        pytest.param({"record": None}, id="no record"),
        pytest.param({"record": {}}, id="an empty record"),
        pytest.param({"extra": 1}, id="an unknown key"),
    ],
)
def test_what_is_no_proof_is_refused(
    store: EventStore, game: int, clock: FakeClock, change: dict[str, Any]
) -> None:
    seal = make_seal(store.database, clock)
    _, proof = _proof(store, game)

    with pytest.raises(BadRecord):
        _audit(proof | change, seal)


@pytest.mark.parametrize("key", ["format", "seal", "index", "path", "record"])
def test_a_proof_has_all_its_keys(store: EventStore, game: int, clock: FakeClock, key: str) -> None:
    seal = make_seal(store.database, clock)
    _, proof = _proof(store, game)

    with pytest.raises(BadRecord, match=key):
        _audit(without(proof, key), seal)


@pytest.mark.parametrize("key", ["player", "started_at", "id"])
def test_the_record_of_a_proof_says_whose_game_it_is(
    store: EventStore, game: int, clock: FakeClock, key: str
) -> None:
    seal = make_seal(store.database, clock)
    _, proof = _proof(store, game)
    bare = proof | {"record": without(proof["record"], key)}

    if key == "id":
        # An id made from the content is another one.
        assert [fault.finding.kind for fault in _audit(bare, seal).faults] == ["seal"]
    else:
        with pytest.raises(BadRecord, match="player and when"):
            _audit(bare, seal)


@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b"nonsense", b"\xff", b"{" * 10_000])
def test_what_is_no_document_is_refused(text: bytes) -> None:
    with pytest.raises(BadRecord):
        audit_proof(text, Seal(0, 1, 1, bytes(32)))
