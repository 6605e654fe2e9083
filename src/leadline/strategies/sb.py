"""SB-CLASSIFIER: a sleeping bandit over the tag paths of links, and an online classifier of URLs.

A. Gauquier, I. Manolescu and P. Senellart, "Efficient Crawling for Scalable Web Data Acquisition",
arXiv 2602.11874, 2026. It retrieves data files from one site by few requests.

    an action is a group of links with similar tag paths: pairs of neighbouring tags (with class
        and id), hashed to 2^12 numbers; a path joins the group with the nearest centroid, or is a
        new group if their cosine is below `similarity`
    choose among the groups with links that wait the one with the highest
        mean reward + alpha sqrt(ln t / n), n: links of the group followed, t: all links followed
    fetch a random link of it; the reward is the number of new targets that its page links to
    links that the classifier of URLs takes for targets are fetched at once; it learns from the
        pairs of letters of each fetched URL, in batches of `batch`

Departures. A target is a page that brings what counts for the goal, not a file, so that what a page
links to is known only when it is visited: each such page is a reward for the group of the link to
the page before it, and for its own group if it was not fetched at once. The crawl is of many
sites: groups are those of the whole crawl, since sites made alike share tag paths, and each group
would otherwise be tried on each site (`arms = "site"` is that). Links wait in batches between two
rankings. Early stopping is a rule for each site: left when a falling mean of what its last pages
brought is below `stop_slope`.
"""

import math
from itertools import pairwise
from typing import Literal

import msgspec
import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray
from pydantic import Field

from leadline.core.crawl import (
    LIKELY,
    Candidate,
    FeatureRows,
    LinkFeatures,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.ports import Scores
from leadline.core.url import path_of
from leadline.learn.online_links import OnlineLinkModel, SavedWeights, char_cells
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
    read_row,
    site_cell,
)
from leadline.strategies.tables import CellTable, RowTable, SavedTable

_PAIRS, _LETTERS = (2,), 24
_GRAMS = _LETTERS - 1
SPEC = LinkFeatures(own=_GRAMS + 4)
PATH = SPEC.words + _GRAMS
SOURCE, SITE, DRAW = PATH + 1, PATH + 2, PATH + 3
_LETTER_CELLS = slice(SPEC.words, PATH)
_DIMENSIONS = 1 << 12
_MOST_GROUPS = 400
"""Then a path joins the nearest group, however far: each group must be tried once."""
_MOST_PATHS = 50_000
_TABLE = 1 << 20
_RATE = 0.5
_UNTRIED = 1e3
"""Of a group of which no link was followed: before all others, as the formula has it."""
_AT_ONCE = 0.5
_FALL = 0.95
"""Of the mean that early stopping looks at: about the last twenty pages."""
_LEAST_PAGES = 30
_TOLD_GROUPS = 20


class SBSettings(OnlineSettings):
    """Settings of `sb`."""

    alpha: float = Field(
        2 * math.sqrt(2), ge=0, description="Weight of exploration among groups of links."
    )
    similarity: float = Field(
        0.75, ge=0, le=1, description="Cosine from which a tag path joins a group of links."
    )
    arms: Literal["web", "site"] = Field(
        "web", description="Groups of links of the whole crawl, or of each site by itself."
    )
    batch: int = Field(10, ge=1, description="URLs that the classifier learns from at once.")
    stop_slope: float = Field(
        0.0,
        ge=0,
        le=1,
        description="What the last pages of a site must have brought each; 0: it is never left.",
    )


class SavedGroups(Struct, frozen=True):
    """Groups of tag paths as bytes."""

    groups: dict[int, int]
    cells: list[bytes]
    values: list[bytes]
    members: list[int]
    names: list[str]


