"""Anthelion: a bandit of hosts, and an online classifier of links.

R. Meusel, P. Mika and R. Blanco, "Focused Crawling for Structured Data", CIKM 2014.

    for the next page, choose a host:
        with chance lambda any host, at random; lambda falls as the crawl goes on
        else the host of the highest value, by what its pages brought (`reward`)
    of that host's links, fetch the one that the classifier of links finds likeliest
    a page that brought what is wanted is good for its host, any other is bad
    the classifier learns from the page at once: words of its address and of the link,
        and whether the page with the link was good

Values of a host, with g good and b bad pages and q the chance of its best link:
    best-score q, negative-bad -b, success-rate (1+g)/(2+g+b), thompson a draw from
    Beta(1+g, 1+b), random, and good-best, success-best, thompson-best: the same times q

Departures. The classifier is a logistic regression over hashed words, not a Hoeffding tree or naive
Bayes: its weights are told in words, and it is the one that other strategies here use. What was
printed of how lambda falls was not at hand: here it is halved after `half_pages` pages. Beta is
drawn from by its mean and variance. A host drawn at random gives a random link, not its best one,
since waiting links are ranked in batches. The public code forgets the best value while it looks
for it, and divides integers, so that lambda does not fall; neither is followed. Wanted is what
counts for the goal.
"""

from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from pydantic import Field

from leadline.core.crawl import LIKELY, Candidate, FeatureRows, LinkFeatures, PageView, Visit
from leadline.core.ports import Scores
from leadline.learn.online_links import OnlineLinkModel, SavedWeights
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
    hash_text,
    note_words,
    site_cell,
)
from leadline.strategies.tables import CellTable, SavedTable

HostReward = Literal[
    "best-score",
    "negative-bad",
    "success-rate",
    "thompson",
    "random",
    "good-best",
    "success-best",
    "thompson-best",
]
SPEC = LinkFeatures(own=3)
PARENT, SITE, DRAW = range(SPEC.words, SPEC.width)
_GOOD_PARENT, _BAD_PARENT = hash_text("parent good"), hash_text("parent bad")
_NAMES = {_GOOD_PARENT: "its page was good", _BAD_PARENT: "its page was bad"}
_RATE = 0.5
_INSIDE = 1e-3
"""What the chance of a link counts if a host's value is all: it orders the links of the host."""


class AnthelionSettings(OnlineSettings):
    """Settings of `anthelion`."""

    reward: HostReward = Field(
        "success-best", description="What a host is worth, by its good and bad pages and best link."
    )
    explore: float = Field(
        0.2, ge=0, le=1, description="Lambda: share of visits to hosts drawn at random, at first."
    )
    half_pages: int = Field(
        1_000, ge=0, description="Pages after which lambda is half of that; 0: it does not fall."
    )


class SavedHosts(Struct, frozen=True):
    """A bandit of hosts as bytes."""

    good: SavedTable
    bad: SavedTable
    links: SavedTable
    waiting: int


class HostBandit:
    """What hosts brought: good and bad pages, and links that wait, by the cell of the host."""

    def __init__(self) -> None:
        self._good, self._bad, self._links = CellTable(), CellTable(), CellTable()
        self.waiting = 0
        """Hosts with links that wait."""

    def note_page(self, host: int, worth: float) -> None:
        cell = np.array([host], np.int32)
        self._good.add(cell, worth)
        self._bad.add(cell, 1 - worth)
        before = float(self._links.get(cell)[0])
        self.waiting -= before == 1
        self._links.add(cell, -1.0 if before > 0 else 0.0)

    def note_links(self, hosts: FeatureRows) -> None:
        cells, counts = np.unique(hosts, return_counts=True)
        self.waiting += int((self._links.get(cells) == 0).sum())
        self._links.add(cells, counts.astype(np.float32))

    def counts(self, hosts: FeatureRows) -> tuple[Scores, Scores, Scores]:
        """Good pages, bad pages and waiting links of each host."""
        links = np.maximum(self._links.get(hosts), 1)
        return self._good.get(hosts), self._bad.get(hosts), links

    def values(self, hosts: FeatureRows, reward: HostReward, number: int) -> Scores:
        """What each host is worth without its links. `number` is that of the ranking."""
        good, bad, _ = self.counts(hosts)
        kind = reward.removesuffix("-best")
        mean = (1 + good) / (2 + good + bad)
        plain: dict[str, Scores] = {
            "best-score": np.ones(len(hosts), np.float32),
            "negative-bad": -bad,
            "good": 1 + good,
            "success": mean,
            "success-rate": mean,
        }
        if kind in plain:
            return plain[kind]
        if kind == "random":
            return draw_uniform(hosts, number)
        first, second = draw_uniform(hosts, 2 * number), draw_uniform(hosts, 2 * number + 1)
        normal = np.sqrt(-2 * np.log(np.maximum(first, 1e-7))) * np.cos(2 * np.pi * second)
        spread = np.sqrt(mean * (1 - mean) / (3 + good + bad))
        draws: Scores = np.clip(mean + spread * normal, 0, 1).astype(np.float32)
        return draws

    def save(self) -> SavedHosts:
        tables = self._good.save(), self._bad.save(), self._links.save()
        return SavedHosts(*tables, self.waiting)

    def load(self, saved: SavedHosts) -> None:
        self._good.load(saved.good)
        self._bad.load(saved.bad)
        self._links.load(saved.links)
        self.waiting = saved.waiting


