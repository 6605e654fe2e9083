"""An answer page prepared for reading: which texts and links are fresh, and its visual parts.

Fresh is what the source's frame does not show: the frame is what answers to nonsense show.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import xxhash

from leadline.core.harvest import Query
from leadline.core.url import Url
from leadline.page.outline import LINE, TEXT, Outline

INLINE = frozenset(
    "#text a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark "
    "nobr q s samp small span strike strong sub sup time tt u var wbr input select button option "
    "optgroup textarea output meter progress picture source meta link".split()
)
"""Elements that stand within a line."""
FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
"""Elements that parsers open again in whatever follows if a page forgets to close them: they say
nothing about where something stands."""
_LEAVES = frozenset({TEXT, LINE, "br", "img"})
CONTROLS = frozenset({"input", "select", "option", "optgroup", "button", "textarea"})
"""Elements that hold no text of the page's own."""
BREAKS = frozenset({"br", LINE})
GAP = ""
"""The label of a part that only separates others: an empty line, a rule, an empty row."""
HEAD = "tr!"
"""The label of a table row that holds headings only."""
_MAX_TEXTS = 8_000
"""Of a page; real result pages have some hundreds."""
_MAX_TEXT_CHARS = 300
"""Of a text that is compared with the frame."""
_PICTURE_CHARS = 8
"""What an image without any text weighs: about a word."""
_MANY_HEADS = 3
_MIN_PARAGRAPHS = 2
_MAX_INTERRUPTED = 2
"""Paragraphs of a container whose lines are taken for its own, and others beside them."""
_MAX_CLASS_CHARS = 200
_MIN_HEADING_CHARS = 8
_MIN_HEADINGS = 4
"""Buttons with texts of their own from which on they are headings rather than commands."""
_LONG_HEADING_CHARS = 25
"""Two such buttons are enough."""
_CELLS = frozenset({"td", "th"})
_INVISIBLE = frozenset({"input", "link", "meta", "col", "colgroup"})
_ENDS = " \"'“”„«»\u2039\u203a\u2018\u2019:."
"""What may stand around a query that a page repeats."""
_has_digit = re.compile(r"\d").search
_zeros = re.compile(r"(?<![\d.,])0+(?![\d.,]*\d)")
_digits = re.compile(r"\d+")
_parity = re.compile(r"(?:^|[-_])(?:odd|even|alt|first|last|left|right)$|\d+", re.IGNORECASE)


_OPENED = frozenset({"tr", "li", "div", "article", "button"})
"""Elements that a script may open as if they were links."""
_MAX_SCRIPT_CHARS = 500
_opens = re.compile(
    r"(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\s*\(|window\.open\s*\()"
    r"\s*['\"]([^'\"\s]{1,400})['\"]"
).search


class RowLink(NamedTuple):
    """A link of the page, by the row that it stands in."""

    row: int
    url: Url


class LinkIndex:
    """The links of a page by row: which of them lie between two rows."""

    def __init__(self, links: Sequence[RowLink]) -> None:
        self._rows = [link.row for link in links]
        self._links = links

    def within(self, first: int, end: int) -> Sequence[RowLink]:
        low, high = bisect_left(self._rows, first), bisect_left(self._rows, end)
        return self._links[low:high]


def normalise_text(text: str) -> str:
    """Without case and with all numbers alike but zero, which says something else.

    >>> normalise_text("Found 12 of 0"), normalise_text("0 hits")
    ('found # of 0', '0 hits')
    """
    text = text[:_MAX_TEXT_CHARS].casefold()
    if _has_digit(text):
        text = _digits.sub("#", _zeros.sub("\0", text)).replace("\0", "0")
    return text


def digest_text(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "replace"))


