"""Names and labels that people, or others, may choose: none takes over what it is shown in."""

import json
import re
import shutil
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from ds_cli.main import main
from tests.cli.games import as_line, dealt, game, id_text, utc, write
from tests.cli.running import Ds

NASTY = {
    "escape": "\x1b[31mred\x1b]0;title\x07",
    "c1": "\x9b31mred\x9d0;title\x9c",
    "control": "a\rb\nc\td\x08e\x7ff\x0bg",
    "markup": "[bold red]loud[/] [/nonsense] :smile:",
    "rtl": "\u202egnp.exe\u202c \u2066x\u2069 \u200f\u061c",
    "invisible": "ad\u200bmin\ufeff\u00ad",
    "separators": "a\u2028b\u2029c\u0085d",
    "formula": '=HYPERLINK("http://example.com","x")',
    "formula+": "+1+1",
    "formula-": "-1+1",
    "formula@": "@SUM(A1)",
    "tab formula": "\t=1+1",
    "wide formula": "\uff1d1+1",
    "quotes": "\"a\",'b';c|d",
    "emoji": "\U0001f0cf\U0001f600",
    "family": "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "cjk": "\u5c71\u7530\u592a\u90ce\u3055\u3093",
    "combining": "e\u0301\u0323" * 10,
    "hebrew": "\u05e9\u05dc\u05d5\u05dd",
    "long": "W" * 64,
    "wide and long": "\u5c71" * 64,
    "spaces": "  a   b  ",
    "tag": "\U000e0041\U000e0042",
    "unassigned": "\u0378\ufdd0\U0010ffff\ue000",
}

NUMBERED = list(enumerate(NASTY.values(), 1))
NAMES = pytest.mark.parametrize(("number", "name"), NUMBERED, ids=NASTY.keys())

JOINERS = "\u200c\u200d"
"""What scripts and emoji need, of the characters that show nothing themselves."""

_STEERING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _coded(number: int) -> str:
    """Return the id of the Nth name's game from a code."""
    return id_text(2 * number)


def _labelled(number: int) -> str:
    """Return the id of the Nth name's Vegas game, which has the name as its label too."""
    return id_text(2 * number + 1)


@pytest.fixture(scope="module")
def everybody(tmp_path_factory: pytest.TempPathFactory, empty_record: Path) -> Path:
    """A record of two games of each of these players."""
    folder = tmp_path_factory.mktemp("names")
    path = Path(shutil.copy(empty_record, folder / "games.db"))
    said: list[dict[str, Any]] = []
    for number, name in NUMBERED:
        said.append(game("D", id=_coded(number), player=name, started_at=utc()))
        own = dealt("D", id=_labelled(number), player=name, label=name, started_at=utc())
        said.append(own | {"mode": "D1V"})
    assert main(["import", write(folder / "names.jsonl", said), "--db", str(path)]) == 0
    return path


@pytest.fixture(autouse=True)
def _record(database: Path, everybody: Path) -> None:
    """Let each test work on such a record."""
    shutil.copy(everybody, database)


def _is_harmless(text: str) -> bool:
    return all(
        character in "\n" + JOINERS or unicodedata.category(character) not in _STEERING
        for character in text
    )


def _normal(name: str) -> str:
    """Return a player's name as it is recorded: in NFC."""
    return unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("command", ["games", "scores", "vegas", "stats"])
def test_no_list_has_characters_that_steer_a_terminal(ds: Ds, command: str) -> None:
    ran = ds.ok(command, "--everyone")
    assert _is_harmless(ran.out)
    if command == "games":
        assert len(ran.out.splitlines()) == 1 + 2 * len(NASTY)


@NAMES
def test_no_board_and_no_message_steers_a_terminal(ds: Ds, number: int, name: str) -> None:
    for command in (["show"], ["log"], ["replay"]):
        for game_id in (_coded(number), _labelled(number)):
            assert _is_harmless(ds.ok(*command, "--game", game_id).out)
    for command in (
        ["games", "--status", "won"],
        ["show", "--game", "@9"],
        ["move", "R"],
        ["new"],
    ):
        ran = ds(*command, "--player", name)
        assert _is_harmless(ran.out + ran.err)


@NAMES
def test_json_is_ascii_and_gives_the_name_back(ds: Ds, number: int, name: str) -> None:
    for command in ("show", "games", "stats", "new"):
        ran = ds.ok(command, "--json", "--player", name)
        assert ran.out.isascii()
        assert ran.json["player"] == _normal(name)
    assert ds.json("show", "--game", _labelled(number))["label"] == name


def test_a_table_keeps_one_line_for_each_game_of_a_name(ds: Ds) -> None:
    for _, name in NUMBERED[::5]:
        assert len(ds.ok("games", "--player", name).out.splitlines()) == 3


