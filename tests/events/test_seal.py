"""Seals: what the hash chain alone cannot find is found with a line that was kept elsewhere."""

from hashlib import sha256

import pytest
from sqlalchemy import text, update

from ds_events import chain
from ds_events.database import Database
from ds_events.errors import BadRecord, DatabaseError, GameNotFound
from ds_events.findings import AuditReport
from ds_events.ids import format_id
from ds_events.merkle import leaf_hash, root
from ds_events.schema import events, games, seals, summaries
from ds_events.seal import Seal, audit_seal, latest_seal, leaves_of, make_seal, parse_seal
from ds_events.store import EventStore
from tests.events.building import (
    HEAD_COLUMN,
    START,
    FakeClock,
    audited,
    coded,
    contents,
    own_deal,
    utc,
)
from tests.events.tampering import change, change_event, remove, unguarded


@pytest.fixture
def game(store: EventStore) -> int:
    """Give the middle one of three games."""
    store.record("ada", own_deal("D3V", "APP"), [])
    made = store.create("mika", coded())
    store.append(made.id, ["D", "T2T3", "D"], expected_version=0)
    other = store.create("noor", coded("DS1-D1V-AAAAAAA"))
    store.append(other.id, ["D", "X"], expected_version=0)
    return made.id


def _audit(database: Database, seal: Seal) -> AuditReport:
    with database.read() as connection:
        return audit_seal(connection, seal)


def _right_root(database: Database) -> bytes:
    """Return the root over the summaries as they stand, from the documented bytes."""
    rows = sorted(contents(database)["summaries"])
    leaves = [
        f"{format_id(row[0])} {row[4]} {bytes(row[HEAD_COLUMN]).hex()}".encode() for row in rows
    ]
    return root([leaf_hash(leaf) for leaf in leaves])


def test_a_seal_is_one_line_over_all_games(store: EventStore, game: int, clock: FakeClock) -> None:
    clock.tick(1.5)

    seal = make_seal(store.database, clock)

    right = _right_root(store.database)
    assert str(seal) == f"ds-seal/1 {utc(START + 1_500_000)} games=3 events=5 root={right.hex()}"
    assert parse_seal(str(seal)) == seal
    assert parse_seal(f"  {seal}\n") == seal


