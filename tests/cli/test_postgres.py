"""Every command on Postgres, under a role that may add to the log and never change it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ds_events.database import open_database
from tests.cli.games import CODE, GAMES
from tests.cli.running import Ds
from tests.postgres import application_role


@pytest.fixture
def server(new_postgres_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let `ds` work on Postgres, as the application role; returns the owner's URL."""
    owner = new_postgres_url()
    open_database(owner).close()
    with application_role(owner) as url:
        monkeypatch.setenv("DS_DATABASE_URL", url)
        yield owner


def _played(ds: Ds) -> dict[str, Any]:
    """Play and look with every command; return what does not depend on ids and times."""
    seen: dict[str, Any] = {}
    ds.ok("new", CODE)
    for command in ("move D T2T3", "draw", "tap S", "undo 2", "legal", "show", "hint"):
        document = ds.json(*command.split())
        seen[command] = {k: v for k, v in document.items() if k not in ("id", "game")}
    seen["refused"] = ds("move", "T1T3").status
    seen["replay"] = [frame["move"] for frame in ds.json("replay")["frames"]]
    seen["log"] = [(row["move"], row["score"]) for row in ds.json("log")["rows"]]
    seen["abandon"] = ds.json("abandon")["status"]
    seen["import"] = ds.json("import", str(GAMES))
    rows = ds.json("simulate", "--games", "4", "--seed", "1")["rows"]
    seen["simulate"] = [[row[k] for k in ("code", "status", "score", "moves")] for row in rows]
    seen["rebuild"] = ds.json("db", "rebuild")
    for command in ("stats", "vegas", "scores"):
        document = ds.json(command, "--player", "vector")
        seen[command] = document
    report = ds.json("audit")
    seen["audit"] = [report[key] for key in ("games", "events", "faults", "kinds")]
    return seen


def test_every_command_does_the_same_as_on_sqlite(
    ds: Ds, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_server = _played(ds)
    monkeypatch.setenv("DS_DATABASE_URL", str(tmp_path / "file.db"))

    assert on_server == _played(ds)


def test_seals_proofs_copies_and_erased_names(ds: Ds, server: str, tmp_path: Path) -> None:
    ds.ok("import", str(GAMES))
    started = ds.json("new", CODE)["id"]
    seal = ds.json("seal")["seal"]
    proof, copy = tmp_path / "proof.json", tmp_path / "copy.jsonl.gz"

    ds.ok("seal", "--game", started, "-o", str(proof))
    ds.ok("db", "backup", str(copy))

    assert ds.json("audit", "--seal", seal)["faults"] == []
    assert ds.json("audit", "--proof", str(proof), "--seal", seal)["faults"] == []
    assert ds.json("audit", "--file", str(copy))["games"] == 34
    assert "exists already" in ds("db", "backup", str(copy)).err
    ds.ok("player", "erase", "mika")
    assert ds.json("games", "--everyone")["rows"][0]["player"].startswith("~")
    assert ds.json("audit", "--seal", seal)["faults"] == []


def test_an_export_is_the_same_to_the_byte(
    ds: Ds, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ds.ok("import", str(GAMES))
    ds.ok("export", "--all", "-o", str(tmp_path / "server.jsonl"))
    monkeypatch.setenv("DS_DATABASE_URL", str(tmp_path / "file.db"))
    ds.ok("import", str(GAMES))
    ds.ok("export", "--all", "-o", str(tmp_path / "file.jsonl"))

    same = (tmp_path / "server.jsonl").read_bytes()
    assert same == (tmp_path / "file.jsonl").read_bytes()
    assert same.count(b"\n") == 33


def test_info_names_the_server_and_hides_the_password(ds: Ds, server: str) -> None:
    info = ds.json("db", "info")

    assert info["engine"].startswith("PostgreSQL ")
    assert info["settings"]["fsync"] == "on"
    assert "change-me" not in ds("db", "info").out


def test_the_demonstration_runs(
    ds: Ds, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert ds.ok("demo").out


def test_a_server_that_is_not_there_is_the_environments_fault(
    ds: Ds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DS_DATABASE_URL", "postgresql://mika:sesame@127.0.0.1:1/games")
    ran = ds("games")

    assert (ran.status, ran.out) == (3, "")
    assert "sesame" not in ran.err
    assert ran.err.startswith("ds: postgresql://mika:")
