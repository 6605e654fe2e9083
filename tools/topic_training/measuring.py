"""How long real pages are, and how many of their words are those that were written by hand."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.learn.naive_bayes import Numbers, damp_counts, places_among
from leadline.page.words import WordIds
from leadline.topics.background import SHOPS, Shares
from leadline.topics.vocabulary import DOMAINS
from tools.topic_training.collections import Text

_QUANTILES = 15
_OF_DOMAINS = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
_ROUNDS = 40
"""Of expectation and maximisation: the shares stand still long before."""
_UNHEARD = 1e-7
_OF_THE_WEB = ("web:", "real:auto", "real:book", "real:job", "real:movie")
"""Groups of pages of this century."""


def lengths(texts: Sequence[Text], *, is_home: bool) -> NDArray[np.int64]:
    """Quantiles of the number of words that say something on pages of the Web."""
    counts = [
        int((text.ids != 0).sum())
        for text in texts
        if text.group.startswith(_OF_THE_WEB) and (text.is_home or not is_home)
    ]
    return np.quantile(counts, np.linspace(0.02, 0.98, _QUANTILES)).astype(np.int64)


class Spoken(NamedTuple):
    """What real pages about a domain speak of: quantiles of shares of their words."""

    strengths: Numbers
    """Of the words written for their domain."""
    asides: Numbers
    """Of the words written for all other domains together."""


def spoken_of(
    texts: Sequence[Text], words: WordIds, rows: Mapping[str, Shares], domains: Sequence[str]
) -> Spoken:
    """Over the pages of these domains, all together."""
    general = (rows[SHOPS] + rows["web:en"]) / 2 + _UNHEARD
    lists = np.array([*(rows[f"written:{name}:en"] for name in DOMAINS), general])
    found = [
        _mixture(text.ids, words, lists)[_order(name)]
        for name in domains
        for text in texts
        if text.group == f"real:{name}"
    ]
    own, *others = np.array(found).T
    asides = np.sum(others, axis=0)
    return Spoken(np.quantile(own, _OF_DOMAINS), np.quantile(asides, _OF_DOMAINS))


def _order(name: str) -> list[int]:
    """The place of the domain's own list, then those of the others."""
    own = DOMAINS.index(name)
    return [own, *(place for place in range(len(DOMAINS)) if place != own)]


def _mixture(ids: WordIds, words: WordIds, lists: Numbers) -> Numbers:
    """The likeliest share of each list on a page that mixes them."""
    unique, counts = damp_counts(ids)
    places, is_known = places_among(words, unique)
    said, counts = lists[:, places], counts[is_known]
    shares = np.full(len(lists), 1 / len(lists))
    for _ in range(_ROUNDS):
        parts = shares[:, None] * said
        shares = (parts / parts.sum(axis=0)) @ counts / counts.sum()
    return shares
