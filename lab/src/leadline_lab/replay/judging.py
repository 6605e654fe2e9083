"""The critic of a replay: naive Bayes on labelled pages that are part of no web."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import Judgement
from leadline.core.page import Page
from leadline.learn.linear import Platt
from leadline.learn.naive_bayes import LogOdds, damp_counts, log_odds
from leadline.page.parse import parse_page
from leadline.page.words import PageWords, WordIds
from leadline.topics.judges import page_ids, probability
from leadline_lab.replay.collections import StoredPage
from leadline_lab.replay.web import HTML

_LEAST_PAGES = 3
"""Words of fewer lessons are left out: they say more of their page than of its topic."""
_FLOOR = 1e-4
"""Added to a word's share of all words: rarer ones say little. Of the order of the packs' own."""


class Lessons(NamedTuple):
    """LabelledSubject pages, their words counted."""

    pages: list[WordIds]
    topics: list[frozenset[str]]
    words: WordIds
    """Those that count, in rising order."""
    owners: NDArray[np.int64]
    places: NDArray[np.int64]
    counts: NDArray[np.float32]
    """Page, word and how often, for each word of each page."""


def lessons_of(stored: Sequence[StoredPage]) -> Lessons:
    """Reads all pages once, for the judges of all topics."""
    pages = [_ids(page) for page in stored]
    met = [damp_counts(ids) for ids in pages]
    every = np.concatenate([unique for unique, _ in met])
    words, seen = np.unique(every, return_counts=True)
    words = words[seen >= _LEAST_PAGES]
    places = words.searchsorted(every)
    is_kept = words.take(places, mode="clip") == every
    owners = np.repeat(np.arange(len(met)), [len(unique) for unique, _ in met])
    counts = np.concatenate([counts for _, counts in met])
    topics = [page.topics for page in stored]
    return Lessons(pages, topics, words, owners[is_kept], places[is_kept], counts[is_kept])


def _ids(page: StoredPage) -> WordIds:
    return page_ids(PageWords(parse_page(page.body, page.url, HTML[0][1])))


class TopicJudge:
    """Says how likely a page is about a topic; finds no forms. Has no memory."""

    def __init__(self, lessons: Lessons, topic: str) -> None:
        is_about = np.array([topic in topics for topics in lessons.topics])
        self._odds = _odds(lessons, is_about, np.ones(len(is_about), np.bool_))
        self._platt = Platt.fit(_held_out(lessons, is_about), is_about)

    def judge(self, page: Page, words: PageWords) -> Judgement:  # noqa: ARG002 (a Judge's signature)
        return Judgement(probability(self._platt, self._odds.score(page_ids(words))))


def _odds(lessons: Lessons, is_about: NDArray[np.bool_], is_used: NDArray[np.bool_]) -> LogOdds:
    shares = []
    for chosen in (is_about & is_used, ~is_about & is_used):
        weights = lessons.counts * chosen[lessons.owners]
        sums = np.bincount(lessons.places, weights, len(lessons.words))
        shares.append(sums / max(1.0, float(sums.sum())))
    return LogOdds(lessons.words, log_odds(shares[0], shares[1], _FLOOR).astype(np.float32))


def _held_out(lessons: Lessons, is_about: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The score of each lesson by the half it is not in."""
    half = np.arange(len(is_about)) % 2 == 0
    judges = {side: _odds(lessons, is_about, half != side) for side in (False, True)}
    sides = half.tolist()
    return np.array([judges[s].score(p) for p, s in zip(lessons.pages, sides, strict=True)])