def find_controls(outline: Outline) -> bytearray:
    """Rows of elements in which no text is the page's own. A button is the heading of something
    that opens if it holds several texts, or a longer one that no other button has."""
    controls = bytearray(len(outline))
    buttons: dict[str, list[int]] = {}
    for row, tag in enumerate(outline.tags):
        if tag not in CONTROLS:
            continue
        controls[row] = 1
        if tag == "button" and outline.attributes[row].get("type") != "submit":
            texts = [text for text in outline.texts[row : outline.ends[row]] if text]
            if len(texts) > 1:
                controls[row] = 0
            elif texts and len(texts[0]) >= _MIN_HEADING_CHARS:
                buttons.setdefault(texts[0], []).append(row)
    alone = [rows[0] for rows in buttons.values() if len(rows) == 1]
    is_told = sum(len(outline.text(row)) >= _LONG_HEADING_CHARS for row in alone)
    if len(alone) >= _MIN_HEADINGS or is_told > 1:
        for row in alone:
            controls[row] = 0
    return controls


class QueryEcho:
    """Removes what was asked from texts."""

    def __init__(self, query: Query) -> None:
        values = {value.casefold().strip() for _, value in query.values}
        self.values = sorted(filter(None, values), key=len, reverse=True)
        words = {word for value in self.values for word in value.split()}
        self.words = frozenset(words | set(self.values))
        plain = [normalise_text(value) for value in self.values]
        self._whole = [(v, re.compile(rf"(?<!\w){re.escape(v)}(?!\w)")) for v in plain]

    def remove_from(self, text: str) -> str:
        """A text in its normal form without the query's values."""
        for value, whole in self._whole:
            if value in text:
                text = whole.sub("", text)
        return text.strip(_ENDS)

    def remove_once(self, text: str) -> Iterator[str]:
        """A text in its normal form without one occurrence of the query, the first and the last, if
        it has several: what was asked for may be a word of the sentence that repeats it."""
        for value, whole in self._whole:
            found = list(whole.finditer(text)) if text.count(value) > 1 else []
            for at in found[:1] + found[1:][-1:]:
                yield f"{text[: at.start()]}{text[at.end() :]}".strip(_ENDS)


