"""Settings that people make once, in the environment."""

import os

import typer


def double_tap_is_on() -> bool:
    """Return whether a double tap is more than one tap (R31); `DS_DOUBLE_TAP` says so."""
    setting = os.environ.get("DS_DOUBLE_TAP") or "on"
    if setting not in ("on", "off"):
        raise typer.BadParameter(f"DS_DOUBLE_TAP is {setting!r}: write on or off")
    return setting == "on"