def test_csv_has_no_formula_and_no_control_character(ds: Ds) -> None:
    ran = ds.ok("games", "--everyone", "--csv")
    assert _is_harmless(ran.out)
    assert len(ran.csv) == 2 * len(NASTY)
    for row in ran.csv:
        for key in ("player", "label"):
            # A spreadsheet looks at the first character, in some languages at its wide form too.
            first = unicodedata.normalize("NFKC", row[key])[:1]
            assert first not in ("=", "+", "-", "@", "\t", "\r"), row[key]


def test_numbers_in_csv_stay_numbers(ds: Ds) -> None:
    """An apostrophe before a negative score would make a text of it."""
    assert {row["score"] for row in ds.ok("vegas", "--everyone", "--csv").csv} == {"-104"}
    assert ds.ok("vegas", "--everyone", "--csv").csv[0]["balance"] == "-104"


# Where widths are agreed on: joined emoji and odd characters differ from terminal to terminal.
ALIGNED = ("cjk", "wide and long", "combining", "emoji", "long", "markup")


def _width(text: str) -> int:
    """Return how many cells a text takes in a terminal."""
    return sum(
        0
        if unicodedata.combining(character) or character in JOINERS
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


@pytest.mark.parametrize("key", ALIGNED)
def test_wide_labels_keep_the_columns_of_a_piped_table_in_line(ds: Ds, key: str) -> None:
    head, *rows = ds.ok("games", "--player", NASTY[key]).out.splitlines()
    place = _width(head[: head.index("started")])
    for row in rows:
        assert _width(row[: row.index("2026-11-30 09:00")]) == place


def _on_terminal(ds: Ds, tmp_path: Path, *labels: str) -> list[str]:
    """Return the lines of `ds games` on a terminal for games with these labels."""
    said = [
        dealt(id=id_text(n), player="mika", label=label, started_at=utc())
        for n, label in enumerate(labels, 1)
    ]
    path = str(tmp_path / "labels.db")
    ds.ok("import", "-", "--db", path, stdin="\n".join(map(as_line, said)))
    return ds.screen("games", "--db", path).lines


def test_wide_labels_keep_the_columns_of_a_table_on_a_terminal(ds: Ds, tmp_path: Path) -> None:
    labels = [NASTY[key] for key in ("cjk", "combining", "emoji")]
    lines = _on_terminal(ds, tmp_path, *labels)
    rows = [line for line in lines if "2026-11-30 09:00" in line]
    assert len(rows) == len(labels)
    assert len({_width(row[: row.index("2026-11-30 09:00")]) for row in rows}) == 1
    for label in labels:
        assert any(label in row for row in rows)


@pytest.mark.parametrize("key", ["long", "wide and long"])
def test_a_long_label_gives_way_and_not_the_id(ds: Ds, tmp_path: Path, key: str) -> None:
    lines = _on_terminal(ds, tmp_path, NASTY[key])
    assert max(map(_width, lines)) <= 80
    assert sum(line.count(NASTY[key][0]) for line in lines) == 64
    for word in (id_text(1), "2026-11-30 09:00", "started", "status"):
        assert any(word in line for line in lines), word


def test_a_terminal_gets_no_escape_sequence_from_a_name(ds: Ds) -> None:
    raw = ds.screen("games", "--everyone").raw
    # What is left after colours and line ends is text.
    assert _is_harmless(re.sub(r"\x1b\[[0-9;]*m", "", raw).replace("\r\n", "\n"))


@pytest.mark.parametrize("key", ["escape", "c1", "markup"])
def test_a_board_on_a_terminal_gets_no_escape_sequence_from_a_name(ds: Ds, key: str) -> None:
    number = list(NASTY).index(key) + 1
    raw = ds.screen("show", "--game", _labelled(number)).raw
    text = re.sub(r"\x1b\[[0-9;]*m", "", raw).replace("\r\n", "\n")
    assert _is_harmless(text)
    if key == "markup":
        assert text.count(NASTY[key]) == 2


def test_an_export_to_a_terminal_steers_nothing(ds: Ds) -> None:
    """JSON has escapes for every such character: what is shown is still the same record."""
    text = ds.screen("export", "--all", quiet=True).raw.replace("\r\n", "\n")
    names = {json.loads(line)["player"] for line in text.split("\n") if line}
    assert names == set(map(_normal, NASTY.values()))
    assert _is_harmless(text)


def test_an_export_gives_names_and_labels_back(ds: Ds) -> None:
    lines = [json.loads(line) for line in ds.ok("export", "--all").out.split("\n") if line]
    assert {line["id"]: line["player"] for line in lines if "code" in line} == {
        _coded(number): _normal(name) for number, name in NUMBERED
    }
    assert {line["id"]: line["label"] for line in lines if "label" in line} == {
        _labelled(number): name for number, name in NUMBERED
    }
