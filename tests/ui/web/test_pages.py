"""Pages as they leave the server: whole, escaped, and kind to who asks for what is not there."""

import re

import httpx
import pytest

from leadline.core.crawl import Event
from leadline.ui.web.filters import forms_after, group_events
from leadline.views.progress import CurvePoint
from tests.views.made_up import HOSTILE, judged, url

FORM = judged(1).signature
HARVESTED = judged(0).signature
PAGES = (
    "/book/", "/book/forms?min_score=0", "/book/forms?q=nothing+fits+this", "/book/forms?min_size=",
    f"/book/forms/{FORM}", "/book/harvests", f"/book/harvests/{HARVESTED}?sort=most-seen",
    "/book/learned", "/book/sites?sort=site", "/book/sites?q=zzz", "/book/explain",
    f"/book/explain?subject={FORM}", f"/book/explain?subject={url(1)}",
    "/book/explain?subject=%3Cb", "/book/labels", "/book/control", "/book/compare",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
async def test_pages_are_whole_and_escaped(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.text.rstrip().endswith("</html>")
    assert HOSTILE not in answer.text
    assert "<img" not in answer.text
    inline = re.findall(r"<script(?![^>]*(?:src=|application/json))", answer.text)
    assert inline == []
    assert re.findall(r'\s(?:on\w+|style)="', answer.text) == []


async def test_one_store_is_shown_at_once(client: httpx.AsyncClient) -> None:
    answer = await client.get("/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/book/")


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nowhere/", 404, "There is no such store"),
        ("/book/forms/ffffffffffffffff", 404, "No such form was met"),
        ("/book/harvests/ffffffffffffffff", 404, "This form was not harvested"),
        ("/book/forms?min_score=much", 422, "This cannot be asked"),
        ("/book/sites?sort=%3Cscript%3E", 422, "This cannot be asked"),
        ("/book/harvests?offset=-1", 422, "This cannot be asked"),
    ],
)
async def test_errors_are_pages_too(
    client: httpx.AsyncClient, path: str, status: int, words: str
) -> None:
    answer = await client.get(path)
    assert answer.status_code == status
    assert words in answer.text
    assert "<script>" not in answer.text


async def test_filters_are_kept_from_page_to_page(client: httpx.AsyncClient) -> None:
    answer = await client.get("/book/forms?min_score=0&limit=2&q=page&topic=")
    assert "/book/forms?min_score=0&amp;limit=2&amp;q=page&amp;offset=2" in answer.text


def test_events_that_repeat_themselves_are_told_once() -> None:
    rows = [Event(at=float(n), kind=k, subject="a", detail="") for n, k in enumerate("xxyx")]
    assert [(row.kind, row.at, number) for row, number in group_events(rows)] == [
        ("x", 0.0, 2),
        ("y", 2.0, 1),
        ("x", 3.0, 1),
    ]


def test_a_curve_is_read_between_its_points_and_not_beyond() -> None:
    curve = [CurvePoint(n, n, n // 10) for n in (10, 20, 40)]
    assert [forms_after(curve, pages) for pages in (0, 10, 39, 40, 41)] == [0, 1, 2, 4, None]
