"""The tables: what lets them move unchanged to a database that is spread over machines."""

import pytest
from sqlalchemy import ForeignKeyConstraint, PrimaryKeyConstraint, Table, UniqueConstraint

from ds_events.schema import APPEND_ONLY, events, games, metadata, summaries

PER_GAME = (games, events, summaries)


def _game_id(table: Table) -> str:
    return "id" if table.name == "games" else "game_id"


def test_every_table_is_per_game_or_the_players() -> None:
    assert set(metadata.tables) == {*(table.name for table in PER_GAME), "players"}


@pytest.mark.parametrize("table", PER_GAME, ids=lambda table: table.name)
def test_every_key_of_a_per_game_table_begins_with_the_games_id(table: Table) -> None:
    keys = [
        [column.name for column in constraint.columns]
        for constraint in table.constraints
        if isinstance(constraint, PrimaryKeyConstraint | UniqueConstraint | ForeignKeyConstraint)
    ]
    keys += [[column.name for column in index.columns] for index in table.indexes if index.unique]
    keys += [[column.name] for column in table.columns if column.unique]

    assert keys
    assert {key[0] for key in keys} == {_game_id(table)}


@pytest.mark.parametrize("table", PER_GAME, ids=lambda table: table.name)
def test_a_foreign_key_leads_from_a_games_id_to_the_same(table: Table) -> None:
    targets = {
        (key.parent.name, key.target_fullname)
        for constraint in table.foreign_key_constraints
        for key in constraint.elements
    }

    assert targets == (set() if table is games else {("game_id", "games.id")})


@pytest.mark.parametrize("table", [*PER_GAME, metadata.tables["players"]], ids=str)
def test_no_id_comes_from_a_sequence(table: Table) -> None:
    for column in table.columns:
        assert column.default is None
        assert column.server_default is None
        assert column.identity is None
        if column.primary_key and len(table.primary_key.columns) == 1:
            assert column.autoincrement is False


def test_the_log_is_what_may_only_grow() -> None:
    assert APPEND_ONLY == ("games", "events")


def test_everything_has_a_name_by_the_same_convention() -> None:
    names = set()
    for table in metadata.tables.values():
        names |= {str(constraint.name) for constraint in table.constraints}
        names |= {str(index.name) for index in table.indexes}

    assert names == {
        "pk_players",
        "pk_games",
        "ck_games_code_or_deck",
        "pk_events",
        "fk_events_game_id_games",
        "pk_summaries",
        "fk_summaries_game_id_games",
        "ix_summaries_player_id_started_at_game_id",
        "ix_summaries_player_id_status_started_at_game_id",
        "ix_summaries_started_at_game_id",
    }