def test_the_leaves_are_stored_in_the_order_of_the_ids(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    seal = make_seal(store.database, clock)

    with store.database.read() as connection:
        leaves = list(leaves_of(connection, seal.at))
    rows = sorted(contents(store.database)["summaries"])
    assert [(leaf.game_id, leaf.version, leaf.head) for leaf in leaves] == [
        (row[0], row[4], bytes(row[HEAD_COLUMN])) for row in rows
    ]


def test_an_empty_record_can_be_sealed(database: Database, clock: FakeClock) -> None:
    seal = make_seal(database, clock)

    assert (seal.games, seal.events, seal.root) == (0, 0, sha256().digest())
    assert _audit(database, seal) == AuditReport()


def test_no_two_seals_have_the_same_time(store: EventStore, game: int, clock: FakeClock) -> None:
    first = make_seal(store.database, clock)
    second = make_seal(store.database, clock)
    clock.tick(-60)
    third = make_seal(store.database, clock)

    assert [seal.at - START for seal in (first, second, third)] == [0, 1, 2]
    for seal in (first, second, third):
        assert _audit(store.database, seal).faults == []


def test_what_came_after_a_seal_does_not_matter(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    seal = make_seal(store.database, clock)
    told: list[int] = []

    store.append(game, ["U", "X"], expected_version=3)
    store.create("mika", coded())

    with store.database.read() as connection:
        report = audit_seal(connection, seal, told.append)
    assert (report.games, report.events, report.faults) == (3, 5, [])
    assert told == [1, 2, 3]
    assert make_seal(store.database, clock).games == 4


def test_an_edit_that_rewrote_the_chain_is_found_by_the_seal_alone(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    seal = make_seal(store.database, clock)
    header = store.header(game)

    change_event(store.database, game, 2, at=START + 1)
    head = chain.genesis(game, header.player.id, header.deal, header.started_at)
    head = chain.extend(head, store.read(game))
    change(store.database, summaries, game, head=head)

    assert audited(store.database).faults == []
    [fault] = _audit(store.database, seal).faults
    assert (fault.game, fault.finding.kind) == (format_id(game), "seal")
    assert fault.finding.claimed == head.hex()
    assert fault.finding.claimed != fault.finding.expected


def test_a_game_that_was_taken_away_is_found_by_the_seal_alone(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    seal = make_seal(store.database, clock)
    remove(store.database, events, events.c.game_id == game)
    remove(store.database, summaries, summaries.c.game_id == game)
    remove(store.database, games, games.c.id == game)

    [fault] = _audit(store.database, seal).faults

    assert (fault.game, fault.finding.kind) == (format_id(game), "seal")
    assert "not there any more" in fault.finding.message


def test_a_log_that_was_cut_short_is_found(store: EventStore, game: int, clock: FakeClock) -> None:
    seal = make_seal(store.database, clock)
    remove(store.database, events, events.c.game_id == game, events.c.seq == 3)

    [fault] = _audit(store.database, seal).faults

    assert (fault.game, fault.finding.kind) == (format_id(game), "seal")
    assert "3 events" in fault.finding.message


def test_a_deal_that_cannot_be_read_is_found(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    seal = make_seal(store.database, clock)
    change(store.database, games, game, code="DS1-D1N-AAAAAA1")

    [fault] = _audit(store.database, seal).faults

    assert (fault.game, fault.finding.kind) == (format_id(game), "seal")


@pytest.mark.parametrize("how", ["head", "version", "a leaf gone", "all gone", "another seal"])
def test_leaves_that_do_not_give_the_root_are_one_fault(
    store: EventStore, game: int, clock: FakeClock, how: str
) -> None:
    seal = make_seal(store.database, clock)
    if how == "head":
        change(store.database, seals, game, head=bytes(32))
    elif how == "version":
        change(store.database, seals, game, version=2)
    elif how == "a leaf gone":
        remove(store.database, seals, seals.c.game_id == game)
    elif how == "all gone":
        remove(store.database, seals)
    else:
        seal = Seal(seal.at, seal.games, seal.events, bytes(32))

    [fault] = _audit(store.database, seal).faults

    assert (fault.game, fault.finding.kind) == (None, "seal")
    assert fault.finding.expected == str(seal)
    assert fault.finding.claimed != str(seal)


@pytest.mark.parametrize(
    "statement", ["UPDATE seals SET version = 0", "DELETE FROM seals", "DELETE FROM games"]
)
def test_the_database_refuses_to_change_what_was_sealed(
    store: EventStore, game: int, clock: FakeClock, statement: str
) -> None:
    make_seal(store.database, clock)
    before = contents(store.database)

    with (
        pytest.raises(DatabaseError, match="is append-only"),
        store.database.write() as connection,
    ):
        connection.execute(text(statement))

    assert contents(store.database) == before


def test_leaves_of_no_game_are_found_by_the_audit(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    make_seal(store.database, clock)
    remove(store.database, events, events.c.game_id == game)
    remove(store.database, summaries, summaries.c.game_id == game)
    remove(store.database, games, games.c.id == game)

    [fault] = audited(store.database).faults

    assert (fault.game, fault.finding.kind) == (format_id(game), "orphan")
    assert "seals" in fault.finding.message


def test_the_newest_seal_of_a_game(store: EventStore, game: int, clock: FakeClock) -> None:
    make_seal(store.database, clock)
    newest = make_seal(store.database, clock)
    later = store.create("mika", coded())

    with store.database.read() as connection:
        assert latest_seal(connection, game) == newest
        with pytest.raises(GameNotFound, match=rf"{format_id(later.id)}.*`ds seal`"):
            latest_seal(connection, later.id)


def test_a_spoiled_head_is_sealed_as_it_stands_and_found(
    store: EventStore, game: int, clock: FakeClock
) -> None:
    with unguarded(store.database) as connection:
        of_game = summaries.c.game_id == game
        connection.execute(update(summaries).where(of_game).values(head=bytes(32)))

    seal = make_seal(store.database, clock)

    assert [fault.game for fault in _audit(store.database, seal).faults] == [format_id(game)]


GOOD = f"ds-seal/1 2026-11-30T02:10:00.000000Z games=3 events=5 root={'0a' * 32}"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "ds-seal/1",
        GOOD.replace("ds-seal/1", "ds-seal/2"),
        GOOD.replace("02:10:00.000000Z", "25:10:00.000000Z"),
        GOOD.replace("02:10:00.000000Z", "02:10:00"),
        GOOD.replace("games=3", "games=-3"),
        GOOD.replace("games=3", "games=many"),
        GOOD.replace("events=5", "events="),
        GOOD.replace("events=5", "events=٥"),
        GOOD[:-1],
        GOOD + "0",
        GOOD[:-1] + "g",
        GOOD.upper(),
        GOOD.replace(" games", "  games"),
        f"{GOOD} {GOOD}",
        "x" * 5000,
    ],
)
def test_what_is_no_seal_is_refused(line: str) -> None:
    with pytest.raises(BadRecord, match="is no seal") as caught:
        parse_seal(line)

    assert len(str(caught.value)) < 1000


def test_a_line_is_read_as_it_was_written() -> None:
    assert parse_seal(GOOD) == Seal(START, 3, 5, b"\x0a" * 32)
    assert str(parse_seal(GOOD)) == GOOD
