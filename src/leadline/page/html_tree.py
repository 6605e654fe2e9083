"""Bytes to a tag tree: decoded, freed of traps and parsed. `parse_page` and `outline_of` read it.

Whoever needs both the page and its outline parses once and reads the tree twice: finding out the
charset and parsing cost more than either walk.
"""

from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from leadline.page.decode import charset_of
from leadline.page.hostile import without_traps


class HtmlTree(NamedTuple):
    """A parsed body. Readers do not change the tree, so it can be read several times."""

    tree: LexborHTMLParser
    charset: str
    """The Python codec name that the body was decoded with."""
    truncated: str
    """What was cut off before parsing: '', `depth` or `attributes`."""


def parse_html(body: bytes, content_type: str = "") -> HtmlTree:
    """The tag tree of `body`. Any bytes give one; time is linear in their number."""
    charset = charset_of(body, content_type)
    if charset != "utf-8":
        body = body.decode(charset, "replace").encode("utf-8", "replace")
    body, truncated = without_traps(body)
    return HtmlTree(LexborHTMLParser(body), charset, truncated)
