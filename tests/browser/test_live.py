"""A crawl that is started, watched, paused and stopped from its page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from leadline.views.stores import open_to_read
from tests.browser.browsing import PATIENCE_MS, BrowserThread, watching
from tests.browser.conftest import Lab
from tests.browser.stores import crawl_lab, dashboard

LIVE_MS = PATIENCE_MS
"""For a crawl to begin in a process of its own."""


@pytest.fixture
def begun(lab: Lab, tmp_path: Path) -> Path:
    """A crawl that was ended by its budget long before it was done. It asks few sites at a time,
    to leave the machine to the browser."""
    few = ["--set", "crawl.concurrency=2"]
    return crawl_lab(lab.port, tmp_path / "begun.leadline", *few, pages=20, delay_s=0.2)


@pytest.fixture
def served(begun: Path) -> Iterator[str]:
    with dashboard({"begun": begun}) as address:
        yield address


def figure(page: Page, name: str) -> int:
    return int(page.locator(f'[data-figure="{name}"]').first.inner_text().replace(",", ""))


def points(page: Page) -> int:
    """Pages at the end of the curve as it is drawn."""
    last: int = page.evaluate("document.getElementById('curve').data[0].x.at(-1)")
    return last


STILL = """async () => {
  let last = -1, since = Date.now();
  while (Date.now() - since < 1200) {
    const { counts } = await (await fetch("/api/v1/stores/begun/overview")).json();
    if (counts.visits !== last) [last, since] = [counts.visits, Date.now()];
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return last;
}"""
"""Ends when no visit has come for longer than a crawl with these pauses ever takes for one."""


def order(page: Page, name: str, state: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator("[data-pill]")).to_have_text(state, timeout=LIVE_MS)


def test_the_curve_moves_and_pause_pauses(thread: BrowserThread, served: str, begun: Path) -> None:
    with watching(thread, served) as watched:
        page = watched.go("/begun/control")
        page.get_by_label("Pages, over all runs").fill("100000")
        page.get_by_role("button", name="Set the budget").click()
        expect(page.locator('[data-part="orders"] tbody tr')).to_have_count(1)

        page = watched.go("/begun/")
        before, drawn = figure(page, "pages"), points(page)
        order(page, "Start", "running")
        page.wait_for_function(
            "before => document.getElementById('curve').data[0].x.at(-1) > before", arg=drawn
        )
        assert figure(page, "pages") > before

        order(page, "Pause", "paused")
        expect(page.get_by_role("button", name="Resume", exact=True)).to_be_enabled()
        assert page.evaluate(STILL) > before
        order(page, "Resume", "running")
        order(page, "Stop", "stopped")
        expect(page.locator('[data-figure="reason"]')).not_to_be_empty()
        assert watched.complaints == []
    with open_to_read(str(begun)) as store:
        assert all(given.done_at is not None for given in store.inbox.orders())