class TagPathGroups:
    """Groups tag paths by the pairs of neighbouring tags that they have. Group 0: not met yet."""

    def __init__(self, similarity: float) -> None:
        self._similarity = similarity
        self._groups: dict[int, int] = {}
        """Of each path met, by its hash."""
        self._table: FeatureRows = np.zeros(_TABLE, np.int32)
        """The same by cell: two paths in 50,000 that share one share a group."""
        self._centroids: NDArray[np.float32] = np.zeros((8, _DIMENSIONS), np.float32)
        self._lengths: NDArray[np.float32] = np.zeros(8, np.float32)
        self._members: list[int] = []
        self.names: list[str] = []
        """The first path of each group."""

    def __len__(self) -> int:
        return len(self.names)

    def find(self, cells: FeatureRows) -> FeatureRows:
        """The group of each path."""
        found: FeatureRows = self._table[cells & (_TABLE - 1)]
        return found

    def add(self, cell: int, path: str) -> None:
        """Put a path into its group."""
        if cell in self._groups:
            return
        if len(self._groups) >= _MOST_PATHS:
            del self._groups[next(iter(self._groups))]
        places, values = project_path(path)
        count = len(self.names)
        near = self._centroids[:count, places] @ values if count else np.zeros(0, np.float32)
        likeness = near / np.maximum(self._lengths[:count], np.float32(1e-9))
        best = int(likeness.argmax()) if count else -1
        is_far = best < 0 or likeness[best] < self._similarity
        if is_far and count < _MOST_GROUPS:
            best = count
            self._members.append(0)
            self.names.append(path)
            if count >= len(self._centroids):
                self._centroids = np.concatenate([self._centroids, np.zeros_like(self._centroids)])
                self._lengths = np.concatenate([self._lengths, np.zeros_like(self._lengths)])
        self._members[best] += 1
        share = np.float32(1 / self._members[best])
        self._centroids[best] *= 1 - share
        self._centroids[best, places] += share * values
        self._lengths[best] = np.sqrt((self._centroids[best] ** 2).sum())
        self._groups[cell] = self._table[cell & (_TABLE - 1)] = best + 1

    def save(self) -> SavedGroups:
        rows = [self._centroids[at] for at in range(len(self.names))]
        used = [np.flatnonzero(row).astype(np.int32) for row in rows]
        values = [row[cells].tobytes() for row, cells in zip(rows, used, strict=True)]
        cells = [one.tobytes() for one in used]
        return SavedGroups(self._groups, cells, values, self._members, self.names)

    def load(self, saved: SavedGroups) -> None:
        self._groups, self._members, self.names = saved.groups, saved.members, saved.names
        self._table[:] = 0
        for cell, group in saved.groups.items():
            self._table[cell & (_TABLE - 1)] = group
        self._centroids = np.zeros((max(8, len(self.names)), _DIMENSIONS), np.float32)
        for row, cells, values in zip(self._centroids, saved.cells, saved.values, strict=False):
            row[np.frombuffer(cells, np.int32)] = np.frombuffer(values, np.float32)
        self._lengths = np.zeros(len(self._centroids), np.float32)
        for at, row in enumerate(self._centroids):
            # One row at a time, as in `add`: sums of floats depend on their order.
            self._lengths[at] = np.sqrt((row**2).sum())


