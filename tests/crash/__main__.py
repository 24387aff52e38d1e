"""`python -m tests.crash`: a long crash run; exits with 1 if anything was lost."""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom

from sqlalchemy import make_url

from tests.crash.harness import Harness, Tally
from tests.crash.places import Folder, OnServer, Place
from tests.postgres import Server


def main() -> int:
    """Run the harness as the options say, and print what it saw."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
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

    def run(job: int) -> Tally:
        with _place(options.url) as place:
            tally = Harness(place, seed + job).run(share)
            place.close()
        return tally

    with ThreadPoolExecutor(options.jobs) as pool:
        tally = sum(pool.map(run, range(options.jobs)), Tally())
    for lost in tally.lost:
        sys.stderr.write(f"lost: {lost}\n")
    for name, number in sorted(tally.kills.items()):
        sys.stdout.write(f"{name:12}{number:6} kills, {tally.inside[name]:4} after a write\n")
    sys.stdout.write(
        f"{tally.kills.total()} kills, {tally.acknowledged} acknowledged, "
        f"{len(tally.lost)} losses; seed {seed}\n"
    )
    return 1 if tally.lost else 0


@contextmanager
def _place(url: str | None) -> Iterator[Place]:
    """The place that `--url` names; a folder of the run's own stays if something was lost."""
    if url == "postgresql:":
        server = Server()
        with tempfile.TemporaryDirectory(prefix="ds-crash-") as folder:
            yield OnServer(Path(folder), server.url)
        server.stop()
    elif url is not None and "://" in url:
        with tempfile.TemporaryDirectory(prefix="ds-crash-") as folder:
            yield OnServer(Path(folder), make_url(url))
    else:
        folder = tempfile.mkdtemp(prefix="ds-crash-", dir=url)
        yield Folder(Path(folder))


if __name__ == "__main__":
    sys.exit(main())
