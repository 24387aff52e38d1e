"""Games, lines and claims that the tests of the record are made of."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import select

from ds_core import Deal, deal_cards, deal_code, format_deck, parse_code, parse_deck, parse_mode
from ds_events.audit import audit_database
from ds_events.database import Database
from ds_events.findings import AuditReport, Located
from ds_events.schema import metadata, summaries
from ds_events.store import EventStore
from ds_events.transfer import ImportReport, export_records, import_records
from tests import naive
from tests.records import VECTORS, golden_decks

CODE: Final = "DS1-D1N-AAAAAAB"
MODES: Final = ("D1N", "D1V", "D3N", "D3V")
SECOND: Final = 1_000_000
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

START: Final = (datetime(2026, 11, 30, 2, 10, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
"""2026-11-30T02:10:00Z in microseconds since 1970."""

TABLES: Final = tuple(metadata.tables.values())

HEAD_COLUMN: Final = [column.name for column in summaries.columns].index("head")
"""Where the head of the hash chain stands in a row of `summaries`."""


@dataclass
class FakeClock:
    """A clock that stands at `now`, in microseconds, until a test moves it."""

    now: int = START

    def __call__(self) -> int:
        return self.now

    def tick(self, seconds: float = 1) -> None:
        self.now += int(seconds * SECOND)


def coded(code: str = CODE) -> Deal:
    return deal_code(parse_code(code))


def own_deal(mode: str = "D1N", label: str | None = None) -> Deal:
    """Return a deal that a code does not name, of one of the golden decks."""
    return deal_cards(parse_mode(mode), parse_deck(golden_decks()["A4ROGUB"]), label)


def scores_by_rule(deal: Deal, moves: Iterable[str]) -> list[int]:
    """Return the score after each move, as the naive model counts it."""
    game = naive.start(str(deal.mode), tuple(format_deck(deal.cards).split()))
    scores = []
    for move in moves:
        game = naive.play(game, move)
        scores.append(game.board.score)
    return scores


def utc(micros: int) -> str:
    """Return a time as ds-game/1 writes it, made without the code under test."""
    moment = EPOCH + timedelta(microseconds=micros)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


@cache
def vector_lines() -> tuple[bytes, ...]:
    """Return the 33 checked games as lines of ds-game/1."""
    return tuple((VECTORS / "games.jsonl").read_bytes().splitlines())


def vectors() -> list[dict[str, Any]]:
    """Return the 33 checked games, new at each call."""
    return [json.loads(line) for line in vector_lines()]


def vector_at(number: int) -> dict[str, Any]:
    """Return one checked game, by its index in the file, new at each call."""
    game: dict[str, Any] = json.loads(vector_lines()[number])
    return game


def vector(**wanted: object) -> dict[str, Any]:
    """Return the first checked game that says what is wanted, new at each call."""
    return vector_at(
        next(
            number
            for number, game in enumerate(_parsed())
            if all(game.get(key) == said for key, said in wanted.items())
        )
    )


@cache
def _parsed() -> list[dict[str, Any]]:
    return vectors()


def game_line(**said: object) -> dict[str, Any]:
    """Return a small game as ds-game/1 has it, with further keys or other values."""
    moves = [{"seq": 1, "move": "D"}, {"seq": 2, "move": "T2T3"}]
    return {"format": "ds-game/1", "code": CODE, "events": moves} | said


def without(game: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: said for key, said in game.items() if key not in keys}


def as_line(game: Mapping[str, Any]) -> bytes:
    """Return a game as an export writes it: no spaces, UTF-8 as it is."""
    return json.dumps(game, ensure_ascii=False, separators=(",", ":")).encode()


def take_in(
    store: EventStore, lines: Sequence[bytes | Mapping[str, Any]], player: str = "mika"
) -> ImportReport:
    """Import games, given as texts or values, as the lines 1, 2, … of a file."""
    texts = [line if isinstance(line, bytes) else as_line(line) for line in lines]
    return import_records(store, enumerate(texts, 1), player, clock=FakeClock())


def exported(database: Database) -> list[str]:
    with database.read() as connection:
        return list(export_records(connection))


def audited(database: Database) -> AuditReport:
    return audit_database(database)


def found(findings: Iterable[Located]) -> list[tuple[str, int | None, Any, Any]]:
    """Return kind, seq, claimed and expected of each finding."""
    return [
        (each.finding.kind, each.finding.seq, each.finding.claimed, each.finding.expected)
        for each in findings
    ]


def contents(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table, so that two states can be compared."""
    with database.read() as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in TABLES
        }


def child(program: str, *arguments: str) -> "subprocess.Popen[str]":
    """Start a Python program that sees what this one imports from."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )


def url_of(database: Database) -> str:
    """Return the URL with which another process opens the same database."""
    return database.url.render_as_string(hide_password=False)
