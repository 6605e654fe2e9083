"""URLs: one form for each page, by the rules of the platform."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.url import (
    DEFAULT_RULES,
    MAX_URL_CHARS,
    UrlRules,
    _canonical_by_rule,
    canonical,
    host_of,
    path_of,
    registered_domain,
    site_of,
    url_words,
)

BASE = "http://www.example.com/books/list.html"

pieces = st.sampled_from(
    "/|//|.|..|./|../|?|&|=|#|%|%2e|:|@|;|a|B|1|xn--|http://|https://|HTTP://|www.a.com|0x7f.1|1.2"
    "|[::1]|\\| |utm_source=x|PHPSESSID=1|;jsessionid=3|\t|ü|-|_|~|+|,|\x00".split("|")
)
hrefs = st.one_of(st.text(max_size=60), st.lists(pieces, max_size=12).map("".join))


@given(href=hrefs)
def test_the_short_cut_agrees_with_the_rules(href: str) -> None:
    assert canonical(href, BASE) == _canonical_by_rule(href, BASE, DEFAULT_RULES)


@given(href=hrefs)
def test_canonical_is_idempotent_and_absolute(href: str) -> None:
    url = canonical(href, BASE)
    if url is not None:
        assert canonical(url) == url
        assert url.startswith(("http://", "https://"))
        assert "#" not in url
        assert len(url) <= MAX_URL_CHARS
        assert site_of(url)
        assert path_of(url).startswith("/")


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("?q=1", "http://www.example.com/books/list.html?q=1"),
        ("#top", "http://www.example.com/books/list.html"),
        ("//other.org", "http://other.org/"),
        ("HTTPS://Other.ORG:443/A", "https://other.org/A"),
        ("/a?utm_source=x&b=1", "http://www.example.com/a?b=1"),
        ("/a?PHPSESSID=abc", "http://www.example.com/a"),
        ("/a?sid=1;q=2;x=3", "http://www.example.com/a?q=2;x=3"),
        ("/a?q=2;sid=1", "http://www.example.com/a?q=2"),
        ("/a?q=2;x=3&y=4;", "http://www.example.com/a?q=2;x=3&y=4;"),
        ("/a;jsessionid=1F?b=2", "http://www.example.com/a?b=2"),
        ("http://user:secret@h.com/x", "http://h.com/x"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("/a/./b/../c", "http://www.example.com/a/c"),
        ("mailto:someone@example.com", None),
        ("javascript:void(0)", None),
        ("http://", None),
        ("/" + "a" * MAX_URL_CHARS, None),
    ],
)
def test_known_forms(href: str, url: str | None) -> None:
    assert canonical(href, BASE) == url


def test_what_is_cut_can_be_chosen() -> None:
    rules = UrlRules(drop=frozenset({"page"}), drop_path_session=False)
    assert canonical("/a;jsessionid=1?page=2&utm_source=x", BASE, rules) == (
        "http://www.example.com/a;jsessionid=1?utm_source=x"
    )


def test_a_site_is_a_host_with_its_unusual_port() -> None:
    url = canonical("https://www.Shop.co.uk:8443/x")
    assert url is not None
    assert site_of(url) == "www.shop.co.uk:8443"
    assert host_of(site_of(url)) == "www.shop.co.uk"
    assert registered_domain("www.shop.co.uk") == "shop.co.uk"
    assert registered_domain("127.0.0.1") == "127.0.0.1"


def test_url_words() -> None:
    words = url_words("http://www.abebooks.com/Find_Books/index.php?cat=7")
    assert words == ["abebooks", "com", "find", "books", "index", "php", "cat", "7"]
