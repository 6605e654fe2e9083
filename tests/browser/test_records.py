"""The table of records: sorted, filtered, searched, asked where it comes from, downloaded; and a
harvest that is started from a form's page."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from leadline.views.forms import form_rows
from leadline.views.stores import open_to_read
from tests.browser.browsing import BrowserThread, Watched, watching
from tests.browser.conftest import Lab
from tests.browser.stores import dashboard
from tests.browser.test_hostile import PLANTED
from tests.ui.web.things import BOOKS, make_books
from tests.views.made_up import HOSTILE


@pytest.fixture(scope="module")
def served(thread: BrowserThread, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:  # noqa: ARG001 - no store where there is no browser
    path = make_books(tmp_path_factory.mktemp("things") / "things.leadline")
    with dashboard({"things": path}) as address:
        yield address


def first(page: Page, column: str) -> str:
    cell = page.locator(f'tr[data-thing] >> nth=0 >> [data-column="{column}"]')
    return cell.inner_text().strip()


def ready(watched: Watched, query: str = "") -> Page:
    """The page when its table is made: it shows itself."""
    page = watched.go(f"/things/records{query}")
    expect(page.locator("tr[data-thing]").first).to_be_visible()
    return page


def test_the_table_is_sorted_filtered_and_searched(thread: BrowserThread, served: str) -> None:
    with watching(thread, served) as watched:
        page = ready(watched)
        expect(page.get_by_role("main")).to_contain_text(f"{BOOKS + 1} things from")
        page.get_by_role("link", name="price", exact=True).click()
        assert first(page, "price") == "69.50 USD"
        page.get_by_role("link", name="price").click()
        assert first(page, "price") == "10.50 USD"

        page.get_by_text("Filter by column").click()
        page.get_by_label("price from").fill("30")
        page.get_by_label("publication date to").fill("1953")
        page.get_by_role("button", name="Filter").click()
        expect(page.locator("tr[data-thing]")).to_have_count(4)
        assert first(page, "price") == "30.50 USD"

        page.get_by_role("link", name="Clear").click()
        page.get_by_label("Words of the record").fill("amb jane")
        page.keyboard.press("Enter")
        expect(page.locator("tr[data-thing]")).to_have_count(10)
        assert watched.complaints == []


def test_a_click_on_a_value_shows_what_each_source_says(thread: BrowserThread, served: str) -> None:
    with watching(thread, served) as watched:
        page = ready(watched, "?conflicts.is=yes")
        page.locator('tr[data-thing] [data-column="publication_date"]').click()
        dialog = page.get_by_role("dialog")
        years = dialog.locator(".asked-for tr")
        expect(years).to_have_count(2)
        expect(years.filter(has_text="1937")).to_contain_text("shown")
        expect(years.filter(has_text="1999")).not_to_contain_text("shown")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        assert watched.complaints == []


def test_hostile_records_stay_text(thread: BrowserThread, served: str) -> None:
    with watching(thread, served) as watched:
        page = ready(watched, "?q=onerror&sort=-publication_date")
        expect(page.locator("tbody")).to_contain_text(HOSTILE)
        page.locator("tr[data-thing]").last.click()
        expect(page.get_by_role("dialog")).to_contain_text(HOSTILE)
        assert page.locator(PLANTED).count() == 0
        assert page.locator("[href^='javascript' i]").count() == 0
        assert watched.complaints == []


def test_the_table_is_downloaded(thread: BrowserThread, served: str, tmp_path: Path) -> None:
    with watching(thread, served) as watched:
        page = ready(watched)
        with page.expect_download() as begun:
            page.get_by_role("link", name="CSV").click()
        begun.value.save_as(tmp_path / "got.csv")
        assert begun.value.suggested_filename == "things.things.csv"
        assert len((tmp_path / "got.csv").read_text().splitlines()) == BOOKS + 2


def test_a_harvest_is_started_on_a_forms_page(
    thread: BrowserThread, lab: Lab, tmp_path: Path
) -> None:
    own = Path(shutil.copy(lab.book, tmp_path / "own.leadline"))
    with open_to_read(str(own)) as store:
        form = next(row.signature for row in form_rows(store) if row.signature != lab.form)
    with dashboard({"own": own}) as address, watching(thread, address) as watched:
        page = watched.go(f"/own/forms/{form}")
        page.get_by_label("Requests, at most").fill("5")
        page.get_by_role("button", name="Extract its records").click()
        expect(page.locator("[data-harvest-said]")).to_contain_text("Ended:")
        expect(page.locator('[data-part="harvest"]')).to_contain_text("policy")
        page.get_by_role("link", name="Show the table of records").click()
        expect(page.get_by_role("heading", name="Records")).to_be_visible()
        assert watched.complaints == []
    with open_to_read(str(own)) as store:
        assert any(one.subject.signature == form for one in store.harvests.all())
