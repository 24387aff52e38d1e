"""An SVG as a PNG, the same on every machine."""

import logging
from pathlib import Path

from ds_events.extras import needed_for


def png_picture(svg: str) -> bytes:
    """Return an SVG of ours as a PNG, in its own size.

    Texts are set in the fonts that come with matplotlib. Only where those lack a character,
    as in a name in Japanese, the fonts of the system are asked for it.
    """
    with needed_for("--png", "report"):
        # What it says about its caches is nothing that concerns a reader.
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        import matplotlib as mpl
        import resvg_py
        from matplotlib.ft2font import FT2Font

    folder = Path(mpl.get_data_path()) / "fonts" / "ttf"
    fonts = [str(folder / f"{name}.ttf") for name in ("DejaVuSans", "DejaVuSans-Bold")]
    known = FT2Font(fonts[0]).get_charmap()
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=all(ord(letter) in known for letter in svg if letter > " "),
        font_files=fonts,
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )
