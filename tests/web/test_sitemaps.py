"""Sitemaps of any kind give their URLs, and junk gives none."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.web.sitemaps import MAX_URLS, is_sitemap_index, read_sitemap

URLS = ["http://a.test/1", "http://a.test/2?x=1&y=2"]
XML = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> http://a.test/1 </loc><image:image><image:loc>http://a.test/i.png</image:loc>
</image:image></url><url><loc><![CDATA[http://a.test/2?x=1&y=2]]></loc></url></urlset>"""
ENTITIES = b"""<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY s SYSTEM "file:///etc">]>
<urlset><url><loc>http://a.test/1</loc></url><url><loc>&b;&s;</loc></url>
<url><loc>http://a.test/2?x=1&amp;y=2</loc></url></urlset>"""
PREFIXED = b"""<s:urlset><s:url><s:loc>http://a.test/1</s:loc></s:url>
<s:url><s:loc>http://a.test/2?x=1&#38;y=2</s:loc></s:url></s:urlset>"""


@pytest.mark.parametrize(
    "body",
    [
        XML,
        ENTITIES,
        PREFIXED,
        gzip.compress(XML),
        "\n".join(URLS).encode("utf-8-sig"),
        b"\xff\xfe" + XML.decode().encode("utf-16-le"),
    ],
)
def test_every_form_of_sitemap_is_read(body: bytes) -> None:
    assert read_sitemap(body) == URLS
    assert not is_sitemap_index(body)


def test_an_index_lists_sitemaps() -> None:
    body = b"<sitemapindex><sitemap><loc>http://a.test/s.xml</loc></sitemap></sitemapindex>"
    assert is_sitemap_index(body)
    assert read_sitemap(body) == ["http://a.test/s.xml"]


def test_the_number_of_urls_is_bounded() -> None:
    body = b"".join(b"http://a.test/%d\n" % n for n in range(MAX_URLS + 10))
    assert len(read_sitemap(body)) == MAX_URLS


def test_a_bomb_is_cut() -> None:
    assert read_sitemap(gzip.compress(bytes(21 * 1024 * 1024), 1)) == []


@given(st.binary(max_size=500) | st.builds(gzip.compress, st.binary(max_size=500)))
def test_junk_never_raises(body: bytes) -> None:
    read_sitemap(body)
    is_sitemap_index(b"\x1f\x8b" + body)


@given(
    st.lists(st.sampled_from(["<loc>", "</loc>", "<![CDATA[", "]]>", "http://a.test/", "<", " "]))
)
def test_broken_markup_never_raises(pieces: list[str]) -> None:
    assert all(url.startswith("http://") for url in read_sitemap("".join(pieces).encode()))
