"""The texts that pages are made of, and that lie beside this module."""

from importlib.resources import files


def own_text(name: str) -> str:
    """Return a template, a script or a style sheet."""
    return files("ds_cli.pages").joinpath(name).read_text(encoding="utf-8").strip()


def css_for(page: str) -> str:
    """Return the style of a page: the palette and type that all have, and its own."""
    return "\n\n".join(map(own_text, ("base.css", f"{page}.css")))
