"""Files that are written whole or not at all."""

import errno
import fcntl
import gzip
import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from ds_events import files
from ds_events.database import open_database
from ds_events.errors import UnreadableFile
from ds_events.files import is_database, whole_file, whole_folder, write_whole


class Broken(Exception):
    pass


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _write(path: Path, *parts: bytes, replace: bool = True, fails: bool = False) -> None:
    with write_whole(path, replace=replace) as file:
        for part in parts:
            file.write(part)
        if fails:
            raise Broken


def test_a_file_is_there_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with write_whole(path) as file:
        file.write(b"one\n")
        assert not path.exists()
        file.write(b"two\n")

    assert path.read_bytes() == b"one\ntwo\n"
    assert _names(tmp_path) == ["games.jsonl"]


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
@pytest.mark.parametrize("there", [True, False])
def test_what_fails_leaves_everything_as_it_was(tmp_path: Path, name: str, there: bool) -> None:
    path = tmp_path / name
    if there:
        path.write_bytes(b"before")

    with pytest.raises(Broken):
        _write(path, b"half", fails=True)

    assert _names(tmp_path) == [name] * there
    assert not there or path.read_bytes() == b"before"


def test_a_file_that_is_there_is_replaced_and_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"before")
    path.chmod(0o604)

    _write(path, b"after")

    assert path.read_bytes() == b"after"
    assert path.stat().st_mode & 0o777 == 0o604


def test_a_new_file_has_the_rights_that_any_new_file_gets(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()

    _write(tmp_path / "whole", b"x")

    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_gz_packs_the_same_content_into_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.gz", "b.jsonl.gz"):
        _write(tmp_path / name, b"one\n", b"two\n")

    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"one\ntwo\n"
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_a_file_that_may_not_be_replaced_is_refused_and_kept(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"before")

    with pytest.raises(UnreadableFile, match="exists already"):
        _write(path, b"after", replace=False)

    assert path.read_bytes() == b"before"
    assert _names(tmp_path) == [name]


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("is_ours", [True, False])
def test_no_database_is_written_over(tmp_path: Path, suffix: str, is_ours: bool) -> None:
    path = tmp_path / "games.db"
    if is_ours:
        open_database(path).close()
    else:
        with closing(sqlite3.connect(path)) as made:
            made.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()

    with pytest.raises(UnreadableFile, match=rf"games\.db{suffix} belongs to an SQLite database"):
        _write(tmp_path / f"games.db{suffix}", b"a picture")

    assert path.read_bytes() == before
    assert _names(tmp_path) == ["games.db"]


def test_a_database_behind_a_link_is_not_written_over(tmp_path: Path) -> None:
    open_database(tmp_path / "games.db").close()
    (tmp_path / "latest.html").symlink_to("games.db")

    with pytest.raises(UnreadableFile, match="belongs to an SQLite database"):
        _write(tmp_path / "latest.html", b"a page")

    open_database(tmp_path / "games.db").close()
    assert _names(tmp_path) == ["games.db", "latest.html"]


@pytest.mark.parametrize("there", [b"", b"x", b"a page" * 200])
@pytest.mark.parametrize("name", ["page", "page-wal", "-wal"])
def test_what_is_no_database_is_written_over(tmp_path: Path, there: bytes, name: str) -> None:
    (tmp_path / "page").write_bytes(there)

    _write(tmp_path / name, b"after")

    assert (tmp_path / name).read_bytes() == b"after"


def test_a_database_that_another_keeps_locked_is_one(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
        other.execute("BEGIN EXCLUSIVE")

        assert is_database(path)


def test_a_text_is_no_database_whoever_locks_it_and_whatever_lies_beside(tmp_path: Path) -> None:
    path = tmp_path / "travel"
    path.write_bytes(b"notes\n")
    # SQLite would take these for its own, and remove them.
    for name in ("travel-journal", "travel-wal"):
        (tmp_path / name).write_bytes(b"more notes\n")
    with path.open("r+b") as other:
        fcntl.lockf(other, fcntl.LOCK_EX)

        assert not is_database(path)

    assert _names(tmp_path) == ["travel", "travel-journal", "travel-wal"]


def test_a_database_that_comes_to_be_in_the_meantime_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    def write() -> None:
        with write_whole(path) as file:
            file.write(b"a page")
            open_database(path).close()

    with pytest.raises(UnreadableFile, match="belongs to an SQLite database"):
        write()

    open_database(path).close()
    assert _names(tmp_path) == ["games.db"]


def test_whether_a_file_that_cannot_be_opened_is_a_database_is_not_known(tmp_path: Path) -> None:
    assert not is_database(tmp_path / "missing.db")


def test_a_file_that_came_to_be_in_the_meantime_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"

    def write() -> None:
        with write_whole(path, replace=False) as file:
            file.write(b"after")
            path.write_bytes(b"before")

    with pytest.raises(UnreadableFile, match="exists already"):
        write()

    assert path.read_bytes() == b"before"
    assert _names(tmp_path) == ["games.jsonl"]


def test_the_file_behind_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"before")
    (tmp_path / "link").symlink_to("real")

    _write(tmp_path / "link", b"after")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"after"


def test_a_pipe_is_written_to_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()

    _write(pipe, b"one\n", b"two\n")

    reader.join(10)
    assert read == [b"one\ntwo\n"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("place", ["missing/games.jsonl", "file/games.jsonl"])
def test_a_folder_that_is_none_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UnreadableFile, match=f"{place} cannot be written"):
        _write(tmp_path / place, b"x")

    assert _names(tmp_path) == ["file"]


def test_a_disk_at_fault_names_the_file_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_: object) -> tuple[int, str]:
        raise OSError(28, "No space left on device", "/elsewhere/.games.jsonl.x7")

    monkeypatch.setattr("tempfile.mkstemp", full)

    with pytest.raises(OSError, match="No space left") as caught:
        _write(tmp_path / "games.jsonl", b"x")

    assert caught.value.filename == str(tmp_path / "games.jsonl")


