"""Which texts belong to the template of a site: those that its pages repeat in the same place.

A text on nearly all pages is frame. One on some pages may be an optional label (`Runtime:`) or a
common value (`Drama`): what else stands in the same kind of place decides, and a colon behind it.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from leadline.extraction.page_texts import PageText

_NEARLY_ALL = 0.8
"""Share of pages: a fifth may be built otherwise, or lack a part of the page."""
_OPTIONAL = 0.05
_LEAST_PAGES = 2
_FRAME_PLACE = 0.6
"""Share of the texts of a kind of place that the template writes, from which all that repeats there
is taken for labels."""
_VALUE_PLACE = 0.2
"""The same, up to which even what nearly all pages say is a value that most records share."""
_MAX_LABEL_CHARS = 60


def find_frame(pages: Sequence[Sequence[PageText]]) -> frozenset[int]:
    """The marks of the template's texts."""
    count = len(pages)
    on_pages: Counter[int] = Counter()
    for page in pages:
        on_pages.update({text.mark for text in page})
    by_path: dict[int, list[PageText]] = defaultdict(list)
    seen: dict[int, PageText] = {}
    for page in pages:
        for text in page:
            by_path[text.path].append(text)
            seen.setdefault(text.mark, text)
    common = {mark for mark, pages_with in on_pages.items() if pages_with >= _NEARLY_ALL * count}
    shares = {
        path: sum(text.mark in common or has_colon(text.text) for text in texts) / len(texts)
        for path, texts in by_path.items()
    }
    frame = set()
    for mark, pages_with in on_pages.items():
        text = seen[mark]
        share = shares[text.path]
        if pages_with == count or (mark in common and share >= _VALUE_PLACE):
            frame.add(mark)
        elif pages_with >= max(_LEAST_PAGES, _OPTIONAL * count) and is_like_label(text.text):
            is_named = has_colon(text.text) and pages_with > _LEAST_PAGES
            if is_named or share >= _FRAME_PLACE:
                frame.add(mark)
    return frozenset(frame)


def has_colon(text: str) -> bool:
    """Whether the text ends as a label does."""
    return text.rstrip().endswith((":", "\uff1a"))


def is_like_label(text: str) -> bool:
    """Whether a text could name a value: short, with a letter, and little beside letters."""
    letters = sum(map(str.isalpha, text))
    return len(text) <= _MAX_LABEL_CHARS and letters >= 2 and 2 * letters >= len(text.rstrip(" :"))
