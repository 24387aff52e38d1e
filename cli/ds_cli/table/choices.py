"""What can be chosen by a key, or by a click on what names the key."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

_KEY: Final = Style.parse("bold #ffe9a8 on #0b3323")
_LABEL: Final = Style.parse("#cfe3d5 on #0b3323")
_GAP: Final = "  "


class Choice(NamedTuple):
    """A key as it is shown, what it does, and the key that a click presses; "" for none."""

    shown: str
    label: str
    key: str


@dataclass
class Chosen(Message):
    """A choice was clicked: as if its key had been pressed."""

    key: str


class KeyBar(Widget):
    """Choices in a line."""

    DEFAULT_CSS = "KeyBar { height: 1; width: 1fr; padding: 0 1; background: #0b3323; }"

    def __init__(self, choices: tuple[Choice, ...]) -> None:
        super().__init__()
        self._choices = choices

    def offer(self, choices: tuple[Choice, ...]) -> None:
        """Show other choices."""
        if choices is not self._choices:
            self._choices = choices
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the line."""
        segments = []
        for choice in self._choices:
            segments += [
                Segment(choice.shown, _KEY),
                Segment(f" {choice.label}{_GAP}", _LABEL),
            ]
        return Strip(segments).adjust_cell_length(self.size.width, _LABEL)

    def on_click(self, event: events.Click) -> None:
        """Choose what was clicked."""
        event.stop()
        place = event.x - self.styles.padding.left
        for choice in self._choices:
            width = len(f"{choice.shown} {choice.label}")
            if 0 <= place < width and choice.key:
                self.post_message(Chosen(choice.key))
            place -= width + len(_GAP)


class ChoiceList(Vertical):
    """Choices one below the other."""

    DEFAULT_CSS = "ChoiceList { width: auto; height: auto; }"

    def __init__(self, choices: tuple[Choice, ...]) -> None:
        super().__init__()
        self._choices = choices

    def compose(self) -> ComposeResult:
        """Lay them out with their labels in a column."""
        width = max(len(choice.shown) for choice in self._choices)
        for choice in self._choices:
            yield _ChoiceLine(choice, width)


class _ChoiceLine(Static):
    DEFAULT_CSS = """
    _ChoiceLine { width: auto; background: #f6f1e4; color: #1b1b1b; }
    _ChoiceLine:hover { background: #e4dcc4; }
    """

    def __init__(self, choice: Choice, width: int) -> None:
        super().__init__(f"{choice.shown.ljust(width)}  {choice.label}", markup=False)
        self._key = choice.key

    def on_click(self, event: events.Click) -> None:
        if self._key:
            event.stop()
            self.post_message(Chosen(self._key))
