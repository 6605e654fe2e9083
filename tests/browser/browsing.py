"""A browser in a thread of its own.

Playwright's plain interface keeps an event loop running in the thread that uses it. Tests of other
folders run loops of their own in the same process, so the browser and the bodies of its tests get
a thread for themselves.
"""

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

P = ParamSpec("P")
T = TypeVar("T")

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LAPTOP = (1366, 768)
PHONE = (390, 844)
PATIENCE_MS = 30_000
"""For machines that do much else; a test that passes does not wait for it."""


def find_chromium() -> str | None:
    """The first browser on the path that Playwright can drive."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class BrowserThread:
    """Runs what uses the browser, one call after the other."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="browser")
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    def run(self, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return self._pool.submit(act, *args, **kwargs).result()

    def open(self, path: str) -> None:
        expect.set_options(timeout=PATIENCE_MS)

        def launch() -> None:
            self._playwright = sync_playwright().start()
            self._browser = self._playwright.chromium.launch(
                executable_path=path, args=list(ARGUMENTS)
            )

        self.run(launch)

    def close(self) -> None:
        def end() -> None:
            if self._browser is not None:
                self._browser.close()
            if self._playwright is not None:
                self._playwright.stop()

        self.run(end)
        self._pool.shutdown()

    def context(self, **extra_urls: object) -> BrowserContext:
        assert self._browser is not None
        width, height = LAPTOP
        told = {
            "viewport": {"width": width, "height": height},
            "reduced_motion": "reduce",
            **extra_urls,
        }
        made = self._browser.new_context(**told)  # type: ignore[arg-type]
        made.set_default_timeout(PATIENCE_MS)
        return made


@dataclass
class Watched:
    """A page, and what it did that no page should."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda told: self._hear(told.type, told.text))
        self.page.on("pageerror", lambda error: self._hear("error", str(error)))
        self.page.on("dialog", lambda dialog: self._hear("error", f"dialog: {dialog.message}"))
        self.page.on("request", lambda request: self._follow(request.url))

    def go(self, path: str) -> Page:
        """Open a page of the dashboard."""
        answer = self.page.goto(self.address + path)
        assert answer is not None
        assert answer.ok, f"{path}: {answer.status}"
        return self.page

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(f"{self.page.url}: {text}")

    def _follow(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("data", "blob", "about"):
            return
        if f"{parts.scheme}://{parts.netloc}" != self.address:
            self.complaints.append(f"asked elsewhere: {url}")


@contextmanager
def watching(thread: BrowserThread, address: str, **extra_urls: object) -> Iterator[Watched]:
    """A page in a browser that remembers nothing; to be used in the browser's thread."""
    context = thread.context(**extra_urls)
    try:
        yield Watched(context.new_page(), address)
    finally:
        context.close()


def without_plotly(page: Page) -> None:
    """For tests that look at no chart: to read its script takes a browser most of a second."""
    page.route("**/plotly.min.js*", lambda route: route.fulfill(body=""))
