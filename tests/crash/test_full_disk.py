"""A disk that is full: a clear refusal, nothing lost, and work goes on when there is room."""

import os
import resource
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from ds_events.database import open_database
from ds_events.errors import DatabaseError
from ds_events.schema import events, games, players, summaries
from ds_events.store import EventStore
from tests.cli.running import environment
from tests.crash import checks, templates
from tests.crash.appending import Acknowledged, Told, planned, play
from tests.crash.places import Folder, OnServer
from tests.crash.scenario import DS
from tests.postgres import Server

SIZE = 16 << 20
BLOCK = 4096
SEED = 1


class Disk(ABC):
    """A folder on which a test decides how much room there is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def leave(self, room: int) -> None:
        """Leave room for so many bytes more."""

    @abstractmethod
    def make_room(self) -> None:
        """Leave room for whatever comes."""

    def ds(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run `ds` with the room that there is."""
        return subprocess.run(
            [*DS, *arguments],
            capture_output=True,
            text=True,
            env=environment(DS_PLAYER="mika", DS_DATABASE_URL=None),
            timeout=60,
            check=False,
            preexec_fn=self.limit,
        )

    @abstractmethod
    def limit(self) -> None:
        """What a child has to do for it before it runs."""


class SmallDisk(Disk):
    """A file system of a few megabytes, filled by a file that is of no other use."""

    @property
    def _ballast(self) -> Path:
        return self.folder / "ballast"

    def leave(self, room: int) -> None:
        free = os.statvfs(self.folder).f_bavail * BLOCK
        with self._ballast.open("ab") as ballast:
            ballast.write(bytes(max(0, free - room)))

    def make_room(self) -> None:
        self._ballast.unlink()

    def limit(self) -> None:
        """The disk itself is the limit."""


class SmallFiles(Disk):
    """No file may be written beyond a limit: for where nobody may mount a file system."""

    _limited: int | None = None

    def leave(self, room: int) -> None:
        self._limited = room

    def make_room(self) -> None:
        self._limited = None

    def limit(self) -> None:
        if self._limited is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self._limited, self._limited))


@pytest.fixture
def small_disk() -> Iterator[SmallDisk]:
    # Not in the test's own folder, which no other user can enter: a server may have to.
    with tempfile.TemporaryDirectory(prefix="ds-disk-") as name:
        mounting = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", name]
        if os.geteuid() or subprocess.run(mounting, capture_output=True, check=False).returncode:
            pytest.skip("nobody may mount a file system here; the limit on files is tested")
        Path(name).chmod(0o755)
        yield SmallDisk(Path(name))
        subprocess.run(["umount", "--lazy", name], check=True)


@pytest.fixture
def small_files(tmp_path: Path) -> SmallFiles:
    return SmallFiles(tmp_path)


@pytest.fixture(params=["small_disk", "small_files"])
def disk(request: pytest.FixtureRequest) -> Disk:
    made: Disk = request.getfixturevalue(request.param)
    return made


@pytest.fixture
def place(disk: Disk) -> Folder:
    return Folder(disk.folder)


def _refused(ran: "subprocess.CompletedProcess[str]") -> None:
    """It is the environment's fault, and the message says which."""
    assert ran.returncode == 3, (ran.stdout, ran.stderr)
    last = ran.stderr.splitlines()[-1]
    assert last.startswith("ds: ")
    assert "full" in last or "space" in last or "too large" in last, last
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("disk", "room"),
    [("small_disk", 0), ("small_disk", 8), ("small_disk", 200), ("small_files", 8)],
    indirect=["disk"],
)
def test_an_import_on_a_disk_that_fills_up(
    disk: Disk, place: Folder, tmp_path: Path, room: int
) -> None:
    path = place.new(templates.PLAYED)
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\n".join(templates.many_lines()))
    # The log and its index have begun, so that it is not their creation alone that fails.
    assert checks.goes_on(path) == []
    disk.leave(room * BLOCK)

    _refused(disk.ds("import", str(file), "--db", path))

    disk.make_room()
    assert checks.sound(place, path) == []
    assert checks.goes_on(path) == []


