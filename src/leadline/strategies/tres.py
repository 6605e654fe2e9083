"""TRES without its deep parts: numbers of links, and a tree that divides all links that wait.

A. Kontogiannis, D. Kelesis, V. Pollatos, G. Giannakopoulos and G. Paliouras, "Tree-based Focused
Web Crawling with Reinforcement Learning", arXiv 2112.07620, 2021 to 2025.

    a link is a few numbers: relevance of its page; share of relevant pages on the way there, and
        pages since the last one; topic words in anchor, address and around; share of relevant
        pages of its site, and whether that is unknown; whether it stays on its site
    a regression tree over visited links divides them by what they brought, and so divides
        all links that wait (the tree frontier)
    at each step take one random link of each leaf, and follow the one of the highest Q;
        with chance epsilon another leaf's
    r = what its page brought; its target is r + gamma times the highest Q of the page's links
    the tree takes in the link; a leaf splits where that lowers the variance of targets most

Departures: Q is the mean target of a leaf instead of a double deep Q-network, so the link of the
highest Q is a random link of the best leaf. The critic stands for the BiLSTM classifier, and the
topic's words for those that word2vec adds. gamma is 0.5 instead of 0.99: means over leaves that
refer to each other come out alike otherwise. Rewards are what counts for the crawl's goal.
"""

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from pydantic import Field

from leadline.core.crawl import LIKELY, Candidate, FeatureRows, LinkFeatures, PageView, Visit
from leadline.core.ports import Scores
from leadline.core.url import path_of
from leadline.learn.regression_tree import RegressionTree, TreeNode
from leadline.page.words import words_around
from leadline.strategies.base import Weights
from leadline.strategies.online import (
    EXPLORED,
    RANKED,
    OnlineSettings,
    OnlineStrategy,
    RankingSchedule,
    Tiers,
    WordStep,
    draw_uniform,
    read_row,
    site_cell,
)
from leadline.strategies.tables import CellTable, SavedTable
from leadline.strategies.topic_words import TopicWords

SPEC = LinkFeatures(url=0, anchor=0, around=0, own=10)
RELEVANCE, ON_PATH, LENGTH, SINCE, ANCHOR, ADDRESS, AROUND, STAYS, SITE, DRAW = range(10)
"""Cells: relevance of the page, relevant pages on the way and all, pages since the last."""
COLUMNS = (
    *("relevance of its page", "share of relevant pages on the way", "pages since a relevant one"),
    *("topic words in the anchor", "topic words in the address", "topic words around"),
    *("stays on its site", "share of relevant pages of its site", "site not seen yet"),
)
_SCALE = 1_000
_FAR = 20
"""Pages since the last relevant one, at most: beyond that all are far."""
_MOST_WORDS = 5
_MOST_TEXTS = 20_000
_TOLD_LEAVES = 20


class TresSettings(OnlineSettings):
    """Settings of `tres`."""

    words: tuple[str, ...] = Field(
        (), description="Words of the topic; empty: those of the crawl's topic."
    )
    gamma: float = Field(0.5, ge=0, lt=1, description="What a reward one link further on counts.")
    explore: float = Field(0.1, ge=0, le=1, description="Share of links drawn at random: epsilon.")
    most_depth: int = Field(18, ge=1, le=30, description="Questions on the way to a leaf, at most.")
    least_examples: int = Field(10, ge=2, description="Links on each side of a split, at least.")


class SavedTres(Struct, frozen=True):
    """Everything `tres` has learned."""

    schedule: RankingSchedule
    steps: list[WordStep]
    nodes: list[TreeNode]
    sites: tuple[SavedTable, SavedTable]


