"""On a terminal: colours, boxes, progress, and nothing of it anywhere else."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.games import CODE, GAMES, MODES, as_line, deck, game, id_text, utc, vector, write
from tests.cli.running import Ds, environment, on_terminal, process

COLOUR = re.compile(r"\x1b\[[0-9;]*(?<![0-9])(3[0-7]|9[0-7]|4[0-7]|38|48)(?![0-9])[0-9;]*m")
"""An escape sequence that sets a colour, and not only bold or dim."""


BOXES = re.compile(r"[\u2500-\u257f]")
"""What boxes are drawn with."""


@pytest.fixture
def filled(ds: Ds) -> Ds:
    """`ds` on a record of games of the four modes, and an open one of mika's."""
    said = [vector(label=f"APP-{mode}") for mode in MODES]
    said.append(game("D", "X", code="DS1-D3V-AAAAAAB", player="vector", started_at=utc()))
    ds.ok("import", "-", stdin="\n".join(map(as_line, said)))
    ds.ok("new", CODE)
    ds.ok("move", "D", "T2T3")
    return ds


def test_a_board_has_colours_on_a_terminal_alone(filled: Ds) -> None:
    screen = on_terminal("show")
    assert screen.status == 0
    assert COLOUR.search(screen.raw)
    # Without its colours it is what a pipe gets.
    assert screen.lines == [line.rstrip() for line in filled.ok("show").out.splitlines()]
    assert "\x1b" not in filled.ok("show").out


def test_no_color_is_honoured(filled: Ds) -> None:
    for command, setting in (["show"], "1"), (["games"], "yes"):
        screen = filled.screen(*command, NO_COLOR=setting)
        assert screen.status == 0
        assert not COLOUR.search(screen.raw)


def test_an_empty_no_color_is_none(filled: Ds) -> None:
    """So says its standard: set and not empty."""
    assert COLOUR.search(filled.screen("show", NO_COLOR="").raw)


def test_a_dumb_terminal_gets_no_escape_sequences(filled: Ds) -> None:
    assert "\x1b" not in filled.screen("show", TERM="dumb").raw


