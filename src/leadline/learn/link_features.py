"""What a link looks like to a learner: hashed words of its URL, anchor and surroundings.

`link_rows` makes the numbers that models use; `LinkTerm` keeps the words behind them, so that what
was learned can be read.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import Candidate, FeatureRows, LinkFeatures
from leadline.core.page import Link, Page
from leadline.core.url import path_of
from leadline.page.words import PageWords, split_words, vocabulary, word_id, words_around

URL, ANCHOR, AROUND = 1, 2, 3
"""The spaces of FFC and ACHE: a word in two of them is two features."""
SPACES = {"url": URL, "anchor": ANCHOR, "around": AROUND}
"""The spaces of FFC and ACHE by name."""
NAMES = {number: name for name, number in SPACES.items()}
OFFSET = 16
"""Space of <term, offset> features: OFFSET + d for |d| <= d_max."""
_SPREAD = np.uint32(2_654_435_761)
"""Knuth's multiplicative hash: the golden ratio of 2^32."""
_KEY = np.uint32(0x85EB_CA6B)
"""Tells spaces apart: any large odd number."""
_CHUNK = 2_048
"""Rows scored at a time: their cells stay in the cache, three times faster than all at once."""


class _Layout(NamedTuple):
    """Which word of a link each cell of a row holds."""

    span: NDArray[np.int64]
    """Which span of words: path, anchor, before, after."""
    step: NDArray[np.int32]
    """Which word of the span."""
    key: NDArray[np.uint32]
    """What turns a word into a feature of its space."""


@lru_cache(maxsize=32)
def _layout(spec: LinkFeatures) -> _Layout:
    widths = (spec.url, spec.anchor, spec.around, spec.around)
    step = np.concatenate([np.arange(width, dtype=np.int32) for width in widths])
    spaces = np.array([URL, ANCHOR, AROUND, AROUND], np.uint32)
    span = np.repeat(np.arange(4), widths)
    return _Layout(span, step, spaces[span] * _KEY)


class Offsets(NamedTuple):
    """The words near each link and their leaf distances, one row per link."""

    ids: NDArray[np.int32]
    """0 where there is no word, or none within d_max."""
    distances: NDArray[np.int32]
    """Below 0 before the link, 0 in its anchor, above 0 after it."""


def link_rows(spec: LinkFeatures, words: PageWords, links: Sequence[Link]) -> FeatureRows:
    """One row of feature ids per link of the page of these words; 0 is nothing to say."""
    if not links:
        return np.zeros((0, spec.words), np.int32)
    layout = _layout(spec)
    if not spec.by_offset:
        ids, _ = _cells(spec, words.ids, words.starts, words.paths, _link_places(links))
        return hash_in_space(ids, layout.key)
    found = find_offsets(spec, words, links)
    distances = np.int32(0) if spec.is_bag else found.distances
    spaces = np.asarray(OFFSET + distances).astype(np.uint32) * _KEY
    return hash_in_space(found.ids, np.where(layout.span > 0, spaces, layout.key))


def find_offsets(spec: LinkFeatures, words: PageWords, links: Sequence[Link]) -> Offsets:
    """Which words stand how many leaves away, |distance| <= d_max; words of URLs have 0 too.

    All leaves count, textless ones as well; only words that say something take a cell.
    """
    stands, layout = _link_places(links), _layout(spec)
    telling = np.flatnonzero(words.ids)
    starts = telling.searchsorted(words.starts)
    ids, places = _cells(spec, words.ids[telling], starts, words.paths, stands)
    if not len(telling):
        return Offsets(ids, np.zeros_like(ids))
    leaves = words.text_of[telling].take(places, mode="clip")
    distances = (leaves - stands[:, :2].take(layout.span == 3, axis=1)).astype(np.int32)
    distances[:, layout.span < 2] = 0
    ids[np.abs(distances) > spec.d_max] = 0
    return Offsets(ids, distances)


def _link_places(links: Sequence[Link]) -> NDArray[np.int64]:
    return np.array([(link.first_leaf, link.last_leaf, link.position) for link in links])


