"""Which way imports point, where import-linter cannot see it."""

import ast
import sys
from pathlib import Path

import ds_core

FOLDER = Path(ds_core.__file__).parent


def test_the_rules_rest_on_the_standard_library_alone() -> None:
    files = sorted(FOLDER.glob("*.py"))
    assert files
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or "."]
            for name in names:
                top = name.partition(".")[0]
                assert top == "ds_core" or top in sys.stdlib_module_names, f"{file.name}: {name}"


def test_the_rules_have_no_clock_no_chance_and_no_input_or_output() -> None:
    banned = {"time", "datetime", "random", "secrets", "os", "io", "pathlib", "socket", "sys"}
    for file in sorted(FOLDER.glob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {
            name.partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
            )
        }
        called = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not imported & banned, file.name
        assert not called & {"open", "print", "input"}, file.name
