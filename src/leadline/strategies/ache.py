"""ACHE, the adaptive crawler for hidden-Web entries: FFC that learns from its own finds.

L. Barbosa and J. Freire, "An Adaptive Crawler for Locating Hidden-Web Entry Points", WWW 2007.

    begin as best-first crawling with stopping criteria (online), or with FFC's classifier
    crawl as FFC does: queues by level, crawling and persistent frontier, batches
    a page with new relevant forms: keep the path that led to it;
        its link has level 1, the link to the page before it level 2, ..
    when enough forms were found since the last time:
        choose the words of links on paths anew (learn.link_selection)
        learn a new naive Bayes classifier of levels from them
        rank every waiting link again
    `offline` never learns: it is FFC

Departures. The paper learns after 100 new forms; where forms are rare that is too late or never
(its Movie crawl found 94 in 100,000 pages), so that here it is 25 forms, rising to 100 as more are
found, or 5,000 pages, whichever is first; literally, 100 forms. It has no links that lead to no
form to learn from; here they are a class of their own, as in FFC: a sample of visited links that
are on no path, and of links seen. It learns from new paths; here from the latest 1,000 links of
each level, beginning with those its first classifier was learned from. Forms stand for what counts
for the goal (`PageView.gain`): deep sites and topic pages are learned from in the same way. A link
that is on several paths is learned once, with its least level. After learning, both frontiers are
ranked together and a fresh batch is moved, so that what was learned counts at once. The word lists
it shows are short (Table 2 has 5 words of a space); their length is a setting here.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray
from pydantic import Field

from leadline.core.crawl import Candidate, FeatureRows, PageView, Visit
from leadline.core.ports import Scores
from leadline.core.url import Url
from leadline.learn.link_features import LinkTerm, Terms, candidate_terms
from leadline.learn.link_levels import (
    LinkLesson,
    LinkLevels,
    LinkModel,
    TermCount,
    class_sizes,
    count_chosen_terms,
    learn_levels,
)
from leadline.learn.link_selection import ChosenTerm, Selection
from leadline.strategies.base import NOT_YET, make_knowledge, make_steps
from leadline.strategies.ffc import FEATURES, NOT_ANEW, Ffc, FfcSettings, FrontierFill

MOST_LINKS = 1_000
"""Of each level, the latest ones: FFC learned from some 200."""
MOST_OTHERS = 1_000
"""Links on no way to a form."""

Number = int
"""A hash of a link's URL."""


class PathLink(Struct, frozen=True, array_like=True):
    """A link on the way to a form."""

    number: Number
    level: int
    terms: tuple[LinkTerm, ...]


class SavedPaths(Struct, frozen=True):
    """The repository as it is written."""

    links: list[PathLink] = []
    others: list[tuple[Number, bytes]] = []


class PathRepository:
    """The repository of paths. Bounded; the same visits in the same order, the same contents.

    A link has the least of the levels it was met with. Of links on no path a sample is kept: those
    with the lowest hashes, which any link is as likely to have as any other.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._links: dict[Number, PathLink] = {}
        self._others: dict[Number, bytes] = {}

    def begin_with(self, lesson: LinkLesson) -> None:
        """Take over what a classifier was learned from; it gives way as paths are found."""
        number = 0
        for level in sorted(lesson.levels):
            for terms in lesson.levels[level]:
                number -= 1
                self._links[number] = PathLink(number, level, terms)
        for row in lesson.others[:MOST_OTHERS]:
            self._others[_number(row.tobytes())] = row.tobytes()

    def add_path(self, path: Sequence[Candidate], languages: Sequence[str]) -> None:
        """A path to a form, the link to its page first."""
        for level, candidate in enumerate(path, start=1):
            number = _number(candidate.url.encode())
            self._others.pop(number, None)
            known = self._links.get(number)
            terms = candidate_terms(candidate, self._width, languages)
            if terms and (known is None or level < known.level):
                self._links[number] = PathLink(number, level, terms)

    def add_other(self, url: Url, features: bytes) -> None:
        """A link that brought no form so far."""
        number = _number(url.encode())
        if not features or number in self._links:
            return
        self._others[number] = features[: 4 * self._width]
        if len(self._others) > 2 * MOST_OTHERS:
            self._others = dict(self._sample())

    def lesson(self) -> LinkLesson:
        """What there is to learn from now."""
        latest = self._latest()
        self._links = {link.number: link for link in latest}
        levels: dict[int, list[Terms]] = {}
        for link in latest:
            levels.setdefault(link.level, []).append(link.terms)
        rows = b"".join(row for _, row in self._sample())
        others = np.frombuffer(rows, np.dtype("<i4")).astype(np.int32).reshape(-1, self._width)
        return LinkLesson(levels, others)

    def save(self) -> SavedPaths:
        return SavedPaths(self._latest(), self._sample())

    def restore(self, kept: SavedPaths) -> None:
        self._links = {link.number: link for link in kept.links}
        self._others = dict(kept.others)

    def _latest(self) -> list[PathLink]:
        """The latest links of each level."""
        met: Counter[int] = Counter()
        kept: list[PathLink] = []
        for link in reversed(self._links.values()):
            met[link.level] += 1
            if met[link.level] <= MOST_LINKS:
                kept.append(link)
        return kept[::-1]

    def _sample(self) -> list[tuple[Number, bytes]]:
        return sorted(self._others.items())[:MOST_OTHERS]


def _number(of: bytes) -> Number:
    return xxhash.xxh3_64_intdigest(of) >> 1


_SHOWN = 12
"""Words of each space that are remembered of an iteration: ACHE's figures show five."""


