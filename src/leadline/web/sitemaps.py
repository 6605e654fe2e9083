"""Reading sitemaps: XML, index, plain text, gzipped; any bytes, no entities, bounded."""

import html
import re
import zlib
from collections.abc import Iterator

from leadline.core.url import Url, canonical

MAX_BYTES = 20 * 1024 * 1024
"""Unpacked; the protocol allows 50 MB, few sites use a tenth of it."""
MAX_URLS = 50_000
"""The protocol's own limit."""

# A tag search, not an XML parser: no entity is expanded and nothing is ever refused.
_loc = re.compile(
    r"<(?:(?!image:|video:)[A-Za-z][\w.-]{0,30}:)?loc\b[^<>]{0,200}>"
    r"\s{0,100}(?:<!\[CDATA\[\s{0,100})?([^<>\s\]]{1,2100})"
)
_index = re.compile(r"<(?:[A-Za-z][\w.-]{0,30}:)?sitemapindex\b")
_BOMS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def read_sitemap(body: bytes) -> list[Url]:
    """The distinct URLs a sitemap lists, in order; of an index, the sitemaps it lists.

    >>> read_sitemap(b"<urlset><url><loc>http://a.test/x?b=1&amp;c=2</loc></url></urlset>")
    ['http://a.test/x?b=1&c=2']
    >>> read_sitemap(b"http://a.test/1\\nhttp://a.test/2")
    ['http://a.test/1', 'http://a.test/2']
    """
    found: dict[Url, None] = {}
    for href in _hrefs(_text(body)):
        url = canonical(html.unescape(href))
        if url:
            found[url] = None
            if len(found) >= MAX_URLS:
                break
    return list(found)


def is_sitemap_index(body: bytes) -> bool:
    """Whether what `read_sitemap` finds are further sitemaps."""
    return _index.search(_text(body)[:10_000]) is not None


def _hrefs(text: str) -> Iterator[str]:
    if "<" in text[:1_000]:
        return (match[1] for match in _loc.finditer(text))
    return (line.strip() for line in text.splitlines() if line.strip())


def _text(body: bytes) -> str:
    if body[:2] == b"\x1f\x8b":
        body = _gunzip(body)
    body = body[:MAX_BYTES]
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[2:].decode(encoding, errors="replace")
    return body.decode("utf-8-sig", errors="replace")


def _gunzip(body: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(body, MAX_BYTES)
    except zlib.error:
        return b""
