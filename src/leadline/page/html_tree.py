"""Bytes to a tag tree: decoded, freed of traps and parsed. `parse_page` and `outline_of` read it.

Who needs both the page and its outline parses once and reads the tree twice: finding out the
charset and parsing cost more than either walk.
"""

import codecs
import re
from typing import NamedTuple

from charset_normalizer import from_bytes
from selectolax.lexbor import LexborHTMLParser

from leadline.page.markup_guard import SMALL_BYTES, cut_traps, is_ordinary, rename_long_selects

# What browsers read by these names (WHATWG Encoding): Python's codecs of the same names are
# narrower, and real pages use characters outside of them.
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    # Browsers dropped UTF-7, because it hid scripts from filters.
    "utf-7": "utf-8",
}
# Python's own codecs that no page is written in; they fail on bytes, or read escapes as text.
_NO_CHARSETS = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_header_charset = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE).search
_meta_charset = re.compile(
    rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE
).search
_template_tags = re.compile(rb"<(/?)template(?=[\s/>])([^>]{0,300}>?)", re.IGNORECASE).sub
_META_WINDOW = 4096
"""Browsers look at the first 1,024 bytes; many real pages declare theirs a little later."""
_DETECT_WINDOW = 16_384
"""Bytes that detection reads: it is slow, and needed only for pages that declare nothing."""


def find_charset(body: bytes, content_type: str = "") -> str:
    """The Python codec name for `body`, by byte order mark, header, meta tag, then detection;
    always one that exists."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return name
    declared = _header_charset(content_type)
    named = find_codec(declared[1]) if declared else ""
    return named or _from_meta(body) or _from_content(body)


def decode(body: bytes, content_type: str = "") -> str:
    """The text of `body`; what cannot be read becomes U+FFFD."""
    name = find_charset(body, content_type)
    return body.decode(name, "replace").removeprefix("\ufeff")


def _from_meta(body: bytes) -> str:
    meta = _meta_charset(body[:_META_WINDOW])
    if meta is None:
        return ""
    name = find_codec(meta[1].decode("ascii", "replace"))
    # A page that claims UTF-16 in a meta tag cannot mean it: the tag was readable as ASCII.
    return "utf-8" if name.startswith("utf-16") else name


def _from_content(body: bytes) -> str:
    try:
        codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        best = from_bytes(body[:_DETECT_WINDOW]).best()
        return (find_codec(best.encoding) if best else "") or "cp1252"
    return "utf-8"


def find_codec(name: str) -> str:
    """The Python codec that browsers mean by the name of a charset; '' for none."""
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    if not codec._is_text_encoding or codec.name.replace("-", "_") in _NO_CHARSETS:
        return ""
    return _WIDER.get(codec.name, codec.name)


class HtmlTree(NamedTuple):
    """A parsed body. Readers do not change the tree, so it can be read several times."""

    tree: LexborHTMLParser
    charset: str
    """The Python codec name that the body was decoded with."""
    truncated: str
    """What was cut off before parsing: '', `depth`, `attributes` or `tags`."""
    body: bytes = b""
    """What was parsed, in UTF-8."""


def parse_html(body: bytes, content_type: str = "") -> HtmlTree:
    """The tag tree of `body`. Any bytes give one; time is linear in their number."""
    charset = find_charset(body, content_type)
    if charset != "utf-8":
        body = body.decode(charset, "replace").encode("utf-8", "replace")
    truncated = ""
    if len(body) > SMALL_BYTES:
        if not is_ordinary(body):
            body, truncated = cut_traps(body)
        body = rename_long_selects(body)
    return HtmlTree(LexborHTMLParser(body), charset, truncated, body)


def open_shadow_roots(html: HtmlTree) -> HtmlTree:
    """The same with declarative shadow roots in the open: browsers show what stands in them, while
    the inside of any other template is no part of the page."""
    opened: list[bool] = []

    def rename(tag: re.Match[bytes]) -> bytes:
        if not tag[1]:
            opened.append(b"shadowroot" in tag[2].lower())
            return b"<div" + tag[2] if opened[-1] else tag[0]
        return b"</div" + tag[2] if opened and opened.pop() else tag[0]

    body = _template_tags(rename, html.body)
    return HtmlTree(LexborHTMLParser(body), html.charset, html.truncated, body)
