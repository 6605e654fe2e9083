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

from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from leadline.core.crawl import FeatureRows, PageView, Visit
from leadline.core.ports import Scores
from leadline.learn.link_levels import Taught, learn_levels
from leadline.learn.link_selection import Selection
from leadline.strategies.ache_state import (
    AcheIteration,
    AcheProgress,
    AcheState,
    describe_iteration,
    load_link_levels,
    packed,
    read_iterations,
    save_link_levels,
    unpacked,
)
from leadline.strategies.base import NOT_YET, make_knowledge, make_steps
from leadline.strategies.ffc import FEATURES, NOT_ANEW, Ffc, FfcSettings
from leadline.strategies.paths import PathRepository

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

    def __init__(self, settings: AcheSettings, taught: Taught | None = None) -> None:
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
        self._take_in(view)
        if not self._is_time():
            return is_used_up
        return self._learn_anew() or is_used_up

    def _take_in(self, view: PageView) -> None:
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

    def _learn_anew(self) -> bool:
        """False when there is too little to learn from."""
        self._progress.new_gain = self._progress.new_pages = 0
        lesson = self._paths.lesson()
        if len(lesson.levels.get(1, ())) < _LEAST_LINKS:
            return False
        own = self.adapting
        selection = Selection(own.terms, own.merged_terms, own.reading)
        self.links = learn_levels(lesson, selection).narrowed(own.levels, has_none=self.has_none)
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
        return make_knowledge(self._describe_iterations(), self.describe_weights(), self._missing())

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

    def _missing(self) -> str:
        return NOT_ANEW if self.adapting.mode == "offline" else NOT_YET

    def state(self) -> bytes:
        return packed(
            AcheState(
                self.queues.filling,
                self._progress,
                self._paths.save(),
                save_link_levels(self.links) if self.iterations and self.links else None,
                msgspec.json.encode(self.iterations).decode(),
            )
        )

    def restore(self, state: bytes) -> None:
        kept = unpacked(state)
        self.queues.filling = kept.filling
        self._progress = kept.progress
        self._paths.restore(kept.paths)
        self.iterations = tuple(read_iterations(state))
        if kept.links is not None:
            self.links = load_link_levels(kept.links)