class AnswerPage:
    """One page of an answer with its texts weighed. Rows are those of the outline."""

    def __init__(
        self,
        outline: Outline,
        query: Query,
        frame: Set[int],
        common: Set[int] = frozenset(),
        *,
        is_framed: bool = False,
    ) -> None:
        """`frame`: digests of what some answers to nonsense show; `common`: of what all show."""
        self.outline = outline
        self.echo = QueryEcho(query)
        self.children: list[list[int]] = [[] for _ in outline.tags]
        self.holds_block = bytearray(len(outline))
        """Whether an element of blocks stands inside."""
        self.has_text = bytearray(len(outline))
        """Whether a text stands directly inside."""
        self.texts: dict[int, str] = {}
        """The visible texts in their normal form, by the digests of it with and without the
        query: a query may be a word of the frame."""
        self.controls = find_controls(outline)
        """Whether a row is a control, whose text is none of the page's own."""
        self.links: list[RowLink] = []
        self.holders = [*outline.parents]
        """Of each row the nearest element around it that does more than format its text."""
        self.depths = [0] * len(outline)
        """Of each row the number of its holders, one above the other."""
        self.is_framed = is_framed
        """Whether it is known what the source shows when it finds nothing."""
        self._common = common
        self._frame = frame
        self._uncommon = [0] * len(outline)
        self._join_rows()
        self._weigh_rows()
        self.shapes = self._find_shapes()
        """Of each row its parent's tag and its own; wide cells differ from narrow ones. Formatting
        around other elements, opened again perhaps, is as if it were not there."""
        for row, attributes in enumerate(outline.attributes):
            if attributes and attributes.get("colspan", "1") != "1":
                self.shapes[row] += "+"

    def _join_rows(self) -> None:
        """Finds children and depths, and which elements hold blocks."""
        outline, children, depths, holds = (
            self.outline, self.children, self.depths, self.holds_block,
        )  # fmt: skip
        parents, tags, holders = outline.parents, outline.tags, self.holders
        for row in range(1, len(outline)):
            parent = parents[row]
            children[parent].append(row)
            if tags[parent] in FORMATTING:
                holders[row] = holders[parent]
            depths[row] = depths[holders[row]] + 1
            if tags[row] == TEXT:
                self.has_text[parent] = 1
        # Backwards, so that children are decided before their parents.
        for row in range(len(outline) - 1, 0, -1):
            if holds[row] or tags[row] not in INLINE:
                holds[parents[row]] = 1

    def _find_shapes(self) -> list[str]:
        tags, parents = self.outline.tags, self.outline.parents
        # What stands bare beside paragraphs looks like what stands in them.
        above = self.holders
        with_text = {above[row] for row, tag in enumerate(tags) if tag == TEXT}
        mixed = {above[row] for row, tag in enumerate(tags) if tag == "p"} & with_text
        names = ["p" if row in mixed else tag for row, tag in enumerate(tags)]
        around = {
            parent
            for row, parent in enumerate(parents)
            if tags[row] not in _LEAVES and tags[parent] in FORMATTING
        }
        if not around:
            return [
                f"{names[parents[row]] if tag in INLINE else tags[parents[row]]}>{tag}"
                for row, tag in enumerate(tags)
            ]
        shapes: list[str] = []
        holders = [*parents]
        for row, tag in enumerate(tags):
            parent = parents[row]
            if parent in around:
                holders[row] = holders[parent]
            holder = names[holders[row]] if tag in INLINE else tags[holders[row]]
            shapes.append("" if row in around else f"{holder}>{tag}")
        return shapes

    def _weigh_rows(self) -> None:
        """Counts the fresh letters of each row, and collects texts and links."""
        outline = self.outline
        weights = [0] * len(outline)
        hidden_until = 0
        opened: list[RowLink] = []
        for row, tag in enumerate(outline.tags):
            if tag == TEXT:
                if row >= hidden_until:
                    weights[row] = self._weigh_text(row, outline.texts[row])
            elif tag == "a" or tag in _OPENED:
                url = _find_target(outline, row)
                if url is not None and tag != "a":
                    opened.append(RowLink(row, url))
                elif url is not None:
                    self.links.append(RowLink(row, url))
            elif tag == "img":
                is_fresh = digest_text(outline.attributes[row].get("src", "")) not in self._frame
                self._uncommon[row] = is_fresh
                weights[row] = _PICTURE_CHARS if is_fresh else 0
            elif self.controls[row]:
                # Options of a menu are no text of the answer.
                hidden_until = max(hidden_until, outline.ends[row])
        # A row with links of its own says by them where it leads.
        inside = LinkIndex(list(self.links))
        self.links += [at for at in opened if not inside.within(at.row, outline.ends[at.row])]
        self.links.sort()
        # Sums from the beginning: what any part weighs is the difference of two of them.
        self._sums = [0, *accumulate(weights)]
        self._uncommon = [0, *accumulate(self._uncommon)]

    def _weigh_text(self, row: int, text: str) -> int:
        """Its letters, or 0 if the frame has it."""
        plain = normalise_text(text)
        bare = self.echo.remove_from(plain)
        other = digest_text(plain.strip(_ENDS))
        if not bare:
            # A word of the frame that was asked for is there as ever: what an answer lacks is taken
            # for a denial.
            self.texts.setdefault(other, plain)
            return 0
        digest = digest_text(bare)
        if len(self.texts) < _MAX_TEXTS:
            self.texts[digest] = self.texts[other] = plain
        if digest not in self._common and other not in self._common:
            self._uncommon[row] = 1
        if digest in self._frame or other in self._frame:
            return 0
        for part in self.echo.remove_once(plain):
            if (echoed := digest_text(part)) in self._frame:
                self.texts.setdefault(echoed, plain)
                return 0
        return len(text)

    def containers(self) -> list[int]:
        """Rows that hold others, without formatting inside formatting: what a page forgot to end
        lies in one another, and the outermost holds all of it."""
        tags, parents = self.outline.tags, self.outline.parents
        return [
            row
            for row, children in enumerate(self.children)
            if children and not (tags[row] in FORMATTING and tags[parents[row]] in FORMATTING)
        ]

    def flat_children(self, row: int) -> list[int]:
        """The children of a row; of formatting around blocks, which a page forgot to end, those
        that it holds."""
        tags, holds = self.outline.tags, self.holds_block
        if not any(tags[child] in FORMATTING and holds[child] for child in self.children[row]):
            return self.children[row]
        found: list[int] = []
        waiting = self.children[row][::-1]
        while waiting:
            child = waiting.pop()
            if tags[child] in FORMATTING and holds[child]:
                waiting.extend(reversed(self.children[child]))
            else:
                found.append(child)
        return found

    def fresh_chars(self, first: int, end: int) -> int:
        """Letters of fresh text in the rows from `first` up to `end`."""
        return self._sums[end] - self._sums[first]

    def fresh_texts(self, left_out: Sequence[tuple[int, int]] = ()) -> list[str]:
        """Fresh texts, except those between some rows."""
        rows = (
            row
            for row, text in enumerate(self.outline.texts)
            if text and self._sums[row + 1] > self._sums[row]
        )
        spans = sorted(left_out)
        reach = list(accumulate((end for _, end in spans), max))
        firsts = [first for first, _ in spans]
        # Inside some span if the furthest of those that begin before it ends after it.
        return [
            self.outline.texts[row]
            for row in rows
            if not (place := bisect_right(firsts, row)) or reach[place - 1] <= row
        ]

    def is_fresh(self, link: RowLink) -> bool:
        """Whether no answer to nonsense has the link."""
        return digest_text(link.url) not in self._frame

    def is_common(self, first: int, end: int) -> bool:
        """Whether every answer to nonsense shows what stands in these rows."""
        return self._uncommon[end] == self._uncommon[first]

    def digests(self) -> set[int]:
        """Of all that this page shows, for the frame of others."""
        pictures = (
            digest_text(attributes.get("src", ""))
            for tag, attributes in zip(self.outline.tags, self.outline.attributes, strict=True)
            if tag == "img"
        )
        return {*self.texts, *pictures, *(digest_text(link.url) for link in self.links)}

    def digests_between(self, first: int, end: int) -> set[int]:
        """Of what the rows from `first` up to `end` show."""
        found: set[int] = set()
        for row in range(first, end):
            text, attributes = self.outline.texts[row], self.outline.attributes[row]
            if text:
                plain = normalise_text(text)
                found |= {digest_text(plain.strip(_ENDS))}
                found |= {digest_text(self.echo.remove_from(plain))}
            if self.outline.tags[row] == "img" and attributes:
                found.add(digest_text(attributes.get("src", "")))
        return found | {digest_text(one.url) for one in self.links if first <= one.row < end}


