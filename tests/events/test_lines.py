"""Files of records: lines in bounded memory, whatever the file holds."""

import gzip
import io
import tracemalloc
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from ds_events.audit import audit_lines
from ds_events.database import open_database
from ds_events.errors import UnreadableFile
from ds_events.limits import MAX_LINE
from ds_events.lines import open_lines, read_lines
from tests.events.building import as_line, game_line, vector_lines

ONE, TWO = as_line(game_line(player="ä")), as_line(game_line(player="b"))


def _read(content: bytes) -> list[tuple[int, bytes]]:
    return list(read_lines(io.BytesIO(content)))


@pytest.mark.parametrize(
    ("content", "numbers"),
    [
        pytest.param(ONE + b"\n" + TWO + b"\n", (1, 2), id="as exported"),
        pytest.param(ONE + b"\n" + TWO, (1, 2), id="no last newline"),
        pytest.param(ONE + b"\r\n" + TWO + b"\r\n", (1, 2), id="CRLF"),
        pytest.param(ONE + b"\r\n" + TWO + b"\r", (1, 2), id="half a CRLF"),
        pytest.param(b"\xef\xbb\xbf" + ONE + b"\n" + TWO + b"\n", (1, 2), id="a BOM"),
        pytest.param(b"\xef\xbb\xbf\r\n" + ONE + b"\r\n" + TWO, (2, 3), id="a BOM on its own line"),
        pytest.param(b"\n\n" + ONE + b"\n \t\n" + TWO + b"\n\n\n", (3, 5), id="blank lines"),
        pytest.param(b" \t" + ONE + b" \t\n\t " + TWO + b"\t \n", (1, 2), id="space around"),
    ],
)
def test_what_stands_around_records_changes_nothing(
    content: bytes, numbers: tuple[int, int]
) -> None:
    assert _read(content) == list(zip(numbers, (ONE, TWO), strict=True))


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read"), open_lines(tmp_path / ("x" * 300)):
        pass


def test_a_database_is_no_file_of_records(tmp_path: Path) -> None:
    path = tmp_path / "my games.db"
    open_database(path).close()

    with (
        pytest.raises(UnreadableFile, match=r"export --all --db '.*/my games\.db'"),
        open_lines(path),
    ):
        pass


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\t\n", b"\xef\xbb\xbf"])
def test_a_file_without_records_has_no_lines(content: bytes) -> None:
    assert _read(content) == []


def test_characters_that_other_programs_take_for_line_breaks_are_none() -> None:
    line = as_line(game_line(player="a\u2028b\u0085c\x0bd\x0ce\x1cf"))

    assert _read(line + b"\n" + ONE) == [(1, line), (2, ONE)]


def test_a_bom_is_skipped_at_the_beginning_alone() -> None:
    bom = b"\xef\xbb\xbf"

    assert _read(ONE + b"\n" + bom + TWO) == [(1, ONE), (2, bom + TWO)]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_line_as_long_as_allowed_is_read_whole(end: bytes) -> None:
    longest = b"x" * MAX_LINE

    assert _read(longest + end + ONE * bool(end)) == [(1, longest), (2, ONE)][: 1 + bool(end)]


@pytest.mark.parametrize("size", [MAX_LINE + 1, MAX_LINE + 3, 3 * MAX_LINE + 5])
def test_a_longer_line_is_seen_to_be_longer_and_the_next_is_read(size: int) -> None:
    (first, long), second = _read(b"x" * size + b"\n" + ONE + b"\n")

    assert first == 1
    assert MAX_LINE < len(long) <= MAX_LINE + 2
    assert second == (2, ONE)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b" " * (MAX_LINE + 2) + ONE, id="space before the record"),
        pytest.param(b" " * 10 + b'"' + b"x" * (2 * MAX_LINE) + b'"', id="space before a text"),
        pytest.param(ONE + b" " * (MAX_LINE + 2) + TWO, id="space between two records"),
        pytest.param(ONE + b" " * (MAX_LINE + 2) + b"}", id="space before something left over"),
    ],
)
def test_nothing_of_a_longer_line_is_lost_without_a_word(line: bytes) -> None:
    report = audit_lines(read_lines(io.BytesIO(line + b"\n" + TWO + b"\n")))

    assert report.games == 2
    [fault] = report.faults
    assert (fault.line, fault.finding.kind) == (1, "format")
    assert str(MAX_LINE) in fault.finding.message


