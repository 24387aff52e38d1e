"""The build hook that compiles the rules with mypyc; it is off unless it is asked for."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileRules(BuildHookInterface[Any]):
    """Adds `ds_core` as compiled modules to a wheel, beside the sources they are made from.

    Nothing is written into the checkout, and an editable install stays in plain Python.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the rules and have the wheel take in what comes of it."""
        if version == "editable":
            return
        self._work = TemporaryDirectory()
        modules = Path(self._work.name, "modules")
        _compile(modules, Path(self._work.name, "objects"))
        for module in modules.rglob("*.*"):
            build_data["force_include"][str(module)] = module.relative_to(modules).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the compiler has made, once it is in the wheel."""
        if version != "editable":
            self._work.cleanup()


def _compile(modules: Path, objects: Path) -> None:
    """Compile `ds_core` of the working directory, which is the project's in every build."""
    # Both are there only where the hook is on. Setuptools comes first: it replaces distutils.
    from setuptools import Distribution  # isort: skip
    from mypyc.build import mypycify

    extensions = mypycify(
        ["ds_core"], target_dir=str(objects), group_name="ds_core", debug_level="0"
    )
    command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib = str(modules)
    command.build_temp = str(objects)
    command.ensure_finalized()
    command.run()