def test_a_disk_that_fills_up_on_the_way_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)

    with pytest.raises(OSError, match="No space left"):
        _write(tmp_path / "games.jsonl", b"x")

    assert _names(tmp_path) == []


def test_a_disk_with_a_memory_of_its_own_is_told_to_empty_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[int] = []

    def refuse(_: int, command: int) -> None:
        said.append(command)
        raise OSError(errno.ENOTSUP, "not supported")

    monkeypatch.setattr(files, "_FULL_SYNC", 51)
    monkeypatch.setattr("fcntl.fcntl", refuse)

    _write(tmp_path / "games.jsonl", b"one\n")

    # The file, and the folder that has its name; a disk that cannot do it is no fault.
    assert said == [51, 51]
    assert (tmp_path / "games.jsonl").read_bytes() == b"one\n"


def test_other_programs_can_write_the_file_beside(tmp_path: Path) -> None:
    with whole_file(tmp_path / "copy.db", replace=False) as beside:
        assert beside.parent == tmp_path
        beside.write_bytes(b"x")

    assert _names(tmp_path) == ["copy.db"]
    assert (tmp_path / "copy.db").read_bytes() == b"x"


PAIR = ("a", "b")


def _fill(folder: Path, content: str, *, fails: bool = False) -> None:
    with whole_folder(folder, PAIR) as made:
        (made / "a").write_text(content)
        if fails:
            raise Broken
        (made / "b").write_text(content)


def _held(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("exchanges", [True, False])
@pytest.mark.parametrize("there", ["nothing", "empty", "pair"])
def test_a_folder_is_there_with_all_that_it_holds(
    tmp_path: Path, there: str, exchanges: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not exchanges:
        monkeypatch.setattr(files, "_exchange", lambda *_: False)
    folder = tmp_path / "tables"
    if there != "nothing":
        folder.mkdir(mode=0o750)
    if there == "pair":
        _fill(folder, "old")

    _fill(folder, "new")

    assert _held(folder) == {"a": "new", "b": "new"}
    assert _names(tmp_path) == ["tables"]
    if there != "nothing":
        assert folder.stat().st_mode & 0o777 == 0o750


def test_a_new_folder_has_the_rights_that_any_new_folder_gets(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()

    _fill(tmp_path / "whole", "x")

    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_fails_stays_as_it_was(tmp_path: Path, there: bool) -> None:
    if there:
        _fill(tmp_path / "tables", "old")

    with pytest.raises(Broken):
        _fill(tmp_path / "tables", "new", fails=True)
    with (
        pytest.raises(FileNotFoundError),
        whole_folder(tmp_path / "tables", PAIR) as made,
    ):
        (made / "a").touch()

    assert _names(tmp_path) == ["tables"] * there
    assert not there or _held(tmp_path / "tables") == {"a": "old", "b": "old"}


def test_a_folder_that_cannot_take_its_place_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill(tmp_path / "tables", "old")
    monkeypatch.setattr(files, "_exchange", lambda *_: False)
    rename = Path.rename

    def fail_at_the_new_one(self: Path, target: Path) -> Path:
        if target == tmp_path / "tables" and (self / "a").read_text() == "new":
            raise OSError(16, "Device or resource busy")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_at_the_new_one)

    with pytest.raises(OSError, match="busy") as caught:
        _fill(tmp_path / "tables", "new")

    assert caught.value.filename == str(tmp_path / "tables")
    assert _held(tmp_path / "tables") == {"a": "old", "b": "old"}
    assert _names(tmp_path) == ["tables"]


@pytest.mark.parametrize("held", [["a"], ["a", "b", "c"], ["c"], ["a", "b/"]])
def test_a_folder_with_other_things_is_refused(tmp_path: Path, held: list[str]) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    for name in held:
        (folder / name).mkdir() if name.endswith("/") else (folder / name).touch()

    with pytest.raises(UnreadableFile, match="not empty, and not just a and b"):
        _fill(folder, "new")

    assert _names(folder) == [name.rstrip("/") for name in held]
    assert _names(tmp_path) == ["tables"]


def test_what_came_into_a_folder_in_the_meantime_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "tables"

    def write() -> None:
        with whole_folder(folder, PAIR) as made:
            for name in PAIR:
                (made / name).touch()
            folder.mkdir()
            (folder / "mine").touch()

    with pytest.raises(UnreadableFile, match="not empty"):
        write()

    assert _names(folder) == ["mine"]
    assert _names(tmp_path) == ["tables"]


def test_a_folder_is_no_file_and_not_the_working_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    for place, why in (("file", "is a file"), ("file/x", "cannot be"), ("no/x", "cannot be")):
        with pytest.raises(UnreadableFile, match=why):
            _fill(tmp_path / place, "new")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(UnreadableFile, match="that you are in"):
        _fill(Path(), "new")
    assert _names(tmp_path) == ["file", "here"]


def test_the_folder_behind_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    _fill(tmp_path / "real", "old")
    (tmp_path / "link").symlink_to("real")

    _fill(tmp_path / "link", "new")

    assert (tmp_path / "link").is_symlink()
    assert _held(tmp_path / "real") == {"a": "new", "b": "new"}
