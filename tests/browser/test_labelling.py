"""One key labels a form; the label is stored, and changes the score."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from leadline.views.stores import open_to_read
from tests.browser.browsing import BrowserThread, Watched, watching
from tests.browser.conftest import Lab
from tests.browser.stores import dashboard


@pytest.fixture
def own(lab: Lab, tmp_path: Path) -> Path:
    """A store that may be written on."""
    return Path(shutil.copy(lab.book, tmp_path / "own.leadline"))


@pytest.fixture
def labelled(own: Path) -> Iterator[str]:
    with dashboard({"own": own}) as address:
        yield address


def label_in(store: Path) -> list[tuple[str, str]]:
    with open_to_read(str(store)) as opened:
        return [(label.subject, label.verdict) for label in opened.inbox.labels()]


def score(page: Page, row: int) -> float:
    return float(page.locator("tr[data-signature] [data-after]").nth(row).inner_text())


def test_a_key_labels_and_the_label_changes_the_score(
    thread: BrowserThread, labelled: str, own: Path
) -> None:
    with watching(thread, labelled) as watched:
        page = watched.go("/own/forms")
        rows = page.locator("tr[data-signature]")
        wrong = rows.nth(1).locator("[data-verdict=wrong]")
        signature = rows.nth(1).get_attribute("data-signature")
        before = score(page, 1)
        for key in ("j", "j", "w"):
            page.keyboard.press(key)
        expect(page.locator("[data-said]")).to_contain_text("labelled wrong")
        expect(wrong).to_have_attribute("aria-pressed", "true")
        expect(rows.nth(1).locator("[data-was]")).to_contain_text(f"was {before:.2f}")
        assert score(page, 1) < before
        assert label_in(own) == [(signature, "wrong")]

        page = watched.go("/own/labels")
        expect(page.locator("tbody tr")).to_contain_text(["✗ wrong"])
        expect(page.locator("tbody tr")).to_contain_text([f"{before:.2f}"])

        page = watched.go("/own/forms")
        for key in ("j", "j", "u"):
            page.keyboard.press(key)
        expect(page.locator("[data-said]")).to_contain_text("taken back")
        expect(wrong).to_have_attribute("aria-pressed", "false")
        assert watched.complaints == []


def test_enter_opens_what_is_marked_and_a_key_labels_it_there(
    thread: BrowserThread, labelled: str, own: Path
) -> None:
    with watching(thread, labelled) as watched:
        page = watched.go("/own/forms")
        signature = page.locator("tr[data-signature]").first.get_attribute("data-signature")
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/forms/{signature}")
        page.keyboard.press("r")
        expect(page.locator("[data-said]")).to_contain_text("labelled right")
        expect(page.locator('[data-part="labels"]')).to_contain_text("right")
        assert label_in(own) == [(signature, "right")]


def test_a_question_mark_shows_the_keys(watched: Watched) -> None:
    page = watched.go("/book/forms")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("label it right")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_keys_are_letters_while_someone_types(watched: Watched) -> None:
    page = watched.go("/book/forms")
    page.keyboard.press("/")
    page.keyboard.type("jrw")
    expect(page.locator("#q")).to_have_value("jrw")
    assert page.locator("tr[aria-selected]").count() == 0
