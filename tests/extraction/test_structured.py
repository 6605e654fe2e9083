"""Data in pages name what pages show, and are values where they show nothing; hostile data do no
harm."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.url import Url
from leadline.extraction.structured import read_structured
from leadline.extraction.wrapper_learning import SourcePage, learn_wrapper, read_slots
from leadline.page.html_tree import parse_html
from leadline.page.outline import outline_of


def read(html: str) -> dict[str, tuple[str, ...]]:
    return dict(read_structured(parse_html(html.encode(), "text/html; charset=utf-8").tree))


def as_script(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def test_json_ld_says_what_the_fullest_object_is() -> None:
    found = read(
        as_script(
            {"@type": "WebSite", "name": "Shop", "url": "http://a.test", "alternateName": "S"}
        )
        + as_script(
            {
                "@graph": [
                    {"@type": "Organization", "name": "Shop", "telephone": "1", "email": "e"},
                    {
                        "@type": "Book",
                        "name": "Owls",
                        "author": [{"@type": "Person", "name": "Ann Smith"}],
                        "offers": {"price": 12.5, "priceCurrency": "EUR"},
                        "aggregateRating": {"ratingValue": "4", "reviewCount": 7},
                    },
                ]
            }
        )
    )
    assert found == {
        "name": ("Owls",),
        "author": ("Ann Smith",),
        "price": ("12.5 EUR",),
        "aggregateRating": ("4 / 5",),
        "reviewCount": ("7",),
    }


def test_an_address_is_one_value_and_its_parts() -> None:
    place = {"streetAddress": "1 Main St", "addressLocality": "Salem", "postalCode": "97301"}
    found = read(as_script({"@type": "Restaurant", "name": "Owl", "address": place}))
    assert found["address"] == ("1 Main St, Salem, 97301",)
    assert found["addressLocality"] == ("Salem",)


def test_attributes_and_open_graph_are_read() -> None:
    found = read(
        "<head><meta property='og:title' content='Owls'><meta property='og:site_name' content='S'>"
        "<meta property='product:price:amount' content='8.50'></head><body><div itemscope>"
        "<time itemprop=datePublished datetime=2010-05-03>May 3</time>"
        "<span property='schema:isbn'>123</span></div>"
    )
    assert found == {
        "datePublished": ("2010-05-03",),
        "isbn": ("123",),
        "name": ("Owls",),
        "price": ("8.50",),
    }


@pytest.mark.parametrize(
    "text", ["{", "[" * 100_000, '{"@type": {"a": 1}, "name": [[["x"]]]}', '{"@graph": null}', "7"]
)
def test_data_that_cannot_be_read_are_passed_over(text: str) -> None:
    read(f'<script type="application/ld+json">{text}</script>')


NAMES = st.sampled_from(["@type", "name", "offers", "address", "@graph", "geo"])
DATA = st.recursive(
    st.none() | st.text() | st.integers(),
    lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner),
)


@given(DATA)
def test_any_data_are_survived(data: object) -> None:
    read(as_script(data))


def make_page(number: int) -> SourcePage:
    name = ["Owls", "Stone", "Low Tide", "Two Rivers", "Winter Light", "Night Train"][number]
    html = f"<title>{name}</title><body><h1>{name}</h1><p>Welcome</p><div>Ann {name}son</div>"
    said = {"author": (f"Ann {name}son",), "isbn": (f"97804711170{number}4",), "publisher": ("X",)}
    return SourcePage(outline_of(html.encode(), Url(f"http://s.test/{number}")), name, said)


def test_data_name_what_is_shown_and_add_what_is_not() -> None:
    pages = [make_page(number) for number in range(6)]
    wrapper = learn_wrapper("s", pages)
    by_label = {slot.labels[0]: slot for slot in wrapper.slots if slot.labels}
    got = read_slots(wrapper, pages[2])
    assert got[by_label["@author"].name] == ["Ann Low Tideson"]
    assert got[by_label["@isbn"].name] == ["9780471117024"]
    assert "@publisher" not in by_label, "all pages say it: it is the site's"
