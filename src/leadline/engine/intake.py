"""Taking in what came: from an answer to a visit, forms and candidates, recorded and learned from.

Runs in the event loop one page at a time, so the strategy sees pages in one order and needs no
locks.
"""

from collections.abc import Callable, Sequence
from typing import TypeGuard

import numpy as np
from msgspec import structs

from leadline.core.crawl import (
    Candidate,
    Event,
    JudgedForm,
    Lease,
    Question,
    Sight,
    SiteState,
    Skip,
    Visit,
    Wish,
)
from leadline.core.http import Response
from leadline.core.ports import Strategy
from leadline.engine import goals, outcomes
from leadline.engine.asking import Asker
from leadline.engine.expand import candidates, choose, distinct, wished
from leadline.engine.outcomes import NO_FORMS, NewForms
from leadline.engine.plan import Parts, Plan
from leadline.engine.reading import Reading
from leadline.engine.spending import Spending
from leadline.errors import FetchError, SiteBusyError
from leadline.page.navigation import Navigation

_ACCEPTED = 0.5
"""Belief from which a form counts as found."""


class Intake:
    """Closes every lease it is given: recorded, or put back for later."""

    def __init__(self, parts: Parts, plan: Plan, now: Callable[[], float]) -> None:
        self.plan = plan
        self.strategy = parts.strategy
        self._store = parts.store
        self._fetcher = parts.fetcher
        self._reader = parts.reader
        self._handover = parts.handover
        self._now = now
        self._asker = Asker(parts.backlinks, parts.store, parts.strategy, now)
        self.spending = Spending(parts.store, self._asker, parts.handover, now)
        self._navigation = Navigation()
        self._busy_tries: dict[int, int] = {}
        self._since_save = 0

    def pass_over(self, lease: Lease, why: str) -> None:
        """Of a link that the strategy has gone off."""
        visit = outcomes.of_refusal(lease, why, self._now())
        self._record(visit, self._store.site(visit.site))

    def put_back(self, lease: Lease, error: SiteBusyError) -> None:
        tries = self._busy_tries.get(lease.id, 0) + 1
        self._busy_tries[lease.id] = tries
        if tries >= self.plan.busy_tries:
            self.fail(lease, error)
            return
        ready_at = self._fetcher.ready_at(lease.candidate.site)
        if error.retry_after_s is not None:
            ready_at = max(ready_at, self._now() + error.retry_after_s)
        self._store.give_back(lease, ready_at)
        self._store.note(Event(self._now(), "busy", lease.candidate.site, error.reason))

    def fail(self, lease: Lease, error: FetchError) -> None:
        visit = outcomes.of_error(lease, error, self._now())
        self._record(visit, self._left(self._site_after(visit, NO_FORMS)))

    async def take_in(self, lease: Lease, response: Response) -> None:
        visit = outcomes.of_response(lease, response)
        self.spending.size_bytes += visit.size_bytes
        if visit.outcome != outcomes.PAGE:
            self._record(visit, self._left(self._site_after(visit, NO_FORMS)))
            return
        if visit.final_url is not None and self._store.known([visit.final_url])[0]:
            self._record_repeat(visit, "redirects to a known URL")
            return
        reading = await self._reader.read(response)
        if reading.digest and self._store.has_digest(visit.site, reading.digest):
            self._record_repeat(visit, "the same text as another page of its site")
            return
        for question in self._record_page(lease, visit, reading):
            if not self.spending.why_over(self.plan.budget):
                await self._asker.ask(question, self.plan.rules, self.plan.most_found)

    def _record_repeat(self, visit: Visit, why: str) -> None:
        visit = structs.replace(visit, outcome=outcomes.DUPLICATE, reason=why)
        self._record(visit, self._left(self._site_after(visit, NO_FORMS)))

    def _record_page(self, lease: Lease, visit: Visit, reading: Reading) -> list[Question]:
        """What the strategy wants to know now."""
        goal, new = self.plan.goal, self._new_forms(reading.judgement.forms)
        had = self._store.site(visit.site).forms
        gain = goals.gain(goal, reading.judgement, new.relevant, had)
        worth = goals.reward(goal, reading.judgement, gain)
        visit = outcomes.with_page(visit, reading, new.relevant, worth)
        site = self._site_after(visit, new)
        sight, refused = self._look(lease, reading, site, (new.relevant, gain))
        found = candidates(sight, self.strategy.rank(sight), refused)
        wishes = self.strategy.wishes(sight)
        found += [wished(sight, wish) for wish in wishes if self._may_follow(wish)]
        self.spending.forms += new.relevant
        self._record(visit, self._left(site, sight), found, reading.judgement.forms)
        for form in reading.judgement.forms:
            self._handover.offer(form)
        if self.strategy.learn(sight, visit):
            self._store.rescore(self.strategy.rescore)
        return [wish for wish in wishes if isinstance(wish, Question)]

    def _may_follow(self, wish: Wish | Question) -> TypeGuard[Wish]:
        return isinstance(wish, Wish) and not self.plan.rules.why_not(wish.url)

    def _look(
        self, lease: Lease, reading: Reading, site: SiteState, brought: tuple[int, int]
    ) -> tuple[Sight, list[tuple[int, str]]]:
        page, (new_forms, gain) = reading.page, brought
        positions = distinct(page.links)
        known = self._store.known([page.links[p].target for p in positions])
        unknown = [p for p, is_known in zip(positions, known, strict=True) if not is_known]
        choice = choose(page, unknown, lease.candidate.depth, self.plan.rules)
        sight = Sight(
            id=lease.id,
            candidate=lease.candidate,
            page=page,
            judgement=reading.judgement,
            site=site,
            links=tuple(page.links[p] for p in choice.positions),
            sites=choice.sites,
            repeats=self._navigation.repeats(site.site, page.links, choice.positions),
            features=reading.features(self.strategy.features, choice.positions),
            new_forms=new_forms,
            gain=gain,
            path=self._path(lease) if gain and self.strategy.path_length else (),
        )
        if self.strategy.features is not None and self.strategy.features.own:
            own = self.strategy.own_features(sight)
            sight = structs.replace(sight, features=np.hstack([sight.features, own]))
        return sight, choice.refused

    def _path(self, lease: Lease) -> tuple[Candidate, ...]:
        return tuple(self._store.path(lease.id)[: -self.strategy.path_length - 1 : -1])

    def _new_forms(self, forms: Sequence[JudgedForm]) -> NewForms:
        new = [form for form in forms if not self._store.has_form(form.signature)]
        return NewForms(
            sum(form.relevant >= _ACCEPTED for form in new),
            sum(form.searchable >= _ACCEPTED for form in new),
        )

    def _site_after(self, visit: Visit, new: NewForms) -> SiteState:
        return outcomes.next_site(
            self._store.site(visit.site),
            visit,
            new,
            ready_at=self._fetcher.ready_at(visit.site),
            delay_s=self._fetcher.delay_of(visit.site),
        )

    def _left(self, site: SiteState, sight: Sight | None = None) -> SiteState:
        """The site, closed if it is not to be asked any more."""
        return structs.replace(site, closed=self._why_leave(site, sight))

    def _why_leave(self, site: SiteState, sight: Sight | None) -> str:
        if why := self.plan.rules.why_excluded(site.site):
            return why
        if site.errors_in_a_row >= self.plan.give_up_after:
            return f"gave up after {site.errors_in_a_row} failures in a row"
        if site.pages >= self.plan.max_pages_per_site:
            return f"{site.pages} pages visited, the most allowed for one site"
        if why := goals.why_done(self.plan.goal, site):
            return why
        verdict = self.strategy.rank_site(site, sight)
        if isinstance(verdict, Skip):
            return verdict.why
        if verdict is not None:
            self._store.rank_site(site.site, verdict)
        return ""

    def _record(
        self,
        visit: Visit,
        site: SiteState,
        found: Sequence[Candidate] = (),
        forms: Sequence[JudgedForm] = (),
    ) -> None:
        events = (Event(visit.at, "site-left", site.site, site.closed),) if site.closed else ()
        self._store.record(visit, site, found, forms, events)
        self._busy_tries.pop(visit.id, None)
        self.spending.count(visit)
        self._since_save += 1
        if self._since_save >= self.plan.checkpoint_pages:
            self.save_learned()

    def learn_from(self, strategy: Strategy) -> None:
        """Have another strategy learn and rank from here on."""
        self.save_learned()
        self.strategy = strategy

    def save_learned(self) -> None:
        self._since_save = 0
        self._store.save(f"strategy:{self.strategy.name}", self.strategy.state())