class _Endless(io.RawIOBase):
    """A stream of one endless line, of which `limit` bytes are given."""

    def __init__(self, limit: int) -> None:
        self.left = limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        space = memoryview(cast("bytearray", buffer))
        count = min(len(space), self.left)
        space[:count] = b"x" * count
        self.left -= count
        return count


def test_an_endless_line_takes_no_more_memory_than_a_long_one() -> None:
    endless = _Endless(20 * MAX_LINE)
    stream = io.BufferedReader(endless)

    tracemalloc.start()
    lines = [(number, len(line)) for number, line in read_lines(cast("BinaryIO", stream))]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [number for number, _ in lines] == [1]
    assert endless.left == 0
    assert peak < 5 * MAX_LINE


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(ONE.decode().encode("utf-16"), id="UTF-16"),
        pytest.param(b"\xfe\xff" + ONE.decode().encode("utf-16-be"), id="UTF-16, big end first"),
        pytest.param(b"\xff\xfe\0\0" + ONE.decode().encode("utf-32-le"), id="UTF-32"),
        pytest.param(b"\0\0\xfe\xff" + ONE.decode().encode("utf-32-be"), id="UTF-32, big end"),
        pytest.param(ONE.decode().encode("utf-16-le"), id="UTF-16 without a mark"),
        pytest.param(gzip.compress(ONE), id="packed without a name in .gz"),
    ],
)
def test_what_is_no_utf_8_text_is_refused_as_a_whole(content: bytes) -> None:
    with pytest.raises(UnreadableFile, match="UTF-8"):
        _read(content)


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_a_file_is_opened_by_its_name(tmp_path: Path, name: str) -> None:
    content = b"\n".join(vector_lines())
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)

    with open_lines(tmp_path / name) as stream:
        assert [line for _, line in read_lines(stream)] == list(vector_lines())


def test_a_gzip_file_in_several_parts_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "games.gz"
    path.write_bytes(gzip.compress(ONE + b"\n") + gzip.compress(TWO + b"\n"))

    with open_lines(path) as stream:
        assert list(read_lines(stream)) == [(1, ONE), (2, TWO)]


def _read_file(path: Path) -> list[tuple[int, bytes]]:
    with open_lines(path) as stream:
        return list(read_lines(stream))


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        pytest.param(lambda packed: packed[:-9], "damaged as a gzip file", id="cut short"),
        pytest.param(lambda packed: packed[:-1], "damaged as a gzip file", id="one byte short"),
        pytest.param(lambda packed: packed[:12], "damaged as a gzip file", id="hardly begun"),
        pytest.param(lambda packed: packed[:20] + b"\xff" * 50, "damaged", id="overwritten"),
        pytest.param(lambda packed: packed[:-8] + bytes(8), "cannot be read", id="a wrong sum"),
        pytest.param(lambda packed: ONE, "cannot be read", id="not packed"),
    ],
)
def test_a_damaged_gzip_file_is_named(tmp_path: Path, damage: object, why: str) -> None:
    assert callable(damage)
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(damage(gzip.compress(b"\n".join(vector_lines()[:3]))))

    with pytest.raises(UnreadableFile, match=rf"games\.jsonl\.gz .*{why}"):
        _read_file(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"games\.jsonl cannot be read: No such file"):
        _read_file(tmp_path / "games.jsonl")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read: Is a directory"):
        _read_file(tmp_path)


def _fail_while_open(path: Path, error: BaseException) -> None:
    with open_lines(path):
        raise error


@pytest.mark.parametrize("error", [BrokenPipeError(32, "Broken pipe"), EOFError("elsewhere")])
def test_what_fails_while_a_file_is_open_is_not_laid_to_the_file(
    tmp_path: Path, error: Exception
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(ONE)

    with pytest.raises(type(error)) as caught:
        _fail_while_open(path, error)

    assert caught.value is error
