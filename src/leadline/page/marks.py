"""What the markup of a page says about the kind of things it shows: `forms.holdings` weighs it.

Head, scripts of structured data and two kinds of elements tell what `page.parse` meets anyway;
microdata is looked for in the bytes, which costs microseconds: to look at the attributes of every
element of the tree would cost a tenth of parsing the page.
"""

import re

from leadline.core.page import PageMarks

_MOST_TYPES = 40
_MOST_BYTES = 150_000
_json_types = re.compile(
    r'"@type"\s*:\s*\[?\s*"(?:https?://schema\.org/)?([A-Za-z]{2,40})"'
).findall
_item_types = re.compile(rb'itemtype=["\']?https?://schema\.org/([A-Za-z]{2,40})').findall
_rdfa_types = re.compile(rb'typeof=["\'](?:schema:)?([A-Za-z]{2,40})["\']').findall
_FEEDS = ("rss+xml", "atom+xml")


_WINDOW_BYTES = 29_000


def _holds(body: bytes, text: bytes) -> bool:
    """Whether the text stands in the body. From 30,000 bytes on Python searches by a method that
    takes three times as long for so short a text."""
    for start in range(0, len(body), _WINDOW_BYTES):
        if body.find(text, start, start + _WINDOW_BYTES + len(text)) >= 0:
            return True
    return False


class MarkCollector:
    """Takes what a walk over a page meets of it."""

    def __init__(self) -> None:
        self._types: dict[str, None] = {}
        self.articles = self.times = 0
        self._has_feed = self._names_author = self._names_generator = False

    def add_data(self, script: str) -> None:
        """A script of JSON-LD."""
        self._types.update(dict.fromkeys(_json_types(script)))

    def add_meta(self, name: str, content: str) -> None:
        """A `meta` element of the head, with its name or property in lower case."""
        if name == "og:type" and content:
            self._types[f"og:{content.strip().lower()}"] = None
        elif name == "generator":
            self._names_generator = True
        elif name in ("author", "article:author"):
            self._names_author = True

    def add_link(self, relation: str, kind: str) -> None:
        """A `link` element of the head."""
        if relation == "alternate" and kind.endswith(_FEEDS):
            self._has_feed = True

    def finish(self, body: bytes) -> PageMarks:
        """With what the bytes of the page tell, which are written in ASCII or wider."""
        body = body[:_MOST_BYTES]
        # Looking for a short string first is many times as fast as the pattern.
        declared = _item_types(body) if _holds(body, b"itemtype") else []
        if _holds(body, b"typeof="):
            declared += _rdfa_types(body)
        types = {**self._types, **dict.fromkeys(name.decode("ascii") for name in declared)}
        return PageMarks(
            types=tuple(types)[:_MOST_TYPES],
            articles=self.articles,
            times=self.times,
            has_feed=self._has_feed,
            names_author=self._names_author,
            names_generator=self._names_generator,
        )
