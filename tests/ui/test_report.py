"""The report: whatever pages call themselves, it stays text; and it loads nothing."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Event,
    JudgedForm,
    Priority,
    SiteState,
    Visit,
)
from leadline.core.page import Field, Form
from leadline.core.store import Store
from leadline.core.url import Site, Url
from leadline.records.exporters import CsvExporter
from leadline.store import open_store, open_store_view
from leadline.ui.cli.report import curve_svg, render_report
from leadline.views.forms import form_rows
from leadline.views.progress import CurvePoint, forms_curve
from leadline.views.text import clean
from tests.store.samples import record, take

HOSTILE = "\"><script>alert('x')</script><img src=x onerror=alert(1)>\x1b]0;owned\x07 & co"


@pytest.fixture
def hostile() -> Store:
    """A store in which everything a page can choose is an attack."""
    store = open_store(":memory:")
    site, url = Site("evil.test"), Url("http://evil.test/?q=%22%3E%3Cscript%3E")
    store.links.put([Candidate(url, site, Priority(0, 1.0, "seed"))])
    (lease,) = take(store, 1)
    form = Form(
        url,
        Url("http://evil.test/'><b>"),
        "get",
        (Field(HOSTILE, "text", HOSTILE),),
        text=HOSTILE,
    )
    visit = Visit(lease.id, url, site, "page", 2.0, title=HOSTILE, forms=1)
    judged = JudgedForm(form, "f" * 16, 0.9, 0.9, HOSTILE)
    state = SiteState(site, pages=1, forms=1, closed=HOSTILE)
    record(store, visit, state, (), (judged,), (Event(2.0, "site-left", site, HOSTILE),))
    store.note(Event(3.0, "stopped", detail=HOSTILE))
    return store


class Tags(HTMLParser):
    """Collects what a browser would see as elements and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= set(attrs)


def test_hostile_titles_stay_text(hostile: Store) -> None:
    page = render_report(hostile, HOSTILE)
    tags = Tags()
    tags.feed(page)
    assert tags.names.isdisjoint({"script", "img", "iframe", "object"})
    assert not [name for name, _ in tags.attributes if name.startswith("on")]
    assert "\x1b" not in page
    assert "\x07" not in page
    assert "&lt;script&gt;" in page


def test_a_report_loads_nothing_from_outside(store: Path) -> None:
    opened = open_store_view(store)
    page = render_report(opened, "crawl.leadline")
    opened.close()
    tags = Tags()
    tags.feed(page)
    loading = [value for name, value in tags.attributes if name in ("src", "srcset", "data")]
    assert loading == []
    assert "link" not in tags.names
    assert not re.search(r"url\(|@import", page)
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page


def test_a_terminal_gets_no_control_characters(hostile: Store) -> None:
    (row,) = form_rows(hostile)
    assert "\x1b" in row.what, "the store keeps what the page said"
    assert "\x1b" not in clean(row.what)


def test_a_spreadsheet_gets_no_formulas(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    with out.open("wb") as stream:
        CsvExporter().write([Event(1.0, "busy", "=HYPERLINK(1)", "+A1")], Event, stream)
    assert out.read_text().splitlines()[1] == "1.0,busy,'=HYPERLINK(1),'+A1"


def test_a_curve_is_drawn_for_nothing_and_for_much() -> None:
    assert "0 relevant forms after 0 visits" in curve_svg([CurvePoint(0, 0, 0)])
    visit = Visit(CandidateId(1), Url("http://a.test/"), Site("a.test"), "page", 2.0, forms=1)
    points = forms_curve(visit for _ in range(100_000))
    assert len(points) <= 402
    assert points[-1] == CurvePoint(100_000, 100_000, 100_000, 2.0)
    assert "nan" not in curve_svg(points)