def project_path(path: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The pairs of neighbouring tags of a path, hashed, as a vector of length 1: places, values."""
    tags = ["", *path.split("/"), ""]
    pairs = [f"{one}/{two}" for one, two in pairwise(tags)]
    hashed = [xxhash.xxh3_64_intdigest(pair.encode("utf-8", "surrogatepass")) for pair in pairs]
    places, counts = np.unique(np.array(hashed, np.uint64) % _DIMENSIONS, return_counts=True)
    values = counts / np.sqrt((counts**2).sum())
    return places.astype(np.int64), values.astype(np.float32)


class SavedSB(Struct, frozen=True):
    """Everything `sb` has learned."""

    schedule: RankingSchedule
    steps: list[WordStep]
    groups: SavedGroups
    tried: SavedTable
    gained: SavedTable
    sites: SavedTable
    links: SavedWeights
    batch: list[tuple[bytes, float]]
    pulls: int


class SBClassifier(OnlineStrategy):
    """Follows links from the places of pages that led to what is wanted."""

    name = "sb"
    features = SPEC
    site_at, draw_at = SITE, DRAW
    why = "its tag path"

    def __init__(self, settings: SBSettings) -> None:
        super().__init__()
        self.settings = settings
        self.groups = TagPathGroups(settings.similarity)
        self._tried, self._gained = CellTable(), CellTable()
        """Links followed of each group, and what they brought."""
        self._sites = RowTable((1.0,))
        """The falling mean of what the pages of a site brought."""
        self.links = OnlineLinkModel(_RATE, is_chance=True)
        self._batch: list[tuple[bytes, float]] = []
        self._pulls = 0

    def own_features(self, view: PageView) -> FeatureRows:
        rows = self.start_rows(view)
        if not view.links:
            return rows
        came_by = read_row(view.candidate, SPEC.width)
        rows[:, :_GRAMS] = char_cells(
            (path_of(link.target) for link in view.links), _PAIRS, _LETTERS
        )
        paths: dict[str, int] = {}
        for link in view.links:
            if link.tag_path not in paths:
                paths[link.tag_path] = hash_text(link.tag_path)
        rows[:, _GRAMS] = [paths[link.tag_path] for link in view.links]
        rows[:, _GRAMS + 1] = came_by[PATH] if came_by is not None else 0
        return rows

    def place_rows(self, rows: FeatureRows) -> tuple[Tiers, Scores]:
        scores = self.score_arms(self._arm_keys(rows[:, PATH], rows[:, SITE]))
        # A random link of the best group: less than what tells two groups apart.
        scores = scores + np.float32(1e-4) * draw_uniform(rows[:, DRAW], 0)
        is_target = self.links.predict(rows[:, _LETTER_CELLS]) >= _AT_ONCE
        return np.where(is_target, EXPLORED, RANKED).astype(np.int32), scores.astype(np.float32)

    def score_arms(self, keys: FeatureRows) -> Scores:
        """Mean reward and exploration bonus of each group of links."""
        tried, gained = self._tried.get(keys), self._gained.get(keys)
        bonus = self.settings.alpha * np.sqrt(math.log(self._pulls + 1) / np.maximum(tried, 1))
        scores: Scores = np.where(tried > 0, gained / np.maximum(tried, 1) + bonus, _UNTRIED)
        return scores.astype(np.float32)

    def _arm_keys(self, paths: FeatureRows, sites: FeatureRows) -> FeatureRows:
        groups = self.groups.find(paths)
        if self.settings.arms == "web":
            return groups
        mixed = sites.astype(np.int64) * 1_000_003 + groups
        return (mixed & 0x7FFF_FFFF).astype(np.int32)

    def learn_page(self, view: PageView, visit: Visit, row: NDArray[np.int32] | None) -> None:
        worth = self.settings.worth_of(visit)
        for path in dict.fromkeys(link.tag_path for link in view.links):
            self.groups.add(hash_text(path), path)
        site = self._sites.row(site_cell(view.site.site))
        site[0] = _FALL * site[0] + (1 - _FALL) * worth
        if row is None:
            return
        both = self._arm_keys(row[[PATH, SOURCE]], row[[SITE, SITE]])
        own, source = both[:1], both[1:]
        is_at_once = view.candidate.priority.tier == EXPLORED
        if not is_at_once:
            self._pulls += 1
            self._tried.add(own, 1.0)
            self._gained.add(own, worth)
        if row[SOURCE] and worth:
            self._gained.add(source, worth)
        self._batch.append((row[_LETTER_CELLS].tobytes(), worth))
        if len(self._batch) >= self.settings.batch:
            letters = b"".join(one for one, _ in self._batch)
            rows = np.frombuffer(letters, np.int32).reshape(len(self._batch), _GRAMS)
            self.links.learn(rows, np.array([label for _, label in self._batch], np.float32))
            self._batch = []
        note_words(self.links, view, SPEC.words, is_good=worth >= LIKELY)

    def forget_sites(self) -> None:
        self._sites = RowTable((1.0,))

    def rank_site(self, site: SiteState, view: PageView | None = None) -> Priority | Skip | None:  # noqa: ARG002
        mean = float(self._sites.peek(site_cell(site.site))[0])
        if site.pages >= _LEAST_PAGES and mean < self.settings.stop_slope:
            return Skip(f"its last pages brought {mean:.3f} each (early stopping)")
        return None

    def explain_row(self, candidate: Candidate, row: NDArray[np.int32]) -> list[tuple[str, float]]:
        key = self._arm_keys(row[[PATH]], row[[SITE]])
        group = int(self.groups.find(row[[PATH]])[0])
        tried, gained = float(self._tried.get(key)[0]), float(self._gained.get(key)[0])
        path = self.groups.names[group - 1] if group else candidate.tag_path or "a new tag path"
        found = f"links like {path}: {gained:g} found by {tried:g} followed"
        chance = float(self.links.predict(row[None, _LETTER_CELLS])[0])
        score = float(self.score_arms(key)[0])
        return [(found, score), ("chance by the letters of its address", chance)]

    def describe_weights(self) -> Weights:
        told = []
        for group, path in enumerate(self.groups.names, start=1):
            key = np.array([group], np.int32)
            tried, gained = float(self._tried.get(key)[0]), float(self._gained.get(key)[0])
            if tried and self.settings.arms == "web":
                told.append((f"tag path: {path}", gained / tried))
        told.sort(key=lambda pair: (-pair[1], pair[0]))
        return {"groups of links": told[:_TOLD_GROUPS]} if told else {}

    def state(self) -> bytes:
        saved = SavedSB(
            self.schedule,
            self.steps,
            self.groups.save(),
            self._tried.save(),
            self._gained.save(),
            self._sites.save(),
            self.links.save(),
            self._batch,
            self._pulls,
        )
        return msgspec.msgpack.encode(saved)

    def restore(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(state, type=SavedSB)
        self.schedule, self.steps, self._pulls = saved.schedule, saved.steps, saved.pulls
        self.groups.load(saved.groups)
        self._tried.load(saved.tried)
        self._gained.load(saved.gained)
        self._sites.load(saved.sites)
        self.links.load(saved.links)
        self._batch = saved.batch
