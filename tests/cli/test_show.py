"""`ds show`, `ds legal`, `ds hint` and `ds deal`: boards, moves and layouts."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from ds_cli.main import main
from tests import naive
from tests.cli.games import (
    CODE,
    GAME_KEYS,
    as_line,
    deck,
    game,
    id_text,
    played,
    shown_json,
    standing,
    vectors,
    write,
)
from tests.cli.running import Ds
from tests.records import golden_decks

# A third of the checked positions, over all modes.
POSITIONS = list(enumerate(vectors("positions"), 1))[::3]

_SUITS = str.maketrans("♠♥♦♣", "SHDC")


@pytest.fixture(scope="module")
def position_record(tmp_path_factory: pytest.TempPathFactory, empty_record: Path) -> Path:
    """A record in which game N stands at the Nth checked position."""
    folder = tmp_path_factory.mktemp("positions")
    path = shutil.copy(empty_record, folder / "games.db")
    lines = write(folder / "games.jsonl", [standing(said, n) for n, said in POSITIONS])
    assert main(["import", lines, "--db", str(path)]) == 0
    return Path(path)


@pytest.mark.parametrize(("number", "said"), POSITIONS, ids=[str(n) for n, _ in POSITIONS])
def test_show_and_legal_are_the_checked_positions(
    ds: Ds, position_record: Path, number: int, said: dict[str, Any]
) -> None:
    shutil.copy(position_record, ds.database)
    shown = ds.json("show", "--game", id_text(number))
    assert list(shown) == GAME_KEYS
    for key in ("score", "undoable", "columns", "waste", "stock", "foundations"):
        assert shown[key] == said[key]
    seq = len(said["moves"].split())
    legal = ds.json("legal", "--game", id_text(number))
    assert legal == {"game": id_text(number), "seq": seq, "legal": said["legal"]}
    assert list(legal) == ["game", "seq", "legal"]
    assert ds.ok("legal", "--game", id_text(number)).out.split() == said["legal"]


@pytest.mark.parametrize(("number", "said"), POSITIONS, ids=[str(n) for n, _ in POSITIONS])
def test_the_board_for_people_is_the_same_board(
    ds: Ds, position_record: Path, number: int, said: dict[str, Any]
) -> None:
    shutil.copy(position_record, ds.database)
    out = ds.ok("show", "--game", id_text(number)).out
    assert max(map(len, out.splitlines())) <= 80
    assert _columns(out) == [["░░"] * column["down"] + column["up"] for column in said["columns"]]
    piles = out.translate(_SUITS)
    assert f"stock {said['stock']} " in piles
    # Of the waste the top card; in draw-3 the last three fanned, the top one last (R15).
    mode = said.get("mode") or said["code"].split("-")[1]
    fan = said["waste"][-int(mode[1]) :]
    assert f"waste {' '.join(fan) or 'empty'}" in piles
    tops = [
        f"F{n} {'A23456789TJQK'[height - 1] if height else '-'}{'SSHHDDCC'[n - 1]}"
        for n, height in enumerate(said["foundations"], 1)
    ]
    for top in tops:
        assert top in piles


def _columns(out: str) -> list[list[str]]:
    """Read the nine columns back from a drawn board."""
    lines = out.splitlines()
    heads = next(
        n for n, line in enumerate(lines) if line.split() == [f"T{i}" for i in range(1, 10)]
    )
    places = [lines[heads].index(f"T{i}") for i in range(1, 10)]
    rows = lines[heads + 1 :]
    if "" in rows:
        rows = rows[: rows.index("")]
    columns = [[line[place : place + 2].translate(_SUITS) for line in rows] for place in places]
    return [[cell for cell in column if cell.strip() and cell != "--"] for column in columns]


def test_at_shows_the_board_after_an_event(ds: Ds) -> None:
    said = vectors()[4] | {"id": id_text(1)}
    ds.ok("import", "-", stdin=as_line(said))
    total = len(said["events"])
    for at in (0, 1, 57, total - 1, total):
        shown = ds.json("show", "--game", id_text(1), "--at", str(at))
        assert shown == shown_json(said, count=at)


def test_at_beyond_the_log_is_wrong_usage_and_says_how_far_it_goes(ds: Ds) -> None:
    """As with `ds replay --at`: nobody has played on, the number is too large."""
    ds.ok("new", CODE)
    ds.ok("move", "D", "D")
    for command in ("show", "replay"):
        message = ds.fails(2, command, "--at", "3")
        assert "2" in message
        assert "played on" not in message


@pytest.mark.parametrize("at", ["-1", "x", ""])
def test_at_is_a_whole_number_from_0(ds: Ds, at: str) -> None:
    ds.ok("new", CODE)
    assert "--at" in ds.fails(2, "show", "--at", at)


def test_a_game_of_its_own_deck_has_no_code(ds: Ds) -> None:
    said = vectors()[6] | {"id": id_text(1)}
    ds.ok("import", "-", stdin=as_line(said))
    shown = ds.json("show", "--game", id_text(1))
    assert (shown["code"], shown["label"], shown["mode"]) == (None, "APP-D1N", "D1N")
    assert "APP-D1N" in ds.ok("show", "--game", id_text(1)).out


def test_a_closed_game_has_no_legal_moves(ds: Ds) -> None:
    ds.ok("new", CODE)
    ds.ok("abandon")
    assert ds.json("legal")["legal"] == []
    ran = ds.ok("legal")
    assert ran.out == ""
    assert "abandoned" in ran.err


def test_a_stuck_player_is_told_so_and_what_to_do(ds: Ds) -> None:
    """R23: the program declares no loss; a stuck player undoes or starts a new game."""
    stuck = game(*["D"] * 20, code="DS1-D3V-A4ROGUB")
    assert naive.legal(played(stuck)) == []
    ds.ok("import", "-", stdin=as_line(stuck))
    assert ds.json("legal")["legal"] == []
    ran = ds.ok("legal")
    assert ran.out == ""
    assert "`ds undo`" in ran.err
    assert "the game is open" not in ran.err
    hint = ds("hint")
    assert (hint.status, hint.out) == (1, "")
    assert "`ds undo`" in hint.err
    assert "`ds new`" in hint.err
    document = ds("hint", "--json")
    assert document.status == 1
    assert document.json["move"] is None


@pytest.mark.parametrize(
    ("number", "said"), POSITIONS[::3], ids=[str(n) for n, _ in POSITIONS[::3]]
)
def test_a_hint_is_one_legal_move_and_why(
    ds: Ds, position_record: Path, number: int, said: dict[str, Any]
) -> None:
    shutil.copy(position_record, ds.database)
    ran = ds("hint", "--game", id_text(number), "--json")
    hint = ran.json
    assert (hint["game"], hint["seq"]) == (id_text(number), len(said["moves"].split()))
    if ran.status == 1:
        assert hint["move"] is None
        return
    assert ran.status == 0
    assert hint["move"] in said["legal"]
    assert hint["why"]
    move, why = ds.ok("hint", "--game", id_text(number)).out.rstrip("\n").split("  ", 1)
    assert (move, why) == (hint["move"], hint["why"])


def test_a_closed_game_has_no_hint(ds: Ds) -> None:
    started = ds.json("new", CODE)["id"]
    ds.ok("abandon")
    message = ds.fails(1, "hint", "--game", started)
    assert "R24" in message
    assert "abandoned" in message


@pytest.mark.parametrize("deal", sorted(golden_decks()))
@pytest.mark.parametrize("mode", ["D1N", "D3V"])
def test_deal_is_the_golden_deck_in_every_mode(ds: Ds, deal: str, mode: str) -> None:
    code = f"DS1-{mode}-{deal}"
    shown = ds.json("deal", code.lower())
    assert shown == {"code": code, "deck": golden_decks()[deal]}
    assert list(shown) == ["code", "deck"]


def test_the_layout_for_people_has_all_104_cards_in_their_places(ds: Ds) -> None:
    out = ds.ok("deal", CODE).out
    assert CODE in out
    cards = deck()
    columns = [cards[sum(range(n)) : sum(range(n + 1))] for n in range(1, 10)]
    assert [[cell.strip("()") for cell in column] for column in _revealed_columns(out)] == columns
    stock = out.translate(_SUITS).split("stock, the next card first:")[1].split()
    assert stock == cards[45:]
    assert max(map(len, out.splitlines())) <= 80


def _revealed_columns(out: str) -> list[list[str]]:
    """Read columns back in which each face-down card stands in brackets."""
    lines = out.translate(_SUITS).splitlines()
    heads = next(n for n, line in enumerate(lines) if line.split()[:1] == ["T1"])
    rows = lines[heads + 1 : lines.index("", heads)]
    places = [lines[heads].index(f"T{i}") for i in range(1, 10)]
    columns = [[line[place - 1 : place + 3].strip() for line in rows] for place in places]
    return [[cell for cell in column if cell] for column in columns]


def test_deal_starts_no_game_and_needs_no_database(
    ds: Ds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DS_DATABASE_URL", str(tmp_path / "none" / "here.db"))
    ds.ok("deal", CODE)
    assert not os.path.lexists(tmp_path / "none")
    monkeypatch.undo()
    ds.ok("deal", CODE)
    assert ds.contents()["games"] == []


@pytest.mark.parametrize("arguments", [["deal"], ["deal", "x"], ["deal", CODE, CODE]])
def test_deal_wants_one_code(ds: Ds, arguments: list[str]) -> None:
    ds.fails(2, *arguments)
