"""The tables: what lets them move unchanged to a database that is spread over machines."""

import pytest
from sqlalchemy import ForeignKeyConstraint, PrimaryKeyConstraint, Table, UniqueConstraint

from ds_events.schema import APPEND_ONLY, games, metadata, players

TABLES = sorted(metadata.tables.values(), key=lambda table: table.name)
PER_GAME = [table for table in TABLES if table is not players]


def _names(item: PrimaryKeyConstraint | UniqueConstraint | ForeignKeyConstraint) -> list[str]:
    return [column.name for column in item.columns]


@pytest.mark.parametrize("table", PER_GAME, ids=str)
def test_every_key_of_a_per_game_table_begins_with_the_games_id(table: Table) -> None:
    keys = [
        _names(constraint)
        for constraint in table.constraints
        if isinstance(constraint, PrimaryKeyConstraint | UniqueConstraint | ForeignKeyConstraint)
    ]
    keys += [[column.name for column in index.columns] for index in table.indexes if index.unique]
    keys += [[column.name] for column in table.columns if column.unique]

    assert keys
    assert {key[0] for key in keys} == {"id" if table is games else "game_id"}


@pytest.mark.parametrize("table", PER_GAME, ids=str)
def test_every_per_game_table_but_the_games_leads_to_its_game(table: Table) -> None:
    targets = {(key.parent.name, key.target_fullname) for key in table.foreign_keys}

    assert targets == (set() if table is games else {("game_id", "games.id")})


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_no_id_comes_from_a_sequence(table: Table) -> None:
    for column in table.columns:
        assert column.default is None
        assert column.server_default is None
        assert column.identity is None
        if column.primary_key and len(table.primary_key.columns) == 1:
            assert column.autoincrement is False


def test_the_log_may_only_grow() -> None:
    assert {"games", "events"} <= set(APPEND_ONLY)
    assert {"players", "summaries"}.isdisjoint(APPEND_ONLY)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_key_and_index_is_named_by_the_same_convention(table: Table) -> None:
    assert table.primary_key.name == f"pk_{table.name}"
    for key in table.foreign_key_constraints:
        target = key.referred_table.name
        assert key.name == f"fk_{table.name}_{'_'.join(_names(key))}_{target}"
    for index in table.indexes:
        assert index.name == f"ix_{table.name}_{'_'.join(column.name for column in index.columns)}"
