"""Bytes to a tag tree: decoded, freed of traps and parsed. `parse_page` and `outline_of` read it.

Who needs both the page and its outline parses once and reads the tree twice: finding out the
charset and parsing cost more than either walk.
"""

import codecs
import re
from typing import NamedTuple

from charset_normalizer import from_bytes
from selectolax.lexbor import LexborHTMLParser

from leadline.page.markup_guard import is_ordinary, rename_long_selects, rewrite_markup

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
# The encodings of the Web (WHATWG Encoding) by the names of Python's codecs, wider ones for
# narrower. Of the others some fail on bytes, some read escapes as text, some spell `<` with other
# bytes, so that nobody who looks at the bytes sees the tags.
_CHARSETS = frozenset(
    "utf-8 utf-16-be utf-16-le utf-16 cp866 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 "
    "iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u "
    "mac-roman mac-cyrillic cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 "
    "gb18030 big5hkscs euc_jp iso2022_jp cp932 cp949".split()
)
# Names of the same standard that Python does not know.
_NAMES = {
    "unicode-1-1-utf-8": "utf-8",
    "x-unicode20utf8": "utf-8",
    "unicode": "utf-16-le",
    "ucs-2": "utf-16-le",
    "iso-8859-8-i": "iso8859-8",
    "logical": "iso8859-8",
    "visual": "iso8859-8",
    "koi": "koi8-r",
    "koi8": "koi8-r",
    "koi8-ru": "koi8-u",
    "mac": "mac-roman",
    "x-mac-roman": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-ukrainian": "mac-cyrillic",
    "windows-874": "cp874",
    "dos-874": "cp874",
    **{f"x-cp{number}": f"cp{number}" for number in range(1250, 1259)},
    "x-gbk": "gb18030",
    "x-x-big5": "big5hkscs",
    "cn-big5": "big5hkscs",
    "x-euc-jp": "euc_jp",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "windows-949": "cp949",
}
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
        codec = codecs.lookup(_NAMES.get(name.lower(), name))
    except (LookupError, ValueError):
        return ""
    wider = _WIDER.get(codec.name, codec.name)
    return wider if wider in _CHARSETS else ""


class HtmlTree(NamedTuple):
    """A parsed body. Readers do not change the tree, so it can be read several times."""

    tree: LexborHTMLParser
    charset: str
    """The Python codec name that the body was decoded with."""
    truncated: str
    """What was cut off before parsing: '', `depth`, `attributes` or `tags`."""
    body: bytes = b""
    """What was parsed, in UTF-8."""


def parse_html(body: bytes, content_type: str = "", *, is_checked: bool = False) -> HtmlTree:
    """The tag tree of `body`. Any bytes give one; time is linear in their number.

    `is_checked`: `is_quick_to_parse` is known of it. A second look would cost a sixth of a crawl.
    """
    charset = find_charset(body, content_type)
    if charset != "utf-8":
        # The look was at other bytes.
        body, is_checked = body.decode(charset, "replace").encode("utf-8", "replace"), False
    truncated = ""
    if not is_checked and not is_ordinary(body):
        body, truncated = rewrite_markup(body)
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
