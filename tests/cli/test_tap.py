"""`ds tap`: each gesture is at most one ordinary move (R29-R32)."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from ds_cli.main import main
from tests.cli.games import (
    CODE,
    GAME_KEYS,
    as_line,
    board_json,
    game,
    id_text,
    played,
    standing,
    vectors,
    write,
)
from tests.cli.running import Ds

PILES = ("S", "W", *(f"T{n}" for n in range(1, 10)), *(f"F{n}" for n in range(1, 9)))

_POSITIONS = list(enumerate(vectors("positions"), 1))


# Those in which most happens: any tap does something, or a double tap on several piles.
BUSY = [
    (n, said)
    for n, said in _POSITIONS
    if any(said["tap"].values()) or sum(map(bool, said["double"].values())) > 1
][::2]


@pytest.fixture(scope="module")
def tap_record(tmp_path_factory: pytest.TempPathFactory, empty_record: Path) -> Path:
    """A record of the busy positions."""
    folder = tmp_path_factory.mktemp("taps")
    path = shutil.copy(empty_record, folder / "games.db")
    lines = write(folder / "games.jsonl", [standing(said, n) for n, said in BUSY])
    assert main(["import", lines, "--db", str(path)]) == 0
    return Path(path)


@pytest.mark.parametrize("gesture", ["tap", "double"])
@pytest.mark.parametrize(("number", "said"), BUSY, ids=[str(n) for n, _ in BUSY])
def test_a_tap_makes_the_move_of_the_rules_or_none(
    ds: Ds, tap_record: Path, gesture: str, number: int, said: dict[str, Any]
) -> None:
    shutil.copy(tap_record, ds.database)
    option = ["--double"] if gesture == "double" else []
    wanted: dict[str, str | None] = said[gesture]
    done = next((pile for pile, move in wanted.items() if move), None)
    idle = next(pile for pile, move in wanted.items() if not move)
    message = ds.fails(1, "tap", idle, *option, "--game", id_text(number))
    assert f"tap on {idle} does nothing" in message
    assert "(R3" in message
    if done is not None:
        shown = ds.json("tap", done, *option, "--game", id_text(number))
        assert list(shown) == [*GAME_KEYS, "played"]
        assert shown["played"] == [wanted[done]]
        # Logged as that move, and nothing else.
        assert ds.json("log", "--game", id_text(number))["rows"][-1]["move"] == wanted[done]


@pytest.fixture
def started(ds: Ds) -> str:
    """The id of an open game of `CODE`."""
    return str(ds.json("new", CODE)["id"])


@pytest.mark.parametrize("option", [[], ["--double"]])
def test_a_tap_on_the_stock_draws_and_turns_back(ds: Ds, started: str, option: list[str]) -> None:
    assert ds.json("tap", "S", *option)["played"] == ["D"]
    ds.ok("move", *["D"] * 58)
    shown = ds.json("tap", "S", *option)
    assert shown["played"] == ["R"]
    assert (shown["stock"], shown["waste"]) == (59, [])


def test_a_tap_on_the_stock_never_turns_back_under_vegas(ds: Ds) -> None:
    ds.ok("new", "DS1-D3V-AAAAAAB")
    ds.ok("move", *["D"] * 20)
    message = ds.fails(1, "tap", "S")
    assert "R17" in message
    assert "Vegas" in message


def test_a_tap_on_an_empty_stock_and_waste_does_nothing(ds: Ds) -> None:
    """The last of the checked D1N positions has neither."""
    said = _POSITIONS[20][1]
    assert (said["stock"], said["waste"]) == (0, [])
    ds.ok("import", "-", stdin=as_line(standing(said, 1)))
    message = ds.fails(1, "tap", "S", "--game", id_text(1))
    assert "empty" in message
    assert "R18" in message


def test_a_double_tap_falls_back_to_the_longest_column(ds: Ds, started: str) -> None:
    """Nothing takes 5C home, and only 6H of column 3 takes it; so with the other columns."""
    assert "no foundation takes 5C (R30)" in ds.fails(1, "tap", "T2")
    shown = ds.json("tap", "T2", "--double")
    assert shown["played"] == ["T2T3"]
    expected = board_json(played(game("T2T3")))
    assert {key: shown[key] for key in expected} == expected


@pytest.mark.parametrize("setting", ["off", "on"])
def test_the_setting_makes_a_double_tap_one_tap(
    ds: Ds, started: str, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DS_DOUBLE_TAP", setting)
    if setting == "off":
        assert "does nothing" in ds.fails(1, "tap", "T2", "--double")
        assert ds.json("tap", "S", "--double")["played"] == ["D"]
    else:
        assert ds.json("tap", "T2", "--double")["played"] == ["T2T3"]


def test_another_setting_is_wrong_usage(
    ds: Ds, started: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DS_DOUBLE_TAP", "maybe")
    message = ds.fails(2, "tap", "T2", "--double")
    for said in ("DS_DOUBLE_TAP", "maybe", "on", "off"):
        assert said in message


def test_an_empty_setting_is_no_setting(
    ds: Ds, started: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DS_DOUBLE_TAP", "")
    assert ds.json("tap", "T2", "--double")["played"] == ["T2T3"]


@pytest.mark.parametrize("pile", [f"F{n}" for n in range(1, 9)])
def test_a_tap_on_a_foundation_does_nothing(ds: Ds, started: str, pile: str) -> None:
    for option in ([], ["--double"]):
        assert f"on {pile} does nothing" in ds.fails(1, "tap", pile, *option)


def test_a_tap_on_the_empty_waste_does_nothing(ds: Ds, started: str) -> None:
    assert "no card" in ds.fails(1, "tap", "W")


@pytest.mark.parametrize("pile", ["s", "T0", "T10", "F9", "X", "", "T1T2", "t1"])
def test_what_is_no_pile_is_wrong_usage(ds: Ds, started: str, pile: str) -> None:
    message = ds.fails(2, "tap", pile)
    assert repr(pile) in message
    for known in PILES:
        assert known in message


def test_a_closed_game_takes_no_tap(ds: Ds, started: str) -> None:
    ds.ok("abandon")
    message = ds.fails(1, "tap", "S", "--game", started)
    assert "R24" in message


def test_a_king_alone_in_its_column_stays(ds: Ds) -> None:
    """R31: here KD heads column 2 alone, beside the empty column 1."""
    said = vectors("positions")[33]
    ds.ok("import", "-", stdin=as_line(standing(said, 1)))
    assert said["columns"][0] == {"down": 0, "up": []}
    assert said["columns"][1] == {"down": 0, "up": ["KD"]}
    assert "KD" in ds.fails(1, "tap", "T2", "--double", "--game", id_text(1))
    # R11: pointless but legal as a move.
    assert ds.json("move", "T2T1", "--game", id_text(1))["played"] == ["T2T1"]
