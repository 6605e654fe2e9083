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
`reading` is literal. Literally, or with `strict`, links of levels beyond `levels` are passed over,
as by the paper's one-level crawler; else they come last. The paper gives no numbers for
its stopping criteria, its batches and what nearness to the root is worth: 5 forms (4.2 interfaces
a deep site are reported there), 100 pages, 2,000 links, and a fifth more for pages at most one
link inside their site are ours. While every site of the crawling frontier rests for politeness,
the best of the persistent one is visited instead of nothing. A seed's links are followed
whatever its relevance, since the user vouches for it. Without a trained `model`, the words that
topics have for links to their forms are all it goes by, unless an earlier crawl teaches it
(`strategy.learn_from`).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
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
from leadline.errors import ModelError
from leadline.frontier.ranks import ranks_of
from leadline.learn.link_features import SPACES, feature_of
from leadline.learn.link_levels import (
    LINK_MODEL,
    NOWHERE,
    LinkLesson,
    LinkLevels,
    LinkModel,
    learn_levels,
    read_link_model,
)
from leadline.learn.link_selection import OFFLINE, ChosenTerm, Reading
from leadline.learn.model_files import MANIFEST, read_model
from leadline.page.words import split_words, vocabulary
from leadline.strategies.base import make_knowledge
from leadline.strategies.baseline import BaselineSC, BaselineSCSettings
from leadline.strategies.paths import PathRepository
from leadline.topics.judges import find_topic
from leadline.topics.pack import LinkWord, read_pack
from leadline.topics.vocabulary import DOMAINS

Tiers = NDArray[np.int32]
_GUESS_LINKS = 100
_SELDOM = 2
_OFTEN = 25
"""Without training, a word of a topic counts as if 2 of 100 links to forms had it, and up to 25
more by its weight, and 2 of 100 other links. Guesses, which a trained model replaces by counts; in
FFC's Table 1, 20 % of the links to forms have the second word of a space."""
_UNTAUGHT = LinkLesson({}, np.zeros((0, 0), np.int32))
FEATURES = LinkFeatures(own=1)
"""The words of a link, and one cell that says how near the root of its site the page is."""
FAR, NEAR = 1, 2
"""The values of that cell; a seed, which stands on no page, has 0."""
NOT_ANEW = "it learns nothing while it crawls: it keeps to the classifier that it began with"
MOST_LEVELS = 4
"""Levels that the paper crawled backward for."""
_LEAST_TAUGHT = 3
"""Links to forms without which an earlier crawl teaches nothing."""
_NEAR_ROOT = 1
"""A page at most so many links inside its site is near the root."""


class FrontierFill(Struct):
    """How full the crawling frontier may be. Part of the strategy's state."""

    left: int = 0
    """Links in it, at most: links of sites that were left are gone, but still counted."""
    visits: int = 0
    """Visits since links were last moved."""


class LinkQueues:
    """The queues of FFC and ACHE as tiers: one for each level, twice over.

        crawling frontier    tiers 0 .. levels - 1 for levels 1 .., `levels` for links to no form
        persistent frontier  the same again, `levels` + 1 tiers further

    Links are found into the persistent frontier. When a link of it is handed out, the crawling
    frontier is used up, and the `batch` most relevant links are moved there. But while all sites
    of the crawling frontier rest between two requests, a link of the persistent one is handed out
    too, because following it is better than waiting. So nothing is moved before the crawling
    frontier is empty by the count, or half a batch was visited.
    """

    def __init__(self, levels: int, batch: int) -> None:
        self.persistent = levels + 1
        """The first tier of the persistent frontier."""
        self._batch = batch
        self._wanted = 0
        self.filling = FrontierFill()

    def note_visit(self, tier: int) -> bool:
        """Count a visit to a link of that tier. True if a batch should be moved."""
        self.filling.visits += 1
        if tier < self.persistent:
            self.filling.left -= 1
            return False
        return self.filling.left <= 0 or self.filling.visits >= self._batch // 2

    def start_refill(self) -> None:
        """Let the next calls of `move` fill the crawling frontier."""
        self.filling = FrontierFill()
        self._wanted = self._batch

    def move(self, tiers: Tiers, scores: Scores) -> None:
        """Move the most relevant links, in place, until the batch is full.

        Called for all waiting links, at once or in chunks of falling relevance.
        """
        if not self._wanted:
            return
        here = int(np.count_nonzero(tiers < self.persistent))
        self.filling.left += here
        room = max(0, self._wanted - here)
        chosen = pick_best(tiers, scores, np.flatnonzero(tiers >= self.persistent), room)
        tiers[chosen] -= self.persistent
        self.filling.left += len(chosen)
        self._wanted = room - len(chosen)