def test_appends_until_the_disk_is_full(small_disk: SmallDisk) -> None:
    place = Folder(small_disk.folder)
    path = place.new(templates.PLAYED)
    database = open_database(path)
    store = EventStore(database)
    appends: list[Acknowledged] = []
    small_disk.leave(60 * BLOCK)

    def play_on() -> None:
        for number in count():
            play(store, SEED, number, appends.append)

    with pytest.raises(DatabaseError, match="full"):
        play_on()

    # Reading goes on, and nothing of what was refused is there.
    assert len(appends) > 1
    assert checks.appended(database, SEED, Told(appends), unacknowledged=False) == []
    small_disk.make_room()
    last = appends[-1]
    batch = planned(SEED, last.number).batch_at(last.version)
    assert batch is not None
    store.append(last.game_id, batch, expected_version=last.version)
    database.close()
    assert checks.sound(place, path) == []


def test_a_new_database_on_a_full_disk_is_begun_again_later(disk: Disk, place: Folder) -> None:
    path = str(disk.folder / "new.db")
    disk.leave(0)

    _refused(disk.ds("new", checks.CODE, "--db", path))

    disk.make_room()
    assert disk.ds("new", checks.CODE, "--db", path).returncode == 0
    assert checks.sound(place, path) == []


@pytest.mark.parametrize("room", [0, 3], ids="{} blocks".format)
def test_an_upgrade_on_a_full_disk_changes_nothing(disk: Disk, place: Folder, room: int) -> None:
    path = place.new(templates.OLD)
    shape = place.shape(path)
    disk.leave(room * BLOCK)

    _refused(disk.ds("db", "upgrade", "--db", path))

    disk.make_room()
    assert place.shape(path) == shape
    assert disk.ds("db", "upgrade", "--db", path).returncode == 0
    assert checks.sound(place, path) == []


def test_a_backup_to_a_full_disk_leaves_nothing_behind(
    small_disk: SmallDisk, tmp_path: Path
) -> None:
    place = Folder(tmp_path)
    path = place.new(templates.PLAYED)
    target = small_disk.folder / "copy.db"
    small_disk.leave(10 * BLOCK)

    _refused(small_disk.ds("db", "backup", str(target), "--db", path))

    assert [left.name for left in small_disk.folder.iterdir()] == ["ballast"]
    small_disk.make_room()
    assert small_disk.ds("db", "backup", str(target), "--db", path).returncode == 0
    assert checks.sound(place, str(target)) == []


@pytest.fixture
def small_space(own_server: Server, small_disk: SmallDisk) -> Iterator[str]:
    """A Postgres database that lies on a small disk."""
    if own_server.user is not None:
        os.chown(small_disk.folder, own_server.user, own_server.user)
    admin = own_server.url.render_as_string(hide_password=False)
    with psycopg.connect(admin, autocommit=True) as connection:
        where = sql.Literal(str(small_disk.folder))
        connection.execute(sql.SQL("CREATE TABLESPACE small LOCATION {}").format(where))
        connection.execute("CREATE DATABASE small TABLESPACE small")
        yield own_server.url.set(database="small").render_as_string(hide_password=False)
        connection.execute("DROP DATABASE small WITH (FORCE)")
        connection.execute("DROP TABLESPACE small")


def test_a_server_whose_disk_fills_up(
    own_server: Server, small_space: str, small_disk: SmallDisk, tmp_path: Path
) -> None:
    place = OnServer(tmp_path, own_server.url)
    templates.PLAYED.fill(small_space)
    database = open_database(small_space)
    before = checks.rows(database, players, games, events, summaries)
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\n".join(templates.many_lines()))
    small_disk.leave(20 * BLOCK)

    _refused(small_disk.ds("import", str(file), "--db", small_space))

    assert checks.rows(database, players, games, events, summaries) == before
    small_disk.make_room()
    database.close()
    assert checks.sound(place, small_space) == []
    assert checks.goes_on(small_space) == []
    place.close()
