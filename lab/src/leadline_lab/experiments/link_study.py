"""What the words near a link tell of its target: accuracy against d_max, information by offset.

The apprentice's offline study (Chakrabarti and others, WWW 2002, section 3): a baseline crawl
gives links with the relevance of their targets; naive Bayes over <term, offset> features within
d_max leaves is tested on links of pages it was not trained on, or of sites, and so is a bag of the
same words. In a crawl the apprentice has mostly met other pages of the site before.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import LinkFeatures, PageView, Priority, Skip, Visit
from leadline.core.url import Url
from leadline.learn.evaluation import deal_folds
from leadline.learn.link_bayes import LinkBayes
from leadline.learn.link_features import OFFSET, find_offsets, hash_in_space, space_key
from leadline.page.words import PageWords
from leadline.strategies.baseline import Baseline, BaselineSettings

WIDEST = 8
"""Leaves looked at on each side, beyond the paper's 5."""
_SPEC = LinkFeatures(url=0, anchor=8, around=48, by_offset=True, d_max=WIDEST)
_FOLDS = 4
_LEAST_LINKS = 5
"""Of a feature whose information is measured."""
_BEST = 50
"""Features of an offset whose information is averaged."""


class LinkExample(Struct, frozen=True, eq=False):
    """A link that was followed, and whether its target was relevant."""

    words: NDArray[np.int32]
    distances: NDArray[np.int32]
    page: str
    """That it stood on."""
    site: str
    """Of that page."""
    is_high: bool


class Watcher(Baseline):
    """Crawls as baseline does, and keeps the words near every link it follows."""

    def __init__(self, settings: BaselineSettings) -> None:
        super().__init__(settings)
        self.examples: list[LinkExample] = []
        self._waiting: dict[Url, tuple[NDArray[np.int32], NDArray[np.int32], str, str]] = {}

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        verdicts = super().rank(view)
        if view.links and isinstance(verdicts[0], Priority):
            found = find_offsets(_SPEC, PageWords(view.page), view.links)
            for link, words, distances in zip(view.links, *found, strict=True):
                self._waiting[link.target] = (words, distances, view.page.url, view.site.site)
        return verdicts

    def learn(self, view: PageView, visit: Visit) -> bool:
        known = self._waiting.pop(view.candidate.url, None)
        if known is not None:
            self.examples.append(LinkExample(*known, visit.relevance >= 0.5))
        return False


class Accuracy(Struct, frozen=True):
    """Of links on pages or sites that did not teach."""

    d_max: int
    is_bag: bool
    accuracy: float
    of_high: float
    """Share of the links to relevant pages that are told."""
    of_low: float
    features: int
    """Distinct ones met."""


def accuracies(examples: Sequence[LinkExample], *, by_site: bool = False) -> list[Accuracy]:
    """For each d_max from 0 on, with offsets and as a bag."""
    groups = [example.site if by_site else example.page for example in examples]
    folds = deal_folds(groups, _FOLDS)
    return [
        _accuracy(examples, folds, d_max, is_bag=is_bag)
        for is_bag in (False, True)
        for d_max in range(WIDEST + 1)
    ]


def _accuracy(
    examples: Sequence[LinkExample], folds: NDArray[np.int64], d_max: int, *, is_bag: bool
) -> Accuracy:
    rows = _rows(examples, d_max, is_bag=is_bag)
    is_high = np.array([example.is_high for example in examples])
    said = np.zeros(len(rows), np.bool_)
    for fold in range(_FOLDS):
        bayes = LinkBayes()
        bayes.add(rows[folds != fold], is_high[folds != fold])
        said[folds == fold] = bayes.odds().of_rows(rows[folds == fold]) > 0
    return Accuracy(
        d_max=d_max,
        is_bag=is_bag,
        accuracy=_share(said == is_high),
        of_high=_share(said[is_high]),
        of_low=_share(~said[~is_high]),
        features=len(np.unique(rows)) - 1,
    )


def _share(claims: NDArray[np.bool_]) -> float:
    return round(float(claims.mean()), 4) if len(claims) else 0.0


def _rows(examples: Sequence[LinkExample], d_max: int, *, is_bag: bool) -> NDArray[np.int32]:
    words = np.stack([example.words for example in examples])
    distances = np.stack([example.distances for example in examples])
    words = np.where(np.abs(distances) > d_max, 0, words).astype(np.int32)
    keys = np.array([space_key(OFFSET + d) for d in range(-WIDEST, WIDEST + 1)], np.uint32)
    places = np.zeros_like(distances) if is_bag else np.clip(distances, -d_max, d_max)
    return hash_in_space(words, keys[places + WIDEST])


def information(examples: Sequence[LinkExample]) -> dict[int, float]:
    """For each offset, the bits that its best words tell of the class, on average."""
    words = np.stack([example.words for example in examples])
    distances = np.stack([example.distances for example in examples])
    is_high = np.array([example.is_high for example in examples])
    return {
        d: round(_gain(np.where(distances == d, words, 0), is_high), 6)
        for d in range(-WIDEST, WIDEST + 1)
    }


def _gain(words: NDArray[np.int32], is_high: NDArray[np.bool_]) -> float:
    owners, _ = np.nonzero(words)
    known, places = np.unique(words[words != 0], return_inverse=True)
    # A word that stands at a link twice is there once.
    met = np.unique(places.astype(np.int64) * len(words) + owners)
    links = np.bincount(met // len(words), minlength=len(known)).astype(np.float64)
    weights = is_high[met % len(words)].astype(np.float64)
    high = np.bincount(met // len(words), weights, len(known)).astype(np.float64)
    is_common = links >= _LEAST_LINKS
    gains = _mutual(high[is_common], links[is_common], float(is_high.sum()), len(is_high))
    return float(np.sort(gains)[::-1][:_BEST].mean()) if len(gains) else 0.0


def _mutual(
    high: NDArray[np.float64], links: NDArray[np.float64], all_high: float, everything: int
) -> NDArray[np.float64]:
    """Bits that the presence of each word tells of the class."""
    before = _entropy(np.array([all_high / everything]))
    without = everything - links
    after = links * _entropy(high / links) + without * _entropy(
        (all_high - high) / np.maximum(without, 1)
    )
    return np.asarray(before - after / everything, np.float64)


def _entropy(share: NDArray[np.float64]) -> NDArray[np.float64]:
    share = np.clip(share, 1e-12, 1 - 1e-12)
    return np.asarray(-share * np.log2(share) - (1 - share) * np.log2(1 - share), np.float64)
