r"""Markup made to cost time: found by a quick look, and rewritten before it is parsed.

The tree builder takes time quadratic in the depth of nesting, in the attributes of one tag, in the
attributes of repeated `<body>` and `<html>` tags (100,000 open divs: half a minute), and in
formatting that is never closed, which every further block opens again (`<p><font size=1></p>`: 9 s
and 5 GB for 128 KB). `is_ordinary` is what every page can afford, a single pass of a regular
expression that follows the standard's tokenizer; what it lets through is bounded whatever its
author intended. `rewrite_markup` is for the others: it writes the page anew as elements that are
closed in the order they were opened, so that the tree builder finds what was counted here.
"""

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

MAX_DEPTH = 512
"""Where browsers stop nesting."""
MAX_ATTRIBUTES = 256
"""Of one tag. The largest count on 350 pages of 2025 is 32."""
MAX_ALL_ATTRIBUTES = 400_000
"""Of a page: each takes 150 bytes of memory."""
MAX_TAGS = 200_000
_QUICK_BYTES = 1 << 20
"""No family of hostile pages that is ordinary takes 50 ms at this size (tests/adversary)."""
_ORDINARY_TAGS = 12_000
"""Of 350 pages of 2025 one has more. Nesting so many takes the parser 120 ms."""
_ORDINARY_ATTRIBUTES = 64
_ORDINARY_FORMATS = 16
"""Formatting elements open at a time: every block may open all of them again."""
_FEW_REOPENED = _ORDINARY_TAGS * _ORDINARY_FORMATS
"""Formatting elements times tags, up to which it does not matter which are closed: each tag may
open all elements again. Of so many, the fewest elements take longest (blocks, cells and fonts
around 17 to 400 of them), and the tags of that many blocks as long by themselves."""
_FEW_BYTES = 8_192
"""Smaller pages cannot hold anything that takes long: the worst family takes 20 ms."""
_SMALL_BYTES = 32_768
"""Below, only formatting that is left open takes longer than 40 ms."""
_ORDINARY_OPTIONS = 1_000
LONG_SELECT = "x-select"
"""What a select of many options is called for the parser, which takes time quadratic in the options
of a `select` (40,000: six seconds) and linear in those of any other element."""

# The tokens of the standard (WHATWG HTML 13.2.5). Atomic groups and possessive repeats: whatever
# does not match fails at once, without trying again.
_TAG_NAME = rb"[a-zA-Z][^\t\n\f\r />]*+"
_ATTRIBUTE = (
    rb"[^\t\n\f\r />][^\t\n\f\r />=]*+(?>[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?>\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r >\"'][^\t\n\f\r >]*+|(?=>))|(?![\t\n\f\r ]*+=))"
)
_FEW_ATTRIBUTES = (
    rb"(?>[\t\n\f\r /]*+" + _ATTRIBUTE + rb"){0,%d}+[\t\n\f\r /]*+>" % (_ORDINARY_ATTRIBUTES)
)
_COMMENT = rb"!--(?>-?>|(?>[^-]++|-(?!-!?>))*+--!?>)"
_BOGUS = rb"(?>[?]|!(?!--|\[CDATA\[)|/(?![a-zA-Z]))[^>]*+>"
_RAW_NAMES = rb"(?i:style|textarea|title|xmp|iframe|noembed|noframes)(?=[\t\n\f\r />])"
# Its text holds no tag, so that it does not matter whether the parser takes it for text: in
# pictures and menus it does not.
_RAW = _RAW_NAMES + _FEW_ATTRIBUTES + rb"[^<]*+(?=</)"
_STYLE = (
    rb"(?i:style)(?=[\t\n\f\r />])"
    + _FEW_ATTRIBUTES
    + rb"(?>[^<]++|<(?!(?i:/style)[\t\n\f\r />]))*+"
    rb"(?=<(?i:/style)[\t\n\f\r />])"
)
# A script in a comment inside a script hides one end tag of the script.
_INNER_SCRIPT = (
    rb"<(?i:script)[\t\n\f\r />](?>[^<-]++|-(?!->)|<(?!(?i:/script)[\t\n\f\r />]))*+"
    rb"(?><(?i:/script)[\t\n\f\r />]|(?=-->))"
)
_SCRIPT_COMMENT = (
    rb"<!--(?>-*+>|(?>[^<-]++|-(?!->)|" + _INNER_SCRIPT + rb"|<(?!(?i:/?script)[\t\n\f\r />]))*+"
    rb"(?>-->|(?=<(?i:/script)[\t\n\f\r />])))"
)
_SCRIPT_TEXT = (
    rb"(?>[^<]++|" + _SCRIPT_COMMENT + rb"|<(?!(?i:/script)[\t\n\f\r />]|!--))*+"
    rb"(?=<(?i:/script)[\t\n\f\r />])"
)
_SCRIPT = rb"(?i:script)(?=[\t\n\f\r />])" + _FEW_ATTRIBUTES + _SCRIPT_TEXT
_OWN_RULES = rb"(?i:script|svg|math|select|plaintext|frameset)(?=[\t\n\f\r />])"
_PLAIN_TAG = rb"/?(?!" + _OWN_RULES + rb"|" + _RAW_NAMES + rb")" + _TAG_NAME + _FEW_ATTRIBUTES
_END_TAG = rb"/(?!(?i:frameset)[\t\n\f\r />])" + _TAG_NAME + _FEW_ATTRIBUTES


