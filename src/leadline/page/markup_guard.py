"""Markup made to cost time: found by a quick look, and cut by a tokenizer before it is parsed.

The tree builder takes time quadratic in the depth of nesting, in the attributes of one tag and in
the attributes of repeated `<body>` and `<html>` tags (100,000 open divs: half a minute). Browsers
stop nesting at 512 elements; so do we. `is_ordinary` is what every page can afford: it bounds what
the worst page of that size can cost. `cut_traps` reads every tag, and is for the others.
"""

import re

import numpy as np

MAX_DEPTH = 512
MAX_ATTRIBUTES = 500
"""Of one tag. The largest count on 350 pages of 2025 is 32."""
MAX_TAGS = 200_000
SMALL_BYTES = 32_768
"""No family of hostile pages takes longer than 50 ms at this size (tests/adversary)."""
_QUICK_BYTES = 1 << 20
"""No family of hostile pages that is ordinary takes longer than 50 ms at this size (the same)."""
_ORDINARY_TAGS = 12_000
"""Of 350 pages of 2025 one has more. Nesting so many takes the parser 30 ms."""
_LONG_TAG_BYTES = 20_000
_BRACKETS_IN_VALUES = 500
_ORDINARY_VALUES = 8_000
"""Attributes with values that one tag may have before the parser takes a third of a second."""
_ORDINARY_OPTIONS = 1_000
LONG_SELECT = "x-select"
"""What a select of many options is called for the parser, which takes time quadratic in the options
of a `select` (40,000: six seconds) and linear in those of any other element."""

_long_tag = re.compile(rb"<[a-zA-Z][^<>]{%d}" % _LONG_TAG_BYTES).search
_brackets = re.compile(rb"""=\s?(?:"[^"<>]*>|'[^'<>]*>)""").findall

_options = re.compile(rb"<option\b", re.IGNORECASE).findall
_select_tags = re.compile(rb"<(/?)select(?=[\s/>])", re.IGNORECASE).sub
# One token at the place it is tried at: a tag with all its attributes, quotes respected. Atomic
# groups and possessive repeats: whatever does not match fails at once, without trying again.
_tag = re.compile(
    rb"""<(/?)([a-zA-Z][^\s/>]*+)((?>[^>"'=]++|=\s*+(?>"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))?|["'])*+)>?"""
).match
_attribute = re.compile(rb"""[^\s/=>]++\s*+(?>=\s*+(?>"[^"]*+"?|'[^']*+'?|[^\s>]*+))?""").finditer
_RAW = frozenset(
    b"script style textarea title xmp iframe noembed noframes plaintext noscript".split()
)
"""Elements whose inside is text up to their own end tag."""
_UNNESTED = frozenset(
    b"area base br col embed hr img input link meta source track wbr param keygen frame".split()
    + b"html head body".split()
)
"""Elements that hold nothing, or that are there once however often they are opened."""
_CELLS = frozenset((b"td", b"th"))
_ROWS = _CELLS | {b"tr"}
_GROUPS = _ROWS | {b"tbody", b"thead", b"tfoot", b"caption", b"colgroup"}
_ENDS = {
    b"p": frozenset((b"p",)),
    b"li": frozenset((b"li", b"p")),
    b"dt": frozenset((b"dt", b"dd", b"p")),
    b"dd": frozenset((b"dt", b"dd", b"p")),
    b"option": frozenset((b"option",)),
    b"optgroup": frozenset((b"option", b"optgroup")),
    b"td": _CELLS | {b"p"},
    b"th": _CELLS | {b"p"},
    b"tr": _ROWS | {b"p"},
    **dict.fromkeys((b"tbody", b"thead", b"tfoot", b"caption", b"colgroup"), _GROUPS),
}
"""Elements that end the open ones before them: many in a row do not nest."""
_DRAWN = frozenset(
    b"path circle ellipse rect line polyline polygon use stop image animate g svg text".split()
)
"""Elements of pictures drawn in the page, where `/>` ends an element."""


def is_quick_to_parse(body: bytes) -> bool:
    """Whether reading and judging a body is bounded by its size and by what it is made of, to a
    small part of a second. Linear, and quick itself."""
    if len(body) <= SMALL_BYTES:
        return True
    return len(body) <= _QUICK_BYTES and is_ordinary(body)


def is_ordinary(body: bytes) -> bool:
    """Whether a page of more than SMALL_BYTES can be parsed as it is, in a moment."""
    if body.count(b"<") > _ORDINARY_TAGS:
        return False
    if body.count(b"=") > _ORDINARY_VALUES and len(_brackets(body)) > _BRACKETS_IN_VALUES:
        return False
    return not _may_hold_long_tag(body) or _long_tag(body) is None


