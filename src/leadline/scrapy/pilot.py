"""Looks at pages that somebody else fetched, and says which of their links to follow first.

What a crawl of leadline's own does with a page, without its fetching and its queue: the page is
read and judged, recorded with its forms, shown to the strategy, and learned from. Knows nothing
of Scrapy.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct, structs

from leadline.config import Config
from leadline.core.crawl import (
    Candidate,
    CandidateId,
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
from leadline.core.ports import Store, Strategy
from leadline.core.url import Site, Url, canonical
from leadline.crawler.decisions import (
    DUPLICATE,
    NO_FORMS,
    PAGE,
    NewForms,
    SitePause,
    add_page,
    count_gain,
    make_refused_visit,
    reward_visit,
    update_site,
)
from leadline.crawler.links import (
    LinkRules,
    choose_links,
    distinct_links,
    make_candidates,
    make_extra_candidate,
    make_seed,
)
from leadline.crawler.reading import InlineReader, PageReading
from leadline.page.navigation import Navigation

LAST = 65_535
"""The tier of what a strategy would not follow."""
_REPEATED = Skip("its page has the same text as another one of its site")
_CUT_OFF = "cut off"
_NO_WISHES: Mapping[int, Candidate] = {}
_ACCEPTED = 0.5
"""Belief from which a form counts as found; the engine's threshold."""
# Scope, depth and nofollow are the spider's business.
_ANY_LINK = LinkRules(lambda _url: "", max_depth=1 << 30, obey_nofollow=False)


class Answer(Struct, frozen=True):
    """A page as it came."""

    asked: str
    """The URL of the request."""
    url: str
    """Where it came from, after redirects."""
    body: bytes
    content_type: str = ""
    status: int = 200
    candidate: Candidate | None = None
    """What was known of the link that was followed; None for one that nobody ranked."""


class Ranked(Struct, frozen=True):
    """A link of a page, and what the strategy thinks of following it."""

    candidate: Candidate
    skip: str = ""
    """Why it would not follow it; its candidate is in the last tier then."""
    instead: Candidate | None = None
    """What it wants visited in its stead, as the home page of a site that the link made known."""


class Outlook(Struct, frozen=True):
    """What a page brought."""

    links: Mapping[Url, Ranked] = {}
    visit: Visit | None = None
    """None for a page that was visited before, of which nothing is learned."""
    forms: tuple[JudgedForm, ...] = ()
    """Relevant ones, first met here."""


class Waiting(Protocol):
    """The links that wait, where they can be ranked once more."""

    def rank_site(self, site: Site, verdict: Priority | Skip | None) -> None: ...

    def rescore(self) -> None: ...


