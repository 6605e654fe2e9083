"""What a page shows tells whether its search box searches records or articles."""

import pytest

from leadline.core.page import Page
from leadline.core.url import Url
from leadline.forms.holdings import SIGNS, WEIGHTS, describe_holdings, weigh_holdings
from leadline.page import parse_page
from leadline.page.marks import MarkCollector

BOX = "<form action=/s><input name=q><button>Go</button></form>"
GOODS = "".join(
    f"<tr><td><a href=/item/{n}0{n}>Thing {n}</a><td>{price}" for n, price in enumerate(
        ["$12.50", "8,90 €", "£7", "120 Kč", "1 200 ₽", "45 zł"]
    )
)  # fmt: skip
POSTS = "".join(
    f"<article><a href=/2024/05/how-we-came-to-love-rivers-{n}>How we came to love them again</a>"
    f"<time>May {n}</time><p>{'We walked along the water and said little. ' * 6}</article>"
    for n in range(1, 6)
)
FEED = '<link rel=alternate type="application/rss+xml" href=/feed>'


def page_of(html: str, head: str = "") -> Page:
    text = f"<html><head>{head}</head><body>{BOX}{html}"
    return parse_page(text.encode(), Url("http://a.test/"))


def test_a_list_of_priced_things_speaks_for_records_and_posts_for_articles() -> None:
    assert weigh_holdings(page_of(f"<table>{GOODS}</table>")) > 0.5
    assert weigh_holdings(page_of(POSTS, FEED)) < -0.5


@pytest.mark.parametrize(
    "data",
    [
        '<script type="application/ld+json">{"@type": "Book", "name": "A"}</script>',
        '<div itemscope itemtype="https://schema.org/JobPosting">A</div>',
        '<div typeof="schema:Product">A</div>',
        '<meta property="og:type" content="product">',
    ],
)
def test_declared_records_count_however_they_are_declared(data: str) -> None:
    assert describe_holdings(page_of(data, data))["declares records"] == 1
    assert weigh_holdings(page_of(data, data)) > weigh_holdings(page_of(""))


def test_what_speaks_for_articles_never_speaks_for_records() -> None:
    assert all(weight * SIGNS[name] > 0 for name, weight in WEIGHTS.items())


def test_hostile_pages_are_bounded() -> None:
    assert abs(weigh_holdings(page_of(GOODS * 300))) <= 2
    marks = MarkCollector()
    marks.add_data(
        "".join(f'"@type": "{chr(65 + n % 26)}{chr(97 + n // 26)}" ' for n in range(600))
    )
    assert len(marks.finish(b'<div itemtype="' * 100_000).types) == 40