class PagePart(NamedTuple):
    """A part of a container as a browser lays it out: the rows from `first` up to `end`."""

    first: int
    end: int
    label: str
    """Equal for parts that look alike from outside."""


def split_container(page: AnswerPage, row: int) -> list[PagePart]:
    """The blocks in a container and the lines between them, in document order; every visible child
    is in one of them."""
    outline, children = page.outline, page.flat_children(row)
    tags = outline.tags
    is_inline = [tags[child] in INLINE and not page.holds_block[child] for child in children]
    if all(is_inline):
        return _split_line(outline, children)
    opened = _find_interrupted(page, children, is_inline)
    if opened:
        inside = [
            (child, page.flat_children(child) if child in opened else [child]) for child in children
        ]
        children = [row for _, rows in inside for row in rows]
        is_inline = [tags[child] in INLINE and not page.holds_block[child] for child in children]
    begins = {page.flat_children(paragraph)[0] for paragraph in opened}
    parts: list[PagePart] = []
    line: list[int] = []
    is_indented = False
    for child, is_in_line in zip(children, is_inline, strict=True):
        if child in begins:
            _end_line(outline, parts, line, is_indented=is_indented, is_break=False)
            _end_line(outline, parts, [], is_indented=False, is_break=True)
            line, is_indented = [], False
        if is_in_line:
            line.append(child)
            continue
        is_break = tags[child] in BREAKS
        _end_line(outline, parts, line, is_indented=is_indented, is_break=is_break)
        line = []
        is_indented = tags[child] == LINE and bool(outline.attributes[child])
        if not is_break:
            parts.append(PagePart(child, outline.ends[child], _block_label(page, child)))
    _end_line(outline, parts, line, is_indented=is_indented, is_break=False)
    parts = _join_bare_lines(page, parts)
    heads = sum(part.label == HEAD for part in parts)
    if heads < _MANY_HEADS or 2 * heads < len(parts):
        return parts
    # In a table whose rows are mostly made of heading cells these are no headings.
    return [part._replace(label="tr") if part.label == HEAD else part for part in parts]


