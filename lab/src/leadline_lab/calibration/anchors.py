"""What links in the middle of pages say about where they lead."""

from collections.abc import Sequence
from functools import lru_cache

from leadline.core.page import Link, Page
from leadline.core.url import site_of
from leadline.page.words import Words, split_words, vocabulary
from leadline_lab.calibration.degrees import content_links, is_external
from leadline_lab.calibration.view import Findings, Seen, View, share
from leadline_lab.phrases import phrases

_LANGUAGES = ("en", "de", "fr", "es")
_SILENT = frozenset({"image", "img", "photo", "picture"})
_OTHERS = 3
_PER_PAGE = 8


def measure_anchors(view: View, pages: Sequence[Seen]) -> Findings:
    """Each link is followed, and its anchor held against the title of the page behind it."""
    draw = view.draw("anchors")
    kinds: dict[str, dict[str, int]] = {"": {}, "inner_": {}, "outer_": {}}
    followed = 0
    for seen in pages:
        if followed >= view.effort.anchors:
            break
        others = view.others(seen, _OTHERS, draw)
        places = content_links(seen, others) if len(others) > 1 else []
        for place in draw.some(places, _PER_PAGE):
            link = seen.page.links[place]
            kind = _kind(view, seen.page, link)
            if kind:
                followed += 1
                for group in ("", "outer_" if is_external(seen, link.target) else "inner_"):
                    kinds[group][kind] = kinds[group].get(kind, 0) + 1
    names = ("informative", "generic", "deceptive")
    figures = {
        f"anchor_{group}{name}": share(counts.get(name, 0), sum(counts.values()))
        for group, counts in kinds.items()
        for name in names
    }
    return Findings(figures)


def _kind(view: View, page: Page, link: Link) -> str:
    """'' for a number of a pager and for a link to no page."""
    words = split_words(link.anchor)
    if words and all(word.isdecimal() for word in words):
        return ""
    if link.anchor.strip().lower() in _generic() or not set(words) - _SILENT:
        return "generic"
    target = view.fetch(link.target)
    if target is None:
        return ""
    said = _ids(link.anchor, page.language)
    named = _ids(f"{target.title} {site_of(target.url)}", page.language)
    return "informative" if said & named else "deceptive"


def _ids(text: str, language: str) -> set[int]:
    return set(Words([text], vocabulary(language)).ids.tolist()) - {0}


@lru_cache(maxsize=1)
def _generic() -> frozenset[str]:
    found = (phrase for name in _LANGUAGES for phrase in phrases("generic", name))
    return frozenset(phrase.lower() for phrase in found)
