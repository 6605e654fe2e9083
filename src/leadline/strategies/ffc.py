"""FFC, the form-focused crawler: links by their distance from a form.

L. Barbosa and J. Freire, "Searching for Hidden-Web Databases", WebDB 2005.

    before: crawl backwards from known forms; learn the words of links 1, 2, .. steps from a form
    seeds wait in queue 1 of the crawling frontier
    visit the likeliest link of the first queue that is not empty; call its page u
    if Pr(topic | u) >= threshold, for every link of u:
        its level and probability are those of naive Bayes over words of URL, anchor, around
        links of pages near the root of their site count more
        it waits in the queue of its level in the persistent frontier
    when the crawling frontier is empty, move the most relevant `batch` of the other there
    leave a site after `max_forms` distinct forms or `max_pages` pages

Departures. The paper's classifier knows levels only, so that every link leads to a form by its
account; a class for links that lead to none is added, with a queue behind all others, unless
`reading` is literal. Literally, with one level all links are alike. The paper gives no numbers for
its stopping criteria, its batches and what nearness to the root is worth: 5 forms (4.2 interfaces
a deep site are reported there), 100 pages, 2,000 links, and a fifth more for pages at most one
link inside their site are ours. While every site of the crawling frontier rests for politeness,
the best of the persistent one is visited instead of nothing. A seed's links are followed
whatever its relevance, since the user vouches for it. Without a trained `model`, the words that
topics have for links to their forms are all it goes by.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, field_validator

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
from leadline.learn.link_levels import NOWHERE, LinkLevels, Taught
from leadline.learn.link_selection import Reading
from leadline.strategies.base import make_knowledge
from leadline.strategies.baseline import BaselineSC, BaselineSCSettings
from leadline.strategies.link_prior import check_link_model, open_link_model, word_cells
from leadline.strategies.link_queues import FrontierFill, LinkQueues, Tiers

FEATURES = LinkFeatures(own=1)
"""Words of links, and one cell that tells how near the root of its site a link's page is."""
FAR, NEAR = 1, 2
"""What stands in that cell; a seed, which stands on no page, has 0."""
NOT_ANEW = "it learns nothing while it crawls: it keeps to the classifier that it began with"
_NEAR_ROOT = 1
"""Links inside its site up to which a page is near the root."""