def _find_interrupted(
    page: AnswerPage, children: Sequence[int], is_inline: Sequence[bool]
) -> frozenset[int]:
    """Paragraphs that a block ended which the author meant to stand inside: text goes on after the
    block without a paragraph of its own. Their lines are lines like those."""
    outline, tags = page.outline, page.outline.tags
    shown = [
        (child, is_in_line)
        for child, is_in_line in zip(children, is_inline, strict=True)
        if tags[child] not in BREAKS
        and (tags[child] == "hr" or any(outline.texts[child : outline.ends[child]]))
    ]
    found = []
    for (one, _), (other, is_other_inline), *after in (
        shown[n : n + 4] for n in range(len(shown) - 2)
    ):
        follows = next((is_text for child, is_text in after if tags[child] != "hr"), False)
        is_broken_off = tags[one] == "p" and not is_other_inline and tags[other] != "p" and follows
        inside = page.flat_children(one)
        is_lines = all(
            tags[c] in BREAKS or (tags[c] in INLINE and not page.holds_block[c]) for c in inside
        )
        if is_broken_off and inside and is_lines:
            found.append(one)
    # Where many are interrupted they begin the records; where others are whole, they are records.
    paragraphs = sum(tags[child] == "p" for child, _ in shown)
    is_odd = len(found) <= _MAX_INTERRUPTED >= paragraphs - len(found)
    return frozenset(found if is_odd else ())


