"""The checked vectors as typed values: deals, games, positions and refusals."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from ds_core import (
    Claim,
    Deal,
    EndClaims,
    Move,
    deal_cards,
    deal_code,
    parse_code,
    parse_deck,
    parse_mode,
    parse_moves,
)

HERE: Final = Path(__file__).parent
VECTORS: Final = HERE / "vectors"
SHARED: Final = HERE.parent.parent / "shared" / "vectors"
"""Where the vectors come from; the folder is there only in some checkouts."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class GameRecord:
    """One recorded game; `name` says which, for test names. Times are in microseconds."""

    name: str
    deal: Deal
    started_at: int
    claims: tuple[Claim, ...]
    end: EndClaims

    @property
    def moves(self) -> list[Move]:
        return parse_moves(" ".join(claim.move for claim in self.claims))


@dataclass(frozen=True)
class Position:
    """The board after a game's first moves; cards as text, the top of a pile last."""

    name: str
    deal: Deal
    moves: list[Move]
    score: int
    undoable: int
    legal: list[str]
    tap: dict[str, str | None]
    double: dict[str, str | None]
    columns: list[tuple[int, list[str]]]
    waste: list[str]
    stock: int
    foundations: list[int]
    perft: list[int]


@dataclass(frozen=True)
class Refusal:
    """A text that must be refused after some moves, and the rule that refuses it."""

    name: str
    deal: Deal
    moves: list[Move]
    refused: str
    rule: str


@cache
def golden_decks() -> dict[str, str]:
    """Return the deck of each golden deal, both as text."""
    decks: dict[str, str] = json.loads((VECTORS / "deals.json").read_text("utf-8"))
    return decks


@cache
def games() -> list[GameRecord]:
    return [
        GameRecord(
            name=f"{line.get('code') or line['label']}-{len(line['events'])}",
            deal=_deal(line),
            started_at=_microseconds(line["started_at"]),
            claims=tuple(
                Claim(event["seq"], event["move"], event["score"], _microseconds(event["at"]))
                for event in line["events"]
            ),
            end=EndClaims(line["status"], line["score"], line["moves"]),
        )
        for line in _lines("games.jsonl")
    ]


@cache
def positions() -> list[Position]:
    return [
        Position(
            name=f"{number}-{line.get('code') or line['mode']}",
            deal=_deal(line),
            moves=parse_moves(line["moves"]),
            score=line["score"],
            undoable=line["undoable"],
            legal=line["legal"],
            tap=line["tap"],
            double=line["double"],
            columns=[(column["down"], column["up"]) for column in line["columns"]],
            waste=line["waste"],
            stock=line["stock"],
            foundations=line["foundations"],
            perft=line.get("perft", []),
        )
        for number, line in enumerate(_lines("positions.jsonl"), 1)
    ]


@cache
def refusals() -> list[Refusal]:
    return [
        Refusal(
            name=f"{number}-{line['rule']}-{line['refused']!a}",
            deal=_deal(line),
            moves=parse_moves(line["moves"]),
            refused=line["refused"],
            rule=line["rule"],
        )
        for number, line in enumerate(_lines("refusals.jsonl"), 1)
    ]


def _deal(line: dict[str, Any]) -> Deal:
    if "code" in line:
        return deal_code(parse_code(line["code"]))
    return deal_cards(parse_mode(line["mode"]), parse_deck(line["deck"]), line.get("label"))


def _lines(name: str) -> Iterator[dict[str, Any]]:
    with (VECTORS / name).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _microseconds(text: str) -> int:
    return (datetime.fromisoformat(text) - _EPOCH) // timedelta(microseconds=1)
