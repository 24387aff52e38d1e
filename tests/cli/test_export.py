"""`ds export`: ds-game/1, whole games, whole files."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.damage import tampering
from tests.cli.games import CODE, GAMES, as_line, dealt, deck, game, id_text, utc, vectors
from tests.cli.running import Ds

CODED_KEYS = ["format", "id", "code", "player", "started_at", "events", "status", "score", "moves"]
OWN_KEYS = [
    *("format", "id", "mode", "deck", "label", "player", "started_at", "events"),
    *("status", "score", "moves"),
]


def _full(number: int, *moves: str, **said: Any) -> dict[str, Any]:
    """Return a game of `CODE` with a time for each event."""
    made = game(*moves, id=id_text(number), started_at=utc()) | said
    for event in made["events"]:
        event["at"] = utc(seconds=event["seq"])
    return made


@pytest.fixture
def three(ds: Ds) -> Ds:
    """A record of three games of two players, the second one closed."""
    said = [_full(1, "D"), _full(2, "D", "X"), _full(3, "D", "D", player="kai")]
    ds.ok("import", "-", stdin="\n".join(map(as_line, said)))
    return ds


def _ids(out: str) -> list[str]:
    return [json.loads(line)["id"] for line in out.splitlines()]


def test_a_line_is_one_game_with_all_that_applies_in_order(ds: Ds) -> None:
    said = _full(5, "D", "T2T3", "U")
    ds.ok("import", "-", stdin=as_line(said))
    ran = ds.ok("export")
    line = json.loads(ran.out)
    assert ran.out.count("\n") == 1
    assert list(line) == CODED_KEYS
    events = [
        {**event, "score": score} for event, score in zip(said["events"], (0, 5, 0), strict=True)
    ]
    # R27: two operations were played, and undo does not lower the counter.
    assert line == {**said, "events": events, "status": "open", "score": 0, "moves": 2}
    assert list(line["events"][0]) == ["seq", "move", "score", "at"]


def test_a_game_of_its_own_deck_has_mode_and_deck_and_its_label(ds: Ds) -> None:
    for number, label in ((1, "app 1"), (2, None)):
        said = dealt("D", mode="D3V", id=id_text(number), started_at=utc())
        if label:
            said["label"] = label
        ds.ok("import", "-", stdin=as_line(said))
        line = json.loads(ds.ok("export", id_text(number)).out)
        assert list(line) == [key for key in OWN_KEYS if label or key != "label"]
        assert (line["mode"], line["deck"].split(), line["score"]) == ("D3V", deck(), -104)


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        ([], [1]),
        (["@1"], [2]),
        (["@2", id_text(3)], [1, 3]),
        ([id_text(3), id_text(2)], [3, 2]),
        (["--all"], [1, 2, 3]),
        (["--player", "kai"], [3]),
    ],
)
def test_which_games_are_exported(three: Ds, arguments: list[str], ids: list[int]) -> None:
    assert _ids(three.ok("export", *arguments).out) == [id_text(n) for n in ids]


def test_a_game_named_twice_is_exported_once(three: Ds) -> None:
    assert _ids(three.ok("export", "@2", id_text(1)).out) == [id_text(1)]


def test_games_and_all_are_one_too_many(three: Ds) -> None:
    assert "--all" in three.fails(2, "export", "@1", "--all")


def test_an_unknown_game_exports_nothing_at_all(three: Ds, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert "no game" in three.fails(1, "export", "@1", "@9", "-o", str(out))
    assert not out.exists()


def test_all_of_an_empty_record_is_an_empty_file(ds: Ds, tmp_path: Path) -> None:
    assert ds.ok("export", "--all").out == ""
    ds.ok("export", "--all", "-o", str(tmp_path / "none.jsonl"))
    assert (tmp_path / "none.jsonl").read_bytes() == b""


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_a_file_has_the_same_bytes_as_stdout(three: Ds, tmp_path: Path, option: str) -> None:
    printed = three.ok("export", "--all").out
    path = tmp_path / "games.jsonl"
    ran = three.ok("export", "--all", option, str(path))
    assert ran.out == ""
    assert path.read_bytes() == printed.encode()
    assert three.ok("export", "--all", option, "-").out == printed


def test_gz_packs_and_the_same_games_are_the_same_bytes(three: Ds, tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl.gz", tmp_path / "second.jsonl.gz"
    three.ok("export", "--all", "-o", str(first))
    three.ok("export", "--all", "-o", str(second))
    assert gzip.decompress(first.read_bytes()).decode() == three.ok("export", "--all").out
    # Neither a time nor a file name in the header: a sum over the file means something.
    assert first.read_bytes() == second.read_bytes()


def test_an_old_file_is_replaced_and_keeps_its_permissions(three: Ds, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    three.ok("export", "--all", "-o", str(path))
    assert _ids(path.read_text(encoding="utf-8")) == [id_text(n) for n in (1, 2, 3)]
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_permissions_that_the_user_gives_to_files(
    three: Ds, tmp_path: Path
) -> None:
    before = os.umask(0o027)
    try:
        three.ok("export", "--all", "-o", str(tmp_path / "games.jsonl"))
    finally:
        os.umask(before)
    assert (tmp_path / "games.jsonl").stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(three: Ds, tmp_path: Path) -> None:
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    three.ok("export", "--all", "-o", str(link))
    assert link.is_symlink()
    assert len(target.read_text(encoding="utf-8").splitlines()) == 3


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_a_fault_in_the_middle_leaves_the_old_file_and_nothing_else(
    three: Ds, tmp_path: Path, name: str
) -> None:
    with tampering(three.database) as connection:
        connection.execute("UPDATE events SET score = 99 WHERE game_id = 3")
    folder = tmp_path / "out"
    folder.mkdir()
    path = folder / name
    path.write_bytes(b"old")
    message = three.fails(3, "export", "--all", "-o", str(path))
    assert id_text(3) in message
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in folder.iterdir()] == [name]


@pytest.mark.parametrize("target", ["missing/games.jsonl", "."])
def test_a_file_that_cannot_be_written_is_wrong_usage(
    three: Ds, tmp_path: Path, target: str
) -> None:
    path = tmp_path / target
    message = three.fails(2, "export", "--all", "-o", str(path))
    assert str(path.resolve()) in message


def test_a_device_is_written_to_and_not_replaced(three: Ds) -> None:
    three.ok("export", "--all", "-o", os.devnull)
    assert not Path(os.devnull).is_file()


def test_a_full_disk_is_the_environments_fault(three: Ds) -> None:
    message = three.fails(3, "export", "--all", "-o", "/dev/full")
    assert "space" in message
    assert "/dev/full" in message


def test_an_export_imported_into_an_empty_record_and_exported_again_is_the_same(
    ds: Ds, tmp_path: Path
) -> None:
    ds.ok("import", str(GAMES))
    ds.ok(
        "import", "-", stdin=as_line(_full(1, "D", player="\u5c71\u7530 \U0001f0cf\x1b[31m\u2028"))
    )
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl.gz"
    ds.ok("export", "--all", "-o", str(first))
    other = str(tmp_path / "other.db")
    ds.ok("import", str(first), "--db", other)
    ds.ok("export", "--all", "-o", str(second), "--db", other)
    assert first.read_bytes() == gzip.decompress(second.read_bytes())
    assert len(first.read_bytes().splitlines()) == len(vectors()) + 1


def test_what_was_played_here_can_be_exported_and_imported(ds: Ds, tmp_path: Path) -> None:
    cards = tmp_path / "cards.txt"
    cards.write_text(" ".join(deck()), encoding="utf-8")
    ds.ok("new", CODE)
    ds.ok("move", "D", "T2T3", "U", "X")
    ds.ok("new", "--deck", str(cards), "--label", "\u30e9" * 64, "--player", "n" * 64)
    exported = ds.ok("export", "--all").out
    other = str(tmp_path / "other.db")
    ran = ds.ok("import", "-", "--json", "--db", other, stdin=exported)
    assert (ran.json["added"], ran.json["rejected"]) == (2, 0)
    assert ds.ok("export", "--all", "--db", other).out == exported
