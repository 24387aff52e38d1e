"""`ds import`: through the referee, each game whole or not at all."""

import gzip
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli import damage
from tests.cli.games import CODE, GAMES, as_line, dealt, deck, game, id_text, utc, vectors, write
from tests.cli.running import Ds

REPORT_KEYS = ["added", "unchanged", "rejected", "faults", "warnings"]


def _imported(ds: Ds, *games: dict[str, Any] | str) -> dict[str, Any]:
    """Import lines and return the report of `--json`, whatever the exit status."""
    lines = [said if isinstance(said, str) else as_line(said) for said in games]
    ran = ds("import", "-", "--json", stdin="\n".join(lines))
    report: dict[str, Any] = ran.json
    assert list(report) == REPORT_KEYS
    assert ran.status == (1 if report["rejected"] else 0)
    return report


def test_the_checked_games_are_taken_in(ds: Ds) -> None:
    ran = ds.ok("import", str(GAMES), "--json")
    assert (ran.json["added"], ran.json["unchanged"], ran.json["rejected"]) == (33, 0, 0)
    assert ran.json["faults"] == []
    assert len(ds.contents()["games"]) == 33
    # Undone moves stay in the record as they were played.
    assert len(ds.contents()["events"]) == sum(len(said["events"]) for said in vectors())


def test_what_is_stored_already_changes_nothing_and_that_is_said(ds: Ds) -> None:
    ds.ok("import", str(GAMES))
    before = ds.contents()
    ran = ds.ok("import", str(GAMES))
    assert ran.out == "no games added, 33 stored already, none rejected\n"
    assert ds.contents() == before


def test_the_same_line_twice_in_a_file_is_one_game(ds: Ds) -> None:
    report = _imported(ds, game("D"), game("D"), game("D", "D"))
    assert (report["added"], report["unchanged"]) == (2, 1)


def test_the_same_id_with_other_content_is_rejected(ds: Ds) -> None:
    _imported(ds, game("D", id=id_text(1), started_at=utc()))
    for other in (
        game("D", "D", id=id_text(1)),
        game("T2T3", id=id_text(1)),
        game("D", id=id_text(1), player="kai"),
        game("D", id=id_text(1), started_at=utc(seconds=1)),
        game("D", id=id_text(1), code="DS1-D1V-AAAAAAB"),
        dealt("D", id=id_text(1)),
    ):
        before = ds.contents()
        report = _imported(ds, other)
        (row,) = report["faults"]
        assert (row["kind"], row["game"], row["line"]) == ("conflict", id_text(1), 1)
        assert (report["added"], report["unchanged"], report["rejected"]) == (0, 0, 1)
        assert ds.contents() == before
    # What the line does not say cannot differ.
    assert _imported(ds, game("D", id=id_text(1)))["unchanged"] == 1


def test_a_rejection_names_line_game_seq_claim_and_rule(ds: Ds) -> None:
    wrong = game("D", "T2T3", "D", id=id_text(8))
    for event, score in zip(wrong["events"], (0, 10, 10), strict=True):
        event["score"] = score
    illegal = game("D", "T1F", id=id_text(9))
    ran = ds("import", "-", stdin="\n".join(["", as_line(wrong), as_line(illegal)]))
    assert ran.status == 1
    assert ran.out == "no games added, none stored already, 2 rejected\n"
    first, second = ran.err.splitlines()
    for part in ("line 2", id_text(8), "seq 2", "T2T3", "+10", "+5"):
        assert part in first
    for part in ("line 3", id_text(9), "seq 2", "T1F", "R12", "QS"):
        assert part in second
    assert ds.contents()["games"] == []


def test_a_rejected_game_does_not_keep_the_others_out(ds: Ds) -> None:
    chance = Random(1)
    lines = [said | {"id": id_text(n)} for n, said in enumerate(vectors(), 1)]
    lies = {
        3: damage.wrong_score,
        9: damage.illegal_move,
        20: damage.missing_event,
        33: damage.wrong_end,
    }
    for line, harm in lies.items():
        lines[line - 1] = harm(lines[line - 1], chance)[0]
    report = _imported(ds, *lines)
    assert (report["added"], report["unchanged"], report["rejected"]) == (29, 0, 4)
    assert [row["line"] for row in report["faults"]] == sorted(
        row["line"] for row in report["faults"]
    )
    assert {row["line"] for row in report["faults"]} == set(lies)
    assert {row["file"] for row in report["faults"]} == {"-"}
    stored = {row[0] for row in ds.contents()["games"]}
    assert stored == set(range(1, 34)) - set(lies)
    assert ds.json("audit")["faults"] == []


