"""What strategies that learn from every page share: cells of links, when to rank, exploration.

`anthelion`, `deepdeep`, `disco`, `sb` and `tres` are built on `OnlineStrategy`. Chance comes from
hashes of links and of the number of the ranking, so that a crawl that is resumed, or that several
workers share, draws the same.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

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
from leadline.core.url import Site, Url, host_of
from leadline.learn.link_features import SPACES
from leadline.learn.online_links import OnlineLinkModel
from leadline.strategies.base import NOT_YET, BaseStrategy, Weights, make_knowledge, make_steps

Tiers = NDArray[np.int32]
EXPLORED, RANKED = 0, 1
"""Tiers: links drawn at random to be tried, and links by what they are worth."""
_LINKS_PER_VISIT = 300
"""Waiting links that may be ranked again for each visit between two rankings: what a visit costs
without a strategy is worth about a thousand (bench/strategies.py)."""
_SHARE = 20
"""A twentieth of the crawl passes between two rankings, at least: late lessons change less."""
_SHOWN_WORDS = 8
_MOST_STEPS = 40
_SPREAD = np.uint32(2_654_435_761)


def hash_text(text: str) -> int:
    """31 bits, never 0."""
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) & 0x7FFF_FFFF or 1


@lru_cache(maxsize=50_000)
def site_cell(site: Site) -> int:
    """A site as a cell of a link."""
    return hash_text(host_of(site))


def draw_cell(url: Url) -> int:
    """A number that stands for chance: any link is as likely to have a low one as any other."""
    return hash_text(f"draw {url}")


def draw_uniform(cells: FeatureRows, number: int) -> Scores:
    """A number in [0, 1) for each cell, another one for each `number`."""
    mixed = (cells.astype(np.uint32) ^ np.uint32(number * 0x9E37_79B1 & 0xFFFF_FFFF)) * _SPREAD
    mixed ^= mixed >> np.uint32(15)
    mixed *= np.uint32(0x85EB_CA6B)
    mixed ^= mixed >> np.uint32(13)
    draws: Scores = (mixed >> np.uint32(8)).astype(np.float32) / np.float32(1 << 24)
    return draws


class RankingSchedule(Struct):
    """Counts pages and links, and says when all that waits is ranked again. Part of the state."""

    pages: int = 0
    links: int = 0
    """Met so far."""
    since: int = 0
    """Pages since the last ranking."""
    number: int = 0
    """Of the last ranking: what chance depends on."""

    @property
    def waiting(self) -> int:
        """Links that wait, about."""
        return max(1, self.links - self.pages)

    def note_page(self, links: int, every: int) -> bool:
        self.pages += 1
        self.links += links
        self.since += 1
        if self.since < self.pause(every):
            return False
        self.since = 0
        self.number += 1
        return True

    def pause(self, every: int) -> int:
        """Pages between two rankings: the more waits, the more."""
        return max(every, self.waiting // _LINKS_PER_VISIT, self.pages // _SHARE)


class WordStep(Struct, frozen=True, array_like=True):
    """The words that counted most when so many pages had been seen."""

    pages: int
    words: dict[str, list[str]]


class OnlineStrategy(BaseStrategy):
    """Ranks by `place_rows` when a link is met, and everything again now and then.

    `site_at` and `draw_at` are the columns of the two cells that all have; a row without a site is
    a seed's, which keeps its place before all others.
    """

    name: str
    features: LinkFeatures
    site_at: int
    draw_at: int
    every = 16

    def __init__(self) -> None:
        self.schedule = RankingSchedule()
        self.steps: list[WordStep] = []

    # For the strategies

    def place_rows(self, rows: FeatureRows) -> tuple[Tiers, Scores]:
        """The tier and score of each link."""
        raise NotImplementedError

    def learn_page(self, view: PageView, visit: Visit, row: NDArray[np.int32] | None) -> None:
        """Learn from a page; `row` is that of the link that led to it."""
        raise NotImplementedError

    def explain_row(self, candidate: Candidate, row: NDArray[np.int32]) -> list[tuple[str, float]]:
        raise NotImplementedError

    def describe_weights(self) -> Weights:
        """The strongest words of each model."""
        return {}

    def forget_sites(self) -> None:
        """Forget what holds for single sites only."""

    # The same for all

    def start_rows(self, view: PageView) -> FeatureRows:
        """Our cells of each link of a page, those filled in that all strategies have."""
        words = self.features.words
        rows = np.zeros((len(view.links), self.features.own), np.int32)
        rows[:, self.site_at - words] = [site_cell(site) for site in view.sites]
        rows[:, self.draw_at - words] = [draw_cell(link.target) for link in view.links]
        return rows

    def start_anew(self) -> None:
        if self.schedule.pages:
            self._note_step()
        self.schedule = RankingSchedule()
        self.steps = [WordStep(0, step.words) for step in self.steps[-1:]]
        self.forget_sites()

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        if not view.links:
            return []
        tiers, scores = self.place_rows(view.features)
        both = zip(tiers.tolist(), scores.tolist(), strict=True)
        return [
            Priority(tier, score, "drawn at random" if tier == EXPLORED else self.why)
            for tier, score in both
        ]

    why = "what it is expected to bring"

    def learn(self, view: PageView, visit: Visit) -> bool:
        row = read_row(view.candidate, self.features.width)
        self.learn_page(view, visit, row)
        is_due = self.schedule.note_page(len(view.links), self.every)
        # Powers of two from 64 on: what is told stays short.
        if self.schedule.pages >= 64 and self.schedule.pages & (self.schedule.pages - 1) == 0:
            self._note_step()
        return is_due

    def rescore(self, tiers: Tiers, scores: Scores, features: FeatureRows) -> None:
        is_link = features[:, self.site_at] != 0
        if is_link.any():
            tiers[is_link], scores[is_link] = self.place_rows(features[is_link])

    def draw_links(self, rows: FeatureRows, share: float) -> NDArray[np.bool_]:
        """Which links are tried at random: that share of the visits until the next ranking."""
        schedule = self.schedule
        chance = share * schedule.pause(self.every) / schedule.waiting
        return draw_uniform(rows[:, self.draw_at], schedule.number) < chance

    def explain_rank(self, candidate: Candidate) -> list[tuple[str, float]]:
        row = read_row(candidate, self.features.width)
        if row is None:
            return super().explain_rank(candidate)
        drawn = [("drawn at random, to learn what such links bring", 0.0)]
        is_drawn = candidate.priority.tier == EXPLORED
        return [*(drawn if is_drawn else []), *self.explain_row(candidate, row)]

    def describe_knowledge(self) -> dict[str, Any]:
        numbered = ((n, step.pages, step.words) for n, step in enumerate(self.steps, start=1))
        return make_knowledge(make_steps(numbered), self.describe_weights(), NOT_YET)

    def _note_step(self) -> None:
        words: dict[str, list[str]] = {}
        for weights in self.describe_weights().values():
            for name, weight in sorted(weights, key=lambda pair: (-pair[1], pair[0])):
                space, _, word = name.partition(": ")
                some = words.setdefault(space if space in SPACES else "link", [])
                if weight > 0 and len(some) < _SHOWN_WORDS:
                    some.append(word or name)
        if words and len(self.steps) < _MOST_STEPS:
            self.steps.append(WordStep(self.schedule.pages, words))


def read_row(candidate: Candidate, width: int) -> NDArray[np.int32] | None:
    """The features of a candidate's link; None for a seed, and for links of another strategy."""
    row = np.frombuffer(candidate.features, "<i4").astype(np.int32)
    return row if len(row) == width and row.any() else None


class OnlineSettings(BaseModel):
    """What can be set of all strategies that learn online."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    relevance_worth: float = Field(
        0.1,
        ge=0,
        le=1,
        description="What the relevance of a page counts besides what it brought for the goal; 0 "
        "is as published, where what is looked for is common.",
    )

    def worth_of(self, visit: Visit) -> float:
        """What there is to learn from a visit, from 0 to 1."""
        return min(1.0, visit.reward + self.relevance_worth * visit.relevance)


def note_words(model: OnlineLinkModel, view: PageView, width: int, *, is_good: bool) -> None:
    """Remember the words of links that brought something, and of some of the others."""
    if is_good or view.id % 16 == 0:
        model.note_names(view.candidate, width, (view.page.language, "en"))
