"""Markup made to cost: cut before the parser sees it.

The parser takes time quadratic in the depth of nesting and in the attributes
of one tag (100,000 open divs: half a minute). Browsers stop nesting at 512;
so do we. Ordinary pages are passed over by their size.
"""

import re

MAX_DEPTH = 512
_MANY_TAGS = 10_000
"""Fewer cannot take longer than a third of a second, however nested."""
_LARGE_BYTES = 65_536
_LONG_TAG_BYTES = 20_000

_ENDLESS = frozenset(
    b"area base br col embed hr img input link meta source track wbr".split()
    + b"li p td th tr dt dd option optgroup tbody thead tfoot colgroup rt rp html head body".split()
)
"""Elements that hold nothing or need no end tag: many in a row do not nest."""
_DRAWN = frozenset(
    b"path circle ellipse rect line polyline polygon use stop image animate g svg".split()
)
"""Elements of pictures drawn in the page, as icons are, where `/>` ends an element."""
_tags = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)").finditer
_long_tag = re.compile(rb"(<[a-zA-Z][^\s<>]{0,40})[^<>]{%d,}" % _LONG_TAG_BYTES)
_values = re.compile(rb"""=\s{0,5}(?:"[^"]*"|'[^']*'|[^\s"'>]+)""").sub


def without_traps(body: bytes) -> tuple[bytes, str]:
    """The part of `body` that parses in linear time, and what was cut: '', depth, attributes."""
    cut = ""
    if len(body) > _LARGE_BYTES and _long_tag.search(body):
        shorter = _long_tag.sub(_bounded, body)
        body, cut = shorter, "attributes" if len(shorter) < len(body) else ""
    if len(body) > 3 * _MANY_TAGS and body.count(b"<") > _MANY_TAGS:
        end = _too_deep(body)
        if end:
            body, cut = body[:end], "depth"
    return body, cut


def _bounded(tag: re.Match[bytes]) -> bytes:
    """The tag, bare if it has too many attributes: one long value, as of hidden state, costs
    nothing."""
    return tag[0] if len(_values(b" ", tag[0])) < _LONG_TAG_BYTES else tag[1]


def _too_deep(body: bytes) -> int:
    """Where the nesting passes the limit; 0 when it never does."""
    depth = drawn = 0
    for tag in _tags(body):
        end, name, rest = tag[1], tag[2].lower(), tag[3]
        # Outside a picture they do nest: no more are believed than could do harm.
        is_ended = name in _DRAWN and rest.endswith(b"/") and drawn < _MANY_TAGS
        drawn += is_ended
        if is_ended or name in _ENDLESS:
            continue
        depth = max(depth - 1, 0) if end else depth + 1
        if depth > MAX_DEPTH:
            return tag.start()
    return 0
