"""Ranks the links of pages that somebody else fetched.

What leadline's own crawl does with a page, without its fetching and its queue: the page is read
and judged, recorded with its forms, shown to the strategy, and learned from. Knows nothing of
Scrapy.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct, structs

from leadline.config import Config
from leadline.core.crawl import (
    LIKELY,
    Budget,
    Candidate,
    CandidateId,
    Event,
    ExtraUrl,
    JudgedForm,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.http import Response
from leadline.core.ports import Strategy
from leadline.core.store import Completion, Delivery, SiteLease, Store
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
_WORKER = "scrapy"
_NO_EXTRAS: Mapping[int, Candidate] = {}
# Scope, depth and nofollow are the spider's business.
_ANY_LINK = LinkRules(lambda _url: "", max_depth=1 << 30, obey_nofollow=False)


class RankedLink(Struct, frozen=True):
    """A link of a page, and what the strategy thinks of following it."""

    candidate: Candidate
    skip: str = ""
    """Why it would not follow it; its candidate is in the last tier then."""
    instead: Candidate | None = None
    """What it wants visited in its stead, as the home page of a site that the link made known."""


class PageRanking(Struct, frozen=True):
    """What a page brought: its links with their ranks, its visit, its new forms."""

    links: Mapping[Url, RankedLink] = {}
    visit: Visit | None = None
    """None for a page that was visited before, of which nothing is learned."""
    forms: tuple[JudgedForm, ...] = ()
    """Relevant ones, first met here."""


class RankableQueue(Protocol):
    """A queue whose waiting links can be ranked again."""

    def rank_site(self, site: Site, verdict: Priority | Skip | None) -> None: ...

    def rescore(self) -> None: ...


class LinkRanker:
    """Ranks the links of one crawl that another program runs. Not for several threads."""

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
        self.queue: RankableQueue | None = None
        """Ranked again when the strategy has learned, if there is one."""
        self._config = config
        self._reader = reader
        self._now = now
        self._navigation = Navigation()
        self._since_save = 0
        self._begin()

    def canonical(self, url: str) -> Url | None:
        return canonical(url, rules=self._config.urls.rules)

    def rank_page(
        self, requested: str, response: Response, candidate: Candidate | None = None
    ) -> PageRanking:
        """Records a page and ranks all its links. `requested` is the URL of the request, and
        `candidate` what is known of the link that was followed; None for one nobody ranked."""
        url, asked = self.canonical(response.url), candidate or self._make_seed(requested)
        if url is None or asked is None:
            return PageRanking()
        (reading,) = self._reader.read_all([(response.body, url, response.header("content-type"))])
        lease = self._lease(asked)
        if lease is None:
            return self._rank_repeated_visit(asked, reading)
        final = url if url != asked.url else None
        visit = Visit(
            *(lease.leases[0].id, asked.url, asked.site, PAGE, self._now(), response.status, final),
            size_bytes=len(response.body),
        )
        (is_repeated,) = self.store.pages.have_digests([(visit.site, reading.digest)])
        if is_repeated:
            return self._record_duplicate(lease, visit, reading)
        return self._record_page(lease, visit, reading)

    def close(self, reason: str) -> None:
        """Saves what was learned, and closes the store."""
        self._save()
        self.store.run.stop(reason)
        self.store.note(Event(self._now(), "stopped", detail=reason))
        self.store.close()

    def _begin(self) -> None:
        learned = self.store.load(f"strategy:{self.strategy.name}")
        if learned is not None:
            self.strategy.restore(learned)
        self.store.run.begin(Budget())
        # A link on lease when an earlier run was cut off would be leased instead of what comes.
        while leases := self._lease_next():
            refusal = make_refused_visit(leases[0].leases[0], _CUT_OFF, self._now())
            self._record(leases[0], refusal, leases[0].site)
        config = self._config
        self.store.save("config", config.dump_for_store())
        self.store.note(Event(self._now(), "started", config.topic.name, config.strategy.name))

    def _make_seed(self, url: str) -> Candidate | None:
        asked = self.canonical(url)
        return make_seed(asked) if asked else None

    def _lease(self, asked: Candidate) -> SiteLease | None:
        """The right to record a visit; None when there was one. Nothing else waits in the store."""
        if not self.store.links.put([asked]):
            return None
        (lease,) = self._lease_next()
        return lease

    def _lease_next(self) -> list[SiteLease]:
        return self.store.links.lease(_WORKER, sites=1, urls=1, for_s=math.inf)

    def _record(
        self, lease: SiteLease, visit: Visit, site: SiteState, forms: Sequence[JudgedForm] = ()
    ) -> None:
        done = Completion(visit, site, forms=tuple(forms), topic=self._config.topic.name)
        self.store.links.deliver([Delivery(lease, (done,))])

    def _rank_repeated_visit(self, asked: Candidate, reading: PageReading) -> PageRanking:
        known = self.store.reader.candidate(asked.url)
        number = known[0] if known else CandidateId(0)
        view = self._view(number, asked, reading, self.store.links.site(asked.site), (0, 0))
        return PageRanking(self._make_ranked(view, self.strategy.rank(view)))

    def _record_duplicate(
        self, lease: SiteLease, visit: Visit, reading: PageReading
    ) -> PageRanking:
        visit = structs.replace(visit, outcome=DUPLICATE, reason=_REPEATED.why)
        site = self._site_after(visit, NO_FORMS)
        self._record(lease, visit, site)
        view = self._view(visit.id, lease.leases[0].candidate, reading, site, (0, 0))
        return PageRanking(self._make_ranked(view, [_REPEATED] * len(view.links)), visit)

    def _record_page(self, lease: SiteLease, visit: Visit, reading: PageReading) -> PageRanking:
        goal, judgement = self._config.strategy.goal, reading.judgement
        met = self.store.pages.have_forms([form.signature for form in judgement.forms])
        new = [form for form, is_met in zip(judgement.forms, met, strict=True) if not is_met]
        relevant = tuple(form for form in new if form.relevant >= LIKELY)
        had = lease.site.forms
        gain = count_gain(goal, judgement, len(relevant), had)
        worth = reward_visit(goal, judgement, gain)
        visit = add_page(visit, reading, len(relevant), worth)
        searchable = sum(form.searchable >= LIKELY for form in new)
        site = self._site_after(visit, NewForms(len(relevant), searchable))
        view = self._view(visit.id, lease.leases[0].candidate, reading, site, (len(relevant), gain))
        links = self._make_ranked(view, self.strategy.rank(view), self._find_extras(view))
        verdict = self.strategy.rank_site(site, view)
        self._record(lease, visit, site, judgement.forms)
        self._learn(view, visit, verdict)
        return PageRanking(links, visit, relevant)

    def _learn(self, view: PageView, visit: Visit, verdict: Priority | Skip | None) -> None:
        has_learned = self.strategy.learn(view, visit)
        if self.queue is not None:
            self.queue.rank_site(visit.site, verdict)
            if has_learned:
                self.queue.rescore()
        self._since_save += 1
        if self._since_save >= self._config.crawl.checkpoint_pages:
            self._save()

    def _find_extras(self, view: PageView) -> dict[int, Candidate]:
        """What the strategy wants visited, by the number of the link that made it known."""
        extra_urls = [
            extra for extra in self.strategy.extra_urls(view) if isinstance(extra, ExtraUrl)
        ]
        return {
            extra.link: make_extra_candidate(view, extra)
            for extra in extra_urls
            if extra.link is not None
        }

    def _make_ranked(
        self,
        view: PageView,
        verdicts: Sequence[Priority | Skip],
        extra_urls: Mapping[int, Candidate] = _NO_EXTRAS,
    ) -> dict[Url, RankedLink]:
        why = [verdict.why if isinstance(verdict, Skip) else "" for verdict in verdicts]
        places = [
            Priority(LAST, 0.0, verdict.why) if isinstance(verdict, Skip) else verdict
            for verdict in verdicts
        ]
        found = make_candidates(view, places, ())
        return {
            one.url: RankedLink(one, why[number], extra_urls.get(number))
            for number, one in enumerate(found)
        }

    def _view(
        self,
        number: CandidateId,
        asked: Candidate,
        reading: PageReading,
        site: SiteState,
        brought: tuple[int, int],
    ) -> PageView:
        page, strategy = reading.page, self.strategy
        positions = distinct_links(page.links)
        known = self.store.pages.are_known([page.links[p].target for p in positions])
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
        return tuple(self.store.pages.path(number, self.strategy.path_length)[::-1])

    def _site_after(self, visit: Visit, new: NewForms) -> SiteState:
        before = self.store.links.site(visit.site)
        return update_site(before, visit, new, SitePause(0.0, 0.0))

    def _save(self) -> None:
        self._since_save = 0
        self.store.save(f"strategy:{self.strategy.name}", self.strategy.state())
        self.store.flush()
