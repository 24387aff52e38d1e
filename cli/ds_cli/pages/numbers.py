"""Values of documents as a page shows them, each with the exact value that `--json` prints."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, tzinfo
from math import floor
from typing import TYPE_CHECKING, Any, Final

from ds_cli import output
from ds_core import MODES, STANDARD, VEGAS, Scoring
from ds_events.extras import needed_for

if TYPE_CHECKING:
    from markupsafe import Markup

NOTHING: Final = "–"
"""What stands where no game says anything."""


class Numbers:
    """Shows values of the documents that a page is made of, which are named by a path.

    A path such as `stats.modes.D1N.games` begins with the name of a document. What is shown
    bears it as `data-of`, beside the exact value, so that both can be compared.
    """

    def __init__(self, documents: Mapping[str, Any], zone: tzinfo | None) -> None:
        with needed_for("--html", "report"):
            from markupsafe import Markup
        self._markup = Markup
        self._documents = documents
        self._zone = zone

    def value(self, path: str) -> Any:
        """Return the value at a path."""
        found: Any = self._documents
        for step in path.split("."):
            found = found[int(step)] if isinstance(found, list) else found[step]
        return found

    def __call__(self, path: str, form: str = "number") -> "Markup":
        """Return a value as an element that shows it, written in one of the forms below."""
        value = self.value(path)
        if value is None:
            shown = f'<data value="" data-of="{{}}" class="none">{NOTHING}</data>'
            return self._markup(shown).format(path)
        if form in ("time", "day"):
            text = self.time(value, day=form == "day")
            element = self._markup('<time datetime="{}" data-of="{}">{}</time>')
            return element.format(value, path, text)
        element = self._markup('<data value="{}" data-of="{}">{}</data>')
        return element.format(json.dumps(value), path, FORMS[form](value))

    def score(self, path: str, mode: str) -> "Markup":
        """Return a score of a mode: points, or dollars under Vegas."""
        return self(path, "dollars" if MODES[mode].scoring.is_money else "points")

    def time(self, text: str, *, day: bool = False) -> str:
        """Return a time of a document as people read it, in the zone of the page."""
        moment = datetime.fromisoformat(text)
        # On the first and last day of the calendar there may be no local time; it stays UTC.
        with suppress(OverflowError, ValueError):
            moment = moment.astimezone(self._zone)
        written = moment.replace(tzinfo=None).isoformat(" ", "minutes")
        return written[: len("2026-11-30")] if day else written


def _amount(scoring: Scoring) -> Callable[[float], str]:
    def amount(value: float) -> str:
        return scoring.format(value if isinstance(value, int) else round(value))

    return amount


def _change(value: float) -> str:
    return ("+" if value > 0 else "") + VEGAS.format(round(value))


def _seconds(value: float) -> str:
    return output.duration(floor(value))


FORMS: Final[Mapping[str, Callable[[Any], str]]] = {
    "number": lambda value: f"{value:,}",
    "mean": lambda value: f"{value:,.1f}",
    "percent": lambda value: f"{value:.1%}",
    "points": _amount(STANDARD),
    "dollars": _amount(VEGAS),
    "change": _change,
    "duration": _seconds,
}
"""How a value is written: grouped digits, rounded means, percentages, points, dollars, times."""