class AcheProgress(Struct, rename={"gain": "forms", "new_gain": "new_forms"}):
    """How far the crawl has come, and how far since it learned last."""

    pages: int = 0
    gain: int = 0
    """What counted for the goal: distinct relevant forms, if forms are it."""
    new_pages: int = 0
    new_gain: int = 0
    formless: int = 0
    """Pages that counted without a new form: 0 unless pages are the goal."""

    def add(self, gain: int, forms: int) -> None:
        """One more page, what it brought for the goal, and its new forms."""
        self.pages += 1
        self.new_pages += 1
        self.gain += gain
        self.new_gain += gain
        self.formless += bool(gain and not forms)


class AcheIteration(Struct, frozen=True, rename={"gain": "forms"}):
    """What was learned at one time."""

    pages: int
    """Pages visited by then."""
    gain: int
    """What counted for the goal by then: distinct relevant forms, if forms are it."""
    links: dict[str, int]
    """How many links of each class it was learned from."""
    terms: dict[str, list[TermCount]]
    """The chosen words of each space, with the links of each class they stand in."""


def describe_iteration(links: LinkLevels, progress: AcheProgress) -> AcheIteration:
    """What this classifier learned, in words."""
    return AcheIteration(
        progress.pages, progress.gain, class_sizes(links), count_chosen_terms(links, _SHOWN)
    )


class SavedLinkLevels(Struct, frozen=True):
    """A classifier as it is written."""

    classes: list[int]
    features: list[ChosenTerm]
    counts: list[list[int]]
    totals: list[int]


def save_link_levels(links: LinkLevels) -> SavedLinkLevels:
    features = list(links.features)
    return SavedLinkLevels(
        list(links.classes), features, links.counts.tolist(), links.totals.tolist()
    )


def load_link_levels(kept: SavedLinkLevels) -> LinkLevels:
    counts = np.array(kept.counts, np.int64).reshape(len(kept.classes), len(kept.features))
    return LinkLevels(kept.classes, kept.features, counts, np.array(kept.totals, np.int64))


class AcheState(Struct, frozen=True):
    """A whole state."""

    filling: FrontierFill
    progress: AcheProgress
    paths: SavedPaths
    links: SavedLinkLevels | None
    """What was learned last; None before the first time."""
    iterations: str
    """JSON, so that it can be read by whoever shows it."""


def save_ache_state(kept: AcheState) -> bytes:
    return msgspec.msgpack.encode(kept)


def load_ache_state(state: bytes) -> AcheState:
    return msgspec.msgpack.decode(state, type=AcheState)


def read_iterations(state: bytes) -> list[AcheIteration]:
    """What was learned each time, from a saved state: for dashboards and reports."""
    return msgspec.json.decode(load_ache_state(state).iterations, type=list[AcheIteration])


Mode = Literal["online", "offline", "offline-online"]
_FORMS = {"corrected": 25, "literal": 100}
_MOST_FORMS = 100
"""Forms between two times of learning once there are many: what the paper has from the start."""
_GROWTH = 4
"""The more was found, the less a few forms more can teach: a quarter more is waited for."""
_PAGES = {"corrected": 5_000, "literal": 0}
_SHARE = 20
"""Where topic pages are the goal, a lesson also waits for one of so many of those met before, as
the apprentice's do: they are common, and each lesson ranks a larger frontier again."""
_LEAST_LINKS = 10
"""Links of level 1 below which whatever is learned would be chance."""


