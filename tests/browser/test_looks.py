"""On a phone, in the dark, by keyboard, without scripts, without motion."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import PHONE, BrowserThread, Watched, watching, without_plotly
from tests.browser.conftest import Lab

PATHS = (
    "/", "/book/", "/book/forms", "/book/forms/{form}", "/book/records", "/book/harvests",
    "/book/harvests/{form}", "/book/learned", "/book/sites", "/book/explain?subject={form}",
    "/book/labels", "/book/control", "/book/compare",
)  # fmt: skip
WIDTHS = "[document.documentElement.scrollWidth, window.innerWidth]"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


def darkness(page: Page) -> float:
    """0 for white, 1 for black."""
    colour: str = page.evaluate(BACKGROUND)
    parts = [int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    return 1 - sum(parts) / (3 * 255)


def test_no_page_is_wider_than_a_phone(thread: BrowserThread, address: str, lab: Lab) -> None:
    size = {"width": PHONE[0], "height": PHONE[1]}
    # Charts fit their panels; drawing all of them again would only take time.
    with watching(thread, address, viewport=size, has_touch=True) as watched:
        without_plotly(watched.page)
        for path in PATHS:
            page = watched.go(path.format(form=lab.form))
            wide, window = page.evaluate(WIDTHS)
            assert wide <= window, path
        assert watched.complaints == []


def test_charts_fit_a_phone(thread: BrowserThread, address: str) -> None:
    size = {"width": PHONE[0], "height": PHONE[1]}
    with watching(thread, address, viewport=size, color_scheme="dark") as watched:
        page = watched.go("/book/")
        expect(page.locator("#curve.js-plotly-plot")).to_be_visible()
        wide, window = page.evaluate(WIDTHS)
        assert wide <= window
        assert darkness(page) > 0.8
        assert watched.complaints == []


def test_the_theme_is_chosen_and_kept(thread: BrowserThread, address: str) -> None:
    with watching(thread, address, color_scheme="light") as watched:
        page = watched.go("/book/sites")
        assert darkness(page) < 0.2
        button = page.locator("[data-theme-button]")
        button.click()
        expect(button).to_have_attribute("aria-label", "Theme: light")
        button.click()
        expect(button).to_have_attribute("aria-label", "Theme: dark")
        assert darkness(page) > 0.8
        page = watched.go("/book/labels")
        assert darkness(page) > 0.8


def test_a_keyboard_is_enough(watched: Watched) -> None:
    page = watched.go("/book/sites")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")
    width = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert width == "2px"


def test_without_scripts_everything_is_told(thread: BrowserThread, address: str, lab: Lab) -> None:
    with watching(thread, address, java_script_enabled=False) as watched:
        page = watched.go("/book/")
        expect(page.locator("#curve-figures table")).to_be_visible()
        expect(page.locator("#curve")).to_be_hidden()
        expect(page.get_by_role("button", name="Start")).to_be_hidden()
        page = watched.go(f"/book/harvests/{lab.form}")
        expect(page.locator("#coverage-figures table")).to_be_visible()


@pytest.mark.parametrize("extra", ["reduce", "no-preference"])
def test_nothing_moves_for_those_who_do_not_want_it(
    thread: BrowserThread, address: str, extra: str
) -> None:
    with watching(thread, address, reduced_motion=extra) as watched:
        page = watched.go("/book/control")
        expect(page.locator('[data-live][data-state="live"]')).to_be_visible()
        name = page.evaluate(
            "getComputedStyle(document.querySelector('[data-live]'), '::before').animationName"
        )
        assert (name == "none") == (extra == "reduce")


def test_a_lost_connection_is_said(thread: BrowserThread, address: str) -> None:
    with watching(thread, address) as watched:
        watched.page.route("**/stream", lambda route: route.abort())
        page = watched.go("/book/control")
        expect(page.get_by_text("connection lost")).to_be_visible()
        expect(page.locator("[data-lost]")).to_contain_text("The connection to the server is lost")
