"""What a visit comes to: its record, its site afterwards, what it found. No I/O.

The crawl in one process and the workers on a shared store decide by this alike; what a store
knows of a page is told to it (`Facts`).
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeGuard

import numpy as np
from msgspec import Struct, structs

from leadline.core.crawl import (
    BacklinkQuery,
    Candidate,
    Event,
    ExtraUrl,
    JudgedForm,
    Lease,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.ports import Strategy
from leadline.crawler import goals, outcomes
from leadline.crawler.expand import candidates, choose, distinct, extra_candidate
from leadline.crawler.outcomes import NO_FORMS, NewForms
from leadline.crawler.plan import Plan
from leadline.crawler.reading import Reading
from leadline.errors import FetchError
from leadline.page.navigation import Navigation

_ACCEPTED = 0.5
"""Belief from which a form counts as found."""
SAME_TEXT = "the same text as another page of its site"
KNOWN_TARGET = "redirects to a known URL"


class Pause(NamedTuple):
    """When a site may be asked again, as its fetcher says."""

    ready_at: float
    delay_s: float


class Facts(Struct, frozen=True):
    """What the store knows of a page."""

    known: Sequence[bool]
    """Of the targets of its links, each once (`targets`)."""
    new: NewForms
    gain: int
    path: tuple[Candidate, ...] = ()
    """As `PageView.path`."""


class Verdict(Struct, frozen=True):
    """What a visit comes to."""

    visit: Visit
    site: SiteState
    found: tuple[Candidate, ...] = ()
    forms: tuple[JudgedForm, ...] = ()
    rank: Priority | None = None
    """The site's own from here on; None: as before."""
    view: PageView | None = None
    """What there is to learn from; None when there was no new page."""
    questions: tuple[BacklinkQuery, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        site = self.site
        return (Event(self.visit.at, "site-left", site.site, site.closed),) if site.closed else ()


def targets(reading: Reading) -> list[int]:
    """Positions of the links whose targets `Facts.known` is about."""
    return distinct(reading.page.links)


def new_forms(forms: Sequence[JudgedForm], known: Sequence[bool]) -> NewForms:
    """How many of a page's forms were not met before."""
    new = [form for form, is_known in zip(forms, known, strict=True) if not is_known]
    return NewForms(
        sum(form.relevant >= _ACCEPTED for form in new),
        sum(form.searchable >= _ACCEPTED for form in new),
    )


class Deciding:
    """Decides by a plan and a strategy, both of which may be replaced between two visits.

    Nothing is taught here: who calls tells the strategy to learn.
    """

    def __init__(self, plan: Plan, strategy: Strategy) -> None:
        self.plan = plan
        self.strategy = strategy
        self._navigation = Navigation()

    def passed_over(self, lease: Lease, why: str, site: SiteState, at: float) -> Verdict:
        """Of a link that the strategy has gone off."""
        return Verdict(outcomes.of_refusal(lease, why, at), site)

    def failed(
        self, lease: Lease, error: FetchError, before: SiteState, pause: Pause, at: float
    ) -> Verdict:
        return self.answered(outcomes.of_error(lease, error, at), before, pause)

    def answered(self, visit: Visit, before: SiteState, pause: Pause) -> Verdict:
        """Of an answer that is no page to read."""
        site, rank = self._left(_after(before, visit, NO_FORMS, pause), None)
        return Verdict(visit, site, rank=rank)

    def repeated(self, visit: Visit, why: str, before: SiteState, pause: Pause) -> Verdict:
        visit = structs.replace(visit, outcome=outcomes.DUPLICATE, reason=why)
        return self.answered(visit, before, pause)

    def gain(self, reading: Reading, new: NewForms, before: SiteState) -> int:
        """What a page brings for the goal."""
        return goals.gain(self.plan.goal, reading.judgement, new.relevant, before.forms)

    def page(
        self,
        lease: Lease,
        visit: Visit,
        reading: Reading,
        facts: Facts,
        before: SiteState,
        pause: Pause,
    ) -> Verdict:
        """Of a page with a text of its own."""
        worth = goals.reward(self.plan.goal, reading.judgement, facts.gain)
        visit = outcomes.with_page(visit, reading, facts.new.relevant, worth)
        site = _after(before, visit, facts.new, pause)
        view, refused = self._look(lease, reading, site, facts)
        found = candidates(view, self.strategy.rank(view), refused)
        extra_urls = self.strategy.extra_urls(view)
        found += [extra_candidate(view, extra) for extra in extra_urls if self._may_follow(extra)]
        site, rank = self._left(site, view)
        questions = tuple(extra for extra in extra_urls if isinstance(extra, BacklinkQuery))
        forms = reading.judgement.forms
        return Verdict(visit, site, tuple(found), forms, rank, view, questions)

    def _may_follow(self, extra: ExtraUrl | BacklinkQuery) -> TypeGuard[ExtraUrl]:
        return isinstance(extra, ExtraUrl) and not self.plan.rules.why_not(extra.url)

    def _look(
        self, lease: Lease, reading: Reading, site: SiteState, facts: Facts
    ) -> tuple[PageView, list[tuple[int, str]]]:
        page = reading.page
        both = zip(targets(reading), facts.known, strict=True)
        unknown = [position for position, is_known in both if not is_known]
        choice = choose(page, unknown, lease.candidate.depth, self.plan.rules)
        view = PageView(
            id=lease.id,
            candidate=lease.candidate,
            page=page,
            judgement=reading.judgement,
            site=site,
            links=tuple(page.links[p] for p in choice.positions),
            sites=choice.sites,
            repeats=self._navigation.repeats(site.site, page.links, choice.positions),
            features=reading.features(self.strategy.features, choice.positions),
            new_forms=facts.new.relevant,
            gain=facts.gain,
            path=facts.path,
        )
        if self.strategy.features is not None and self.strategy.features.own:
            own = self.strategy.own_features(view)
            view = structs.replace(view, features=np.hstack([view.features, own]))
        return view, choice.refused

    def _left(self, site: SiteState, view: PageView | None) -> tuple[SiteState, Priority | None]:
        """The site, closed if it is not to be asked any more, and its own rank."""
        why = self._why_leave(site)
        if why:
            return structs.replace(site, closed=why), None
        verdict = self.strategy.rank_site(site, view)
        if isinstance(verdict, Skip):
            return structs.replace(site, closed=verdict.why), None
        return structs.replace(site, closed=""), verdict

    def _why_leave(self, site: SiteState) -> str:
        if why := self.plan.rules.why_excluded(site.site):
            return why
        if site.errors_in_a_row >= self.plan.give_up_after:
            return f"gave up after {site.errors_in_a_row} failures in a row"
        if site.pages >= self.plan.max_pages_per_site:
            return f"{site.pages} pages visited, the most allowed for one site"
        return goals.why_done(self.plan.goal, site)


def _after(before: SiteState, visit: Visit, new: NewForms, pause: Pause) -> SiteState:
    return outcomes.next_site(before, visit, new, ready_at=pause.ready_at, delay_s=pause.delay_s)