class SavedAnthelion(Struct, frozen=True):
    """Everything `anthelion` has learned."""

    schedule: RankingSchedule
    steps: list[WordStep]
    hosts: SavedHosts
    links: SavedWeights


class Anthelion(OnlineStrategy):
    """The best link of the most promising host; at times a host at random."""

    name = "anthelion"
    features = SPEC
    site_at, draw_at = SITE, DRAW

    def __init__(self, settings: AnthelionSettings) -> None:
        super().__init__()
        self.settings = settings
        self.hosts = HostBandit()
        self.links = OnlineLinkModel(_RATE, is_chance=True)

    @property
    def explore(self) -> float:
        """Lambda, by now."""
        half = self.settings.half_pages
        return self.settings.explore / (1 + self.schedule.pages / half if half else 1)

    def own_features(self, view: PageView) -> FeatureRows:
        cells = self.start_rows(view)
        cells[:, PARENT - SPEC.words] = _GOOD_PARENT if view.gain else _BAD_PARENT
        return cells

    def place_rows(self, rows: FeatureRows) -> tuple[Tiers, Scores]:
        reward = self.settings.reward
        values = self.hosts.values(rows[:, SITE], reward, self.schedule.number)
        chances = self.links.predict(rows[:, :SITE])
        is_product = reward == "best-score" or reward.endswith("-best")
        scores = values * chances if is_product else values + np.float32(_INSIDE) * chances
        waiting = self.hosts.counts(rows[:, SITE])[2]
        picks = self.explore * self.schedule.pause(self.every)
        chance = picks / (max(1, self.hosts.waiting) * waiting)
        is_drawn = draw_uniform(rows[:, DRAW], self.schedule.number) < chance
        return np.where(is_drawn, EXPLORED, RANKED).astype(np.int32), scores.astype(np.float32)

    def learn_page(self, view: PageView, visit: Visit, row: NDArray[np.int32] | None) -> None:
        worth = self.settings.worth_of(visit)
        self.hosts.note_page(site_cell(view.site.site), worth)
        self.hosts.note_links(np.array([site_cell(site) for site in view.sites], np.int32))
        if row is not None:
            self.links.learn(row[None, :SITE], np.array([worth], np.float32))
            note_words(self.links, view, SPEC.words, is_good=worth >= LIKELY)

    def forget_sites(self) -> None:
        self.hosts = HostBandit()

    def explain_row(self, candidate: Candidate, row: NDArray[np.int32]) -> list[tuple[str, float]]:  # noqa: ARG002
        good, bad, _ = (float(one[0]) for one in self.hosts.counts(row[None, SITE]))
        value = float(self.hosts.values(row[None, SITE], self.settings.reward, 0)[0])
        chance = float(self.links.predict(row[None, :SITE])[0])
        told = [
            (f"its host by {self.settings.reward}: {good:g} good and {bad:g} bad pages", value),
            ("chance of the link", chance),
        ]
        return told + self.links.reasons(row[:SITE], _NAMES)

    def describe_weights(self) -> Weights:
        return {"links": self.links.named_weights()} if len(self.links) else {}

    def state(self) -> bytes:
        parts = self.schedule, self.steps, self.hosts.save(), self.links.save()
        return msgspec.msgpack.encode(SavedAnthelion(*parts))

    def restore(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(state, type=SavedAnthelion)
        self.schedule, self.steps = saved.schedule, saved.steps
        self.hosts.load(saved.hosts)
        self.links.load(saved.links)