class AcheSettings(FfcSettings):
    """Settings of `ache`."""

    mode: Mode = Field(
        "online",
        description="online: begins as baseline_sc; offline-online: begins with `model`; "
        "offline: keeps to `model`.",
    )
    every_forms: int | None = Field(
        None,
        ge=1,
        description="New relevant forms after which it learns; unset: 25, literally 100.",
    )
    every_pages: int | None = Field(
        None, ge=0, description="Pages after which it learns, 0: never; unset: 5,000, literally 0."
    )
    terms: int = Field(20, ge=1, le=500, description="Words chosen in each space: the paper's n.")
    merged_terms: int = Field(
        20, ge=0, le=500, description="Words of URLs looked for inside longer ones: the paper's k."
    )

    def forms_between(self, found: int) -> int:
        """New forms to wait for when so many were found."""
        if self.every_forms is not None:
            return self.every_forms
        return max(_FORMS[self.reading], min(_MOST_FORMS, found // _GROWTH))

    @property
    def pages_between(self) -> int:
        return _PAGES[self.reading] if self.every_pages is None else self.every_pages


class Ache(Ffc):
    """Adaptive: learns while crawling which links lead to what counts, in one or more steps."""

    name = "ache"

    def __init__(self, settings: AcheSettings, taught: LinkModel | None = None) -> None:
        """`taught` is the first classifier where it is at hand; else `settings.model` names it."""
        super().__init__(settings, taught)
        self.adapting = settings
        self.path_length = 0 if settings.mode == "offline" else settings.levels
        self._progress = AcheProgress()
        self._paths = PathRepository(FEATURES.words)
        self._has_just_learned = False
        self.iterations: tuple[AcheIteration, ...] = ()
        """What was learned each time, in order."""
        if settings.mode == "online":
            self.links = None
        else:
            self._paths.begin_with(self.taught.lesson)

    def learn(self, view: PageView, visit: Visit) -> bool:
        """True when it has learned, or when the crawling frontier is empty."""
        self._has_just_learned = False
        is_used_up = self.links is not None and super().learn(view, visit)
        if self.adapting.mode == "offline":
            return is_used_up
        self._collect_links(view)
        if not self._is_time():
            return is_used_up
        return self._learn_levels() or is_used_up

    def _collect_links(self, view: PageView) -> None:
        self._progress.add(view.gain, view.new_forms)
        if view.path:
            self._paths.add_path(view.path, (view.page.language, "en"))
        elif not view.new_forms:
            self._paths.add_other(view.candidate.url, view.candidate.features)
        if view.links:
            drawn = view.id % len(view.links)
            self._paths.add_other(view.links[drawn].target, view.features[drawn].tobytes())

    def _is_time(self) -> bool:
        every, since = self.adapting, self._progress
        wait = every.forms_between(since.gain) + since.formless // _SHARE
        if since.new_gain >= wait:
            return True
        has_waited = bool(every.pages_between) and since.new_pages >= every.pages_between
        return has_waited and since.new_gain > 0 and since.gain >= _LEAST_LINKS

    def _learn_levels(self) -> bool:
        """False when there is too little to learn from."""
        self._progress.new_gain = self._progress.new_pages = 0
        lesson = self._paths.lesson()
        if len(lesson.levels.get(1, ())) < _LEAST_LINKS:
            return False
        own = self.adapting
        selection = Selection(own.terms, own.merged_terms, own.reading)
        self.links = learn_levels(lesson, selection).narrow(own.levels, has_none=self.has_none)
        self.iterations += (describe_iteration(self.links, self._progress),)
        self._has_just_learned = True
        self.queues.start_refill()
        return True

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        if self._has_just_learned and self.links is not None:
            # A seed stands on no page, so that no classifier can tell more of it.
            waiting = np.flatnonzero(features[:, -1])
            tiers[waiting], scores[waiting] = self.place_links(self.links, features[waiting])
            tiers[waiting] += self.queues.persistent
        super().rescore(tiers, scores, features)

    def describe_knowledge(self) -> dict[str, Any]:
        """The words of each iteration (the paper's Fig. 6 and Table 2), and what they count."""
        return make_knowledge(
            self._describe_iterations(), self.describe_weights(), self._note_missing()
        )

    def _describe_iterations(self) -> list[dict[str, Any]]:
        """In the shape of all strategies, with the counts of the paper's tables beside it."""
        words = (
            (
                number,
                one.pages,
                {space: [t.term for t in some] for space, some in one.terms.items()},
            )
            for number, one in enumerate(self.iterations, start=1)
        )
        own = [msgspec.to_builtins(one) for one in self.iterations]
        return [{**counts, **row} for counts, row in zip(own, make_steps(words), strict=True)]

    def _note_missing(self) -> str:
        return NOT_ANEW if self.adapting.mode == "offline" else NOT_YET

    def state(self) -> bytes:
        return save_ache_state(
            AcheState(
                self.queues.filling,
                self._progress,
                self._paths.save(),
                save_link_levels(self.links) if self.iterations and self.links else None,
                msgspec.json.encode(self.iterations).decode(),
            )
        )

    def restore(self, state: bytes) -> None:
        kept = load_ache_state(state)
        self.queues.filling = kept.filling
        self._progress = kept.progress
        self._paths.restore(kept.paths)
        self.iterations = tuple(read_iterations(state))
        if kept.links is not None:
            self.links = load_link_levels(kept.links)
