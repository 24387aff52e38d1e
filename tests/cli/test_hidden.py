"""Hidden cards: what lies face down is in no output without `--reveal`.

Twin games differ in nothing but the cards that nobody has seen: whatever a command says
about the one it has to say about the other, byte for byte.
"""

import re
import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ds_cli.main import main
from tests import naive
from tests.cli.games import CODE, as_line, dealt, deck, id_text, utc, vectors, write
from tests.cli.running import Ds

ONE = id_text(1)

_CARD = re.compile(r"\b[A2-9TJQK][SHDC]\b")


def _unseen(mode: str, cards: list[str], moves: list[str]) -> list[int]:
    """Return the places in a deck of the cards that no player has seen after these moves.

    Face-down cards are those at the bottom of a column, and the stock is drawn from the
    front; undone moves have shown what they showed.
    """
    position = naive.start(mode, tuple(cards))
    down = [len(column) for column in position.board.down]
    stock = len(position.board.stock)
    for move in moves:
        position = naive.play(position, move)
        down = [min(was, len(now)) for was, now in zip(down, position.board.down, strict=True)]
        stock = min(stock, len(position.board.stock))
    places = [sum(range(n + 1)) + depth for n, hidden in enumerate(down) for depth in range(hidden)]
    return places + list(range(104 - stock, 104))


