"""The harness itself: each loss that it is there to find is found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ds_events.database import Database, open_database
from ds_events.schema import events
from ds_events.store import EventStore
from tests.crash import checks, templates
from tests.crash.appending import Acknowledged, Told, parse_told, planned, play
from tests.crash.harness import Harness
from tests.crash.keeping import BackingUp, Upgrading, same_copy
from tests.crash.places import Folder
from tests.crash.scenario import DS, Ended
from tests.events.tampering import drop_trigger, remove

SEED = 1


@pytest.fixture
def database(folder: Folder) -> Iterator[Database]:
    made = open_database(folder.new(templates.PLAYED))
    yield made
    made.close()


@pytest.fixture
def told(database: Database) -> Told:
    """What a process would have told that played one game to its end."""
    appends: list[Acknowledged] = []
    play(EventStore(database), SEED, 0, appends.append)
    return Told(appends)


def test_what_was_acknowledged_and_is_there_is_no_loss(database: Database, told: Told) -> None:
    assert checks.appended(database, SEED, told) == []


def test_a_batch_under_way_may_be_there_or_not(database: Database, told: Told) -> None:
    one_less = Told(told.appends[:-1])

    assert checks.appended(database, SEED, one_less) == []
    assert checks.appended(database, SEED, one_less, unacknowledged=False) != []


def test_more_than_the_batch_under_way_is_a_loss(database: Database, told: Told) -> None:
    assert checks.appended(database, SEED, Told(told.appends[:-2])) != []


def test_an_acknowledged_batch_that_is_gone_is_a_loss(database: Database) -> None:
    plan = planned(SEED, 0)
    store = EventStore(database)
    game = store.create("appending 1", plan.deal)
    told = Told([Acknowledged(0, game.id, 0), Acknowledged(0, game.id, len(plan.batches[0]))])

    assert checks.appended(database, SEED, told) != []


def test_half_a_batch_is_a_loss(database: Database) -> None:
    plan = planned(SEED, 0)
    number = next(n for n, batch in enumerate(plan.batches) if len(batch) > 1)
    whole, half = plan.versions[number], plan.batches[number][:1]
    store = EventStore(database)
    game = store.create("appending 1", plan.deal)
    store.append(game.id, plan.moves[:whole], expected_version=0)
    told = Told([Acknowledged(0, game.id, 0), Acknowledged(0, game.id, whole)])
    assert checks.appended(database, SEED, told) == []

    store.append(game.id, half, expected_version=whole)

    assert checks.appended(database, SEED, told) != []


def test_other_moves_than_were_played_are_a_loss(database: Database) -> None:
    plan = planned(SEED, 0)
    store = EventStore(database)
    game = store.create("appending 1", plan.deal)
    (length,) = {len(batch) for batch in plan.batches[:1]}
    store.append(game.id, ["D", "U", "D", "U"][:length], expected_version=0)
    told = Told([Acknowledged(0, game.id, 0), Acknowledged(0, game.id, length)])

    assert plan.moves[:length] != ["D", "U", "D", "U"][:length]
    assert checks.appended(database, SEED, told) != []


def test_an_acknowledged_game_that_is_gone_is_a_loss(database: Database, told: Told) -> None:
    more = Told([*told.appends, Acknowledged(1, 12345, 0)])

    assert checks.appended(database, SEED, more) != []
    assert checks.missing(database, [12345]) != []


def test_an_event_that_is_gone_is_not_sound(folder: Folder, database: Database, told: Told) -> None:
    game = told.appends[0].game_id
    assert checks.sound(folder, str(database.path)) == []

    remove(database, events, events.c.game_id == game, events.c.seq == 2)

    assert checks.sound(folder, str(database.path)) != []


def test_another_game_than_was_imported_is_a_loss(database: Database, told: Told) -> None:
    game = told.appends[0].game_id
    heads = checks.heads(database)
    others = heads.keys() - {game}

    assert checks.same_heads(database, heads, others) == []
    assert checks.same_heads(database, {game: b"another head"}, others) != []
    assert checks.same_heads(database, {}, others) != []


def test_a_damaged_page_is_not_sound(folder: Folder) -> None:
    path = Path(folder.new(templates.PLAYED))
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xa5" * 4096
    path.write_bytes(content)

    assert checks.sound(folder, str(path)) != []


def test_a_record_that_cannot_be_written_to_does_not_go_on(folder: Folder) -> None:
    path = folder.new(templates.PLAYED)
    assert checks.goes_on(path) == []
    database = Database(path)
    with database.write() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER no_more BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    database.close()

    assert checks.goes_on(path) != []


def test_a_schema_between_old_and_new_is_a_loss(folder: Folder) -> None:
    harness = Harness(folder, SEED)
    scenario = Upgrading(folder, harness._random)
    database = Database(scenario.url)
    database.upgrade()
    drop_trigger(database, "seals_refuse_delete")
    database.close()

    lost = scenario.examine([Ended("", "", -9)]).lost

    assert any("neither old nor new" in what for what in lost)


def test_half_a_copy_is_a_loss(folder: Folder) -> None:
    url = folder.new(templates.PLAYED)
    copy = folder.new_file(".db")
    whole = Path(url).read_bytes()
    copy.write_bytes(whole)
    assert same_copy(folder, url, copy) == []

    copy.write_bytes(whole[: len(whole) // 2])

    assert same_copy(folder, url, copy) != []


def test_a_process_that_fails_by_itself_is_a_loss(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BackingUp, "begin", lambda self: [[*DS, "show", "--nonsense"]])
    monkeypatch.setattr(BackingUp, "_target", folder.folder / "none", raising=False)
    harness = Harness(folder, SEED)

    harness.crash(BackingUp)

    assert any("status 2" in what for what in harness.tally.lost)


def test_a_line_that_was_cut_off_counts_for_nothing() -> None:
    assert parse_told("0 77 0\n0 77 3\n0 7").appends == [
        Acknowledged(0, 77, 0),
        Acknowledged(0, 77, 3),
    ]
    assert parse_told("0 77 0\n! Locked: somebody\n").error == "Locked: somebody"