def test_faults_are_named_in_the_order_of_the_lines(ds: Ds) -> None:
    _imported(ds, game("D", id=id_text(1)))
    report = _imported(ds, game("D", "D", id=id_text(1)), "{", game("T1F"))
    assert [row["line"] for row in report["faults"]] == [1, 2, 3]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        '{"format":"ds-game/2","code":"DS1-D1N-AAAAAAB","events":[]}',
        as_line(game("D", extra=True)),
        as_line(game("D"))[:-1] + ',"events":[]}',
        as_line(game("D", deck=" ".join(deck()))),
        as_line(dealt("D", cards=["AS"] * 104)),
        as_line(game("D", mode="D3N")),
        as_line(game("D", label="x")),
        as_line(dealt("D", label="x" * 65)),
        as_line(game("D", player="x" * 65)),
        as_line(game("D", player="a\0b")),
        as_line(game("D", started_at="2026-11-30T02:10:00.1234567Z")),
        as_line(game("D", score=1)),
        as_line(game("D", moves=2)),
        as_line(game("D", status="won")),
        as_line(game("D", "X", "D")),
    ],
)
def test_what_is_not_in_order_is_rejected_and_nothing_of_it_is_stored(ds: Ds, line: str) -> None:
    report = _imported(ds, line)
    assert (report["added"], report["rejected"]) == (0, 1)
    assert len(report["faults"]) >= 1
    assert all(row["line"] == 1 and row["message"] for row in report["faults"])
    assert ds.contents()["games"] == []


def test_player_is_the_lines_or_the_option(ds: Ds) -> None:
    nobody = {key: value for key, value in game("D").items() if key != "player"}
    ds.ok("import", "-", "--player", "kai", stdin=f"{as_line(nobody)}\n{as_line(game('D', 'D'))}")
    rows = ds.json("games", "--everyone")["rows"]
    assert {row["player"]: row["moves"] for row in rows} == {"kai": 1, "mika": 2}


def test_times_that_are_not_said_follow_from_those_that_are(ds: Ds) -> None:
    said = game("D", "D", "D", id=id_text(1))
    said["events"][1]["at"] = "2026-11-30T11:10:00.5+09:00"
    ds.ok("import", "-", stdin=as_line(said))
    line = json.loads(ds.ok("export").out)
    at = "2026-11-30T02:10:00.500000Z"
    assert line["started_at"] == at
    assert [event["at"] for event in line["events"]] == [at, at, at]


def test_backward_times_are_kept_and_reported(ds: Ds) -> None:
    said = game("D", "D", id=id_text(1), started_at=utc(seconds=9))
    said["events"][0]["at"], said["events"][1]["at"] = utc(seconds=8), utc(seconds=7)
    ran = ds.ok("import", "-", stdin=as_line(said))
    assert ran.err.count("warning") == 2
    assert [e["at"] for e in json.loads(ds.ok("export").out)["events"]] == [
        utc(seconds=8),
        utc(seconds=7),
    ]
    report = ds.json("import", "-", stdin=as_line(said))
    assert {row["kind"] for row in report["warnings"]} == {"times"}


def test_several_files_are_counted_together(ds: Ds, tmp_path: Path) -> None:
    first = write(tmp_path / "first.jsonl", [game("D"), "{"])
    second = write(tmp_path / "second.jsonl.gz", [game("D"), game("D", "D"), "["])
    ran = ds("import", first, second, "--json")
    assert ran.status == 1
    assert (ran.json["added"], ran.json["unchanged"], ran.json["rejected"]) == (2, 1, 2)
    assert [(row["file"], row["line"]) for row in ran.json["faults"]] == [(first, 2), (second, 3)]
    for name, line in ((first, 2), (second, 3)):
        assert re.search(rf"{re.escape(name)}: .*line {line}\b", ran.err)


def test_what_was_stored_is_said_even_where_a_later_file_is_missing(ds: Ds, tmp_path: Path) -> None:
    """Either nothing is stored, or the person is told what was."""
    first = write(tmp_path / "first.jsonl", [game("D"), game("D", "D")])
    ran = ds("import", first, str(tmp_path / "missing.jsonl"))
    assert ran.status == 2
    assert "missing.jsonl" in ran.err
    if ds.contents()["games"]:
        assert "2 games added" in ran.out + ran.err


