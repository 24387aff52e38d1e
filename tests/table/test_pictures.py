"""The pictures of the table are what its screens show."""

from pathlib import Path
from xml.etree import ElementTree

from tests.table.pictures import pictures

PNG = b"\x89PNG\r\n"


def test_screens_are_drawn_as_svg_and_png(tmp_path: Path) -> None:
    vector, raster, won, _ = pictures(tmp_path, ["letters", "won"])
    assert raster.read_bytes().startswith(PNG)
    shown = _text(vector)
    assert "space" in shown
    assert "stock" in shown
    assert "♠" not in shown
    assert "You have won" in _text(won)


def _text(picture: Path) -> str:
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    return "".join(root.itertext()).replace("\xa0", " ")
