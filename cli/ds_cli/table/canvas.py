"""Characters with styles on a plane, and how they become lines for the terminal."""

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


class Canvas:
    """A plane of character cells, written at any place; what lies outside is left out."""

    def __init__(self, width: int, height: int, ground: Style) -> None:
        self.width, self.height = width, height
        self._rows = [[(" ", ground)] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, style: Style) -> None:
        """Write a text from a cell to the right; each character is one cell wide."""
        if not 0 <= y < self.height:
            return
        row = self._rows[y]
        for place, character in enumerate(text, x):
            if 0 <= place < self.width:
                row[place] = (character, style)

    def restyle(self, x: int, y: int, width: int, style: Style) -> None:
        """Lay a style over cells that keep their characters."""
        if not 0 <= y < self.height:
            return
        row = self._rows[y]
        for place in range(max(0, x), min(self.width, x + width)):
            character, before = row[place]
            row[place] = (character, before + style)

    def strips(self) -> list[Strip]:
        """Return the lines, neighbours of one style taken together."""
        return [Strip(list(_segments(row)), self.width) for row in self._rows]


def _segments(row: list[tuple[str, Style]]) -> list[Segment]:
    made: list[Segment] = []
    text, style = "", row[0][1]
    for character, its in row:
        # Styles are shared, so that most neighbours are told by identity.
        if its is not style and its != style:
            made.append(Segment(text, style))
            text, style = "", its
        text += character
    made.append(Segment(text, style))
    return made
