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
(its Movie crawl found 94 in 100,000 pages), so that here it is 3 forms, rising to 100 as more are
found, or 5,000 pages, whichever is first; literally, 100 forms. It has no links that lead to no
form to learn from; here they are a class of their own, as in FFC: a sample of visited links that
are on no path, and of links seen. It learns from new paths; here from the latest 1,000 links of
each level, beginning with those its first classifier was learned from. Forms stand for what counts
for the goal (`PageView.gain`): deep sites and topic pages are learned from in the same way. A link
that is on several paths is learned once, with its least level. After learning, both frontiers are
ranked together and a fresh batch is moved, so that what was learned counts at once. The word lists
it shows are short (Table 2 has 5 words of a space); their length is a setting here.
"""

from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from pydantic import Field

from leadline.core.crawl import FeatureRows, PageView, Visit
from leadline.core.ports import Scores
from leadline.learn.link_levels import (
    LinkModel,
    TermCount,
    class_sizes,
    count_chosen_terms,
    learn_levels,
)
from leadline.learn.link_selection import Selection
from leadline.strategies.base import NOT_YET, make_knowledge, make_steps
from leadline.strategies.ffc import (
    FEATURES,
    NOT_ANEW,
    Ffc,
    FfcSettings,
    FrontierFill,
    LinkQueues,
    SavedLinkLevels,
)
from leadline.strategies.paths import PathRepository, SavedPaths

Mode = Literal["online", "offline", "offline-online"]
_FORMS = {"corrected": 3, "literal": 100}
"""New forms between two lessons; the paper has 100. A critic that misses half of the forms accepts
3 to 12 in the first 2,000 pages of a foreign web, and class counts are drawn to the mean of all
classes while they are few."""
_MOST_FORMS = 100
"""The same once many forms were found: what the paper has from the start."""
_GROWTH = 4
"""A lesson waits for a quarter of what was found before: the more there is, the less a few forms
more can teach."""
_PAGES = {"corrected": 5_000, "literal": 0}
"""Pages after which it learns even if few forms were found; the paper has no such rule."""
_SHARE = 20
"""If topic pages are the goal, a lesson also waits for a twentieth of those found before, as the
apprentice's do: topic pages are common, and each lesson ranks a larger frontier again."""
_LEAST_LINKS = {"corrected": 3, "literal": 10}
"""With fewer links of level 1, whatever is learned would be chance."""
_SHOWN_WORDS = 12
"""Words of each space that are kept of an iteration, for people. ACHE's figures show five."""


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
        description="New relevant forms after which it learns; unset: 3 at first, literally 100.",
    )
    every_pages: int | None = Field(
        None, ge=0, description="Pages after which it learns, 0: never; unset: 5,000, literally 0."
    )
    terms: int = Field(20, ge=1, le=500, description="Words chosen in each space: the paper's n.")
    merged_terms: int = Field(
        20, ge=0, le=500, description="Words of URLs looked for inside longer ones: the paper's k."
    )

    def forms_between(self, found: int) -> int:
        """How many new forms a lesson waits for if so many were found before."""
        if self.every_forms is not None:
            return self.every_forms
        return max(_FORMS[self.reading], min(_MOST_FORMS, found // _GROWTH))

    @property
    def pages_between(self) -> int:
        return _PAGES[self.reading] if self.every_pages is None else self.every_pages


class AcheProgress(Struct, rename={"gain": "forms", "new_gain": "new_forms"}):
    """How far the crawl has come, in all and since the last lesson."""

    pages: int = 0
    gain: int = 0
    """What counted for the goal: distinct relevant forms, if forms are the goal."""
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
    """What was learned in one lesson."""

    pages: int
    """Pages visited by then."""
    gain: int
    """What counted for the goal by then: distinct relevant forms, if forms are the goal."""
    links: dict[str, int]
    """How many links of each class it was learned from."""
    terms: dict[str, list[TermCount]]
    """The chosen words of each space, with the links of each class that have them."""


class AcheState(Struct, frozen=True):
    """Everything ACHE has learned."""

    filling: FrontierFill
    progress: AcheProgress
    paths: SavedPaths
    links: SavedLinkLevels | None
    """The classifier of the last lesson; None before the first."""
    iterations: str
    """JSON, so that reports read it without the rest."""


def read_iterations(state: bytes) -> list[AcheIteration]:
    """What was learned in each lesson, from a saved state: for dashboards and reports."""
    saved = msgspec.msgpack.decode(state, type=AcheState)
    return msgspec.json.decode(saved.iterations, type=list[AcheIteration])


class Ache(Ffc):
    """Adaptive: learns while crawling which links lead to what counts, in one or more steps."""

    name = "ache"

    def __init__(self, settings: AcheSettings, taught: LinkModel | None = None) -> None:
        """`taught` is the first classifier; without it, `settings.model` names one."""
        super().__init__(settings, taught)
        self.adapting = settings
        self.path_length = 0 if settings.mode == "offline" else settings.levels
        self._progress = AcheProgress()
        self._paths = PathRepository(FEATURES.words)
        self._has_just_learned = False
        self.iterations: tuple[AcheIteration, ...] = ()
        """What was learned in each lesson, in order."""
        if settings.mode == "online":
            # Without a classifier, `Ffc.rank` ranks as baseline_sc does.
            self.links = None
        else:
            self._paths.begin_with(self.taught.lesson)

    def learn(self, view: PageView, visit: Visit) -> bool:
        """True if it has learned, or if the crawling frontier is empty."""
        self._has_just_learned = False
        is_used_up = self.links is not None and super().learn(view, visit)
        if self.adapting.mode == "offline":
            return is_used_up
        self._progress.add(view.gain, view.new_forms)
        self._paths.add_page(view)
        return (self._is_lesson_due() and self._learn_levels()) or is_used_up

    def _is_lesson_due(self) -> bool:
        every, since = self.adapting, self._progress
        if since.new_gain >= every.forms_between(since.gain) + since.formless // _SHARE:
            return True
        has_waited = bool(every.pages_between) and since.new_pages >= every.pages_between
        return has_waited and since.new_gain > 0 and since.gain >= _LEAST_LINKS[every.reading]

    def _learn_levels(self) -> bool:
        """Learn a new classifier; False if there is too little to learn from."""
        progress, own = self._progress, self.adapting
        progress.new_gain = progress.new_pages = 0
        lesson = self._paths.make_lesson()
        if len(lesson.levels.get(1, ())) < _LEAST_LINKS[own.reading]:
            return False
        selection = Selection(own.terms, own.merged_terms, own.reading)
        self.links = learn_levels(lesson, selection).narrow(self._classes, has_none=self.has_none)
        words = count_chosen_terms(self.links, _SHOWN_WORDS)
        self.iterations += (
            AcheIteration(progress.pages, progress.gain, class_sizes(self.links), words),
        )
        self._has_just_learned = True
        self.queues.start_refill()
        return True

    def start_anew(self) -> None:
        if self.adapting.mode != "offline":
            self._learn_levels()
        self._progress = AcheProgress()
        self._has_just_learned = False
        self.queues = LinkQueues(self.own.levels, self.own.batch)

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        if self._has_just_learned and self.links is not None:
            # A seed stands on no page, so no classifier can say more of it.
            waiting = np.flatnonzero(features[:, -1])
            tiers[waiting], scores[waiting] = self.place_links(self.links, features[waiting])
            tiers[waiting] += self.queues.persistent
        super().rescore(tiers, scores, features)

    def describe_knowledge(self) -> dict[str, Any]:
        """The words of each lesson (the paper's Fig. 6 and Table 2) with their counts, and the
        weights of the classifier in use."""
        words = (
            (
                number,
                one.pages,
                {space: [t.term for t in some] for space, some in one.terms.items()},
            )
            for number, one in enumerate(self.iterations, start=1)
        )
        counts = [msgspec.to_builtins(one) for one in self.iterations]
        steps = [{**own, **row} for own, row in zip(counts, make_steps(words), strict=True)]
        note = NOT_ANEW if self.adapting.mode == "offline" else NOT_YET
        return make_knowledge(steps, self.describe_weights(), note)

    def state(self) -> bytes:
        return msgspec.msgpack.encode(
            AcheState(
                self.queues.filling,
                self._progress,
                self._paths.save(),
                # The first classifier is read from its folder again, or made of the topic's words.
                SavedLinkLevels.of(self.links) if self.iterations and self.links else None,
                msgspec.json.encode(self.iterations).decode(),
            )
        )

    def restore(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(state, type=AcheState)
        self.queues.filling = saved.filling
        self._progress = saved.progress
        self._paths.restore(saved.paths)
        self.iterations = tuple(read_iterations(state))
        if saved.links is not None:
            self.links = saved.links.load()
