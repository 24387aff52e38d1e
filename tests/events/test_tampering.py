"""Nothing of a record can be changed unseen: every column, and any bit of the file."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Table, select, update

from ds_events.database import open_database
from ds_events.errors import StoreError
from ds_events.schema import events, games, players, seals, summaries
from ds_events.seal import Seal, audit_seal, make_seal
from ds_events.store import EventStore
from ds_events.transfer import export_records
from tests.events.building import audited, coded, own_deal
from tests.events.tampering import unguarded

FLIPS = 400
"""Bits that are flipped, each in a fresh copy of the file."""

COLUMNS = [
    pytest.param(table, column.name, id=f"{table.name}.{column.name}")
    for table in (players, games, events, summaries, seals)
    for column in table.columns
]


def _fill(store: EventStore) -> Seal:
    for name in ("mika", "noor"):
        game = store.create(name, own_deal("D3V", label="APP"))
        store.append(game.id, ["D", "D", "U", "X"], expected_version=0)
        game = store.create(name, coded())
        store.append(game.id, ["D", "T2T3"], expected_version=0)
    return make_seal(store.database)


def _other(column: str, value: Any) -> Any:
    """Return another value of the column's type, which no other row has there."""
    if column == "seq":
        return value + 100
    if value is None:
        return 0 if column.endswith("_at") else "DS1-D1N-AAAAAAA"
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:]
    if isinstance(value, int):
        return value + 1
    # Texts that still can be read: another code, mode, deck, move, status, name.
    others = {"DS1-D1N-AAAAAAB": "DS1-D1N-AAAAAAC", "D3V": "D3N", "D1N": "D3N", "D": "R"}
    swapped = " ".join(reversed(value.split())) if " " in value else f"{value}x"
    return others.get(value, swapped)


def _faults(store: EventStore, seal: Seal) -> list[Any]:
    with store.database.read() as connection:
        sealed = audit_seal(connection, seal)
    return audited(store.database).faults + sealed.faults


def test_the_untouched_record_is_clean(store: EventStore) -> None:
    assert _faults(store, _fill(store)) == []


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_no_column_of_any_row_can_be_changed_unseen(
    store: EventStore, table: Table, column: str
) -> None:
    seal = _fill(store)
    keys = list(table.primary_key.columns)
    with store.database.read() as connection:
        rows = connection.execute(select(table).order_by(*keys)).mappings().all()
    checked = 0

    for row in rows:
        this_row = [key == row[key.name] for key in keys]
        value = _other(column, row[column])
        if table is games and row["code"] is not None and column in ("mode", "deck", "label"):
            continue
        if table is games and row["code"] is None and column == "code":
            continue
        with unguarded(store.database) as connection:
            connection.execute(update(table).where(*this_row).values({column: value}))

        assert _faults(store, seal), f"{column} of {dict(row)}"

        back = [key == (value if key.name == column else row[key.name]) for key in keys]
        with unguarded(store.database) as connection:
            connection.execute(update(table).where(*back).values({column: row[column]}))
        checked += 1

    assert checked
    assert _faults(store, seal) == []


def _whole_file(folder: Path) -> Path:
    """Return a database without a log beside it."""
    path = folder / "games.db"
    database = open_database(path)
    _fill(EventStore(database))
    database.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def _look(path: Path) -> tuple[bool, list[str]]:
    """Return whether the audit is clean, and the export; raises a `StoreError`."""
    database = open_database(path)
    try:
        clean = not audited(database).faults
        with database.read() as connection:
            return clean, list(export_records(connection)) if clean else []
    finally:
        database.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _whole_file(tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize("part", range(8))
def test_a_flipped_bit_is_found_refused_or_without_effect(
    whole: Path, tmp_path: Path, part: int
) -> None:
    clean, right = _look(whole)
    assert clean
    content = whole.read_bytes()
    chance = Random(f"flips {part}")
    outcomes = {"found": 0, "refused": 0, "without effect": 0}

    for number in range(FLIPS // 8):
        place, bit = chance.randrange(len(content)), chance.randrange(8)
        path = tmp_path / f"{number}.db"
        shutil.copyfile(whole, path)
        with path.open("r+b") as file:
            file.seek(place)
            file.write(bytes([content[place] ^ 1 << bit]))
        try:
            is_clean, export = _look(path)
        except StoreError:
            outcomes["refused"] += 1
        else:
            outcomes["without effect" if is_clean else "found"] += 1
            assert not is_clean or export == right, f"bit {bit} of byte {place}"

    assert sum(outcomes.values()) == FLIPS // 8
    assert outcomes["found"] + outcomes["refused"]


Damage = Callable[[bytes], bytes]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda content: content[: len(content) // 2], id="cut in half"),
        pytest.param(lambda content: content[:4096] + bytes(len(content) - 4096), id="emptied"),
        pytest.param(lambda content: content[:-4096], id="the last page gone"),
    ],
)
def test_a_file_that_is_cut_short_is_found_or_refused(
    whole: Path, tmp_path: Path, damage: Damage
) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(damage(whole.read_bytes()))
    before = path.read_bytes()

    try:
        clean, _ = _look(path)
    except StoreError:
        clean = False

    assert not clean
    assert path.read_bytes()[: len(before)] == before
