"""DISCO: a bandit chooses how sites are discovered.

K. Pham, A. Santos and J. Freire, "Bootstrapping Domain-Specific Content Discovery on the Web",
WWW 2019.

    operators: forward (sites that relevant pages link to), back-link (pages that link to a
        relevant site), related (other sites on such pages), keyword (a search engine's results)
    choose the operator with the highest UCB1: mean reward + sqrt(2 ln t / n)
    apply it to the sites that rank highest; fetch a page of each site it names
    its reward: what these sites turned out to be; rank all sites again
    repeat with batches of `batch` pages

Departures. The paper ranks sites by an ensemble of four models made of the seeds; here the critic,
which knows the topic, judges them. Its reward is a sum over ranks of new sites, without labels;
here it is what the pages of a site brought for the goal, and a site also counts
`relevance_worth` times its relevance when it is entered: the paper looks for sites, a crawl for
what is in them. Inside a site links are followed best page first, at most `site_pages`, and what is
found there is credited to the operator that named the site. "Related" is co-citation: sites on
pages that the back-link operator found; search engines have given up `related:`. Operators that no
provider can answer sleep: keyword needs SearXNG, back-link and related any provider.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray
from pydantic import Field

from leadline.core.crawl import (
    LIKELY,
    BacklinkQuery,
    Candidate,
    ExtraUrl,
    FeatureRows,
    LinkFeatures,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.ports import Scores
from leadline.core.url import Url, origin_of
from leadline.page.words import split_words, vocabulary
from leadline.strategies.base import Weights
from leadline.strategies.online import (
    OnlineSettings,
    OnlineStrategy,
    RankingSchedule,
    Tiers,
    WordStep,
    site_cell,
)
from leadline.strategies.tables import CellTable, SavedTable

OPERATORS = ("seed", "forward", "back-link", "related", "keyword")
SEED, FORWARD, BACKLINK, RELATED, KEYWORD = range(len(OPERATORS))
_ASKING = (BACKLINK, KEYWORD)
SPEC = LinkFeatures(url=0, anchor=0, around=0, own=4)
OPERATOR, RELEVANCE, SITE, DRAW = range(4)
_SCALE = 1_000
_FIRST_TIER = 1
_NOT_HEARD = 20
"""Queries that nobody sent after which an operator sleeps."""
_MOST_SITES = 200
_MOST_WORDS = 500
_FOUND = 2.0
"""The score of pages that a provider found: before links of the same operator."""


class DiscoSettings(OnlineSettings):
    """Settings of `disco`."""

    words: tuple[str, ...] = Field(
        (), description="Words of the topic to search for; empty: those of the crawl's topic."
    )
    batch: int = Field(16, ge=1, description="Pages between two choices of an operator.")
    site_pages: int = Field(30, ge=1, description="Pages visited on a site, at most.")


class OperatorArm(Struct):
    """What one operator brought."""

    pages: int = 0
    """Pages fetched because of it, and requests of its queries."""
    gained: float = 0.0
    sent: int = 0
    waiting: int = 0
    """Links of it that wait."""
    unheard: int = 0
    """Queries in a row that nobody sent."""

    @property
    def is_asleep(self) -> bool:
        return not self.sent and self.unheard >= _NOT_HEARD


class KnownSite(Struct):
    """A relevant site that may be asked about."""

    url: Url
    relevance: float
    title: str
    asked: bool = False


class DiscoState(Struct):
    """Everything `disco` knows."""

    schedule: RankingSchedule = field(default_factory=RankingSchedule)
    steps: list[WordStep] = []
    arms: list[OperatorArm] = field(default_factory=lambda: [OperatorArm() for _ in OPERATORS])
    known: dict[int, KnownSite] = {}
    words: dict[str, float] = {}
    """Of titles: on relevant pages less those on others."""
    searched: list[str] = []
    sites: list[SavedTable] = []


class OperatorScore(NamedTuple):
    """An operator and its upper confidence bound."""

    operator: int
    bound: float


class Disco(OnlineStrategy):
    """Discovers sites by whichever operator brings most per request."""

    name = "disco"
    features = SPEC
    site_at, draw_at = SITE, DRAW

    def __init__(self, settings: DiscoSettings) -> None:
        super().__init__()
        self.settings = settings
        self.every = settings.batch
        self._disco = DiscoState(self.schedule, self.steps)
        self._named, self._pages, self._relevance = CellTable(), CellTable(), CellTable()
        """Of sites: the operator that named them, pages, and the sum of their relevance."""

    def own_features(self, view: PageView) -> FeatureRows:
        rows = self.start_rows(view)
        here = view.site.site
        operator = self._operator_of(view)
        away = RELATED if operator == BACKLINK else FORWARD
        rows[:, OPERATOR] = [operator if site == here else away for site in view.sites]
        rows[:, RELEVANCE] = 1 + round(view.judgement.relevance * _SCALE)
        return rows

    def _operator_of(self, view: PageView) -> int:
        """The operator that named the page's site."""
        candidate = view.candidate
        row = np.frombuffer(candidate.features, "<i4")
        if len(row) == SPEC.width:
            return int(row[OPERATOR])
        if candidate.parent is None and candidate.anchor:
            return KEYWORD if candidate.anchor.startswith("found for") else BACKLINK
        return SEED

    def score_operators(self) -> list[OperatorScore]:
        """All that are awake, the highest bound first (UCB1)."""
        arms = self._disco.arms
        total = sum(arm.pages for arm in arms) + 1
        bounds = []
        for operator, arm in enumerate(arms):
            if operator == SEED or arm.is_asleep:
                continue
            spread = math.sqrt(2 * math.log(total) / arm.pages) if arm.pages else math.inf
            mean = arm.gained / arm.pages if arm.pages else 0.0
            bounds.append(OperatorScore(operator, mean + spread))
        bounds.sort(key=lambda pair: (-pair.bound, pair.operator))
        return bounds

    def place_rows(self, rows: FeatureRows) -> tuple[Tiers, Scores]:
        tiers = np.full(len(OPERATORS), _FIRST_TIER, np.int32)
        for place, (operator, _) in enumerate(self.score_operators()):
            tiers[operator] = _FIRST_TIER + place
        pages = self._pages.get(rows[:, SITE])
        relevance = (rows[:, RELEVANCE] - 1) / np.float32(_SCALE)
        mean = self._relevance.get(rows[:, SITE]) / np.maximum(pages, 1)
        inside = (relevance + mean) / 2 / np.sqrt(1 + pages / 10)
        scores = np.where(pages > 0, inside, relevance)
        return tiers[rows[:, OPERATOR]], scores.astype(np.float32)

    def rank(self, view: PageView) -> list[Priority | Skip]:
        return [
            Priority(verdict.tier, verdict.score, f"operator {OPERATORS[operator]}")
            for verdict, operator in zip(
                super().rank(view), view.features[:, OPERATOR].tolist(), strict=True
            )
            if isinstance(verdict, Priority)
        ]

    def rank_site(self, site: SiteState, view: PageView | None = None) -> Priority | Skip | None:  # noqa: ARG002
        if site.pages >= self.settings.site_pages:
            return Skip(f"{site.pages} pages visited")
        return None

    # Asking

    def extra_urls(self, view: PageView) -> list[ExtraUrl | BacklinkQuery]:  # noqa: ARG002
        query = self._next_query()
        return [query] if query is not None else []

    def _next_query(self) -> BacklinkQuery | None:
        """A query, if the best operator is one that asks."""
        arms = self._disco.arms
        scored = [one.operator for one in self.score_operators() if self._may_play(one.operator)]
        if not self.schedule.pages or not scored:
            return None
        best = scored[0]
        if best == RELATED and not arms[RELATED].waiting:
            # "Related" lives on what back-links bring.
            best = BACKLINK
        if best not in _ASKING:
            return None
        return self._ask_links() if best == BACKLINK else self._ask_words()

    def _may_play(self, operator: int) -> bool:
        """Whether something of the operator waits, or it can ask for more."""
        if self._disco.arms[operator].waiting > 0:
            return True
        asking = BACKLINK if operator == RELATED else operator
        return asking in _ASKING and not self._disco.arms[asking].is_asleep

    def _ask_links(self) -> BacklinkQuery | None:
        waiting = [site for site in self._disco.known.values() if not site.asked]
        if not waiting:
            return None
        best = max(waiting, key=lambda site: (site.relevance, site.url))
        return BacklinkQuery(best.url, "operator back-link", self.schedule.pages)

    def _ask_words(self) -> BacklinkQuery | None:
        known = self._disco.known
        topic = " ".join(self.settings.words[:3])
        ranked = sorted(self._disco.words.items(), key=lambda pair: (-pair[1], pair[0]))
        texts = [topic, *(f"{topic} {word}".strip() for word, weight in ranked if weight > 1)]
        words = next((text for text in texts if text and text not in self._disco.searched), "")
        if not words or not known:
            return None
        url = next(iter(known.values())).url
        return BacklinkQuery(url, "operator keyword", self.schedule.pages, words)

    def note_backlink_query(self, query: BacklinkQuery) -> None:
        operator = KEYWORD if query.words else BACKLINK
        arm = self._disco.arms[operator]
        arm.sent += 1
        arm.pages += 1
        arm.unheard = 0
        if query.words:
            self._disco.searched.append(query.words)
        for site in self._disco.known.values():
            if site.url == query.url and not query.words:
                site.asked = True

    def rank_backlinks(self, query: BacklinkQuery, found: Sequence[Url]) -> list[Priority | Skip]:
        why = "found by keyword" if query.words else "links to a relevant site"
        return [Priority(_FIRST_TIER, _FOUND, why)] * len(found)

    # Learning

    def learn_page(self, view: PageView, visit: Visit, row: NDArray[np.int32] | None) -> None:
        query = self._next_query()
        if query is not None:
            self._disco.arms[KEYWORD if query.words else BACKLINK].unheard += 1
        if row is not None:
            self._disco.arms[int(row[OPERATOR])].waiting -= 1
        for operator, count in Counter(view.features[:, OPERATOR].tolist()).items():
            self._disco.arms[operator].waiting += count
        relevance, key = view.judgement.relevance, site_cell(view.site.site)
        site = np.array([key], np.int32)
        is_new = not self._pages.get(site)[0]
        if is_new:
            self._named.add(site, float(self._operator_of(view)))
        self._pages.add(site, 1.0)
        self._relevance.add(site, relevance)
        arm = self._disco.arms[int(self._named.get(site)[0])]
        arm.pages += 1
        # A site is named once, so only its first page counts by its relevance.
        arm.gained += self.settings.worth_of(visit) if is_new else min(1.0, visit.reward)
        self._note_site(view, key, relevance)
        self._note_title(view, relevance)

    def _note_site(self, view: PageView, key: int, relevance: float) -> None:
        known = self._disco.known
        if relevance < LIKELY and not view.gain:
            return
        worth = relevance + bool(view.gain)
        before = known.get(key)
        if before is not None:
            before.relevance = max(before.relevance, worth)
            return
        home = Url(f"{origin_of(view.page.url)}/")
        known[key] = KnownSite(home, worth, view.page.title)
        if len(known) > _MOST_SITES:
            done = next((one for one, site in known.items() if site.asked), None)
            del known[next(iter(known)) if done is None else done]

    def _note_title(self, view: PageView, relevance: float) -> None:
        say = vocabulary(view.page.language)
        counts = Counter(word for word in split_words(view.page.title) if say.stem(word))
        for word in counts:
            words = self._disco.words
            words[word] = words.get(word, 0.0) + (1.0 if relevance >= LIKELY else -1.0)
        if len(self._disco.words) > 2 * _MOST_WORDS:
            kept = sorted(self._disco.words.items(), key=lambda pair: (-abs(pair[1]), pair[0]))
            self._disco.words = dict(kept[:_MOST_WORDS])

    def forget_sites(self) -> None:
        self._named, self._pages, self._relevance = CellTable(), CellTable(), CellTable()
        self._disco.known, self._disco.searched = {}, []
        for arm in self._disco.arms:
            arm.waiting = arm.unheard = arm.sent = 0

    def explain_row(self, candidate: Candidate, row: NDArray[np.int32]) -> list[tuple[str, float]]:  # noqa: ARG002
        operator = int(row[OPERATOR])
        arm = self._disco.arms[operator]
        bounds = dict(self.score_operators())
        bound = bounds.get(operator, 0.0)
        name = f"operator {OPERATORS[operator]}: {arm.gained:.2f} gained by {arm.pages} requests"
        relevance = float(row[RELEVANCE] - 1) / _SCALE
        return [
            (name, bound if math.isfinite(bound) else 0.0),
            ("relevance of its page", relevance),
        ]

    def describe_weights(self) -> Weights:
        arms = self._disco.arms
        told = [
            (f"operator: {name}", arm.gained / arm.pages)
            for name, arm in zip(OPERATORS, arms, strict=True)
            if arm.pages
        ]
        return {"operators": told} if told else {}

    def state(self) -> bytes:
        self._disco.schedule, self._disco.steps = self.schedule, self.steps
        self._disco.sites = [table.save() for table in self._tables()]
        return msgspec.msgpack.encode(self._disco)

    def restore(self, state: bytes) -> None:
        self._disco = msgspec.msgpack.decode(state, type=DiscoState)
        self.schedule, self.steps = self._disco.schedule, self._disco.steps
        for table, saved in zip(self._tables(), self._disco.sites, strict=False):
            table.load(saved)

    def _tables(self) -> tuple[CellTable, CellTable, CellTable]:
        return self._named, self._pages, self._relevance