def _twin(said: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return the same game with the unseen cards in another order."""
    cards = said["deck"].split()
    moves = [event["move"] for event in said["events"]]
    places = _unseen(said["mode"], cards, moves)
    shuffled = [cards[place] for place in places]
    Random(seed).shuffle(shuffled)
    for place, card in zip(places, shuffled, strict=True):
        cards[place] = card
    return said | {"deck": " ".join(cards)}


def _games() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield checked games cut off early, and fresh deals, as games of their own deck."""
    yield "fresh", dealt(id=ONE)
    yield "fresh D3V", dealt(id=ONE, mode="D3V", cards=deck("BBAYN3B"))
    for number, cut in ((1, 25), (6, 120), (16, 30), (19, 77), (33, 40)):
        said = vectors()[number - 1]
        moves = [event["move"] for event in said["events"][:cut]]
        mode = said.get("mode") or said["code"].split("-")[1]
        yield f"line {number}", dealt(*moves, id=ONE, mode=mode, cards=_cards(said))


def _cards(said: dict[str, Any]) -> list[str]:
    """Return the deck of a checked game, as `ds deal` reveals it by nature."""
    from ds_core import format_card, parse_code, shuffle

    if "deck" in said:
        return list(said["deck"].split())
    return [format_card(card) for card in shuffle(parse_code(said["code"]))]


GAMES = dict(_games())


def _with_times(said: dict[str, Any]) -> dict[str, Any]:
    events = [event | {"at": utc(seconds=event["seq"])} for event in said["events"]]
    return said | {"started_at": utc(), "events": events}


COMMANDS = [
    *(["show"], ["show", "--json"], ["show", "--at", "0"], ["show", "--at", "0", "--json"]),
    *(["legal"], ["legal", "--json"], ["hint"], ["hint", "--json"], ["log"], ["log", "--json"]),
    *(["log", "--csv"], ["replay"], ["replay", "--json"], ["games"], ["games", "--json"]),
    *(["scores", "--json"], ["vegas", "--json"], ["stats", "--json"], ["db", "rebuild", "--json"]),
    *(["audit"], ["audit", "--json"], ["replay", "--line", "final", "--json"]),
]


@pytest.mark.parametrize("name", GAMES)
def test_nothing_that_is_said_tells_twins_apart(ds: Ds, tmp_path: Path, name: str) -> None:
    said = _with_times(GAMES[name])
    twin = _with_times(_twin(said, 1))
    assert twin["deck"] != said["deck"]
    outputs = []
    for game in (said, twin):
        path = tmp_path / "twin.db"
        path.unlink(missing_ok=True)
        lines = write(tmp_path / "twin.jsonl", [game])
        ds.ok("import", lines, "--db", str(path))
        ran = [ds(*command, "--db", str(path)) for command in COMMANDS]
        ran += [ds("move", move, "--db", str(path)) for move in _refused(game)]
        ran += [ds("tap", pile, "--db", str(path)) for pile in _idle_piles(game)]
        ran += [ds(command, "--json", "--db", str(path)) for command in ("undo", "abandon")]
        outputs.append([(one.status, one.out, one.err) for one in ran])
    assert outputs[0] == outputs[1]


def _refused(said: dict[str, Any]) -> list[str]:
    """Return some moves that are refused where a game stands, of all kinds."""
    position = naive.start(said["mode"], tuple(said["deck"].split()))
    for event in said["events"]:
        position = naive.play(position, event["move"])
    refused = [text for text in naive.OPERATIONS if naive.refusal(position, text)]
    return Random(5).sample(refused, 8)


def _idle_piles(said: dict[str, Any]) -> list[str]:
    position = naive.start(said["mode"], tuple(said["deck"].split()))
    for event in said["events"]:
        position = naive.play(position, event["move"])
    piles = ["W", *(f"T{n}" for n in range(1, 10)), *(f"F{n}" for n in range(1, 9))]
    return [pile for pile in piles if naive.tap(position, pile) is None][::4]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_revealed_is_what_lies_there(ds: Ds, name: str) -> None:
    """With `--reveal` twins differ, and each says where its cards are."""
    said = _with_times(GAMES[name])
    position = naive.start(said["mode"], tuple(said["deck"].split()))
    for event in said["events"]:
        position = naive.play(position, event["move"])
    ds.ok("import", "-", stdin=as_line(said))
    plain, revealed = ds.json("show"), ds.json("show", "--reveal")
    hidden = [list(column) for column in position.board.down]
    assert [column["hidden"] for column in revealed["columns"]] == hidden
    assert revealed["hidden_stock"] == list(position.board.stock)
    # Beside that, the document is the same.
    del revealed["hidden_stock"]
    for column in revealed["columns"]:
        del column["hidden"]
    assert revealed == plain
    out = ds.ok("show", "--reveal").out.translate(str.maketrans("♠♥♦♣", "SHDC"))
    assert "░░" not in out
    assert sorted(re.findall(r"\(([A2-9TJQK][SHDC])\)", out)) == sorted(chain(*hidden))
    stock = out.partition("stock, the next card first:")[2]
    assert stock.split() == list(position.board.stock)


@pytest.mark.parametrize("name", GAMES)
def test_a_view_has_the_cards_that_lie_face_up_and_no_others(ds: Ds, name: str) -> None:
    """Cards that were seen and turned back are hidden again: the stock's order is not shown."""
    said = _with_times(GAMES[name])
    ds.ok("import", "-", stdin=as_line(said))
    position = naive.start(said["mode"], tuple(said["deck"].split()))
    seen = [sorted(_face_up(position))]
    for event in said["events"]:
        position = naive.play(position, event["move"])
        seen.append(sorted(_face_up(position)))
    for frame in ds.json("replay")["frames"]:
        cards = [card for column in frame["columns"] for card in column["up"]]
        assert sorted(cards + frame["waste"]) == seen[frame["seq"]]
        assert set(frame) & {"hidden", "hidden_stock", "deck", "legal"} == set()
        assert all(set(column) == {"down", "up"} for column in frame["columns"])


def _face_up(position: naive.NaiveGame) -> list[str]:
    return [card for column in position.board.up for card in column] + list(position.board.waste)


@pytest.mark.parametrize("name", list(GAMES)[::2])
def test_a_revealed_replay_says_where_cards_are_at_every_frame(ds: Ds, name: str) -> None:
    said = _with_times(GAMES[name])
    ds.ok("import", "-", stdin=as_line(said))
    position = naive.start(said["mode"], tuple(said["deck"].split()))
    boards = [position]
    for event in said["events"]:
        position = naive.play(position, event["move"])
        boards.append(position)
    for frame, board in zip(ds.json("replay", "--reveal")["frames"], boards, strict=True):
        assert frame["hidden_stock"] == list(board.board.stock)
        assert [column["hidden"] for column in frame["columns"]] == list(
            map(list, board.board.down)
        )


@pytest.fixture(scope="module")
def hint_record(tmp_path_factory: pytest.TempPathFactory, empty_record: Path) -> Path:
    """A record of the checked positions, as games of their own deck."""
    folder = tmp_path_factory.mktemp("hints")
    path = Path(shutil.copy(empty_record, folder / "games.db"))
    said = [
        dealt(
            *position["moves"].split(), id=id_text(n), cards=_cards(position), mode=_mode(position)
        )
        for n, position in enumerate(vectors("positions"), 1)
        if n % 5 == 0
    ]
    assert main(["import", write(folder / "games.jsonl", said), "--db", str(path)]) == 0
    return path


def _mode(said: dict[str, Any]) -> str:
    return str(said.get("mode") or said["code"].split("-")[1])


@pytest.mark.parametrize("number", range(5, 100, 5))
def test_hints_and_refusals_name_no_hidden_card(ds: Ds, hint_record: Path, number: int) -> None:
    """Each card that is named lies face up, is home, or is what a column or foundation takes."""
    shutil.copy(hint_record, ds.database)
    shown = ds.json("show", "--game", id_text(number))
    visible = {card for column in shown["columns"] for card in column["up"]} | {*shown["waste"]}
    home = {
        f"{rank}{suit}"
        for suit, height in zip("SSHHDDCC", shown["foundations"], strict=True)
        for rank in "A23456789TJQK"[:height]
    }
    ran = ds("hint", "--game", id_text(number))
    assert set(_CARD.findall(ran.out)) <= visible
    for move in ("T1T2", "T3T4", "T5T6", "T7T9x2", "T9F", "WT4", "WF", "F1T3", "F8T5"):
        refused = ds("move", move, "U", "R", "R", "--game", id_text(number))
        assert refused.status == 1
        told = re.sub(r"which takes .*", "", refused.err)
        assert set(_CARD.findall(told)) <= visible | home


def test_what_is_exported_and_dealt_reveals_by_nature(ds: Ds) -> None:
    ds.ok("import", "-", stdin=as_line(dealt(id=ONE)))
    assert " ".join(deck()) in ds.ok("export").out
    assert " ".join(deck()) in ds.ok("deal", CODE, "--json").out