@pytest.mark.parametrize("way", ["plain", "gz", "stdin"])
def test_a_file_is_plain_packed_or_stdin(ds: Ds, tmp_path: Path, way: str) -> None:
    content = (as_line(game("D")) + "\n").encode()
    if way == "stdin":
        ran = ds.ok("import", "-", stdin=content)
    else:
        path = tmp_path / f"games.{way}"
        path.write_bytes(gzip.compress(content) if way == "gz" else content)
        ran = ds.ok("import", str(path))
    assert ran.out == "1 game added, none stored already, none rejected\n"


def _undecodable(tmp_path: Path) -> dict[str, Path]:
    """Return files that hold no text in UTF-8 at all."""
    packed = gzip.compress(as_line(game("D")).encode())
    contents = {
        "utf16.jsonl": as_line(game("D")).encode("utf-16"),
        "cut.gz": packed[:-12],
        "flipped.gz": packed[:20] + bytes([packed[20] ^ 0xFF]) + packed[21:],
        "plain.gz": as_line(game("D")).encode(),
        "packed.jsonl": packed,
        "record.db": (tmp_path / "games.db").read_bytes(),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return {name: tmp_path / name for name in contents}


NAMES = ["utf16.jsonl", "cut.gz", "flipped.gz", "plain.gz", "packed.jsonl", "record.db"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", [["import"], ["audit", "--file"]])
def test_a_file_that_cannot_be_decoded_at_all_is_wrong_usage(
    ds: Ds, tmp_path: Path, name: str, command: list[str]
) -> None:
    path = _undecodable(tmp_path)[name]
    message = ds.fails(2, *command, str(path))
    assert str(path) in message


@pytest.mark.parametrize("command", [["import"], ["audit", "--file"]])
def test_a_file_that_cannot_be_opened_is_wrong_usage(
    ds: Ds, tmp_path: Path, command: list[str]
) -> None:
    for path in (tmp_path / "missing.jsonl", tmp_path):
        assert str(path) in ds.fails(2, *command, str(path))


def test_import_wants_a_file(ds: Ds) -> None:
    assert "FILE" in ds.fails(2, "import")


def _variants() -> dict[str, bytes]:
    one, two = as_line(game("D", player="a\u2028b\u0085c")), as_line(game("D", "D"))
    plain = f"{one}\n{two}\n".encode()
    return {
        "plain": plain,
        "no last newline": plain[:-1],
        "CRLF": plain.replace(b"\n", b"\r\n"),
        "byte order mark": b"\xef\xbb\xbf" + plain,
        "blank lines": b"\n\n" + plain.replace(b"\n", b"\n \t\r\n\n"),
        "spaces around": b"".join(b"  \t" + line + b"  \n" for line in plain.splitlines()),
        "spaces inside": "\n".join(
            json.dumps(json.loads(line), separators=(" , ", " : ")) for line in (one, two)
        ).encode(),
        "escapes": "\n".join(
            json.dumps(json.loads(line), ensure_ascii=True) for line in (one, two)
        ).encode(),
    }


@pytest.mark.parametrize("name", sorted(_variants()))
def test_white_space_never_changes_what_is_read(ds: Ds, name: str) -> None:
    """Case 20; a line ends at a newline and at nothing else that looks like one."""
    report = ds.json("import", "-", stdin=_variants()[name])
    assert (report["added"], report["rejected"]) == (2, 0)
    # The same lines are the same games, however they were written.
    again = ds.json("import", "-", stdin=_variants()["plain"])
    assert (again["added"], again["unchanged"]) == (0, 2)


def test_a_line_beyond_the_limit_is_rejected_and_the_next_is_read(ds: Ds) -> None:
    too_long = as_line(game("D"))[:-1] + " " * (5 * 2**20) + "}"
    report = _imported(ds, too_long, game("D"))
    assert (report["added"], report["rejected"]) == (1, 1)
    assert report["faults"][0]["line"] == 1


def test_codes_and_decks_of_the_same_cards_are_different_records(ds: Ds) -> None:
    report = _imported(ds, game("D"), dealt("D"), dealt("D", label="x"))
    assert report["added"] == 3
    assert {row["code"] for row in ds.json("games")["rows"]} == {CODE, None}
