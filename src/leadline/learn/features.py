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
    ids = np.zeros((count, spec.width), np.int32)
    if not count:
        return ids
    leaves = np.array([(link.first_leaf, link.last_leaf) for link in links], np.int32)
    begin, end = words.starts[leaves[:, 0]], words.starts[leaves[:, 1] + 1]
    urls = Words([path_of(link.target) for link in links], vocabulary(page.language))
    # The last words of a path: hosts repeat within a site, endings tell pages apart.
    tail = np.maximum(urls.starts[1:] - spec.url, urls.starts[:-1])
    low = np.maximum(begin - spec.around, 0)
    at = np.cumsum([0, spec.url, spec.anchor, spec.around, spec.around])
    _read(urls.ids, tail, urls.starts[1:], ids[:, at[0] : at[1]])
    _read(words.ids, begin, end, ids[:, at[1] : at[2]])
    _read(words.ids, low, begin, ids[:, at[2] : at[3]])
    _read(words.ids, end, np.full(count, len(words.ids), np.int32), ids[:, at[3] :])
    spaces = np.repeat(np.array([URL, ANCHOR, AROUND, AROUND], np.uint32), np.diff(at))
    if not spec.by_offset:
        return in_space(ids, spaces)
    return _by_offset(spec, words, ids, (leaves, low, end), spaces)


def _by_offset(
    spec: LinkFeatures,
    words: Words,
    ids: FeatureRows,
    places: tuple[Places, Places, Places],
    spaces: NDArray[np.uint32],
) -> FeatureRows:
    """The same rows, with surrounding words told apart by their leaf distance."""
    leaves, low, end = places
    distance = np.zeros((len(ids), 2 * spec.around), np.int32)
    everything = np.full(len(ids), len(words.ids), np.int32)
    before, after = distance[:, : spec.around], distance[:, spec.around :]
    _read(words.text_of, low, everything, before)
    _read(words.text_of, end, everything, after)
    before -= leaves[:, :1]
    after -= leaves[:, 1:]
    around = ids[:, -2 * spec.around :]
    around[np.abs(distance) > spec.d_max] = 0
    rows = np.tile(spaces, (len(ids), 1))
    rows[:, -2 * spec.around :] = (OFFSET + distance).astype(np.uint32)
    return in_space(ids, rows)


def _read(source: NDArray[np.int32], start: Places, end: Places, cells: FeatureRows) -> None:
    """Fill each row of `cells` from its start on, 0 from its end on."""
    if not len(source):
        return
    places = np.add(start[:, None], np.arange(cells.shape[1], dtype=np.int32), dtype=np.int32)
    np.multiply(source.take(places, mode="clip"), places < end[:, None], out=cells)


def in_space(ids: NDArray[np.int32], space: int | NDArray[np.uint32]) -> FeatureRows:
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
