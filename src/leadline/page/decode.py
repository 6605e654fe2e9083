"""Which characters the bytes of a page stand for: header, BOM, meta, then detection."""

import codecs
import re

from charset_normalizer import from_bytes

# The WHATWG reading of names that mean a narrower encoding in Python.
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
    # Pages that claim UTF-16 in a meta tag cannot mean it: the tag was readable.
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
_META_WINDOW = 4096
"""Browsers look at the first 1,024 bytes; many real pages declare theirs a little later."""
_DETECT_WINDOW = 16_384


def charset_of(body: bytes, content_type: str = "") -> str:
    """The Python codec name for `body`; always one that exists."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return name
    declared = _header_charset(content_type)
    named = codec_of(declared[1]) if declared else ""
    return named or _from_meta(body) or _from_content(body)


def decode(body: bytes, content_type: str = "") -> str:
    """The text of `body`; what cannot be read becomes U+FFFD."""
    name = charset_of(body, content_type)
    return body.decode(name, "replace").removeprefix("\ufeff")


def _from_meta(body: bytes) -> str:
    meta = _meta_charset(body[:_META_WINDOW])
    if meta is None:
        return ""
    name = codec_of(meta[1].decode("ascii", "replace"))
    return "utf-8" if name.startswith("utf-16") else name


def _from_content(body: bytes) -> str:
    try:
        codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        best = from_bytes(body[:_DETECT_WINDOW]).best()
        return (codec_of(best.encoding) if best else "") or "cp1252"
    return "utf-8"


def codec_of(name: str) -> str:
    """The Python codec that browsers mean by the name of a charset; '' for none."""
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    if not codec._is_text_encoding or codec.name.replace("-", "_") in _NO_CHARSETS:
        return ""
    return _WIDER.get(codec.name, codec.name)
