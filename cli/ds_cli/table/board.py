"""The table as a widget: it draws the game, and turns what a mouse does into gestures."""

from dataclasses import dataclass
from textwrap import wrap
from time import monotonic
from typing import Final

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ds_cli.table.canvas import Canvas
from ds_cli.table.drawing import FELT, Characters, Lifted, draw
from ds_cli.table.layout import LEAST_HEIGHT, LEAST_WIDTH, Layout, Spot
from ds_core import View

DOUBLE_CLICK: Final = 0.35
"""Seconds within which a second click on the same pile makes a double click."""

_TOO_SMALL: Final = (
    f"The table needs {LEAST_WIDTH}×{LEAST_HEIGHT + 4} characters: make the terminal larger, "
    "or the letters smaller."
)


class Board(Widget):
    """The table of a game as it is seen; it posts the gestures that are made on it.

    What is `picked`, and what the last move `touched`, is set off.
    """

    DEFAULT_CSS = "Board { width: 1fr; height: 1fr; }"

    @dataclass
    class Tapped(Message):
        """A pile was clicked; `is_second` if it makes a double click with the one before."""

        pile: str
        is_second: bool

    @dataclass
    class Dropped(Message):
        """Cards of a pile were dragged onto another, or beside all of them."""

        source: Spot
        target: str | None

    def __init__(self, seen: View, characters: Characters, *, takes_gestures: bool = True) -> None:
        super().__init__()
        self._seen = seen
        self._characters = characters
        self._takes_gestures = takes_gestures
        self._picked: Spot | None = None
        self._touched: Spot | None = None
        self._pressed: Spot | None = None
        self._lifted: Lifted | None = None
        self._last_click: tuple[str, float] | None = None
        self._layout_of: Layout | None = None
        self._lines: list[Strip] | None = None

    @property
    def seen(self) -> View:
        """What the table shows."""
        return self._seen

    @property
    def is_too_small(self) -> bool:
        """Whether there is no room for the table: then nothing is played on it either."""
        return self.size.width < LEAST_WIDTH or self.size.height < LEAST_HEIGHT

    @property
    def picked(self) -> Spot | None:
        """The pile that was picked, and how many of its cards."""
        return self._picked

    def show(self, seen: View, touched: Spot | None = None) -> None:
        """Show another board; nothing is picked or dragged on it."""
        self._seen, self._touched = seen, touched
        self._picked = self._lifted = self._pressed = None
        self._redraw()

    def pick(self, spot: Spot | None) -> None:
        """Set off what was picked, or nothing."""
        self._picked = spot
        self._redraw()

    def layout_now(self) -> Layout:
        """Return where everything lies."""
        if self._layout_of is None:
            self._layout_of = Layout(self._seen, self.size.width, self.size.height)
        return self._layout_of

    def render_line(self, y: int) -> Strip:
        """Return a line of the table."""
        if self._lines is None:
            self._lines = self._draw()
        return self._lines[y] if y < len(self._lines) else Strip.blank(self.size.width, FELT)

    def on_resize(self) -> None:
        """Lay everything out anew."""
        self._lifted = self._pressed = None
        self._redraw()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of what is under the pointer."""
        if not self._takes_gestures or event.button != 1 or self.is_too_small:
            return
        self._lifted = None
        self._pressed = self.layout_now().spot(event.x, event.y)
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag what was taken hold of, if it can be."""
        if self._pressed is not None and event.button != 1:
            # It was let go of where nobody told us.
            self._put_back()
        if self._pressed is None or not self._can_be_dragged(self._pressed):
            return
        here = self.layout_now().spot(event.x, event.y)
        if self._lifted is None and here == self._pressed:
            return
        x = event.x - self.layout_now().card_width // 2
        self._lifted = Lifted(self._pressed, x, event.y)
        self._redraw(moved=False)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go: it was a click, or what was dragged is dropped."""
        if event.button != 1:
            return
        self.release_mouse()
        pressed, lifted = self._pressed, self._lifted
        self._pressed = self._lifted = None
        if pressed is None:
            return
        if lifted is not None:
            self._last_click = None
            self._redraw(moved=False)
            self.post_message(self.Dropped(pressed, self.layout_now().target(event.x, event.y)))
        elif self.layout_now().spot(event.x, event.y) == pressed:
            self._click(pressed)

    def on_mouse_release(self) -> None:
        """Put back what is dragged where something else has taken the mouse, such as a sheet."""
        self._put_back()

    def _put_back(self) -> None:
        if self._pressed is not None or self._lifted is not None:
            self._pressed = self._lifted = None
            self._redraw(moved=False)

    def _click(self, spot: Spot) -> None:
        # Only the last card of a pile is meant by a tap (R30).
        if spot.count > 1:
            return
        now = monotonic()
        last, self._last_click = self._last_click, (spot.pile, now)
        is_second = last is not None and last[0] == spot.pile and now - last[1] <= DOUBLE_CLICK
        if is_second:
            self._last_click = None
        self.post_message(self.Tapped(spot.pile, is_second))

    def _can_be_dragged(self, spot: Spot) -> bool:
        """Whether it is a face-up card: of the waste the last alone."""
        if spot.pile[0] == "T":
            return 0 < spot.count <= len(self._seen.columns[int(spot.pile[1]) - 1].up)
        return spot.count == 1 and spot.pile != "S"

    def _redraw(self, *, moved: bool = True) -> None:
        if moved:
            self._layout_of = None
        self._lines = None
        self.refresh()

    def _draw(self) -> list[Strip]:
        size: Size = self.size
        if self.is_too_small:
            canvas = Canvas(size.width, size.height, FELT)
            for row, line in enumerate(wrap(_TOO_SMALL, max(1, size.width))):
                canvas.write(0, row, line, FELT)
            return canvas.strips()
        return draw(
            self.layout_now(),
            self._characters,
            picked=self._picked,
            touched=self._touched,
            lifted=self._lifted,
        ).strips()