def test_a_pipe_gets_no_colours_even_if_they_are_forced_elsewhere(filled: Ds) -> None:
    for setting in ("FORCE_COLOR", "CLICOLOR_FORCE"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(setting, "1")
            assert "\x1b" not in filled.ok("show").out
            assert "\x1b" not in filled.ok("games").out


def test_tables_have_boxes_on_a_terminal_alone(filled: Ds) -> None:
    for command in ("log", "games"):
        screen = filled.screen(command)
        assert BOXES.search(screen.text)
        assert not BOXES.search(filled.ok(command).out)


def test_a_table_is_as_wide_as_the_terminal(filled: Ds) -> None:
    screen = on_terminal("games", "--player", "vector", columns=60)
    assert 50 <= max(map(len, screen.lines)) <= 60


@pytest.mark.parametrize("command", ["games", "scores", "vegas", "stats", "log"])
def test_tables_fit_a_terminal_of_80_columns_and_break_nothing(filled: Ds, command: str) -> None:
    """An id or a code that is broken over two lines can be neither read nor copied."""
    options = [] if command == "log" else ["--player", "vector"]
    screen = filled.screen(command, *options)
    assert max(map(len, screen.lines)) <= 80
    plain = filled.ok(command, *options).out
    words = set(re.findall(r"\b[0-9A-HJKMNP-TV-Z]{13}\b|\bDS1-D\d[NV]-[A-Z2-7]{7}\b", plain))
    # The names of the columns are read as often.
    words |= set(plain.splitlines()[0].split())
    for word in words:
        assert word in screen.text, word


def test_json_on_a_terminal_is_the_same_document_for_people_to_read(filled: Ds) -> None:
    screen = filled.screen("show", "--json")
    assert json.loads(screen.text) == filled.json("show")
    assert len(screen.lines) > 5
    assert len(filled.ok("show", "--json").out.splitlines()) == 1


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_board_is_the_same_whatever_the_width(filled: Ds, columns: int) -> None:
    wanted = [line.rstrip() for line in filled.ok("show").out.splitlines()]
    assert filled.screen("show", columns=columns).lines == wanted


def test_a_long_job_shows_progress_beside_the_data(ds: Ds, tmp_path: Path) -> None:
    """The bar goes to stderr: what is piped is the data alone."""
    for command, word in (
        (["import", str(GAMES), "--json"], "importing"),
        (["audit", "--json"], "auditing"),
        (["export", "--all"], "exporting"),
        (["simulate", "--games", "2", "--seed", "1", "--json"], "playing"),
        (["db", "rebuild", "--json"], "rebuilding"),
    ):
        screen = ds.screen(*command, pipe_stdout=True)
        assert screen.status == 0, command
        assert word in screen.text, command
        assert b"\x1b" not in screen.out
        assert all(json.loads(line) for line in screen.out.splitlines())


def test_without_a_terminal_there_is_no_progress(ds: Ds) -> None:
    ran = process("import", str(GAMES), "--json")
    assert b"importing" not in ran.stderr
    assert b"\x1b" not in ran.stderr + ran.stdout


def test_a_progress_bar_does_not_run_into_data_on_the_same_terminal(filled: Ds) -> None:
    """Lines of an export stay whole where both outputs go to one terminal."""
    lines = [line for line in on_terminal("export", "--all").lines if '"format"' in line]
    assert len(lines) == 6
    for line in lines:
        json.loads(line)


def test_a_replay_takes_its_time_on_a_terminal(filled: Ds, monkeypatch: pytest.MonkeyPatch) -> None:
    """One frame a second at speed 1, X frames a second at speed X, and no wait at the ends."""
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    monkeypatch.setattr("ds_cli.output.is_terminal", lambda: True)
    filled.ok("replay")
    assert waits == [1, 1]
    waits.clear()
    filled.ok("replay", "--speed", "4", "--from", "1")
    assert waits == [0.25]
    waits.clear()
    filled.ok("replay", "--at", "1")
    filled.ok("replay", "--json")
    assert waits == []


def test_messages_on_a_terminal_are_one_line(filled: Ds) -> None:
    screen = filled.screen("move", "R")
    assert screen.status == 1
    assert screen.raw.startswith("ds: R is refused (R18)")
    assert screen.raw.endswith("\r\n")


def test_an_audit_on_a_terminal_names_its_faults(ds: Ds, tmp_path: Path) -> None:
    path = write(tmp_path / "lie.jsonl", [game("D", "T1F", id=id_text(1))])
    screen = ds.screen("audit", "--file", path)
    assert screen.status == 1
    # Long lines are left to the terminal: a message that is cut helps nobody.
    assert "no foundation takes QS" in re.sub(r"\s+", " ", screen.text)
    assert "1 game, 2 events" in screen.text


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_an_encoding_without_suits_gets_letters(filled: Ds, encoding: str) -> None:
    status, written, err = filled.encoded(encoding, "show")
    out = written.decode(encoding)
    assert (status, err) == (0, b"")
    if encoding == "utf-8":
        assert "Q♠" in out
        assert "░░" in out
    else:
        assert out.isascii()
        assert "QS" in out
        assert "##" in out
        assert "\\u" not in out
    # The last card of each column, of which 5C has gone onto 6H: QD was turned up.
    for card in ("QS", "QD", "5C", "6C", "7H", "8S", "9D", "5S"):
        assert card in out.translate(str.maketrans("♠♥♦♣", "SHDC"))


def test_a_process_takes_its_encoding_from_its_environment(filled: Ds) -> None:
    ran = process("show", env=environment(PYTHONIOENCODING="ascii"))
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"QS" in ran.stdout


def test_names_in_another_encoding_are_escaped_and_not_fatal(ds: Ds) -> None:
    ds.ok("new", CODE, "--player", "山田")
    for command in (["show"], ["games", "--everyone"], ["games", "--everyone", "--csv"]):
        status, out, err = ds.encoded("ascii", *command, "--player", "山田")
        assert (status, err) == (0, b"")
        assert b"\\u5c71\\u7530" in out
    status, out, err = ds.encoded("ascii", "show", "--player", "太郎")
    assert (status, out) == (1, b"")
    assert b"\\u592a\\u90ce" in err


def test_help_in_another_encoding_has_no_escapes(ds: Ds) -> None:
    """Help is ours to write: it needs no character that a plain terminal lacks."""
    for command in (["--help"], ["show", "--help"], ["move", "--help"]):
        _, out, _ = ds.encoded("ascii", *command)
        assert b"Usage: ds" in out
        assert b"\\u" not in out


def test_messages_and_data_keep_their_order_in_one_stream(ds: Ds) -> None:
    """As with `ds … > file 2>&1`."""
    wrong = as_line(game("D", "T1F"))
    ran = process("import", "-", stdin=wrong.encode(), stderr=subprocess.STDOUT)
    lines = ran.stdout.decode().splitlines()
    assert [line.startswith("ds: ") for line in lines] == [True, False]


def test_the_deck_of_a_terminal_is_the_deck_of_a_pipe(ds: Ds) -> None:
    """A face-down card in brackets, the stock in rows: every card in its place."""
    screen = ds.screen("deal", CODE)
    assert screen.lines == [line.rstrip() for line in ds.ok("deal", CODE).out.splitlines()]
    stock = screen.text.partition("stock, the next card first:")[2].split()
    assert [card.translate(str.maketrans("♠♥♦♣", "SHDC")) for card in stock] == deck()[45:]