def _cells(
    spec: LinkFeatures,
    ids: NDArray[np.int32],
    starts: NDArray[np.int32] | NDArray[np.int64],
    paths: int,
    stands: NDArray[np.int64],
) -> tuple[NDArray[np.int32], NDArray[np.int32] | NDArray[np.int64]]:
    """The words of each link's path, anchor and surroundings, and where they stand in `ids`."""
    layout = _layout(spec)
    begin, end = starts[stands[:, 0]], starts[stands[:, 1] + 1]
    path, path_end = starts[paths + stands[:, 2]], starts[paths + stands[:, 2] + 1]
    # The last words of a path: hosts repeat within a site, endings tell pages apart.
    path = np.maximum(path_end - spec.url, path)
    low = np.maximum(begin - spec.around, 0)
    last = np.minimum(end + spec.around, starts[paths - 1])
    first = _columns(path, begin, low, end)
    ends = _columns(path_end, end, begin, last)
    places = first[:, layout.span] + layout.step
    if not len(ids):
        return np.zeros_like(places, np.int32), places
    found = ids.take(places, mode="clip")
    # Cells beyond the end of their span hold no word.
    found *= places < ends[:, layout.span]
    return found, places


def _columns(*columns: NDArray[np.int32] | NDArray[np.int64]) -> NDArray[np.int32]:
    """As `np.stack` of axis 1, which takes five times as long for so few numbers."""
    found = np.empty((len(columns[0]), len(columns)), np.int32)
    for number, column in enumerate(columns):
        found[:, number] = column
    return found


def hash_in_space(ids: NDArray[np.int32], key: np.uint32 | NDArray[np.uint32]) -> FeatureRows:
    """Word ids as features of the space of that key: 31 bits, 0 stays 0."""
    # The key makes one word in two spaces two features; the multiplication spreads neighbours.
    mixed = (ids.view(np.uint32) ^ key) * _SPREAD
    mixed ^= mixed >> np.uint32(15)
    mixed >>= np.uint32(1)
    features: FeatureRows = mixed.view(np.int32) * (ids != 0)
    return features


def space_key(space: int) -> np.uint32:
    """The key of a space, or of the offset d as OFFSET + d."""
    return np.uint32(space * int(_KEY) & 0xFFFFFFFF)


def linear_scores(weights: NDArray[np.float32], features: FeatureRows) -> NDArray[np.float32]:
    """The sum of the weights of each row's features; weights[0] must be 0.

    The number of weights is a power of two; a million rows of 32 take 0.1 s.
    """
    mask = np.int32(len(weights) - 1)
    ones = np.ones(features.shape[1], np.float32)
    scores = np.empty(len(features), np.float32)
    for start in range(0, len(features), _CHUNK):
        chunk = features[start : start + _CHUNK] & mask
        scores[start : start + _CHUNK] = weights.take(chunk, mode="clip") @ ones
    return scores


class LinkTerm(NamedTuple):
    """One word of a link."""

    space: int
    word: str
    """As it is written, in lower case."""
    stem: str
    feature: int
    """The id that `link_rows` gives it."""


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
    return int(hash_in_space(ids, space_key(space))[0])


def split_terms(texts: LinkTexts, language: str) -> Iterator[LinkTerm]:
    """Every word of the texts that is no stop word."""
    known = vocabulary(language)
    by_space = ((URL, texts.path), (ANCHOR, texts.anchor), (AROUND, texts.around))
    for space, text in by_space:
        for word in split_words(text):
            stem = known.stem(word)
            if stem:
                yield LinkTerm(space, word, stem, feature_of(space, stem))


def name_features(row: Sequence[int], texts: LinkTexts, languages: Sequence[str]) -> Terms:
    """The words behind a link's row of features.

    A row does not say in which language its words were stemmed: of several, the one that names
    most features is taken. Features whose word is not in the texts stay without a name.
    """
    features = set(row)
    found: Terms = ()
    for language in dict.fromkeys(languages):
        terms = tuple(t for t in split_terms(texts, language) if t.feature in features)
        if len(terms) > len(found):
            found = terms
    return found


def candidate_terms(candidate: Candidate, width: int, languages: Sequence[str]) -> Terms:
    """The words of a candidate's link, of which the first `width` features are words."""
    row = np.frombuffer(candidate.features, np.dtype("<i4"))[:width].tolist()
    texts = LinkTexts(path_of(candidate.url), candidate.anchor, candidate.around)
    return name_features(row, texts, languages) if row else ()


class PageLinks:
    """The links of one page: their features, and their words for those that are asked for."""

    def __init__(self, page: Page, spec: LinkFeatures) -> None:
        self._page = page
        self.rows: FeatureRows = link_rows(spec, PageWords(page), page.links)

    def terms(self, number: int) -> Terms:
        link = self._page.links[number]
        before, after = words_around(self._page, link)
        texts = LinkTexts(path_of(link.target), link.anchor, " ".join([*before, *after]))
        return name_features(self.rows[number].tolist(), texts, (self._page.language,))
