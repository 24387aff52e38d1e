"""Pages opened in a real Chromium that reaches nothing else."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from conftest import NAMED_BROWSER, find_browser

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

    def __call__(self, path: Path, *, width: int = 1280, dark: bool = False) -> Page:
        """Open a file at a width in CSS pixels, in a light or dark system."""
        context = self._browser.new_context(
            viewport={"width": width, "height": 844 if width < 500 else 800},
            color_scheme="dark" if dark else "light",
        )
        page = context.new_page()
        page.on("console", lambda said: self._complain(f"console: {said.text}"))
        page.on("pageerror", lambda error: self._complain(f"error: {error}"))
        page.on("request", self._note_request)
        page.goto(path.as_uri())
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
def keep_picture(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Take a picture of a whole page, where a folder for them is named."""

    def keep(page: Page, name: str) -> None:
        if SCREENSHOTS:
            folder = Path(SCREENSHOTS)
            folder.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=folder / f"{name}.png", full_page=True)

    return keep
