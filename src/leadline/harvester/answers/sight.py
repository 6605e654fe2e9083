"""A reply prepared for reading: which of its texts and links the source's frame has not."""

import re
from collections.abc import Sequence, Set
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
CONTROLS = frozenset({"input", "select", "option", "optgroup", "button", "textarea"})
"""Elements that hold no text of the page's own."""
BREAKS = frozenset({"br", LINE})
_MOST_PIECES = 8_000
"""Of a page; real result pages have some hundreds."""
_MOST_PIECE_CHARS = 300
_PICTURE_CHARS = 8
"""What an image without any text weighs."""
_ENDS = " \"'“”„«»\u2039\u203a\u2018\u2019:."
"""What may stand around a query that a page repeats."""
_has_digit = re.compile(r"\d").search
_zeros = re.compile(r"(?<![\d.,])0+(?![\d.,]*\d)")
_digits = re.compile(r"\d+")


class Anchor(NamedTuple):
    """A link of the page."""

    row: int
    url: Url


def normal(text: str) -> str:
    """Without case and with all numbers alike but zero, which is another thing to say.

    >>> normal("Found 12 of 0"), normal("0 hits")
    ('found # of 0', '0 hits')
    """
    text = text[:_MOST_PIECE_CHARS].casefold()
    if _has_digit(text):
        text = _digits.sub("#", _zeros.sub("\0", text)).replace("\0", "0")
    return text


def digest(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "replace"))


class Echo:
    """Takes what was asked out of texts."""

    def __init__(self, query: Query) -> None:
        values = {value.casefold().strip() for _, value in query.values}
        self.values = sorted(filter(None, values), key=len, reverse=True)
        words = {word for value in self.values for word in value.split()}
        self.words = frozenset(words | set(self.values))
        plain = [normal(value) for value in self.values]
        self._whole = [(v, re.compile(rf"(?<!\w){re.escape(v)}(?!\w)")) for v in plain]

    def without(self, text: str) -> str:
        """`text`, which is in its normal form, with the query's values cut out."""
        for value, whole in self._whole:
            if value in text:
                text = whole.sub("", text)
        return text.strip(_ENDS)


class Sight:
    """One reply with its parts weighed. Rows are those of the outline."""

    def __init__(
        self, outline: Outline, query: Query, frame: Set[int], steady: Set[int] = frozenset()
    ) -> None:
        """`frame`: what some answers to nonsense show; `steady`: what all of them show."""
        self.outline = outline
        self.echo = Echo(query)
        self.children: list[list[int]] = [[] for _ in outline.tags]
        self.holds_block = bytearray(len(outline))
        """Whether an element of blocks stands inside."""
        self.has_text = bytearray(len(outline))
        """Whether a text stands directly inside."""
        self.pieces: dict[int, str] = {}
        """The visible texts in their normal form, by the digests of it with and without the
        query: a query may be a word of the frame."""
        self.anchors: list[Anchor] = []
        self.depths = [0] * len(outline)
        self._steady = steady
        self._frame = frame
        self._strange = [0] * len(outline)
        self._join()
        self._weigh(frame)
        tags, parents = outline.tags, outline.parents
        self.shapes = [f"{tags[parents[row]]}>{tag}" for row, tag in enumerate(tags)]
        """Of each row its parent's tag and its own; wide cells are others than narrow ones."""
        for row, attributes in enumerate(outline.attributes):
            if attributes and attributes.get("colspan", "1") != "1":
                self.shapes[row] += "+"

    def _join(self) -> None:
        """Children and depths, and which elements hold blocks."""
        outline, children, depths, holds = (
            self.outline, self.children, self.depths, self.holds_block,
        )  # fmt: skip
        parents, tags = outline.parents, outline.tags
        for row in range(1, len(outline)):
            parent = parents[row]
            children[parent].append(row)
            depths[row] = depths[parent] + 1
            if tags[row] == TEXT:
                self.has_text[parent] = 1
        for row in range(len(outline) - 1, 0, -1):
            if holds[row] or tags[row] not in INLINE:
                holds[parents[row]] = 1

    def _weigh(self, frame: Set[int]) -> None:
        texts, ends = self.outline.texts, self.outline.ends
        weights = [0] * len(self.outline)
        hidden_until = 0
        for row, tag in enumerate(self.outline.tags):
            if tag == TEXT:
                if row >= hidden_until:
                    weights[row] = self._piece(row, texts[row], frame)
            elif tag == "a":
                self._add_anchor(row)
            elif tag == "img":
                weights[row] = self._picture(row, frame)
            elif tag in CONTROLS:
                hidden_until = max(hidden_until, ends[row])
        self._sums = [0, *accumulate(weights)]
        self._strange = [0, *accumulate(self._strange)]

    def _piece(self, row: int, text: str, frame: Set[int]) -> int:
        """What a text weighs: its letters, or nothing if the frame has it."""
        plain = normal(text)
        bare = self.echo.without(plain)
        if not bare:
            return 0
        number, other = digest(bare), digest(plain.strip(_ENDS))
        if len(self.pieces) < _MOST_PIECES:
            self.pieces[number] = self.pieces[other] = plain
        if number not in self._steady and other not in self._steady:
            self._strange[row] = 1
        return 0 if number in frame or other in frame else len(text)

    def _add_anchor(self, row: int) -> None:
        href = self.outline.attributes[row].get("href", "").strip()
        if not href or href.startswith("#"):
            return
        url = self.outline.join(href)
        if url is not None:
            self.anchors.append(Anchor(row, url))

    def _picture(self, row: int, frame: Set[int]) -> int:
        attributes = self.outline.attributes[row]
        is_framed = digest(attributes.get("src", "")) in frame
        self._strange[row] = not is_framed
        return 0 if is_framed else _PICTURE_CHARS

    def containers(self) -> list[int]:
        """Rows that hold others."""
        return [row for row, children in enumerate(self.children) if children]

    def mass(self, first: int, end: int) -> int:
        """Letters of fresh text in the rows from `first` up to `end`."""
        return self._sums[end] - self._sums[first]

    def fresh_texts(self, left_out: Sequence[tuple[int, int]] = ()) -> list[str]:
        """Texts that the frame has not, but for those between some rows."""
        rows = (
            row
            for row, text in enumerate(self.outline.texts)
            if text and self._sums[row + 1] > self._sums[row]
        )
        outside = (row for row in rows if not any(a <= row < b for a, b in left_out))
        return [self.outline.texts[row] for row in outside]

    def is_new(self, anchor: Anchor) -> bool:
        """Whether no answer to nonsense has the link."""
        return digest(anchor.url) not in self._frame

    def is_steady(self, first: int, end: int) -> bool:
        """Whether every answer shows what stands in these rows."""
        return self._strange[end] == self._strange[first]

    def framing(self) -> set[int]:
        """Digests of all that this page shows, for the frame of others."""
        pictures = (
            digest(attributes.get("src", ""))
            for tag, attributes in zip(self.outline.tags, self.outline.attributes, strict=True)
            if tag == "img"
        )
        return {*self.pieces, *pictures, *(digest(anchor.url) for anchor in self.anchors)}