def _may_hold_long_tag(body: bytes) -> bool:
    """Whether `>` is anywhere missing for as long as a long tag: quicker than the search."""
    places = np.flatnonzero(np.frombuffer(body, np.uint8) == ord(">"))
    gaps = np.diff(places, prepend=0, append=len(body))
    return bool(gaps.max() > _LONG_TAG_BYTES)


def rename_long_selects(body: bytes) -> bytes:
    """The body with every select called LONG_SELECT, if it has more options than parse at once."""
    # Counting is ten times as quick as the search, which sees every spelling.
    is_plain = body.count(b"<option") <= _ORDINARY_OPTIONS >= body.count(b"<OPTION")
    if is_plain and body.count(b"<") <= _ORDINARY_TAGS:
        return body
    if len(_options(body)) <= _ORDINARY_OPTIONS:
        return body
    return _select_tags(rb"<\1" + LONG_SELECT.encode(), body)


def cut_traps(body: bytes) -> tuple[bytes, str]:
    """The body without what takes quadratic time, and what was cut: '', depth, attributes, tags.

    Tags beyond the depth are left out one by one, so that what follows a trap is still read.
    Linear in the size of the body.
    """
    kept: list[bytes] = []
    copied = 0
    cut = ""
    depths = _Depths()
    place = body.find(b"<")
    tags = 0
    while place >= 0:
        end, verdict, shorter = _judge_token(body, place, depths)
        tags += 1
        if tags > MAX_TAGS:
            return b"".join([*kept, body[copied:place]]), "tags"
        if verdict:
            kept += (body[copied:place], shorter)
            copied, cut = end, verdict
        place = body.find(b"<", end)
    return b"".join([*kept, body[copied:]]) if kept else body, cut


class _Depths:
    """Which elements are open, as far as counting needs it."""

    def __init__(self) -> None:
        self.open: list[bytes] = []
        self.counts: dict[bytes, int] = {}
        self.bodies = 0

    def enter(self, name: bytes) -> bool:
        """Open an element; False when that is too deep."""
        ended = _ENDS.get(name)
        while ended and self.open and self.open[-1] in ended:
            self.counts[self.open.pop()] -= 1
        if len(self.open) >= MAX_DEPTH:
            return False
        self.open.append(name)
        self.counts[name] = self.counts.get(name, 0) + 1
        return True

    def leave(self, name: bytes) -> None:
        """An end tag ends the elements inside it; one without a beginning ends nothing."""
        if not self.counts.get(name):
            return
        while self.open:
            last = self.open.pop()
            self.counts[last] -= 1
            if last == name:
                return


def _judge_token(body: bytes, place: int, depths: _Depths) -> tuple[int, str, bytes]:
    """Where the token at `place` ends, why it is cut if it is, and what stands in its place."""
    if body.startswith(b"<!--", place):
        end = body.find(b"-->", place + 4)
        return (end + 3 if end >= 0 else len(body)), "", b""
    tag = _tag(body, place)
    if tag is None:
        return place + 1, "", b""
    name, end = tag[2].lower(), tag.end()
    if tag[1]:
        depths.leave(name)
        return end, "", b""
    if len(tag[3]) > 2 * MAX_ATTRIBUTES and _count_attributes(tag[3]) > MAX_ATTRIBUTES:
        return end, "attributes", b"<" + tag[2] + b">"
    if name in (b"body", b"html"):
        depths.bodies += 1
        return (end, "tags", b"") if depths.bodies > 10 else (end, "", b"")
    if name in _RAW:
        return _skip_raw_text(body, name, end), "", b""
    is_ended = name in _UNNESTED or (name in _DRAWN and tag[3].endswith(b"/"))
    if is_ended or depths.enter(name):
        return end, "", b""
    return end, "depth", b""


def _count_attributes(attributes: bytes) -> int:
    found = 0
    for _ in _attribute(attributes):
        found += 1
        if found > MAX_ATTRIBUTES:
            break
    return found


def _skip_raw_text(body: bytes, name: bytes, start: int) -> int:
    """Where the text of a script or the like ends: before its end tag."""
    if name == b"plaintext":
        return len(body)
    ends = re.compile(rb"</" + re.escape(name) + rb"(?=[\s/>])", re.IGNORECASE).search(body, start)
    return ends.start() if ends else len(body)
