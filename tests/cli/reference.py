"""The reference page of the command line, made from the help of every command.

`python -m tests.cli.reference > docs/commands.md`, from the checkout, writes it anew.
"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any
from unittest import mock

from typer.main import get_command

from ds_cli.main import app, main

INTRODUCTION = """\
# Commands

This is what each command's `--help` prints, in the order of `ds --help`;
`python -m tests.cli.reference > docs/commands.md` makes the page anew.
"""


def commands() -> list[str]:
    """Return every command as it is typed, `ds` first, the members of a group behind it."""
    return ["ds", *_members("ds", get_command(app))]


def help_of(command: str) -> str:
    """Return the help of a command as a terminal of 80 columns shows it."""
    out = io.StringIO()
    with mock.patch.dict(os.environ, {"COLUMNS": "80"}), redirect_stdout(out):
        status = main([*command.split()[1:], "--help"])
    if status:
        raise ValueError(f"`{command} --help` ended with {status}")
    return out.getvalue()


def page() -> str:
    """Return the whole page as Markdown."""
    sections = [f"## {command}\n\n```text\n{help_of(command)}```\n" for command in commands()]
    return "\n".join([INTRODUCTION, *sections])


def _members(name: str, group: Any) -> Iterator[str]:
    for member, command in getattr(group, "commands", {}).items():
        yield f"{name} {member}"
        yield from _members(f"{name} {member}", command)


if __name__ == "__main__":
    sys.stdout.write(page())
