"""Every page shows what a crawl and a harvest brought."""

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import Watched, without_plotly
from tests.browser.conftest import Lab

PAGES = {
    "/book/": "Forms found",
    "/book/forms": "a way into a database",
    "/book/forms?min_score=0&q=search&sort=site": "fit what you ask for",
    "/book/forms/{form}": "How the crawl got there",
    "/book/records": "each once",
    "/book/harvests": "harvested, or being harvested",
    "/book/harvests/{form}": "Queries and what each brought",
    "/book/learned": "Weights in words",
    "/book/sites": "what each brought",
    "/book/explain": "Give a URL, a site or the signature of a form",
    "/book/explain?subject={form}": "path from the seed",
    "/book/labels": "No labels yet",
    "/book/control": "Sites to leave out",
    "/book/compare": "which crawl found more",
    "/": "served here",
}
"""Addresses, and words that stand there."""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_shows_what_there_is(watched: Watched, lab: Lab, path: str) -> None:
    page = watched.go(path.format(form=lab.form))
    expect(page.get_by_role("main")).to_contain_text(PAGES[path])
    charts = page.locator("[data-chart]").count()
    expect(page.locator("[data-chart].js-plotly-plot")).to_have_count(charts)


def test_charts_are_told_as_tables_too(watched: Watched) -> None:
    without_plotly(watched.page)
    page = watched.go("/book/")
    table = page.locator("#curve-figures table")
    expect(table).to_be_hidden()
    page.get_by_role("button", name="Show as a table").first.click()
    expect(table).to_be_visible()
    pages = page.locator('[data-figure="pages"]').inner_text()
    expect(table.locator("tbody tr").last).to_contain_text(pages)


def test_what_is_not_there_is_told_as_a_page(watched: Watched) -> None:
    answer = watched.page.goto(f"{watched.address}/book/forms/ffffffffffff")
    assert answer is not None
    assert answer.status == 404
    expect(watched.page.get_by_role("main")).to_contain_text("No such form was met")
    watched.complaints.clear()  # The browser itself complains of the status.