class Pilot:
    """One crawl of somebody else's. Not for several threads."""

    def __init__(
        self,
        config: Config,
        store: Store,
        strategy: Strategy,
        reader: InlineReader,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.strategy = strategy
        self.store = store
        self.waiting: Waiting | None = None
        """Told of what was learned, if there is one."""
        self._config = config
        self._reader = reader
        self._now = now
        self._navigation = Navigation()
        self._since_save = 0
        self._begin()

    def canonical(self, url: str) -> Url | None:
        return canonical(url, rules=self._config.urls.rules)

    def see(self, answer: Answer) -> Outlook:
        """Take in a page. Its links are those on the page, whatever is made of them."""
        url, asked = self.canonical(answer.url), answer.candidate or self._unranked(answer.asked)
        if url is None or asked is None:
            return Outlook()
        (reading,) = self._reader.read_all([(answer.body, url, answer.content_type)])
        lease = self._lease(asked)
        if lease is None:
            return self._met_again(asked, reading)
        final = url if url != asked.url else None
        visit = Visit(
            *(lease.id, asked.url, asked.site, PAGE, self._now(), answer.status, final),
            size_bytes=len(answer.body),
        )
        if reading.digest and self.store.has_digest(visit.site, reading.digest):
            return self._repeated(lease, visit, reading)
        return self._take_in(lease, visit, reading)

    def close(self, reason: str) -> None:
        """Keep what was learned, and let go of the store."""
        self._save()
        self.store.note(Event(self._now(), "stopped", detail=reason))
        self.store.close()

    def _begin(self) -> None:
        learned = self.store.load(f"strategy:{self.strategy.name}")
        if learned is not None:
            self.strategy.restore(learned)
        # What was under way when an earlier run was cut off would be in the way of what comes.
        while leases := self.store.take(1, self._now()):
            refusal = make_refused_visit(leases[0], _CUT_OFF, self._now())
            self.store.record(refusal, self.store.site(refusal.site))
        config = self._config
        self.store.save("config", config.model_dump_json().encode())
        self.store.note(Event(self._now(), "started", config.topic.name, config.strategy.name))

    def _unranked(self, url: str) -> Candidate | None:
        asked = self.canonical(url)
        return make_seed(asked) if asked else None

    def _lease(self, asked: Candidate) -> Lease | None:
        """The right to record a visit; None when there was one. Nothing else waits in the store."""
        if not self.store.put([asked]):
            return None
        (lease,) = self.store.take(1, self._now())
        return lease

    def _met_again(self, asked: Candidate, reading: PageReading) -> Outlook:
        known = self.store.candidate(asked.url)
        number = known[0] if known else CandidateId(0)
        view = self._look(number, asked, reading, self.store.site(asked.site), (0, 0))
        return Outlook(self._ranked(view, self.strategy.rank(view)))

    def _repeated(self, lease: Lease, visit: Visit, reading: PageReading) -> Outlook:
        visit = structs.replace(visit, outcome=DUPLICATE, reason=_REPEATED.why)
        site = self._site_after(visit, NO_FORMS)
        self.store.record(visit, site)
        view = self._look(lease.id, lease.candidate, reading, site, (0, 0))
        return Outlook(self._ranked(view, [_REPEATED] * len(view.links)), visit)

    def _take_in(self, lease: Lease, visit: Visit, reading: PageReading) -> Outlook:
        goal, judgement = self._config.strategy.goal, reading.judgement
        new = [form for form in judgement.forms if not self.store.has_form(form.signature)]
        relevant = tuple(form for form in new if form.relevant >= _ACCEPTED)
        had = self.store.site(visit.site).forms
        gain = count_gain(goal, judgement, len(relevant), had)
        worth = reward_visit(goal, judgement, gain)
        visit = add_page(visit, reading, len(relevant), worth)
        searchable = sum(form.searchable >= _ACCEPTED for form in new)
        site = self._site_after(visit, NewForms(len(relevant), searchable))
        view = self._look(lease.id, lease.candidate, reading, site, (len(relevant), gain))
        links = self._ranked(view, self.strategy.rank(view), self._wishes(view))
        verdict = self.strategy.rank_site(site, view)
        self.store.record(visit, site, (), judgement.forms)
        self._learn(view, visit, verdict)
        return Outlook(links, visit, relevant)

    def _learn(self, view: PageView, visit: Visit, verdict: Priority | Skip | None) -> None:
        has_learned = self.strategy.learn(view, visit)
        if self.waiting is not None:
            self.waiting.rank_site(visit.site, verdict)
            if has_learned:
                self.waiting.rescore()
        self._since_save += 1
        if self._since_save >= self._config.crawl.checkpoint_pages:
            self._save()

    def _wishes(self, view: PageView) -> dict[int, Candidate]:
        """What the strategy wants visited, by the number of the link that made it known."""
        extra_urls = [
            extra for extra in self.strategy.extra_urls(view) if isinstance(extra, ExtraUrl)
        ]
        return {
            extra.link: make_extra_candidate(view, extra)
            for extra in extra_urls
            if extra.link is not None
        }

    def _ranked(
        self,
        view: PageView,
        verdicts: Sequence[Priority | Skip],
        extra_urls: Mapping[int, Candidate] = _NO_WISHES,
    ) -> dict[Url, Ranked]:
        why = [verdict.why if isinstance(verdict, Skip) else "" for verdict in verdicts]
        places = [
            Priority(LAST, 0.0, verdict.why) if isinstance(verdict, Skip) else verdict
            for verdict in verdicts
        ]
        found = make_candidates(view, places, ())
        return {
            one.url: Ranked(one, why[number], extra_urls.get(number))
            for number, one in enumerate(found)
        }

    def _look(
        self,
        number: CandidateId,
        asked: Candidate,
        reading: PageReading,
        site: SiteState,
        brought: tuple[int, int],
    ) -> PageView:
        page, strategy = reading.page, self.strategy
        positions = distinct_links(page.links)
        known = self.store.known([page.links[p].target for p in positions])
        unknown = [p for p, is_known in zip(positions, known, strict=True) if not is_known]
        choice = choose_links(page, unknown, asked.depth, _ANY_LINK)
        view = PageView(
            id=number,
            candidate=asked,
            page=page,
            judgement=reading.judgement,
            site=site,
            links=tuple(page.links[p] for p in choice.positions),
            sites=choice.sites,
            repeats=self._navigation.repeats(site.site, page.links, choice.positions),
            features=reading.features(strategy.features, choice.positions),
            new_forms=brought[0],
            gain=brought[1],
            path=self._path(number) if brought[1] and strategy.path_length else (),
        )
        if strategy.features is None or not strategy.features.own:
            return view
        own = strategy.own_features(view)
        return structs.replace(view, features=np.hstack([view.features, own]))

    def _path(self, number: CandidateId) -> tuple[Candidate, ...]:
        return tuple(self.store.path(number)[: -self.strategy.path_length - 1 : -1])

    def _site_after(self, visit: Visit, new: NewForms) -> SiteState:
        before = self.store.site(visit.site)
        return update_site(before, visit, new, SitePause(0.0, 0.0))

    def _save(self) -> None:
        self._since_save = 0
        self.store.save(f"strategy:{self.strategy.name}", self.strategy.state())
        self.store.flush()
