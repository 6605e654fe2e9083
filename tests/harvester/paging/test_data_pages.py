"""Further pages of answers that are data."""

from typing import Any

import pytest

from leadline.core.harvest import Trail
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.harvester.paging.data_pages import DataAnswer, find_next_data_page

API = "http://shelf.test/api"


def next_of(query: str, tree: Any, shown: int = 10, total: int | None = None) -> str:
    asked = Request(Url(f"{API}?{query}"))
    found = find_next_data_page(DataAnswer(tree, asked, shown, total), Trail().after(asked, "ab"))
    return str(found.request.url) if found is not None else ""


@pytest.mark.parametrize(
    ("query", "total", "following"),
    [
        ("q=a&offset=0&limit=10", 25, "q=a&offset=10&limit=10"),
        ("q=a&start=20&rows=10", None, "q=a&start=30&rows=10"),
        ("q=a&page=1", 25, "q=a&page=2"),
        ("q=a&_page=3&_limit=10", 31, "q=a&_page=4&_limit=10"),
        ("q=a&page=0&size=10", 25, "q=a&page=1&size=10"),
    ],
)
def test_positions_in_the_request_lead_on(query: str, total: int | None, following: str) -> None:
    assert next_of(query, {"items": []}, total=total) == f"{API}?{following}"


@pytest.mark.parametrize(
    ("query", "shown", "total"),
    [
        ("q=a&offset=20&limit=10", 5, 25),
        ("q=a&offset=0&limit=10", 7, None),
        ("q=a&page=3&size=10", 5, 25),
        ("q=a", 10, 25),
        ("q=a&year=2001", 10, 25),
        ("q=a&offset=0", 7, None),
    ],
)
def test_nothing_leads_on_at_the_end_or_without_a_position(
    query: str, shown: int, total: int | None
) -> None:
    assert next_of(query, {"items": []}, shown, total) == ""


@pytest.mark.parametrize(
    "tree",
    [
        {"next": "/api?q=a&at=10", "items": []},
        {"links": {"next": "http://shelf.test/api?q=a&at=10"}},
        {"_links": {"next": {"href": "/api?q=a&at=10"}}},
        {"paging": {"next_page_url": "?q=a&at=10"}},
    ],
)
def test_the_data_names_its_next_page(tree: Any) -> None:
    assert next_of("q=a", tree) == f"{API}?q=a&at=10"


def test_a_token_goes_where_the_request_had_one() -> None:
    assert next_of("q=a&cursor=*", {"meta": {"next_cursor": "x+y"}}) == f"{API}?q=a&cursor=x%2By"
    assert next_of("q=a", {"meta": {"next_cursor": "x+y"}}) == ""


def test_another_site_is_no_next_page() -> None:
    assert next_of("q=a", {"next": "http://elsewhere.test/api?q=a&at=10"}) == ""
