"""`ds log --text`, and what `ds import` and `ds audit --file` make of it."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.games import CODE, as_line, dealt, game, id_text, utc, vector, write
from tests.cli.running import Ds

TEXT = f"""\
[Format "ds-text/1"]
[Id "{id_text(7)}"]
[Code "{CODE}"]
[Player "mika"]
[Started "2026-11-30T00:00:00.000000Z"]
[Status "open"]
[Score "5"]
[Moves "2"]

   1. D            0   0:00:03.12
   2. T2T3         5   0:00:04
"""


@pytest.fixture
def filled(ds: Ds) -> Ds:
    """`ds` on a record of one game, which `TEXT` is."""
    said = game("D", "T2T3", id=id_text(7), started_at=utc())
    said["events"][0]["at"], said["events"][1]["at"] = utc(seconds=3.12), utc(seconds=4)
    ds.ok("import", "-", stdin=as_line(said))
    return ds


def test_a_game_is_printed_as_text(filled: Ds) -> None:
    assert filled.ok("log", "--text").out == TEXT
    assert filled.ok("log", "--text", "-g", id_text(7)[:12]).out == TEXT


def test_on_a_terminal_it_is_plain(filled: Ds) -> None:
    screen = filled.screen("log", "--text", columns=40)
    assert "\x1b" not in screen.raw
    assert screen.text == TEXT


def test_what_was_printed_is_the_same_record_elsewhere(ds: Ds, tmp_path: Path) -> None:
    odd = 'a "name" \\ \x1b[31m\u202e\n'
    said = [vector(label="APP-D1N"), dealt("D", "U", label=odd, player=f"{odd} 山", mode="D3V")]
    ds.ok("import", "-", stdin="\n".join(map(as_line, said)))
    rows = ds.json("games", "--everyone")["rows"]
    text = "".join(ds.ok("log", "--text", "-g", row["game"]).out for row in rows)
    path = tmp_path / "games.text"
    path.write_text(text, encoding="utf-8")
    other = str(tmp_path / "other.db")

    ran = ds.ok("import", str(path), "--db", other)

    assert ran.out == "2 games added, none stored already, none rejected\n"
    assert ds.ok("export", "--all", "--db", other).out == ds.ok("export", "--all").out
    assert ds.json("audit", "--file", str(path))["games"] == 2
    assert ds.ok("import", str(path)).out == "no games added, 2 stored already, none rejected\n"


def test_texts_and_lines_may_share_a_file(filled: Ds, tmp_path: Path) -> None:
    bare = f'[Code "{CODE}"]\r\n1. D\r\n2. T2T3\r\n3. D'
    path = write(tmp_path / "mixed.txt.gz", [TEXT, game("D"), bare])
    report = filled.json("import", path)
    assert (report["added"], report["unchanged"], report["rejected"]) == (2, 1, 0)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_without_a_character_gets_an_escape_that_is_read(
    ds: Ds, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ds.ok("new", CODE, "--player", "山田 é")
    before = ds.ok("export", "--all").out
    monkeypatch.setattr("ds_cli.output.is_terminal", lambda: True)
    status, out, _ = ds.encoded(encoding, "log", "--text", "--player", "山田 é")
    assert status == 0
    assert b'[Player "\\u5c71\\u7530 ' in out
    text = out.decode(encoding)
    assert ds.json("import", "-", stdin=text)["unchanged"] == 1
    assert json.loads(before)["player"] == "山田 é"


def test_a_pipe_gets_utf_8_whatever_the_terminal(ds: Ds) -> None:
    ds.ok("new", CODE, "--player", "山田")
    _, out, _ = ds.encoded("ascii", "log", "--text", "--player", "山田")
    assert '[Player "山田"]' in out.decode("utf-8")


@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_one_format_at_a_time(filled: Ds, option: str) -> None:
    assert "--text" in filled.fails(2, "log", "--text", option)


@pytest.mark.parametrize("command", [["import"], ["audit", "--file"]])
@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (("T2T3   ", "T1F"), 11, "R12"),
        (("   2. ", ""), 11, "write `2. D`"),
        (('"5"', '"500"'), 7, "500"),
        (("Status", "Result"), 6, "'Result' is no tag"),
        ((CODE, CODE.lower()), 3, "upper case"),
    ],
)
def test_a_fault_names_the_line_that_it_is_on(
    ds: Ds, tmp_path: Path, command: list[str], change: tuple[str, str], line: int, said: str
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(TEXT.replace(*change), encoding="utf-8")
    ran = ds(*command, str(path))
    assert ran.status == 1
    message = ran.out + ran.err
    assert re.search(rf"line {line}\b.*{re.escape(said)}", message), message
    assert ds.contents()["games"] == []


def test_a_game_that_is_unknown_or_damaged_is_no_text(filled: Ds) -> None:
    from tests.cli.damage import tampering

    assert "no game" in filled.fails(1, "log", "--text", "-g", "@9")
    with tampering(filled.database) as connection:
        connection.execute("UPDATE events SET score = 99 WHERE seq = 1")
    assert id_text(7) in filled.fails(3, "log", "--text")
