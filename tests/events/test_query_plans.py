"""Each report and each load finds its rows by an index, however many games there are."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, event

from ds_core import parse_code, parse_mode, parse_moves
from ds_events import log
from ds_events.database import Database
from ds_events.filters import Filters, same_deal
from ds_events.record import Header, extended, player_of, started
from ds_events.report import (
    find_game,
    list_games,
    newest_game,
    score_history,
    vegas_ledger,
)
from ds_events.seal import latest_seal, leaves_of, make_seal
from ds_events.statistics import statistics
from ds_events.store import EventStore
from ds_events.times import SECOND
from tests.events.building import START, coded, own_deal

PLAYERS = 20
GAMES_OF_EACH = 15
PLAYER = player_of("player 3")
SEALED = START + 10**12

GROWING = ("games", "summaries", "events", "seals")
"""The tables that grow with the games, and so may not be read through for one of them."""


@pytest.fixture
def many(store: EventStore) -> Database:
    """A record in which no one player has more than a small part of the games."""
    deals = [coded("DS1-D1N-AAAAAAB"), coded("DS1-D3V-AAAAAAB")]
    batch = []
    for number in range(PLAYERS * GAMES_OF_EACH):
        at = START + number * SECOND
        header = Header(number + 1, player_of(f"player {number % PLAYERS}"), deals[number % 2], at)
        moves = parse_moves("D D U X" if number % 3 else "D D")
        batch.append(extended(started(header), moves, at))
    assert all(store.add(batch))
    make_seal(store.database, lambda: SEALED)
    with store.database.engine.connect() as connection:
        plain = connection.execution_options(isolation_level="AUTOCOMMIT")
        plain.exec_driver_sql("ANALYZE" if store.database.is_sqlite else "VACUUM ANALYZE")
    return store.database


@contextmanager
def _asked(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """Collect what SQLAlchemy sends, with its values."""
    said: list[tuple[str, Any]] = []

    def note(*sent: Any) -> None:
        said.append((sent[2], sent[3]))

    event.listen(database.engine, "before_cursor_execute", note)
    yield said
    event.remove(database.engine, "before_cursor_execute", note)


def _read_through(connection: Connection, statement: str, values: Any) -> list[str]:
    """Return the tables that a statement reads through, and not by an index."""
    if connection.dialect.name == "sqlite":
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        steps = [str(row[-1]) for row in plan]
        return [step.split()[1] for step in steps if step.startswith("SCAN ")]
    document = connection.exec_driver_sql(f"EXPLAIN (FORMAT json) {statement}", values).scalar()
    nodes = [json.loads(document) if isinstance(document, str) else document]
    tables = []
    while nodes:
        node = nodes.pop()
        if isinstance(node, list):
            nodes += node
        elif isinstance(node, dict):
            nodes += [value for value in node.values() if isinstance(value, list | dict)]
            if node.get("Node Type") == "Seq Scan":
                tables.append(node["Relation Name"])
    return tables


def _some_deal(connection: Connection) -> Filters:
    """Filters that ask everything, the deck of one's own having no code that is known."""
    deal = same_deal(connection, own_deal("D3V"), PLAYER.id)
    return Filters("won", parse_mode("D3V"), START, START + 10**12, deal=deal)


OF_ONE: dict[str, Callable[[Connection], object]] = {
    "games of a player": lambda it: list_games(it, PLAYER.id),
    "games of a player, filtered": lambda it: list_games(
        it, PLAYER.id, Filters(status="open", since=START, limit=5)
    ),
    "newest game": lambda it: newest_game(it, PLAYER.id),
    "newest open game": lambda it: newest_game(it, PLAYER.id, only_open=True),
    "newest game of a code": lambda it: newest_game(
        it, PLAYER.id, code=parse_code("DS1-D3V-AAAAAAB")
    ),
    "game by number": lambda it: find_game(it, "@7", PLAYER.id),
    "game by id": lambda it: find_game(it, "0000000000007", PLAYER.id),
    "scores of a player": lambda it: score_history(it, PLAYER.id),
    "ledger of a player": lambda it: vegas_ledger(it, PLAYER.id),
    "scores of a player, filtered": lambda it: score_history(it, PLAYER.id, _some_deal(it)),
    "ledger of a player, filtered": lambda it: vegas_ledger(it, PLAYER.id, _some_deal(it)),
    "statistics of a player": lambda it: statistics(it, PLAYER.id),
    "statistics of a player, filtered": lambda it: statistics(it, PLAYER.id, _some_deal(it)),
    "some games to audit": lambda it: log.read_span(it, log.Span(5, 9)),
    "latest seal of a game": lambda it: latest_seal(it, 7),
}
"""What is about one player or one game."""


@pytest.mark.parametrize("name", OF_ONE)
def test_what_is_about_one_is_found_by_an_index(many: Database, name: str) -> None:
    with many.read() as connection, _asked(many) as said:
        assert OF_ONE[name](connection) is not None
    assert said

    with many.read() as connection:
        if not many.is_sqlite:
            # A small table may rather be read as a whole, if that is allowed.
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        for statement, values in said:
            tables = set(_read_through(connection, statement, values))
            assert not tables & set(GROWING), statement


@pytest.mark.parametrize(
    ("query", "values"),
    [
        (log.GAME_QUERY, (log.LOWEST, 7, 7, 1, 20)),
        (log.LOG_QUERY, (7, 1, 20)),
        (log.VERSION_QUERY, (7,)),
    ],
    ids=["game", "log", "version"],
)
def test_a_load_finds_its_rows_by_an_index(
    many: Database, query: str, values: tuple[int, ...]
) -> None:
    statement = log.filled(query, many.backend)

    with many.read() as connection:
        if not many.is_sqlite:
            # The few players there are may rather be read as a whole, if that is allowed.
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        assert _read_through(connection, statement, values) == []


def test_the_games_of_everybody_come_in_order_without_being_sorted(many: Database) -> None:
    with many.read() as connection, _asked(many) as said:
        assert next(log.spans(connection))
        assert list(log.all_ids(connection))
        assert next(leaves_of(connection, SEALED)).game_id == 1

    with many.read() as connection:
        for statement, values in said:
            explain = "EXPLAIN QUERY PLAN" if many.is_sqlite else "EXPLAIN"
            if not many.is_sqlite:
                connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
            plan = connection.exec_driver_sql(f"{explain} {statement}", values).all()
            steps = " ".join(str(row[-1]) for row in plan)
            assert "TEMP B-TREE" not in steps, statement
            assert "Sort" not in steps, statement
