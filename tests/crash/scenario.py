"""What is killed, and what has to hold afterwards."""

import json
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final

from tests.cli.running import PROGRAM, environment
from tests.crash import templates
from tests.crash.places import Place, Template

_INSTALLED: Final = Path(sys.executable).with_name("ds")

DS: Final = (str(_INSTALLED),) if _INSTALLED.exists() else PROGRAM
"""How `ds` is run: as it is installed beside this Python, else from what is imported."""


def start(command: Sequence[str]) -> "subprocess.Popen[str]":
    """Start a process of a person who has set up nothing but a name."""
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(DS_PLAYER="mika", DS_DATABASE_URL=None),
    )


@dataclass(frozen=True)
class Ended:
    """A process that is no more: what it wrote, and its status, negative if it was killed."""

    said: str
    err: str
    status: int

    @property
    def document(self) -> Any:
        """What it printed with `--json`, `None` if it did not come to that."""
        try:
            return json.loads(self.said)
        except json.JSONDecodeError:
            return None


@dataclass
class Examined:
    """How much was acknowledged, and what of it, or of the whole record, was lost."""

    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)


class Scenario(ABC):
    """One database, and what is run on it and killed, again and again up to `uses` times.

    `endless` processes never end by themselves.
    """

    template: ClassVar[Template | None] = templates.PLAYED
    uses: ClassVar[int] = 1
    endless: ClassVar[bool] = False

    def __init__(self, place: Place, random: Random) -> None:
        self.place = place
        self.random = random
        self.url = place.new(self.template)

    @abstractmethod
    def begin(self) -> list[Sequence[str]]:
        """Return the commands that are to run at once."""

    @abstractmethod
    def examine(self, ended: list[Ended]) -> Examined:
        """Hold the database against what each of the processes said before its end."""

    def activity(self) -> object:
        """Return a value that changes when the processes begin to write."""
        return self.place.activity(self.url)

    def ds(self, *arguments: str) -> Sequence[str]:
        """A command of `ds` on the database."""
        return [*DS, *arguments, "--db", self.url]
