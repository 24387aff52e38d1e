"""A whole record moves between the engines and loses nothing."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ds_events.database import Database, open_database
from ds_events.lines import read_lines
from ds_events.seal import make_seal
from ds_events.store import EventStore
from ds_events.transfer import export_records, import_records
from ds_events.upkeep import erase_name
from tests.events.building import audited, coded, own_deal, vector_lines

NAMES = ("mika", "Zo\u00eb", "名前 🃏", "a\x1b[31m\tb", "=1+1")


@pytest.fixture
def places(
    tmp_path: Path, new_postgres_url: Callable[[], str]
) -> Iterator[tuple[Database, Database, Database]]:
    """Give an SQLite file, a place on Postgres, and another SQLite file, all empty."""
    urls = (str(tmp_path / "from.db"), new_postgres_url(), str(tmp_path / "back.db"))
    made = tuple(open_database(url) for url in urls)
    yield made[0], made[1], made[2]
    for database in made:
        database.close()


def _fill(database: Database) -> None:
    store = EventStore(database)
    import_records(store, enumerate(vector_lines(), 1), "mika")
    for name in NAMES:
        game = store.create(name, own_deal(label=f"label of {name}"))
        store.append(game.id, ["D", "D", "U"], expected_version=0)
        store.create(name, coded())
    erase_name(database, "mika")


def _export(database: Database) -> bytes:
    with database.read() as connection:
        return b"".join(record.encode() + b"\n" for record in export_records(connection))


def _move(source: Database, target: Database) -> None:
    report = import_records(EventStore(target), read_lines(io.BytesIO(_export(source))), "nobody")
    assert (report.faults, report.unchanged) == ([], 0)


def test_from_sqlite_to_postgres_and_back_nothing_is_lost(
    places: tuple[Database, Database, Database],
) -> None:
    start, server, back = places
    _fill(start)

    _move(start, server)
    _move(server, back)

    assert _export(start) == _export(server) == _export(back)
    assert [audited(database).faults for database in places] == [[], [], []]


def test_a_record_has_the_same_seal_wherever_it_is(
    places: tuple[Database, Database, Database],
) -> None:
    start, server, back = places
    _fill(start)
    _move(start, server)
    _move(server, back)

    seals = [make_seal(database) for database in places]

    assert len({(seal.games, seal.events, seal.root) for seal in seals}) == 1
    assert seals[0].games == len(vector_lines()) + 2 * len(NAMES)
