"""The words of a link with the features they stand for, so that what is learned can be read."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from leadline.core.crawl import Candidate, FeatureRows, LinkFeatures
from leadline.core.page import Page
from leadline.core.url import path_of
from leadline.learn.features import ANCHOR, AROUND, URL, in_space, link_rows, space_key
from leadline.page.words import PageWords, around, split_words, vocabulary, word_id

SPACES = {"url": URL, "anchor": ANCHOR, "around": AROUND}
"""The spaces of FFC and ACHE by name."""
NAMES = {number: name for name, number in SPACES.items()}


class LinkTerm(NamedTuple):
    """One word of a link."""

    space: int
    word: str
    """As it is written, in lower case."""
    stem: str
    feature: int
    """The id that learn.features gives it."""


Terms = tuple[LinkTerm, ...]


class LinkTexts(NamedTuple):
    """What a person could read of a link."""

    path: str
    anchor: str
    around: str


@lru_cache(maxsize=50_000)
def feature_of(space: int, stem: str) -> int:
    """The feature of a stem in a space, as `link_rows` makes it."""
    ids = np.array([word_id(stem)], np.int32)
    return int(in_space(ids, space_key(space))[0])


def terms_in(texts: LinkTexts, language: str) -> Iterator[LinkTerm]:
    """Every word of the texts that says something."""
    known = vocabulary(language)
    by_space = ((URL, texts.path), (ANCHOR, texts.anchor), (AROUND, texts.around))
    for space, text in by_space:
        for word in split_words(text):
            stem = known.stem(word)
            if stem:
                yield LinkTerm(space, word, stem, feature_of(space, stem))


def named(row: Sequence[int], texts: LinkTexts, languages: Sequence[str]) -> Terms:
    """The words behind a link's row of features.

    A row does not tell in which language its words were stemmed: of several, the one that names
    most features is taken. What stands in the row and not in the texts stays without a name.
    """
    features = set(row)
    found: Terms = ()
    for language in dict.fromkeys(languages):
        terms = tuple(t for t in terms_in(texts, language) if t.feature in features)
        if len(terms) > len(found):
            found = terms
    return found


def candidate_terms(candidate: Candidate, width: int, languages: Sequence[str]) -> Terms:
    """The words of a candidate's link, of which the first `width` features are words."""
    row = np.frombuffer(candidate.features, np.dtype("<i4"))[:width].tolist()
    texts = LinkTexts(path_of(candidate.url), candidate.anchor, candidate.around)
    return named(row, texts, languages) if row else ()


class PageLinks:
    """The links of one page: their features, and their words where they are asked for."""

    def __init__(self, page: Page, spec: LinkFeatures) -> None:
        self._page = page
        self.rows: FeatureRows = link_rows(spec, PageWords(page), page.links)

    def terms(self, number: int) -> Terms:
        link = self._page.links[number]
        before, after = around(self._page, link)
        texts = LinkTexts(path_of(link.target), link.anchor, " ".join([*before, *after]))
        return named(self.rows[number].tolist(), texts, (self._page.language,))
