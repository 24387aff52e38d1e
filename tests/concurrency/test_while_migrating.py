"""An upgrade while others append, and several upgrades at once."""

import subprocess
import time
from collections.abc import Callable
from functools import partial

import pytest

from ds_events.database import Database, open_database
from ds_events.schema import HEAD, TRIGGERS
from tests.cli.running import environment
from tests.concurrency.crowd import Crowd
from tests.concurrency.work import play_on_as_before
from tests.crash import checks, templates
from tests.crash.scenario import DS
from tests.events.building import audited

WRITERS = 3


@pytest.fixture
def old_url(new_url: Callable[[], str]) -> str:
    made = new_url()
    templates.OLD.fill(made)
    return made


def _upgrade(url: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*DS, "db", "upgrade", "--db", url],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )


def test_who_appends_during_an_upgrade_loses_nothing(crowd: Crowd, old_url: str) -> None:
    # Programs of the old schema, which had opened the database before it was upgraded.
    works = [partial(play_on_as_before, old_url, seed) for seed in range(WRITERS)]
    with crowd.meanwhile(*works) as playing:
        upgrading = _upgrade(old_url)
        _, err = upgrading.communicate(timeout=120)
        time.sleep(0.2)
    told = [one.result() for one in playing]

    assert upgrading.returncode == 0, err
    database = open_database(old_url)
    for seed, acknowledged in enumerate(told):
        assert checks.appended(database, seed, acknowledged, unacknowledged=False) == []
    assert audited(database).faults == []
    database.close()
    assert checks.goes_on(old_url) == []


def test_of_several_upgrades_at_once_one_does_it(old_url: str) -> None:
    racing = [_upgrade(old_url) for _ in range(3)]

    ended = [(*process.communicate(timeout=120), process.returncode) for process in racing]

    assert [status for *_, status in ended] == [0] * 3, ended
    assert sum("from 0001" in err for _, err, _ in ended) == 1
    assert sum(f"{HEAD} already" in err for _, err, _ in ended) == 2
    database = Database(old_url)
    assert database.upgrade() == HEAD
    # The audit looks for each of the triggers.
    assert TRIGGERS[database.engine.dialect.name]
    assert audited(database).faults == []
    database.close()
