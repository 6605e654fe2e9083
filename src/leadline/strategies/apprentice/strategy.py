"""Learn from the links that were followed which links to follow.

S. Chakrabarti, K. Punera and M. Subramanyam, "Accelerated Focused Crawling through Online
Relevance Feedback", WWW 2002: the critic is the page classifier, the apprentice a naive Bayes
classifier of links.

    fetch the waiting link of highest priority; call its page v, and u the page it stood on
    ask the critic for Pr(topic | v); the link (u, v) is an example of what that is worth
    its features: <t, d> for each word t within d_max leaves of the link on u's tag tree
        (d = 0 in the anchor, negative before it, positive after it, textless leaves counted)
    its class: high if Pr(topic | v) >= 0.5, else low
    after each batch of pages: count the features of its links by class, and
        theta(c, f) = (1 + n(c, f)) / (|T| + n(c)), with n(c) over links of class c only (E24)
        rank every waiting link again
    if Pr(topic | v) >= threshold: every link of v waits with priority Pr(high | its features)
    before the first lesson: with priority Pr(topic | v), as baseline does

Departures. A page v is an example of the one link it was first found by, and not of every u that
links to it: a link to a known page is not kept. Before it is trained the paper's apprentice says a
fixed prior for all links, that is, nothing; best first is what it takes over from in the paper's
own experiments. Priorities are the log-odds of `high`, of which Pr(high) is a rising function:
the order is the same, and floating point does not make equals of all that is nearly sure. The
paper looks for topic pages. For forms and deep sites the lessons are the same: a new form is met
once in a hundred pages or a thousand, too seldom to learn words from; `learns_from = "reward"`
learns from what counts for the goal nevertheless. Seeds are in a tier of their own, before all
links.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import (
    Candidate,
    FeatureRows,
    LinkFeatures,
    PageView,
    Priority,
    Skip,
    Visit,
)
from leadline.core.ports import Scores
from leadline.learn.link_bayes import LinkOdds, pack, unpack
from leadline.strategies.apprentice.lessons import ApprenticeLearner
from leadline.strategies.apprentice.model import read_apprentice
from leadline.strategies.apprentice.naming import FeatureNames, shown_words
from leadline.strategies.apprentice.neighbours import VisitedRelevance, make_extra_cells
from leadline.strategies.apprentice.reasons import explain_link
from leadline.strategies.apprentice.settings import ApprenticeSettings
from leadline.strategies.base import NOT_YET, BaseStrategy, make_knowledge, make_steps

_LINKS = 1
"""The tier of links; seeds have 0."""
_NO_NAMES = "it learns nothing while it crawls, and its model keeps no words, only their numbers"
_OFF_TOPIC = Skip("its page is off topic")


class Apprentice(BaseStrategy):
    """Links first that look like those which led to relevant pages."""

    name = "apprentice"

    def __init__(self, settings: ApprenticeSettings) -> None:
        """Reads the model its settings name, if any; raises ConfigError."""
        self.settings = settings
        self.features: LinkFeatures = settings.features
        self.learner = ApprenticeLearner(settings)
        self._visited = VisitedRelevance()
        self._names = FeatureNames()
        if settings.mode.startswith("offline"):
            self.learner.begin_with(read_apprentice(settings))

    @property
    def _odds(self) -> LinkOdds | None:
        """What links are ranked by; None: by the relevance of their page."""
        return None if self.settings.mode == "watching" else self.learner.odds

    def own_features(self, view: PageView) -> FeatureRows:
        return make_extra_cells(self.settings, view, self._visited)

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        relevance = view.judgement.relevance
        is_seed = view.candidate.parent is None
        if relevance < self.settings.threshold and not is_seed:
            return [_OFF_TOPIC] * len(view.links)
        if self._odds is None:
            return [Priority(_LINKS, relevance, "relevance of its page")] * len(view.links)
        scores = self._odds.of_rows(view.features, self.settings.length)
        return [Priority(_LINKS, score, "its words") for score in scores.tolist()]

    def learn(self, view: PageView, visit: Visit) -> bool:
        by_reward = self.settings.learns_from == "reward"
        worth = visit.reward if by_reward else view.judgement.relevance
        if self.settings.co_citation:
            self._visited.add(view.candidate.url, is_high=worth >= 0.5)
        if self.settings.mode == "offline":
            return False
        self._names.add(view.candidate, self.settings)
        if not self.learner.add(view.candidate.features, worth):
            return False
        self.learner.take_lesson()
        self._names.take_lesson(self.learner.bayes, self.learner.odds)
        return self._odds is not None

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        if self._odds is not None:
            fresh = self._odds.of_rows(features, self.settings.length)
            scores[:] = np.where(tiers == _LINKS, fresh, scores)

    def explain_rank(self, candidate: Candidate) -> list[tuple[str, float]]:
        if self._odds is None or not candidate.features:
            return super().explain_rank(candidate)
        return explain_link(candidate, self._odds, self.settings)

    def describe_knowledge(self) -> dict[str, Any]:
        """The words of each lesson and of the classifier in use, where their names are known."""
        rows = make_steps(shown_words(self._names.lessons))
        words = self._names.weights(self.learner.bayes, self.learner.odds)
        missing = _NO_NAMES if self.settings.mode == "offline" else NOT_YET
        return make_knowledge(rows, {"links to relevant pages": words} if words else {}, missing)

    def state(self) -> bytes:
        parts = (self.learner.state(), self._visited.state(), self._names.state())
        return pack({name: array for part in parts for name, array in part.items()})

    def restore(self, state: bytes) -> None:
        found = unpack(state)
        self.learner.restore(found)
        self._visited.restore(found)
        self._names.restore(found)
