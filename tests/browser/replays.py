"""Pages of replays as the tests read them: the board, and what a game did at each event."""

from collections.abc import Mapping
from typing import Any, Final

from playwright.sync_api import Page

from tests import naive
from tests.cli.games import played

READ: Final = """() => {
  const piles = {};
  for (const card of document.querySelectorAll("#cards .card")) {
    const { pile, place, face, card: name } = card.dataset;
    (piles[pile] ??= [])[Number(place)] = face === "up" ? name : `(${name})`;
  }
  return piles;
}"""
"""Reads where each card lies: piles from bottom to top, in brackets what is face down."""

READ_ALL: Final = f"""() => {{
  const read = {READ};
  const slider = document.getElementById("slider");
  const boards = [];
  for (let i = Number(slider.min); i <= Number(slider.max); i++) {{
    slider.value = i;
    slider.dispatchEvent(new Event("input"));
    boards.push(read());
  }}
  return boards;
}}"""
"""Goes through the whole slider and reads the board at each place."""


def board_of(shown: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return a board of `ds show --json` in the form in which a page is read."""
    piles = {
        "S": ["()"] * shown["stock"],
        "W": shown["waste"],
        **{
            f"T{n}": ["()"] * column["down"] + column["up"]
            for n, column in enumerate(shown["columns"], 1)
        },
        **{
            f"F{n}": [rank + suit for rank in naive.RANKS[:height]]
            for n, (suit, height) in enumerate(
                zip(naive.ROWS, shown["foundations"], strict=True), 1
            )
        },
    }
    return {name: pile for name, pile in piles.items() if pile}


def board(page: Page) -> dict[str, list[str]]:
    """Return the board that a page shows."""
    read: dict[str, list[str]] = page.evaluate(READ)
    return read


def come_to_rest(page: Page) -> None:
    """Wait until no card moves any more."""
    page.evaluate("Promise.allSettled(document.getAnimations().map(one => one.finished))")


def event(page: Page) -> int:
    """Return the event at which a page stands."""
    return int(page.locator("#event").inner_text().split()[0])


def turning(said: Mapping[str, Any]) -> list[int]:
    """Return the events of a game that turned a card up (R10), by the second model."""
    down = [sum(map(len, played(said, seq).board.down)) for seq in range(len(said["events"]) + 1)]
    return [seq for seq in range(1, len(down)) if down[seq] < down[seq - 1]]


def going_home(said: Mapping[str, Any]) -> list[int]:
    """Return the events of a game that brought a card to a foundation."""
    return [each["seq"] for each in said["events"] if each["move"][-1] == "F"]