def _whole(name: bytes, *inside: bytes) -> bytes:
    """An element that is closed, with nothing inside but text, plain elements and what is given."""
    tokens = rb"|".join((_PLAIN_TAG, rb"/" + _RAW_NAMES + _FEW_ATTRIBUTES, _RAW, _COMMENT, *inside))
    start = rb"(?i:" + name + rb")(?=[\t\n\f\r />])"
    return (
        start + _FEW_ATTRIBUTES + rb"(?>[^<]++|<(?>" + tokens + rb"))*+</" + start + _FEW_ATTRIBUTES
    )


# In drawings and menus the parser does not take scripts and styles for text.
_DRAWING = _whole(rb"svg", _whole(rb"svg"))
_TOKENS = (
    *(_PLAIN_TAG, _END_TAG, _SCRIPT, _STYLE, _RAW, _DRAWING, _whole(rb"math"), _whole(rb"select")),
    *(_COMMENT, _BOGUS, rb"(?![a-zA-Z!?/])"),
)


@cache
def _compile_ordinary() -> re.Pattern[bytes]:
    """For the first page that needs it: this takes a twentieth of the time of loading a crawler."""
    return re.compile(rb"(?>[^<]++|<(?>" + rb"|".join(_TOKENS) + rb"))*+")


_FORMATS = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_format_tags = re.compile(
    rb"<(/?)(b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\t\n\f\r />])"
).findall
_FORMAT_TAG_BYTES = len(b"</strong>")


def _pair_formats() -> NDArray[np.bool_]:
    """By the first two bytes of a tag's name, in either case, whether it may be formatting."""
    pairs = np.zeros(1 << 16, np.bool_)
    for name in _FORMATS:
        for first in (name[:1], name[:1].upper()):
            ends = name[1:2] + name[1:2].upper() if len(name) > 1 else b"\t\n\f\r />"
            for second in ends:
                pairs[first[0] | second << 8] = True
    return pairs


_FORMAT_PAIRS = _pair_formats()
_options = re.compile(rb"<option\b", re.IGNORECASE).findall
_select_tags = re.compile(rb"<(/?)select(?=[\s/>])", re.IGNORECASE).sub


def is_quick_to_parse(body: bytes) -> bool:
    """Whether reading and judging a body is bounded by its size and by what it is made of, to a
    small part of a second. Linear, and quick itself."""
    return len(body) <= _QUICK_BYTES and is_ordinary(body)


def is_ordinary(body: bytes) -> bool:
    """Whether a page can be parsed as it is, in a moment."""
    if len(body) < _FEW_BYTES:
        return True
    places, names = _find_tags(body)
    if _leaves_formats_open(body, places, names):
        return False
    if len(body) < _SMALL_BYTES:
        return True
    if len(places) > _ORDINARY_TAGS:
        return False
    found = _compile_ordinary().match(body)
    return found is not None and found.end() == len(body)


def _find_tags(body: bytes) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """Where tags may begin, but for the last three bytes, and the next two bytes of each as a
    number. By array arithmetic, which counts them in half the time of `bytes.count`."""
    signs = np.frombuffer(body, np.uint8)
    places = (signs[:-3] == ord("<")).nonzero()[0]
    # Every byte with the one after it as a number; nothing is copied.
    return places, np.ndarray(len(body) - 2, "<u2", body, 1, (1,))[places]