def pick_best(tiers: Tiers, scores: Scores, places: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """Those of the places with the lowest tiers and highest scores, equals in their order."""
    if n >= len(places):
        return places
    ranks = ranks_of(tiers[places], scores[places])
    last = np.partition(ranks, n)[n]
    is_best: NDArray[np.bool_] = ranks < last
    equals = np.flatnonzero(ranks == last)
    is_best[equals[: n - int(np.count_nonzero(is_best))]] = True
    chosen: NDArray[np.intp] = places[is_best]
    return chosen


def open_link_model(name: str) -> LinkModel:
    """The classifier of that name.

    A folder written by `leadline train links`; or a topic, for the words of links that are kept
    in its pack; or '', for those of all shipped topics. Raises ModelError.
    """
    if is_link_model(name):
        return read_link_model(Path(name))[0]
    return LinkModel(guess_link_levels(name), _UNTAUGHT)


def is_link_model(name: str) -> bool:
    """Whether the name is that of a folder with a model of links."""
    folder = Path(name)
    if not name or not (folder / MANIFEST).is_file():
        return False
    return read_model(folder).manifest.kind == LINK_MODEL


def check_link_model(name: str) -> str:
    """The name, if there is such a classifier; raises ValueError, as validators do."""
    try:
        if not name or is_link_model(name) or find_topic(name) is not None:
            return name
    except ModelError as error:
        raise ValueError(str(error)) from None
    raise ValueError(
        f"no link model {name!r}: give a folder made by `leadline train links`, "
        f"or one of the topics {', '.join(DOMAINS)}"
    )


@lru_cache(maxsize=16)
def guess_link_levels(topic: str) -> LinkLevels:
    """A guess: links with the words of a topic's pack lead to its forms. '': of all topics."""
    return _guess_levels(_words([topic] if topic else DOMAINS))


def guess_levels_by_words(words: Iterable[str]) -> LinkLevels:
    """The same for a topic of which only some words are known, wherever at a link they stand."""
    pieces = {piece for text in words for piece in split_words(text)}
    return _guess_levels(LinkWord(space, piece, 1.0) for piece in pieces for space in SPACES)


def _guess_levels(words: Iterable[LinkWord]) -> LinkLevels:
    weights: dict[tuple[int, str], float] = {}
    for word in words:
        key = SPACES[word.space], vocabulary("en").stem(word.word.lower())
        weights[key] = max(word.weight, weights.get(key, 0.0))
    known = sorted(key for key in weights if key[1])
    features = [ChosenTerm(space, stem, (feature_of(space, stem),)) for space, stem in known]
    likely = [_SELDOM + round(_OFTEN * weights[key]) for key in known]
    counts = np.array([likely, [_SELDOM] * len(known)], np.int64)
    return LinkLevels(
        (1, NOWHERE), features, counts, np.array([_GUESS_LINKS, _GUESS_LINKS], np.int64)
    )


def _words(topics: Iterable[str]) -> Iterable[LinkWord]:
    for topic in topics:
        folder = find_topic(topic)
        if folder is None:
            raise ModelError(f"no topic {topic!r}")
        yield from read_pack(folder)[0].links


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
    strict: bool | None = Field(
        None,
        description="Whether links that the classifier does not put into the first `levels` levels "
        "are passed over, as the paper's one-level crawler does; unset: only literally.",
    )
    batch: int = Field(
        2_000, ge=1, description="Links moved to the crawling frontier when it is empty."
    )
    root_boost: float = Field(
        1.2, ge=1, le=10, description="What a link counts more on a page near its site's root."
    )

    @property
    def is_strict(self) -> bool:
        return self.reading == "literal" if self.strict is None else self.strict

    @field_validator("model")
    @classmethod
    def _model_exists(cls, value: str) -> str:
        return check_link_model(value)


class SavedLinkLevels(Struct, frozen=True):
    """A classifier of levels as the state holds it."""

    classes: list[int]
    features: list[ChosenTerm]
    counts: list[list[int]]
    totals: list[int]

    @staticmethod
    def of(links: LinkLevels) -> "SavedLinkLevels":
        counts, totals = links.counts.tolist(), links.totals.tolist()
        return SavedLinkLevels(list(links.classes), list(links.features), counts, totals)

    def load(self) -> LinkLevels:
        counts = np.array(self.counts, np.int64).reshape(len(self.classes), len(self.features))
        return LinkLevels(self.classes, self.features, counts, np.array(self.totals, np.int64))


class FfcState(Struct, frozen=True):
    """Everything `ffc` remembers."""

    filling: FrontierFill
    links: SavedLinkLevels | None = None
    """The classifier that an earlier crawl taught it."""


class Ffc(BaselineSC):
    """Form-focused: links by their estimated distance from a form, level by level, in batches."""

    name = "ffc"
    features: LinkFeatures | None = FEATURES

    def __init__(self, settings: FfcSettings, taught: LinkModel | None = None) -> None:
        """`taught` is the classifier; without it, `settings.model` names one."""
        super().__init__(settings)
        self.own = settings
        self.taught = taught or open_link_model(settings.model)
        self.has_none = settings.reading == "corrected"
        self._classes = MOST_LEVELS if settings.is_strict else settings.levels
        """Levels told apart; strictly, also those whose links are not followed."""
        self.links: LinkLevels | None = self.taught.levels.narrow(
            self._classes, has_none=self.has_none
        )
        self.queues = LinkQueues(settings.levels, settings.batch)
        self._past: PathRepository | None = None
        self._is_taught = False

    def start_lessons(self) -> None:
        self._past = PathRepository(FEATURES.words)
        self.path_length = max(self.path_length, self.own.levels)

    def start_anew(self) -> None:
        """Learns its classifier as `leadline train links` does, from paths instead of backlinks."""
        lesson = self._past.make_lesson() if self._past is not None else _UNTAUGHT
        self._past, self.path_length = None, 0
        self.queues = LinkQueues(self.own.levels, self.own.batch)
        if len(lesson.levels.get(1, ())) >= _LEAST_TAUGHT:
            self._take_over(learn_levels(lesson, OFFLINE))

    def _take_over(self, links: LinkLevels) -> None:
        self.links = links.narrow(self._classes, has_none=self.has_none)
        self._is_taught = True

    def own_features(self, view: PageView) -> FeatureRows:
        is_near = view.candidate.depth <= _NEAR_ROOT
        return np.full((len(view.links), 1), NEAR if is_near else FAR, np.int32)

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        verdicts = super().rank(view)
        if self.links is None or not verdicts or isinstance(verdicts[0], Skip):
            return verdicts
        tiers, scores = self.place_links(self.links, view.features)
        beyond = self.own.levels if self.own.is_strict else -1
        tiers += self.queues.persistent
        return [
            Priority(tier, score, self._why(tier, score))
            if tier - self.queues.persistent != beyond
            else Skip(f"no link of the first {beyond} levels by its words")
            for tier, score in zip(tiers.tolist(), scores.tolist(), strict=True)
        ]

    def place_links(self, links: LinkLevels, rows: FeatureRows) -> tuple[Tiers, Scores]:
        """The queue of each link, counted from 0, and its score in that queue."""
        # The last cell is our own, not a word.
        best, chances = links.judge(rows[:, :-1])
        levels = np.array(links.classes, np.int32)[best]
        is_beyond = (levels == NOWHERE) | (levels > self.own.levels)
        tiers = np.where(is_beyond, self.own.levels, levels - 1).astype(np.int32)
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
        """True if the crawling frontier is empty: `rescore` fills it."""
        if self._past is not None:
            self._past.add_page(view)
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
        taught = self.links if self._is_taught else None
        links = SavedLinkLevels.of(taught) if taught is not None else None
        return msgspec.msgpack.encode(FfcState(self.queues.filling, links))

    def restore(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(state, type=FfcState)
        self.queues.filling = saved.filling
        if saved.links is not None:
            self._take_over(saved.links.load())


def _name_level(level: int) -> str:
    if level == NOWHERE:
        return "links that lead to no form"
    return f"links that are {level} from a form" if level > 1 else "links to a form"
