"""Pages opened in a real Chromium that reaches nothing else."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from conftest import NAMED_BROWSER, find_browser
from tests.cli.conftest import (  # noqa: F401 (fixtures)
    _commands_are_built_once,
    database,
    ds,
    empty_record,
    home,
)
from tests.cli.games import as_line, id_text
from tests.cli.running import Ds

GAME: Final = id_text(1)
"""The id of the game whose page a test opens."""

PageOf: TypeAlias = Callable[..., Path]

SCREENSHOTS = os.environ.get("DS_TEST_SCREENSHOTS")
"""The folder in which pictures are kept for a person to look at."""

_ALONE = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking")


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser, one for all tests of the package."""
    path = find_browser()
    assert path is not None, f"there is no Chromium here: install one, or set {NAMED_BROWSER}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_ALONE))
        yield browser
        browser.close()


class Opened:
    """Opens pages, and keeps what they should not have done: requests, errors in the console."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.faults: list[str] = []

    def __call__(
        self,
        path: Path,
        *,
        width: int = 1280,
        dark: bool = False,
        at: str = "",
        calm: bool = False,
        own_clock: bool = False,
    ) -> Page:
        """Open a file at a width in CSS pixels, in a light or dark system.

        `at` is what its address names after `#`. A calm system wants no motion. With a clock
        of its own, time passes in the page only as `page.clock` lets it. Narrow ones are
        touched like a phone.
        """
        phone = width < 500
        context = self._browser.new_context(
            viewport={"width": width, "height": 844 if phone else 800},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if calm else "no-preference",
            has_touch=phone,
            timezone_id="Asia/Tokyo",
        )
        page = context.new_page()
        page.set_default_timeout(20_000)
        if own_clock:
            page.clock.install(time=0)
        page.on("console", lambda said: self._complain(f"console: {said.text}"))
        page.on("pageerror", lambda error: self._complain(f"error: {error}"))
        page.on("request", self._note_request)
        page.goto(path.as_uri() + (f"#{at}" if at else ""))
        if own_clock:
            page.clock.pause_at(3600)
        return page

    def _note_request(self, request: Request) -> None:
        # The page itself, and other pages that a link leads to beside it.
        if not (request.is_navigation_request() and request.url.startswith("file:")):
            self._complain(f"request: {request.url[:200]}")

    def _complain(self, what: str) -> None:
        self.faults.append(what)


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Opened]:
    """A function that opens pages; what they do wrong fails the test at its end."""
    opening = Opened(chromium)
    yield opening
    for context in chromium.contexts:
        context.close()
    assert opening.faults == []


@pytest.fixture
def page_of(ds: Ds, tmp_path: Path) -> PageOf:  # noqa: F811
    """A function that stores a line of ds-game/1 as the game and writes its replay's page."""

    def write(said: dict[str, Any], *options: str) -> Path:
        ds.ok("import", "-", stdin=as_line(said | {"id": GAME}))
        path = tmp_path / "replay.html"
        ds.ok("replay", "--game", GAME, "--html", str(path), *options)
        return path

    return write


@pytest.fixture
def keep_picture(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Take a picture of a whole page, where a folder for them is named."""

    def keep(page: Page, name: str) -> None:
        if SCREENSHOTS:
            folder = Path(SCREENSHOTS)
            folder.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=folder / f"{name}.png", full_page=True)

    return keep
