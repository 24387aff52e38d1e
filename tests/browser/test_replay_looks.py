"""The page of a replay as it looks: at two widths, light and dark, under any name."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened, PageOf
from tests.browser.replays import board, come_to_rest
from tests.cli.games import dealt, vector, vectors

pytestmark = pytest.mark.browser

MARKUP = "</script><img src=x onerror=alert(1)><b>&amp;{{7*7}}<!--"
LOOKS = pytest.mark.parametrize(
    ("width", "dark"), [(390, False), (390, True), (1280, False), (1280, True)]
)


@LOOKS
def test_a_page_fits_and_its_names_are_texts(
    opened: Opened,
    page_of: PageOf,
    keep_picture: Callable[[Page, str], None],
    width: int,
    dark: bool,
) -> None:
    said = vector(label="APP-D3V") | {"player": MARKUP, "label": MARKUP[::-1]}
    page = opened(page_of(said), width=width, dark=dark)
    look = f"{width}-{'dark' if dark else 'light'}"
    for seq, name in ((0, "start"), (70, "middle"), (124, "won")):
        page.evaluate(f"location.hash = '#{seq}'")
        expect(page.locator("#event")).to_have_text(f"{seq} of 124")
        come_to_rest(page)
        keep_picture(page, f"replay-{look}-{name}")
    assert page.locator("h1").inner_text() == f"D3V · {said['label']}"
    assert page.locator("dd").first.inner_text() == MARKUP
    assert page.locator("img, b").count() == 0
    assert page.title() == f"D3V · {said['label']} · {MARKUP} · Double Solitaire"
    assert page.locator("#score").inner_text() == "$416"
    # Nothing has to be scrolled for to the side, and no control is too small for a thumb.
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for control in page.locator("button:visible, select:visible").all():
        box = control.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["width"] >= 40
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


@LOOKS
def test_texts_can_be_told_from_what_they_stand_on(
    opened: Opened, page_of: PageOf, width: int, dark: bool
) -> None:
    """The contrast that WCAG asks of texts, 4.5 to 1, against the page behind them."""
    page = opened(page_of(vectors()[5]), width=width, dark=dark)
    ratios = page.evaluate(
        """() => {
          const sheet = document.createElement("canvas");
          const canvas = sheet.getContext("2d", { willReadFrequently: true });
          const light = (colour) => {
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
            const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => {
              const value = part / 255;
              return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
          };
          const ground = (element) => {
            for (let at = element; at; at = at.parentElement) {
              const { backgroundColor } = getComputedStyle(at);
              if (!/, 0\\)$|transparent/.test(backgroundColor)) return backgroundColor;
            }
          };
          const picked = ["h1", ".result", "dt", "dd", ".label", "#said", ".seq", ".what",
            ".undone .what", ".change", "[aria-current] .seq", "#next-home", "h2"];
          return picked.map((selector) => {
            const element = document.querySelector(selector);
            const [a, b] = [getComputedStyle(element).color, ground(element)].map(light);
            return [selector, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
          });
        }"""
    )
    assert [(name, round(ratio, 2)) for name, ratio in ratios if ratio < 4.5] == []


@pytest.mark.parametrize("width", [390, 1280])
def test_the_longest_column_stays_on_the_table(
    opened: Opened,
    page_of: PageOf,
    keep_picture: Callable[[Page, str], None],
    width: int,
) -> None:
    """Eight cards face down, and on them a whole run from king to ace: no column is longer."""
    cards, moves = longest()
    said = dealt(*moves, cards=cards, label="the longest column")
    page = opened(page_of(said), width=width, at="24")
    column = board(page)["T9"]
    assert (len(column), column[8], column[-1]) == (21, "KS", "AS")
    table = page.locator("#table").bounding_box()
    boxes = [one.bounding_box() for one in page.locator('.card[data-pile="T9"]').all()]
    assert table is not None
    tops = []
    for box in boxes:
        assert box is not None
        assert table["y"] <= box["y"]
        assert box["y"] + box["height"] <= table["y"] + table["height"]
        tops.append(box["y"])
    # The index of each face-up card can be read above the next card.
    height = boxes[0]["height"] if boxes[0] else 0
    steps = [after - before for before, after in pairwise(tops[8:])]
    assert min(steps) > height * 0.29
    keep_picture(page, f"longest-column-{width}")


def longest() -> tuple[list[str], list[str]]:
    """Return a deck and the moves of a draw-1 game that make the longest column there can be.

    Column 9 ends in the king of spades, and the stock has what goes on it, in order.
    """
    run = ["QH", "JS", "TH", "9S", "8H", "7S", "6H", "5S", "4H", "3S", "2H", "AS"]
    pack = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"] * 2
    for card in ("KS", *run):
        pack.remove(card)
    dealt_cards = [*pack[:44], "KS"]
    deck = dealt_cards + run + pack[44:]
    moves = [move for _ in run for move in ("D", "WT9")]
    return deck, moves