def _leaves_formats_open(body: bytes, places: NDArray[np.int64], names: NDArray[np.uint16]) -> bool:
    """Whether more formatting is open somewhere than one would write by hand."""
    opened = np.count_nonzero(_FORMAT_PAIRS[names])
    if opened <= _ORDINARY_FORMATS or opened * len(places) <= _FEW_REOPENED:
        return False
    tags = _format_tags(_cut_formats(body).lower())
    if len(tags) <= _ORDINARY_FORMATS:
        return False
    is_open: dict[bytes, int] = {}
    count = 0
    for slash, name in tags:
        before = is_open.get(name, 0)
        if not slash:
            is_open[name] = before + 1
            count += 1
            if count > _ORDINARY_FORMATS:
                return True
        elif before:
            is_open[name] = before - 1
            count -= 1
    return False


def _cut_formats(body: bytes) -> bytes:
    """The beginnings of those tags that may be formatting. The rest of a page is
    passed over by array arithmetic: a search for their names in all of it takes six times as long
    as this and the search in what is left."""
    signs = np.frombuffer(body, np.uint8)
    places = (signs[:-3] == ord("<")).nonzero()[0]
    names = signs[places + 1]
    at = places + 1 + (names == ord("/"))
    found = _FORMAT_PAIRS[signs[at] | signs[at + 1].astype(np.uint16) << 8].nonzero()[0]
    if len(found) <= _ORDINARY_FORMATS:
        return b""  # as many may be open anyway
    starts = places[found].tolist()
    # Up to the next tag at most, so that none is there twice.
    ends = np.minimum(places[found] + _FORMAT_TAG_BYTES, np.append(places, len(body))[found + 1])
    return b"".join([body[start:end] for start, end in zip(starts, ends.tolist(), strict=True)])


def rename_long_selects(body: bytes) -> bytes:
    """The body with every select called LONG_SELECT, if it has more options than parse at once."""
    if len(body) < _SMALL_BYTES:
        return body
    _, names = _find_tags(body)
    # In lower case, which these two letters alone have as these numbers.
    likely = np.count_nonzero(names | 0x2020 == ord("o") | ord("p") << 8)
    if likely <= _ORDINARY_OPTIONS or len(_options(body)) <= _ORDINARY_OPTIONS:
        return body
    return _select_tags(rb"<\1" + LONG_SELECT.encode(), body)


_tag = re.compile(rb"<(/?)(" + _TAG_NAME + rb")((?>[\t\n\f\r /]++|" + _ATTRIBUTE + rb")*+)>").match
_attributes = re.compile(_ATTRIBUTE).finditer
_comment = re.compile(rb"<" + _COMMENT).match
_script_text = re.compile(_SCRIPT_TEXT).match
_RAW_ELEMENTS = frozenset(b"script style textarea title xmp iframe noembed noframes".split())
"""Elements whose inside is text up to their own end tag."""
_KEPT_TEXTS = frozenset((b"textarea", b"title"))
"""Those of them whose text is read."""
_VOID = frozenset(
    b"area base basefont bgsound br col embed frame hr image img input keygen link meta param"
    b" source track wbr".split()
)
_ONCE = frozenset((b"html", b"head", b"body"))
_HEADINGS = frozenset((b"h1", b"h2", b"h3", b"h4", b"h5", b"h6"))
_RUBY = frozenset((b"rb", b"rt", b"rp", b"rtc"))
_ENDS_PARAGRAPH = _HEADINGS | frozenset(
    b"address article aside blockquote center details dialog dir div dl fieldset figcaption figure"
    b" footer form header hgroup hr listing main menu nav ol p pre search section summary table ul"
    b" li dd dt xmp".split()
)
_WALLS = frozenset(b"applet caption marquee object table td template th".split())
"""End tags inside them do not end what is outside."""
_TABLE_PARTS = frozenset(b"table caption colgroup tbody thead tfoot tr td th".split())
_SPECIAL = (
    _ENDS_PARAGRAPH
    | _WALLS
    | _TABLE_PARTS
    | frozenset(b"button select body head html noscript iframe textarea title script style".split())
)
"""Elements that the end tag of a span or an unknown element inside does not end."""
_CELLS = (b"td", b"th", b"caption")
_ENDS = {
    b"li": ((b"li",), (b"ul", b"ol", b"menu")),
    b"dt": ((b"dt", b"dd"), (b"dl",)),
    b"dd": ((b"dt", b"dd"), (b"dl",)),
    b"option": ((b"option",), (b"select", b"datalist")),
    b"optgroup": ((b"option", b"optgroup"), (b"select",)),
    b"button": ((b"button",), ()),
    b"select": ((b"select",), ()),
    b"td": (_CELLS, (b"tr", b"table")),
    b"th": (_CELLS, (b"tr", b"table")),
    b"tr": ((*_CELLS, b"tr"), (b"table",)),
    **dict.fromkeys(
        (b"tbody", b"thead", b"tfoot", b"caption", b"colgroup"),
        ((*_CELLS, b"tr", b"tbody", b"thead", b"tfoot", b"colgroup"), (b"table",)),
    ),
}
"""Elements that end open ones of these names, but not beyond the elements named second."""