class FfcSettings(BaselineSCSettings):
    """Settings of `ffc`."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    model: str = Field(
        "",
        description="Folder of a link classifier made by `leadline train links`; or a topic, for "
        "the link words of its pack; empty: the link words of all shipped topics.",
    )
    levels: int = Field(
        3, ge=1, le=4, description="Levels of links told apart, one queue each; the paper has 1-4."
    )
    reading: Reading = Field(
        "corrected", description="literal: as printed, without a class for links to no form."
    )
    batch: int = Field(
        2_000, ge=1, description="Links moved to the crawling frontier when it is empty."
    )
    root_boost: float = Field(
        1.2, ge=1, le=10, description="What a link counts more on a page near its site's root."
    )

    @field_validator("model")
    @classmethod
    def _model_exists(cls, value: str) -> str:
        return check_link_model(value)


class FfcState(Struct, frozen=True):
    """What `ffc` remembers."""

    filling: FrontierFill


class Ffc(BaselineSC):
    """Form-focused: links by their estimated distance from a form, level by level, in batches."""

    name = "ffc"
    features: LinkFeatures | None = FEATURES

    def __init__(self, settings: FfcSettings, taught: Taught | None = None) -> None:
        """`taught` is the classifier where it is at hand; else `settings.model` names it."""
        super().__init__(settings)
        self.own = settings
        self.taught = taught or open_link_model(settings.model)
        self.has_none = settings.reading == "corrected"
        self.links: LinkLevels | None = self.taught.levels.narrowed(
            settings.levels, has_none=self.has_none
        )
        self.queues = LinkQueues(settings.levels, settings.batch)

    def own_features(self, view: PageView) -> FeatureRows:
        is_near = view.candidate.depth <= _NEAR_ROOT
        return np.full((len(view.links), 1), NEAR if is_near else FAR, np.int32)

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        verdicts = super().rank(view)
        if self.links is None or not verdicts or isinstance(verdicts[0], Skip):
            return verdicts
        tiers, scores = self.place_links(self.links, view.features)
        tiers += self.queues.persistent
        return [
            Priority(tier, score, self._why(tier, score))
            for tier, score in zip(tiers.tolist(), scores.tolist(), strict=True)
        ]

    def place_links(self, links: LinkLevels, rows: FeatureRows) -> tuple[Tiers, Scores]:
        """The queue of each link, counted from 0, and its place therein."""
        best, chances = links.judge(word_cells(rows, 1))
        levels = np.array(links.classes, np.int32)[best]
        tiers = np.where(levels == NOWHERE, self.own.levels, levels - 1).astype(np.int32)
        scores = chances.max(axis=1)
        # The less sure that a link leads nowhere, the sooner it is tried.
        scores[levels == NOWHERE] = 1.0 - scores[levels == NOWHERE]
        scores[rows[:, -1] == NEAR] *= np.float32(self.own.root_boost)
        return tiers, scores

    def _why(self, tier: int, score: float) -> str:
        queue = tier % self.queues.persistent
        if queue == self.own.levels:
            return f"leads to no form, sure but for {score:.2f}"
        return f"level {queue + 1}, {score:.2f}"

    def learn(self, view: PageView, visit: Visit) -> bool:  # noqa: ARG002
        """True when the crawling frontier is empty: `rescore` fills it."""
        is_used_up = self.queues.note_visit(view.candidate.priority.tier)
        if is_used_up:
            self.queues.start_refill()
        return is_used_up

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:  # noqa: ARG002
        self.queues.move(tiers, scores)

    def explain_rank(self, candidate: Candidate) -> list[tuple[str, float]]:
        tier, score = candidate.priority.tier, candidate.priority.score
        row = np.frombuffer(candidate.features, np.dtype("<i4")).astype(np.int32)
        if self.links is None or not len(row):
            return super().explain_rank(candidate)
        frontier = "persistent" if tier >= self.queues.persistent else "crawling"
        found = [(f"{self._why(tier, score)}, in the {frontier} frontier", score)]
        words = self.links.evidence(row[:-1])
        words.sort(key=lambda pair: (-abs(pair[1]), pair[0].name))
        return found + [(feature.name, weight) for feature, weight in words]

    def describe_knowledge(self) -> dict[str, Any]:
        """The weights of its classifier; it never learns a new one."""
        return make_knowledge([], self.describe_weights(), NOT_ANEW)

    def describe_weights(self) -> dict[str, list[tuple[str, float]]]:
        """What words say for each level, and for leading to no form."""
        known = self.links.weights() if self.links is not None else []
        return {
            _name_level(level): [(feature.name, weight) for feature, weight in parts]
            for level, parts in known
        }

    def name_queues(self, tiers: Mapping[int, int]) -> dict[str, int]:
        if self.links is None:
            return super().name_queues(tiers)
        all_tiers = range(2 * self.queues.persistent)
        return {self._queue_name(tier): tiers.get(tier, 0) for tier in all_tiers}

    def _queue_name(self, tier: int) -> str:
        is_persistent, queue = divmod(tier, self.queues.persistent)
        level = "no form" if queue == self.own.levels else f"level {queue + 1}"
        return f"{'persistent' if is_persistent else 'crawling'}: {level}"

    def state(self) -> bytes:
        return msgspec.msgpack.encode(FfcState(self.queues.filling))

    def restore(self, state: bytes) -> None:
        self.queues.filling = msgspec.msgpack.decode(state, type=FfcState).filling


def _name_level(level: int) -> str:
    if level == NOWHERE:
        return "links that lead to no form"
    return f"links that are {level} from a form" if level > 1 else "links to a form"
