"""The features beside words: the relevance of a link's page, and of pages linked close by."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows, PageView
from leadline.core.url import Url
from leadline.learn.features import in_space, space_key
from leadline.strategies.apprentice.settings import NEIGHBOURS, ApprenticeSettings

CLASS, BESIDE = 64, 96
"""Spaces of their own, apart from those of words: BESIDE + d for d links further on."""
_BUCKETS = 5
"""Of the relevance of a page: naive Bayes takes it for a word."""
_REMEMBERED = 200_000
"""Pages whose relevance is kept, the latest; 2 MB of what is saved."""


class VisitedRelevance:
    """Remembers whether the pages visited last were relevant, by a hash of their URL."""

    def __init__(self) -> None:
        self._is_high: dict[int, bool] = {}

    def add(self, url: Url, *, is_high: bool) -> None:
        self._is_high[_hash(url)] = is_high
        if len(self._is_high) > _REMEMBERED:
            for oldest in list(islice(self._is_high, _REMEMBERED // 10)):
                del self._is_high[oldest]

    def find(self, url: Url) -> int:
        """2 for a relevant page, 1 for another, 0 for one that was not visited."""
        known = self._is_high.get(_hash(url))
        return 0 if known is None else 1 + known

    def state(self) -> dict[str, NDArray[Any]]:
        return {
            "visited": np.array(list(self._is_high), np.uint64),
            "visited_high": np.array(list(self._is_high.values()), np.bool_),
        }

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        known = zip(state["visited"].tolist(), state["visited_high"].tolist(), strict=True)
        self._is_high = dict(known)


def make_extra_cells(
    settings: ApprenticeSettings, view: PageView, visited: VisitedRelevance
) -> FeatureRows:
    """The cells that are not words, for each link of the view."""
    columns = []
    if settings.class_feature:
        columns.append(_class_cells(view))
    if settings.co_citation:
        columns.append(_neighbour_cells(view, visited))
    return np.hstack(columns)


def _class_cells(view: PageView) -> FeatureRows:
    bucket = 1 + min(_BUCKETS - 1, int(view.judgement.relevance * _BUCKETS))
    cells = np.full((len(view.links), 1), bucket, np.int32)
    return in_space(cells, space_key(CLASS))


def _neighbour_cells(view: PageView, visited: VisitedRelevance) -> FeatureRows:
    known = np.array([visited.find(link.target) for link in view.page.links], np.int32)
    edged = np.pad(known, NEIGHBOURS)
    at = np.array([link.position for link in view.links], np.int64)
    columns = [
        in_space(edged[at + NEIGHBOURS + step], space_key(BESIDE + step)) for step in _steps()
    ]
    return np.stack(columns, axis=1)


def _steps() -> Iterator[int]:
    yield from range(-NEIGHBOURS, 0)
    yield from range(1, NEIGHBOURS + 1)


def _hash(url: Url) -> int:
    return xxhash.xxh3_64_intdigest(url.encode())
