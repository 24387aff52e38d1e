"""Games of a file: where one ends and the next begins, and on which line a fault is."""

import json
import tracemalloc
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

from ds_events.audit import audit_lines
from ds_events.errors import BadRecord
from ds_events.limits import MAX_EVENTS, MAX_LINE
from ds_events.lines import read_lines
from ds_events.store import EventStore
from ds_events.transfer import ImportReport, import_records
from ds_events.written import MAX_LINES, WrittenGame, written_games
from tests.events.building import FakeClock, as_line, exported, found, game_line

CODE = '[Code "DS1-D1N-AAAAAAB"]\n'
FORMAT = '[Format "ds-text/1"]\n'
LINE = as_line(game_line()).decode() + "\n"
MOVES = "1. D\n2. T2T3\n"


def _games(content: str | bytes) -> list[WrittenGame]:
    data = content if isinstance(content, bytes) else content.encode()
    return list(written_games(read_lines(BytesIO(data))))


def _read(game: WrittenGame) -> str | int:
    """Return how many events a game has, or what is wrong with it."""
    try:
        return len(game.read().claims)
    except BadRecord as error:
        return str(error)


def _taken_in(store: EventStore, content: str) -> ImportReport:
    return import_records(store, read_lines(BytesIO(content.encode())), "mika", clock=FakeClock())


@pytest.mark.parametrize(
    ("content", "lines", "events"),
    [
        (CODE + MOVES, [1], [2]),
        (CODE + MOVES + CODE + MOVES, [1, 4], [2, 2]),
        (CODE + MOVES + LINE + CODE + MOVES, [1, 4, 5], [2, 2, 2]),
        (LINE + LINE + CODE + MOVES + LINE, [1, 2, 3, 6], [2, 2, 2, 2]),
        (FORMAT + CODE + FORMAT + CODE + MOVES, [1, 3], [0, 2]),
        (CODE + FORMAT + MOVES, [1], [2]),
        (CODE + LINE, [1, 2], [0, 2]),
        (CODE + "\n\n" + MOVES.replace("\n", "\n\n"), [1], [2]),
    ],
)
def test_a_game_ends_where_another_begins(
    content: str, lines: list[int], events: list[int]
) -> None:
    games = _games(content)

    assert [game.line for game in games] == lines
    assert [_read(game) for game in games] == events


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.replace(b"\n", b" \t\n\n  "),
        lambda text: text[:-1],
    ],
    ids=["CRLF", "byte order mark", "spaces and blank lines", "no last newline"],
)
def test_white_space_never_changes_what_is_read(change: Any) -> None:
    """Case 20."""
    text = (FORMAT + CODE + '[Player " mika "]\n' + MOVES + LINE + CODE + MOVES).encode()

    assert [game.read() for game in _games(change(text))] == [game.read() for game in _games(text)]


@pytest.mark.parametrize(
    ("content", "events", "said"),
    [
        # A deck that does not end takes no move and no other game with it.
        ('[Mode "D1N"]\n[Deck "AS\n2S\n' + MOVES + CODE + MOVES, 2, "does not end"),
        ('[Mode "D1N"]\n[Deck "AS\n' + LINE, 2, "does not end"),
        # Moves without numbers, and a comment, are parts of their game.
        (CODE + "D\nT2T3\n" + CODE + MOVES, 2, "no numbered move"),
        (CODE + "1. D\n{ good }\n2. T2T3\n" + CODE + MOVES, 2, "no numbered move"),
        (CODE + "1. D\n[]\n2. T2T3\n" + CODE + MOVES, 2, "no tag"),
        (CODE + CODE + MOVES + LINE, 2, "second time"),
    ],
)
def test_what_is_wrong_in_one_game_is_its_own(content: str, events: int, said: str) -> None:
    first, second = _games(content)

    assert said in str(_read(first))
    assert _read(second) == events


@pytest.mark.parametrize("line", ["[]", "1. D", "D", "null", '"x"', "[{}]"])
def test_a_line_outside_of_a_text_is_read_as_json(line: str) -> None:
    first, second = _games(f"{LINE}{line}\n")

    assert _read(first) == 2
    with pytest.raises(BadRecord, match=r"JSON|dictionary"):
        second.read()