def rewrite_markup(body: bytes) -> tuple[bytes, str]:
    """The page without what takes quadratic time, and what was cut: '', depth, attributes, tags.

    Scripts, styles and comments are left out; all else is written in order, every element closed.
    Tags beyond the depth are left out one by one, so that what follows a trap is still read.
    Linear in the size of the body.
    """
    return _Rewriter(body).rewrite()


class _Rewriter:
    """Writes tags to `kept` and holds which elements are open, as the parser will.

    `open` are names from the outermost in; an empty name is an element that an end tag took out of
    the middle. `places` has, by name, where in `open` each stands, so that nothing is searched.
    """

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._kept: list[bytes] = []
        self._open: list[bytes] = []
        self._places: dict[bytes, list[int]] = {}
        self._walls: list[int] = []
        self._specials: list[int] = []
        self._tags = 0
        self._attributes = 0
        self._once: dict[bytes, int] = {}
        self._cut = ""

    def rewrite(self) -> tuple[bytes, str]:
        body, kept = self._body, self._kept
        end = 0
        place = body.find(b"<")
        while place >= 0:
            kept.append(body[end:place])
            end = self._read_token(place)
            if self._tags > MAX_TAGS:
                self._cut, end = "tags", len(body)
            place = body.find(b"<", end)
        kept.append(body[end:])
        return b"".join(kept), self._cut

    def _read_token(self, place: int) -> int:
        """Writes what the token at `place` comes to; where it ends."""
        body = self._body
        tag = _tag(body, place)
        if tag is not None:
            self._tags += 1
            name = tag[2].lower()
            if tag[1]:
                self._end(name)
                return tag.end()
            if name == b"plaintext":
                return len(body)
            if not self._start(name, tag) or name not in _RAW_ELEMENTS:
                return tag.end()
            return self._read_raw_text(name, tag.end())
        follows = body[place + 1 : place + 2]
        if follows.isalpha() or (follows == b"/" and body[place + 2 : place + 3].isalpha()):
            # A tag that never ends is none, and nothing comes after it.
            return len(body)
        if follows and follows in b"!?/":
            self._tags += 1
            # Text before and after it stays two texts.
            self._kept.append(b"<!---->")
            return self._skip_comment(place)
        self._kept.append(b"&lt;")
        return place + 1

    def _skip_comment(self, place: int) -> int:
        body = self._body
        if body.startswith(b"<!--", place):
            found = _comment(body, place)
            return found.end() if found else len(body)
        is_data = body.startswith(b"<![CDATA[", place) and self._is_in_drawing()
        mark = b"]]>" if is_data else b">"
        end = body.find(mark, place)
        return end + len(mark) if end >= 0 else len(body)

    def _read_raw_text(self, name: bytes, start: int) -> int:
        """Where the text of a script or the like ends: before its end tag."""
        body = self._body
        if name == b"script":
            script = _script_text(body, start)
            return script.end() if script else len(body)
        ends = _RAW_ENDS[name](body, start)
        end = ends.start() if ends else len(body)
        if name in _KEPT_TEXTS:
            self._kept.append(body[start:end].replace(b"<", b"&lt;"))
        return end

    def _is_in_drawing(self) -> bool:
        return bool(self._places.get(b"svg") or self._places.get(b"math"))

    def _start(self, name: bytes, tag: re.Match[bytes]) -> bool:
        """Writes a start tag; False when it is left out."""
        if name in _ONCE:
            self._once[name] = self._once.get(name, 0) + 1
            if self._once[name] > 1 and not self._is_worth_repeating(name):
                return False
        elif name == b"form" and self._places.get(name):
            # Forms do not nest: the parser would leave it out too.
            return False
        self._end_before(name)
        text = self._shorten(tag)
        if name in _ONCE:
            self._kept.append(b"<%b>" % text)
        elif name in _VOID:
            # In a drawing even these hold what follows them.
            self._kept.append(b"<%b />" % text if self._is_in_drawing() else b"<%b>" % text)
        elif len(self._open) >= MAX_DEPTH:
            self._cut = "depth"
            return name in _RAW_ELEMENTS
        else:
            self._kept.append(b"<%b>" % text)
            self._push(name)
            if tag[3].endswith(b"/") and self._is_in_drawing():
                self._close_to(len(self._open) - 1)
        return True

    def _is_worth_repeating(self, name: bytes) -> bool:
        """Attributes of further `<body>` tags are added to the first: a few times is enough."""
        if self._once[name] > 10:
            self._cut = "tags"
            return False
        return name != b"head"

    def _shorten(self, tag: re.Match[bytes]) -> bytes:
        """Name and attributes, without those if they are too many."""
        given = tag[3]
        if not given:
            return tag[2]
        count = 0
        for _ in _attributes(given):
            count += 1
            if count > MAX_ATTRIBUTES:
                break
        self._attributes += count
        if count > MAX_ATTRIBUTES or self._attributes > MAX_ALL_ATTRIBUTES:
            self._cut = "attributes"
            return tag[2]
        return tag[2] + given

    def _push(self, name: bytes) -> None:
        place = len(self._open)
        self._open.append(name)
        self._places.setdefault(name, []).append(place)
        if name in _WALLS:
            self._walls.append(place)
        if name in _SPECIAL:
            self._specials.append(place)

    def _close_to(self, place: int) -> None:
        """Writes the ends of all elements from the innermost up to the one at `place`."""
        while len(self._open) > place:
            last = self._open.pop()
            if not last:
                continue
            self._places[last].pop()
            self._kept.append(b"</%b>" % last)
            for kind in (self._walls, self._specials):
                if kind and kind[-1] == len(self._open):
                    kind.pop()

    def _last(self, *names: bytes) -> int:
        """Where the innermost element of these names stands; -1 for none."""
        found = -1
        for name in names:
            places = self._places.get(name)
            if places and places[-1] > found:
                found = places[-1]
        return found

    def _end_before(self, name: bytes) -> None:
        """Ends what a start tag ends without saying so."""
        wall = self._walls[-1] if self._walls else -1
        if name in _ENDS_PARAGRAPH and (place := self._last(b"p")) > max(
            wall, self._last(b"button")
        ):
            self._close_to(place)
        if name in _ENDS:
            ended, within = _ENDS[name]
            limit = self._last(*within) if name in _TABLE_PARTS else max(wall, self._last(*within))
            # The outermost of them: a row ends its cell and the row before.
            places = [place for place in map(self._last, ended) if place > limit]
            if places:
                self._close_to(min(places))
        elif name == b"a":
            self._end_formatting(name, wall)
        elif self._open and (
            (name in _HEADINGS and self._open[-1] in _HEADINGS)
            or (name in _RUBY and self._open[-1] in _RUBY)
        ):
            self._close_to(len(self._open) - 1)

    def _end(self, name: bytes) -> None:
        """Writes an end tag with those of all that is open inside; none if it ends nothing."""
        wall = self._walls[-1] if self._walls else -1
        place = self._last(name)
        if place < 0 or name in _ONCE:
            return
        if name in _FORMATS or name == b"a":
            self._end_formatting(name, wall)
        elif name in _TABLE_PARTS:
            if name == b"table" or place > self._last(b"table"):
                self._close_to(place)
        elif name in _SPECIAL or name in (b"object", b"applet", b"marquee", b"template"):
            # What is a wall itself does not stop its own end tag.
            if place >= wall:
                self._close_to(place)
        elif not self._specials or place > self._specials[-1]:
            self._close_to(place)

    def _end_formatting(self, name: bytes, wall: int) -> None:
        """Blocks inside formatting stay open when it ends."""
        place = self._last(name)
        if place < 0 or place < wall:
            return
        if not self._specials or place > self._specials[-1]:
            self._close_to(place)
            return
        self._open[place] = b""
        self._places[name].pop()
        self._kept.append(b"</%b>" % name)


_RAW_ENDS = {
    name: re.compile(rb"</" + name + rb"(?=[\t\n\f\r />])", re.IGNORECASE).search
    for name in _RAW_ELEMENTS
}
