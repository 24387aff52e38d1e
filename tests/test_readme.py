"""The README tells the truth: its session is typed and its output compared."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _steps() -> list[tuple[str, str]]:
    """Every command of the README's console blocks, with what stands under it."""
    steps: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], ""))
            elif steps and not line.startswith("python3"):
                command, shown = steps[-1]
                steps[-1] = command, f"{shown}{line}\n"
    return steps


def _without_chance(text: str) -> str:
    """Ids and times differ from run to run."""
    text = re.sub(r"\b[0-9A-HJKMNP-TV-Z]{13}\b", "(id)", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?", "(time)", text)
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


def test_the_session_of_the_readme_is_what_a_newcomer_sees(tmp_path: Path) -> None:
    steps = _steps()
    assert len(steps) >= 10
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("DS_")},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "DS_DATABASE_URL": str(tmp_path / "games.db"),
        "DS_PLAYER": "mika",
        "PYTHONUTF8": "1",
    }
    for command, shown in steps:
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert _without_chance(ran.stdout) == _without_chance(shown), f"$ {command}"


@pytest.mark.parametrize("page", [ROOT / "README.md", *ROOT.glob("docs/*.md")], ids=str)
def test_what_the_pages_link_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)[^):]*\)", page.read_text(encoding="utf-8"))
    for link in links:
        assert (page.parent / link).is_file(), link


@pytest.mark.parametrize("program", ["ds demo", "pytest"])
def test_each_of_the_two_commands_is_one_line(program: str) -> None:
    lines = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert sum(line.endswith(f"/{program}") for line in lines) == 1
    assert len(lines) == 2


def test_the_links_of_the_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
