"""A long crash run over several processes, by command."""

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import SystemRandom

from sqlalchemy import make_url

from tests.crash.harness import Harness, Tally
from tests.crash.places import Folder, OnServer, Place
from tests.postgres import Server


def main() -> int:
    """Run the harness as the options say, print what it saw, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.crash",
        description="Kill processes at any moment; exit with 1 if what was acknowledged is lost.",
    )
    parser.add_argument("--kills", type=int, default=1000, help="processes to kill")
    parser.add_argument(
        "--url",
        help="a Postgres server on which databases may be created, `postgresql:` alone for "
        "one that is started for the run, or a folder for SQLite files; else one in /tmp",
    )
    parser.add_argument("--seed", type=int, help="draws the same scenarios again")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1), help="at once")
    options = parser.parse_args()
    seed = SystemRandom().getrandbits(32) if options.seed is None else options.seed
    share = -(-options.kills // options.jobs)
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.jobs, mp_context=spawning) as pool:
        job = partial(_run, options.url, share)
        tally = sum(pool.map(job, range(seed, seed + options.jobs)), Tally())
    for lost in tally.lost:
        sys.stderr.write(f"lost: {lost}\n")
    for name, number in sorted(tally.kills.items()):
        sys.stdout.write(f"{name:12}{number:6} kills, {tally.inside[name]:4} after a write\n")
    sys.stdout.write(
        f"{tally.kills.total()} kills, {tally.acknowledged} acknowledged, "
        f"{len(tally.lost)} losses; seed {seed}\n"
    )
    return 1 if tally.lost else 0


def _run(url: str | None, kills: int, seed: int) -> Tally:
    with _place(url) as place:
        tally = Harness(place, seed).run(kills)
        place.close()
    return tally


@contextmanager
def _place(url: str | None) -> Iterator[Place]:
    """The place that `--url` names; a folder of the run's own stays if something was lost."""
    if url == "postgresql:":
        server = Server()
        try:
            with tempfile.TemporaryDirectory(prefix="ds-crash-") as folder:
                yield OnServer(Path(folder), server.url)
        finally:
            server.stop()
    elif url is not None and "://" in url:
        with tempfile.TemporaryDirectory(prefix="ds-crash-") as folder:
            yield OnServer(Path(folder), make_url(url))
    else:
        own = Path(tempfile.mkdtemp(prefix="ds-crash-", dir=url))
        yield Folder(own)
        if not any(own.glob("*.db")):
            shutil.rmtree(own)
