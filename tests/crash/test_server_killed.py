"""The Postgres server itself dies under its clients, and is started again."""

import sys
import time
from pathlib import Path
from random import Random

import psycopg
import pytest

from ds_events.database import open_database
from tests.crash import checks, templates
from tests.crash.appending import parse_told
from tests.crash.places import OnServer
from tests.crash.scenario import DS, start
from tests.postgres import Server

LIMIT = 60


def _wait_for_writing(place: OnServer, url: str) -> None:
    before = place.activity(url)
    deadline = time.monotonic() + LIMIT
    while place.activity(url) == before:
        assert time.monotonic() < deadline
        time.sleep(0.001)


def _wait_for_an_append(url: str) -> None:
    """Wait until somebody has gone on with a game, the start of which was acknowledged by then."""
    deadline = time.monotonic() + LIMIT
    with psycopg.connect(url, autocommit=True) as watching:

        def events() -> object:
            return watching.execute("SELECT count(*) FROM events").fetchone()

        before = events()
        while events() == before:
            assert time.monotonic() < deadline
            time.sleep(0.001)


def _acknowledge_early(url: str) -> None:
    """Have the server acknowledge a commit before it is stored, unless it is told not to."""
    with psycopg.connect(url, autocommit=True) as setting:
        setting.execute("ALTER SYSTEM SET synchronous_commit = off")
        setting.execute("ALTER SYSTEM SET wal_writer_delay = '10s'")
        setting.execute("SELECT pg_reload_conf()")


@pytest.mark.parametrize(("crash", "is_early"), [(0, None), (1, None), (2, "always"), (3, "then")])
def test_what_was_acknowledged_survives_the_server(
    own_server: Server, tmp_path: Path, crash: int, is_early: str | None
) -> None:
    random = Random(crash)
    seeds = [random.getrandbits(40) for _ in range(3)]
    place = OnServer(tmp_path, own_server.url)
    url = place.new()
    if is_early == "always":
        _acknowledge_early(url)
    templates.PLAYED.fill(url)
    program = [sys.executable, "-m", "tests.crash.appending", url]
    running = [start([*program, str(seed)]) for seed in seeds]
    # The server writes a little by itself as well, so that its activity is no sign of them.
    _wait_for_an_append(url)
    if is_early == "then":
        _acknowledge_early(url)
    time.sleep(random.uniform(0.3, 0.8))
    place.close()

    own_server.kill()
    said = [process.communicate(timeout=LIMIT) for process in running]
    own_server.start()
    with psycopg.connect(url, autocommit=True) as setting:
        setting.execute("ALTER SYSTEM RESET ALL")
        setting.execute("SELECT pg_reload_conf()")

    acknowledged = 0
    database = open_database(url)
    for seed, (out, err) in zip(seeds, said, strict=True):
        told = parse_told(out)
        assert told.error is not None, err
        kind, _, message = told.error.partition(": ")
        assert kind in ("DatabaseError", "OutcomeUnknown"), told.error
        assert ("nothing was changed" in message) == (kind == "DatabaseError")
        # Who is told that nothing was changed may rely on it.
        unknown = kind == "OutcomeUnknown"
        assert checks.appended(database, seed, told, unacknowledged=unknown) == []
        acknowledged += len(told.appends)
    database.close()
    assert acknowledged > 0
    place = OnServer(tmp_path, own_server.url)
    assert checks.sound(place, url) == []
    assert checks.goes_on(url) == []
    place.drop(url)
    place.close()


def test_a_command_whose_server_dies_says_so_and_leaves_games_whole(
    own_server: Server, tmp_path: Path
) -> None:
    place = OnServer(tmp_path, own_server.url)
    url = place.new()
    templates.PLAYED.fill(url)
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\n".join(templates.many_lines()))
    importing = start([*DS, "import", str(file), "--db", url])
    _wait_for_writing(place, url)
    place.close()

    own_server.kill()
    out, err = importing.communicate(timeout=LIMIT)
    own_server.start()

    assert (importing.returncode, out) == (3, ""), err
    assert err.startswith("ds: ")
    assert err.count("\n") == 1
    place = OnServer(tmp_path, own_server.url)
    assert checks.sound(place, url) == []
    assert checks.goes_on(url) == []
    place.drop(url)
    place.close()