def test_a_fault_of_the_referee_names_its_line(store: EventStore) -> None:
    content = (
        f'{LINE}{CODE}[Score "99"]\n[Status "won"]\n\n1. D 7\n2. T2T3 12\n\n'
        f"{CODE}1. D\n2. T1F\n{CODE}1. D\n3. D\n4. D\n"
    )

    report = _taken_in(store, content)
    audit = audit_lines(read_lines(BytesIO(content.encode())))

    right = [
        (6, "score", 7, 0),
        (4, "end_status", "won", "open"),
        (3, "end_score", 99, 5),
        (11, "illegal_move", "T1F", "R12"),
        (14, "seq", 3, 2),
    ]
    for faults in (report.faults, audit.faults):
        kinds = [
            (fault.line, kind, *rest)
            for fault, (kind, _, *rest) in zip(faults, found(faults), strict=True)
        ]
        assert kinds == right
    assert (report.added, report.rejected, audit.games, audit.unjudged) == (1, 3, 4, 1)


def test_a_warning_names_its_line(store: EventStore) -> None:
    started = '[Started "2026-11-30T02:10:00Z"]\n'

    report = _taken_in(store, f"{CODE}{started}1. D 0:00:05\n\n2. D 0:00:04\n")

    [warning] = report.warnings
    assert (warning.line, warning.finding.kind, warning.finding.seq) == (5, "times", 2)


def test_faults_come_in_the_order_of_their_games(store: EventStore) -> None:
    """Also those that are found late: a conflict is found as the game is to be stored."""
    taken = f'{CODE}[Id "0000000000001"]\n1. D\n'
    _taken_in(store, taken)

    report = _taken_in(store, f"{taken}2. D\n{CODE}1. T1F\n{taken}2. D\n3. D\n[Code\n")

    kinds = [(fault.line, fault.finding.kind) for fault in report.faults]
    assert kinds == [(1, "conflict"), (6, "illegal_move"), (7, "conflict"), (12, "format")]
    assert report.rejected == 4


def test_the_same_text_is_the_same_game_as_its_line(store: EventStore) -> None:
    assert _taken_in(store, LINE.replace('{"', '{"player":"mika","', 1)).added == 1

    report = _taken_in(store, CODE + '[Player "mika"]\n' + MOVES)

    assert (report.added, report.unchanged) == (0, 1)
    assert len(exported(store.database)) == 1


def test_a_text_of_the_longest_game_is_read_and_a_longer_one_is_not() -> None:
    moves = "".join(f"{n}. {'DU'[n % 2 == 0]} 0 0:00:00.000001\n" for n in range(1, MAX_EVENTS + 1))
    head = CODE + '[Started "2026-11-30T02:10:00Z"]\n'

    longest, longer, last = _games(head + moves + head + moves + "20001. D\n" + CODE + MOVES)

    assert _read(longest) == MAX_EVENTS
    assert "at most 20000 events, this one would have 20001" in str(_read(longer))
    assert _read(last) == 2


@pytest.mark.parametrize(
    "much",
    [
        '[Player "' + "x" * (MAX_LINE + 5) + '"]\n',
        ('[Player "' + "x" * 1000 + '"]\n') * (MAX_LINE // 1000),
        '[Mode "D1N"]\n[Deck "\n' + "AS\n" * MAX_LINES,
    ],
    ids=["one line", "many lines", "many short lines"],
)
def test_a_text_that_is_too_large_is_refused_and_the_next_is_read(much: str) -> None:
    first, second = _games(CODE + much + MOVES + CODE + MOVES)

    assert "the game is longer than" in str(_read(first))
    assert _read(second) == 2


def test_memory_is_bounded_by_one_game() -> None:
    def lines(games: int) -> Iterator[tuple[int, bytes]]:
        number = 0
        for _ in range(games):
            for line in (CODE + "".join(f"{n}. D\n" for n in range(1, 500))).splitlines():
                number += 1
                yield number, line.encode()

    def peak(games: int) -> int:
        tracemalloc.start()
        try:
            assert sum(1 for _ in written_games(lines(games))) == games
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(40) < 2 * peak(4)


def test_what_is_too_large_is_not_kept() -> None:
    def lines() -> Iterator[tuple[int, bytes]]:
        yield 1, CODE.strip().encode()
        for number in range(2, 200_000):
            yield number, json.dumps(str(number)).encode() * 10

    tracemalloc.start()
    try:
        [game] = written_games(lines())
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()
    with pytest.raises(BadRecord, match="at most 20000 events"):
        game.read()
