"""Games, boards and lines that the tests of the command line are made of.

What is expected comes from the checked vectors and from the second model (`tests.naive`),
never from the code under test.
"""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests import naive
from tests.records import VECTORS, golden_decks

CODE: Final = "DS1-D1N-AAAAAAB"
"""Deal 1, whose layout is in the vectors: QS alone in column 1, 5C and 6H end columns 2 and 3."""

MODES: Final = ("D1N", "D1V", "D3N", "D3V")
GAMES: Final = VECTORS / "games.jsonl"

GAME_KEYS: Final = [
    *("id", "code", "label", "mode", "player", "status", "score", "moves", "seq", "undoable"),
    *("columns", "waste", "stock", "foundations"),
]
"""The keys of `ds show --json`, in order."""

_SYMBOLS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def id_text(number: int) -> str:
    """Return a game's id as people see it: 13 characters of Crockford base 32."""
    text = ""
    for _ in range(13):
        number, digit = divmod(number, 32)
        text = _SYMBOLS[digit] + text
    return text


@cache
def _lines(name: str) -> tuple[str, ...]:
    return tuple((VECTORS / name).read_text(encoding="utf-8").splitlines())


def vectors(name: str = "games") -> list[dict[str, Any]]:
    """Return the lines of a file of vectors, new at each call."""
    return [json.loads(line) for line in _lines(f"{name}.jsonl")]


def vector(**wanted: object) -> dict[str, Any]:
    """Return the first checked game that says what is wanted."""
    return next(
        game for game in vectors() if all(game.get(key) == said for key, said in wanted.items())
    )


def deck(deal: str = "AAAAAAB") -> list[str]:
    """Return the 104 cards of a golden deal."""
    return golden_decks()[deal].split()


def game(*moves: str, **said: object) -> dict[str, Any]:
    """Return a game of `CODE` as ds-game/1 has it, with further keys or other values."""
    events = [{"seq": seq, "move": move} for seq, move in enumerate(moves, 1)]
    return {"format": "ds-game/1", "code": CODE, "player": "mika", "events": events} | said


def dealt(*moves: str, cards: Sequence[str] | None = None, **said: object) -> dict[str, Any]:
    """Return a game of its own deck as ds-game/1 has it."""
    made = game(*moves, mode="D1N", deck=" ".join(cards or deck())) | said
    del made["code"]
    return made


def standing(said: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a checked position or refusal as the game number N, which stands there."""
    moves = said["moves"].split()
    if "code" in said:
        return game(*moves, code=said["code"], id=id_text(number))
    return dealt(*moves, cards=said["deck"].split(), mode=said["mode"], id=id_text(number))


def as_line(said: Mapping[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def write(path: Path, games: Iterable[Mapping[str, Any] | str]) -> str:
    """Write games to a file, packed for `.gz`, and return its name."""
    lines = [said if isinstance(said, str) else as_line(said) for said in games]
    content = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return str(path)


def utc(text: str = "2026-11-30T00:00:00", seconds: float = 0) -> str:
    """Return a time so many seconds after another, as records hold it."""
    moment = datetime.fromisoformat(text).replace(tzinfo=UTC) + timedelta(seconds=seconds)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def played(said: Mapping[str, Any], count: int | None = None) -> naive.NaiveGame:
    """Return a game as the second model plays it, all of it or its first events."""
    code = said.get("code")
    if code is None:
        mode, cards = said["mode"], said["deck"].split()
    else:
        mode, cards = code.split("-")[1], _cards_of(code)
    board = naive.start(mode, tuple(cards))
    for event in said["events"][:count]:
        board = naive.play(board, event["move"])
    return board


def board_json(position: naive.NaiveGame) -> dict[str, Any]:
    """Return a board as `ds show --json` documents it."""
    board = position.board
    return {
        "status": position.status,
        "score": board.score,
        "moves": position.moves,
        "seq": position.moves + position.undos + (position.status == "abandoned"),
        "undoable": position.undoable,
        "columns": [
            {"down": len(down), "up": list(up)}
            for down, up in zip(board.down, board.up, strict=True)
        ],
        "waste": list(board.waste),
        "stock": len(board.stock),
        "foundations": [len(pile) for pile in board.foundations],
    }


def shown_json(
    said: Mapping[str, Any], game_id: str | None = None, count: int | None = None
) -> dict[str, Any]:
    """Return what `ds show --json` documents of a game, all of it or its first events."""
    code = said.get("code")
    return {
        "id": game_id or said["id"],
        "code": code,
        "label": said.get("label"),
        "mode": said["mode"] if code is None else code.split("-")[1],
        "player": said["player"],
        **board_json(played(said, count)),
    }


@cache
def _cards_of(code: str) -> tuple[str, ...]:
    """Return the cards of a code: golden where it is, else by the shuffle of the core.

    The shuffle has its own golden tests; here only the layout of the games matters.
    """
    deal = code.split("-")[2]
    if deal in golden_decks():
        return tuple(deck(deal))
    from ds_core import format_card, parse_code, shuffle

    return tuple(format_card(card) for card in shuffle(parse_code(code)))
