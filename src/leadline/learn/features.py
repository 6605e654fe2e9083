"""What a link looks like to a learner: hashed words of its URL, anchor and surroundings."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows, LinkFeatures
from leadline.core.page import Link, Page
from leadline.core.url import path_of
from leadline.page.words import Words, vocabulary

Places = NDArray[np.int32]

URL, ANCHOR, AROUND = 1, 2, 3
"""The spaces of FFC and ACHE: a word in two of them is two features."""
OFFSET = 16
"""Space of <term, offset> features: OFFSET + d for |d| <= d_max."""
_SPREAD = np.uint32(2_654_435_761)
"""Knuth's multiplicative hash: the golden ratio of 2^32."""


def link_rows(spec: LinkFeatures, page: Page, words: Words, links: Sequence[Link]) -> FeatureRows:
    """One row of feature ids per link of `page`, whose words are given; 0 is nothing to say."""
    count = len(links)
    rows = np.zeros((count, spec.width), np.int32)
    if not count:
        return rows
    first = np.fromiter((link.first_leaf for link in links), np.int32, count)
    last = np.fromiter((link.last_leaf for link in links), np.int32, count)
    begin, end = words.starts[first], words.starts[last + 1]
    urls = Words([path_of(link.target) for link in links], vocabulary(page.language))
    # The last words of a path: hosts repeat within a site, endings tell pages apart.
    tail = np.maximum(urls.starts[1:] - spec.url, urls.starts[:-1])
    to_anchor, to_around = spec.url, spec.url + spec.anchor
    rows[:, :to_anchor] = in_space(_read(urls, tail, urls.starts[1:], spec.url), URL)
    rows[:, to_anchor:to_around] = in_space(_read(words, begin, end, spec.anchor), ANCHOR)
    rows[:, to_around:] = _around(spec, words, (begin, end), (first, last))
    return rows


def _around(
    spec: LinkFeatures, words: Words, span: tuple[Places, Places], leaves: tuple[Places, Places]
) -> FeatureRows:
    """Features of the words before and after the word spans of the links."""
    begin, end = span
    low, high = np.maximum(begin - spec.around, 0), np.minimum(end + spec.around, len(words.ids))
    before = _read(words, low, begin, spec.around)
    after = _read(words, end, high, spec.around)
    ids = np.concatenate([before, after], axis=1)
    if not spec.by_offset:
        return in_space(ids, AROUND)
    before_leaf = _read(words, low, begin, spec.around, of_text=True) - leaves[0][:, None]
    after_leaf = _read(words, end, high, spec.around, of_text=True) - leaves[1][:, None]
    distance = np.concatenate([before_leaf, after_leaf], axis=1)
    ids[np.abs(distance) > spec.d_max] = 0
    return in_space(ids, OFFSET + distance)


def _read(
    words: Words, start: Places, end: Places, width: int, *, of_text: bool = False
) -> NDArray[np.int32]:
    """For each row the first `width` word ids (or their texts) from start up to end, 0 beyond."""
    source = words.text_of if of_text else words.ids
    if not len(source):
        return np.zeros((len(start), width), np.int32)
    places = np.add(start[:, None], np.arange(width, dtype=np.int32), dtype=np.int32)
    cells: NDArray[np.int32] = source.take(places, mode="clip")
    cells[places >= end[:, None]] = 0
    return cells


def in_space(ids: NDArray[np.int32], space: int | NDArray[np.int32]) -> FeatureRows:
    """Word ids as features of a space: 31 bits, 0 stays 0."""
    spread = (
        ids.astype(np.uint32) ^ (np.asarray(space, np.uint32) * np.uint32(0x9E3779B1))
    ) * _SPREAD
    mixed = (spread ^ (spread >> np.uint32(15))) & np.uint32(0x7FFFFFFF)
    return np.where(ids == 0, 0, np.maximum(mixed, 1)).astype(np.int32)


_CHUNK = 2_048
"""Rows scored at a time: their cells stay in the cache, three times quicker than all at once."""


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