def _join_bare_lines(page: AnswerPage, parts: list[PagePart]) -> list[PagePart]:
    """With the lines before the first of several paragraphs as one more paragraph, if they are as
    many as most paragraphs have: where `<p>` only parts records, the first has none."""
    tags = page.outline.tags
    first = next(
        (n for n, part in enumerate(parts) if part.label[:1] == "p" and tags[part.first] == "p"), 0
    )
    others = [part for part in parts[first:] if part.label == parts[first].label] if first else []
    if len(others) < _MIN_PARAGRAPHS:
        return parts
    low = first
    while low > 0 and parts[low - 1].label.startswith("~"):
        low -= 1
    counts = [sum(tag in BREAKS for tag in tags[part.first : part.end]) + 1 for part in others]
    usual = sorted(counts)[len(counts) // 2]
    lines = parts[low:first]
    if usual < _MIN_PARAGRAPHS or not max(2, usual - 1) <= len(lines) <= usual + 1:
        return parts
    whole = PagePart(lines[0].first, lines[-1].end, parts[first].label)
    return [*parts[:low], whole, *parts[first:]]


def _split_line(outline: Outline, children: Sequence[int]) -> list[PagePart]:
    """The parts of a single line: each element with the text that follows it."""
    parts: list[PagePart] = []
    for child in children:
        tag, end = outline.tags[child], outline.ends[child]
        if tag == TEXT and parts:
            parts[-1] = parts[-1]._replace(end=end)
        elif tag not in _INVISIBLE:
            parts.append(PagePart(child, end, name_element(outline, child)))
    return parts


def _end_line(
    outline: Outline,
    parts: list[PagePart],
    line: Sequence[int],
    *,
    is_indented: bool,
    is_break: bool,
) -> None:
    """Adds a line. An empty one is a gap if a break ends it."""
    seen = [row for row in line if outline.tags[row] not in _INVISIBLE]
    if seen:
        # A link may stand behind a number, an icon or a box to tick.
        tags = [outline.tags[row] for row in seen[:2]]
        opening = "a" if "a" in tags or outline.within(seen[0], "a") else tags[0]
        if _is_target(outline, seen[0]):
            # What links of a table of contents lead to begins something.
            opening = "#"
        label = f"~{'+' if is_indented else ''}{opening}"
        parts.append(PagePart(seen[0], outline.ends[seen[-1]], label))
    elif is_break and parts and parts[-1].label != GAP:
        end = parts[-1].end
        parts.append(PagePart(end, end, GAP))


def _is_target(outline: Outline, row: int) -> bool:
    attributes = outline.attributes[row]
    named = attributes.get("name") or attributes.get("id")
    return outline.tags[row] == "a" and bool(named) and not attributes.get("href")


def _block_label(page: AnswerPage, row: int) -> str:
    outline, tag = page.outline, page.outline.tags[row]
    if tag == "hr":
        return GAP
    if tag != "tr":
        return name_element(outline, row)
    cells = [cell for cell in page.children[row] if outline.tags[cell] in _CELLS]
    if not any(outline.texts[row : outline.ends[row]]) and not outline.within(row, "img"):
        return GAP
    if cells and all(outline.tags[cell] == "th" for cell in cells):
        return HEAD
    # Rows with a cell over several columns are of another kind: titles, notes.
    is_wide = any(outline.attributes[c].get("colspan", "1") != "1" for c in cells)
    return "tr+" if is_wide else "tr"


def name_element(outline: Outline, row: int) -> str:
    """Tag and class, without what tells odd rows from even ones."""
    tag, classes = outline.tags[row], outline.attributes[row].get("class", "")
    return _name_of(tag, classes[:_MAX_CLASS_CHARS]) if classes else tag


@lru_cache(maxsize=4_096)
def _name_of(tag: str, classes: str) -> str:
    plain = (_parity.sub("", name) for name in classes.split()[:3])
    return next((f"{tag}.{name}" for name in plain if name), tag)


def place_of(outline: Outline, row: int) -> str:
    """Where a container stands, the same on all pages of a source: tags down from the body, and
    the names of the container and its parent."""
    parent = holder_of(outline, row)
    names = [name_element(outline, above).partition(".")[2] for above in (parent, row) if above > 0]
    identity = _parity.sub("", outline.attributes[row].get("id", ""))
    steps = [outline.tags[row]] if row > 0 else []
    while parent > 0:
        steps.append(outline.tags[parent])
        parent = holder_of(outline, parent)
    return f"{'/'.join(reversed(steps))} {'>'.join(names)} {identity}".strip()


def holder_of(outline: Outline, row: int) -> int:
    """The nearest element around a row that does more than format its text."""
    row = outline.parents[row]
    while row > 0 and outline.tags[row] in FORMATTING:
        row = outline.parents[row]
    return row


def _find_target(outline: Outline, row: int) -> Url | None:
    """Where a link leads, or an element that a script opens: by what the script is told."""
    attributes, is_link = outline.attributes[row], outline.tags[row] == "a"
    href = attributes.get("href", "").strip() if is_link else ""
    if not href or href.startswith("#") or href.lower().startswith("javascript:"):
        found = _opens(attributes.get("onclick", "")[:_MAX_SCRIPT_CHARS])
        # Other elements hold under `data-url` what a script loads into them.
        given = attributes.get("data-href") or (attributes.get("data-url") if is_link else "")
        href = (given or (found[1] if found else "")).strip()
    return outline.join(href) if href else None