class Tres(OnlineStrategy):
    """Follows random links of the leaf whose links brought most."""

    name = "tres"
    features = SPEC
    site_at, draw_at = SITE, DRAW
    why = "what like links brought"

    def __init__(self, settings: TresSettings) -> None:
        super().__init__()
        self.settings = settings
        self._topic_words = TopicWords(settings.words)
        self._counts: dict[str, int] = {}
        self.tree = RegressionTree(len(COLUMNS), settings.most_depth, settings.least_examples)
        self._pages, self._relevant = CellTable(), CellTable()
        """Of sites."""

    def own_features(self, view: PageView) -> FeatureRows:
        rows = self.start_rows(view)
        relevance = view.judgement.relevance
        is_relevant = relevance >= LIKELY
        came_by = read_row(view.candidate, SPEC.width)
        way = came_by if came_by is not None else np.zeros(SPEC.own, np.int32)
        rows[:, RELEVANCE] = round(relevance * _SCALE)
        rows[:, ON_PATH] = way[ON_PATH] + is_relevant
        rows[:, LENGTH] = way[LENGTH] + 1
        rows[:, SINCE] = 0 if is_relevant else min(_FAR, int(way[SINCE]) + 1)
        for row, link in zip(rows, view.links, strict=True):
            row[ANCHOR] = self._count(link.anchor)
            row[ADDRESS] = self._count(path_of(link.target))
            if self._topic_words.stems:
                before, after = words_around(view.page, link)
                row[AROUND] = self._count(" ".join([*before, *after]))
        rows[:, STAYS] = [site == view.site.site for site in view.sites]
        return rows

    def _count(self, text: str) -> int:
        """Words of the topic in a text; menus repeat, so what was counted is kept for a while."""
        count = self._counts.get(text)
        if count is None:
            if len(self._counts) >= _MOST_TEXTS:
                self._counts.clear()
            count = min(_MOST_WORDS, len(self._topic_words.find(text)))
            self._counts[text] = count
        return count

    def describe_rows(self, rows: FeatureRows) -> Scores:
        """The numbers of each link, in the order of `COLUMNS`."""
        pages = self._pages.get(rows[:, SITE])
        numbers = np.empty((len(rows), len(COLUMNS)), np.float32)
        numbers[:, 0] = rows[:, RELEVANCE] / _SCALE
        numbers[:, 1] = rows[:, ON_PATH] / np.maximum(rows[:, LENGTH], 1)
        numbers[:, 2] = rows[:, SINCE]
        numbers[:, 3:6] = rows[:, ANCHOR : AROUND + 1]
        numbers[:, 6] = rows[:, STAYS]
        numbers[:, 7] = (self._relevant.get(rows[:, SITE]) + 0.5) / (pages + 1)
        numbers[:, 8] = pages == 0
        return numbers

    def place_rows(self, rows: FeatureRows) -> tuple[Tiers, Scores]:
        leaves = self.tree.find_leaves(self.describe_rows(rows))
        draws = draw_uniform(rows[:, DRAW], self.schedule.number)
        scores = self.tree.values()[leaves] + np.float32(1e-4) * draws
        is_drawn = self.draw_links(rows, self.settings.explore)
        return np.where(is_drawn, EXPLORED, RANKED).astype(np.int32), scores.astype(np.float32)

    def learn_page(self, view: PageView, visit: Visit, row: NDArray[np.int32] | None) -> None:
        if row is not None:
            target = self.settings.worth_of(visit)
            if len(view.features):
                after = self.tree.find_leaves(self.describe_rows(view.features))
                target += self.settings.gamma * float(self.tree.values()[after].max())
            self.tree.learn(self.describe_rows(row[None])[0], target)
        is_relevant = view.judgement.relevance >= LIKELY
        site = np.array([site_cell(view.site.site)], np.int32)
        self._pages.add(site, 1.0)
        self._relevant.add(site, float(is_relevant))

    def forget_sites(self) -> None:
        self._pages, self._relevant = CellTable(), CellTable()

    def explain_row(self, candidate: Candidate, row: NDArray[np.int32]) -> list[tuple[str, float]]:  # noqa: ARG002
        numbers = self.describe_rows(row[None])
        leaf = int(self.tree.find_leaves(numbers)[0])
        node = self.tree.nodes[leaf]
        told = f"links with {self.tree.describe(leaf, COLUMNS)} ({node.count:g} followed)"
        parts = zip(COLUMNS, numbers[0].tolist(), strict=True)
        return [(told, float(self.tree.values()[leaf])), *parts]

    def describe_weights(self) -> Weights:
        if not self.tree.nodes[0].count:
            return {}
        values = self.tree.values()
        told = [
            (f"leaf: {self.tree.describe(at, COLUMNS)}", float(values[at]))
            for at, node in enumerate(self.tree.nodes)
            if node.column < 0
        ]
        told.sort(key=lambda pair: (-pair[1], pair[0]))
        return {"leaves": told[:_TOLD_LEAVES]}

    def state(self) -> bytes:
        sites = self._pages.save(), self._relevant.save()
        return msgspec.msgpack.encode(SavedTres(self.schedule, self.steps, self.tree.nodes, sites))

    def restore(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(state, type=SavedTres)
        self.schedule, self.steps, self.tree.nodes = saved.schedule, saved.steps, saved.nodes
        self._pages.load(saved.sites[0])
        self._relevant.load(saved.sites[1])
