"""What a visit comes to: its record, its site afterwards, the candidates it found. No I/O.

Every loop decides by this alike, in one process, on PostgreSQL and under Ray; what the store
knows of a page comes in as `PageFacts`.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeGuard

import numpy as np
from msgspec import Struct, structs

from leadline.core.crawl import (
    LIKELY,
    BacklinkQuery,
    Budget,
    Candidate,
    Event,
    ExtraUrl,
    JudgedForm,
    Judgement,
    Lease,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.http import Response
from leadline.core.ports import Strategy
from leadline.core.url import DEFAULT_RULES, Url, UrlRules
from leadline.crawler.links import (
    LinkRules,
    choose_links,
    make_candidates,
    make_extra_candidate,
)
from leadline.crawler.reading import PageReading
from leadline.crawler.traps import TrapWatch
from leadline.errors import FetchError
from leadline.page.navigation import Navigation

PAGE = "page"
DUPLICATE = "duplicate"
PASSED_OVER = "passed-over"
"""Of a candidate that the strategy no longer wanted when its turn came: nothing was requested."""
SAME_TEXT = "the same text as another page of its site"
KNOWN_TARGET = "redirects to a known URL"
_GONE = (404, 410)
MOST_KNOWN = 30
"""Links of a page to known pages that a strategy sees, drawn evenly: menus have hundreds."""
_READ_FOR_LINKS = 8
"""Pages of a site that are read although its form is found, because they link to other sites:
leaving at once costs more than it saves where these links lead on (docs/reproduction.md)."""


class CrawlPlan(Struct, frozen=True):
    """How a crawl is run; may be replaced while it runs."""

    goal: str
    budget: Budget
    rules: LinkRules
    width: int = 64
    max_pages_per_site: int = 5_000
    give_up_after: int = 8
    busy_tries: int = 5
    checkpoint_pages: int = 1_000
    most_found: int = 20
    """Pages taken from one answer to a backlink query."""
    url_rules: UrlRules = DEFAULT_RULES
    topic: str = ""
    """Under which forms are judged."""
    sample_visits: int = 100
    """Visits between two samples of what waits."""
    leave_traps: bool = True
    """Whether URL shapes that bring nothing are left (`crawler.traps`)."""
    patience_s: float = math.inf
    """When no site is ready for longer than this, the fallback strategy starts."""
    max_idle_s: float = math.inf
    """When no site is ready for longer than this and nothing else can be done, the run ends."""
    ask_forms: bool = True
    """Whether forms of which the critic is unsure are asked (`crawler.evidence`)."""


class SitePause(NamedTuple):
    """When a site may be asked again, as its fetcher says."""

    ready_at: float
    delay_s: float


class NewForms(Struct, frozen=True):
    """Distinct forms a visit brought for the first time."""

    relevant: int = 0
    searchable: int = 0


NO_FORMS = NewForms()


class PageFacts(Struct, frozen=True):
    """What the store knows of a page."""

    known: Sequence[bool]
    """Of the targets of its links, each once."""
    new: NewForms
    gain: int
    path: tuple[Candidate, ...] = ()
    """As `PageView.path`."""
    fresh: tuple[str, ...] = ()
    """Signatures of its forms that were not met before."""
    targets: Sequence[int] = ()
    """Positions of the links that `known` is about (`distinct_links`)."""


class VisitDecision(Struct, frozen=True):
    """What a visit comes to."""

    visit: Visit
    site: SiteState
    found: tuple[Candidate, ...] = ()
    forms: tuple[JudgedForm, ...] = ()
    rank: Priority | None = None
    """The site's own from here on; None: as before."""
    view: PageView | None = None
    """What there is to learn from; None when there was no new page."""
    queries: tuple[BacklinkQuery, ...] = ()
    fresh: tuple[str, ...] = ()
    """Signatures of the forms that this page is the first to show."""
    traps: tuple[Event, ...] = ()
    """Those that this visit made known."""

    @property
    def events(self) -> tuple[Event, ...]:
        site = self.site
        if not site.closed:
            return self.traps
        return (*self.traps, Event(self.visit.at, "site-left", site.site, site.closed))


# Goals, apart from the strategies, so that each strategy can run for each goal.


def count_gain(goal: str, judgement: Judgement, new_forms: int, forms_before: int) -> int:
    """What a page brings: its new relevant forms, the first one of its site, or itself if it is
    about the topic."""
    if goal == "forms":
        return new_forms
    if goal == "sites":
        return int(new_forms > 0 and not forms_before)
    return int(judgement.relevance >= LIKELY)


def reward_visit(goal: str, judgement: Judgement, gain: int) -> float:
    """What a visit is worth: its gain, but of topic pages the more relevant ones more."""
    return judgement.relevance if goal == "pages" else float(gain)


def why_done(goal: str, site: SiteState) -> str:
    """Why no further page of the site is worth its request, or ''."""
    is_done = goal == "sites" and site.forms > 0 and site.pages >= _READ_FOR_LINKS
    return "has a relevant form, and sites are the goal" if is_done else ""


# Visits and what they mean for their sites.


def make_visit(lease: Lease, response: Response) -> Visit:
    """A visit that got an answer; `outcome` is `page` for a good one, else `http-404` and so on."""
    final = response.url if response.url != lease.candidate.url else None
    ok = 200 <= response.status < 300
    return Visit(
        id=lease.id,
        url=lease.candidate.url,
        site=lease.candidate.site,
        outcome=PAGE if ok else f"http-{response.status}",
        at=response.at,
        status=response.status,
        final_url=final,
        elapsed_s=response.elapsed_s,
        size_bytes=response.size_bytes,
        requests=response.requests,
    )


def make_refused_visit(lease: Lease, why: str, at: float) -> Visit:
    """A visit that the strategy refused."""
    candidate = lease.candidate
    return Visit(lease.id, candidate.url, candidate.site, PASSED_OVER, at, reason=why, requests=0)


def make_failed_visit(lease: Lease, error: FetchError, at: float) -> Visit:
    """A visit that got no answer."""
    return Visit(
        id=lease.id,
        url=lease.candidate.url,
        site=lease.candidate.site,
        outcome=error.kind,
        at=at,
        reason=error.reason,
        requests=error.requests,
    )


def add_page(visit: Visit, reading: PageReading, new_forms: int, reward: float) -> Visit:
    """The visit with what its page brought."""
    page = reading.page
    return structs.replace(
        visit,
        title=page.title,
        language=page.language,
        relevance=reading.judgement.relevance,
        reward=reward,
        links=len(page.links),
        forms=new_forms,
        digest=reading.digest,
    )


def update_site(site: SiteState, visit: Visit, new: NewForms, pause: SitePause) -> SiteState:
    """The site after the visit."""
    failed = visit.outcome not in (PAGE, DUPLICATE)
    # A site that refuses one page by its rules or has lost it is not broken.
    is_trouble = visit.status >= 500 or visit.outcome in (
        *("timeout", "connection", "bad-response", "busy", "address-refused"),
    )
    return structs.replace(
        site,
        pages=site.pages + (not failed),
        forms=site.forms + new.relevant,
        searchable=site.searchable + new.searchable,
        errors=site.errors + failed,
        errors_in_a_row=site.errors_in_a_row + 1 if is_trouble else 0,
        ready_at=pause.ready_at,
        delay_s=pause.delay_s,
    )


def is_seed(candidate: Candidate) -> bool:
    """Whether a person named it; pages found by backlinks have no parent either, but an anchor."""
    return candidate.parent is None and not candidate.anchor


class Decider:
    """Decides by a plan and a strategy, both of which may be replaced between two visits.

    It teaches the strategy nothing: the caller tells it to learn.
    """

    def __init__(self, plan: CrawlPlan, strategy: Strategy) -> None:
        self.plan = plan
        self.strategy = strategy
        self._navigation = Navigation()
        self.traps = TrapWatch()

    def why_left(self, url: Url) -> str:
        """Why a URL that waits is not worth its request any more, whatever the strategy; or ''."""
        return self.traps.why_left(url) if self.plan.leave_traps else ""

    def refuse(self, lease: Lease, site: SiteState, at: float) -> VisitDecision | None:
        """The decision on a link that is not asked for, or None. Rules may have changed since the
        link was found, so all of them are looked at once more."""
        candidate, rules = lease.candidate, self.plan.rules
        if why := rules.why_excluded(site.site):
            decision = self.pass_over(lease, why, site, at)
            return structs.replace(decision, site=structs.replace(site, closed=why))
        if not is_seed(candidate):
            why = rules.why_harmful(candidate.url, candidate.anchor, "")
        if not why and candidate.parent is not None:
            why = self.why_left(candidate.url)
        if not why:
            refusal = self.strategy.admit(candidate, site)
            why = refusal.why if refusal is not None else ""
        return self.pass_over(lease, why, site, at) if why else None

    def pass_over(self, lease: Lease, why: str, site: SiteState, at: float) -> VisitDecision:
        """Of a link that the strategy refuses, or whose site is excluded."""
        return VisitDecision(make_refused_visit(lease, why, at), site)

    def fail(
        self, lease: Lease, error: FetchError, before: SiteState, pause: SitePause, at: float
    ) -> VisitDecision:
        return self.close_visit(make_failed_visit(lease, error, at), before, pause)

    def close_visit(
        self, visit: Visit, before: SiteState, pause: SitePause, digest: int = 0
    ) -> VisitDecision:
        """Of an answer that is no page to read."""
        traps: tuple[Event, ...] = ()
        if self.plan.leave_traps and (visit.outcome == DUPLICATE or visit.status in _GONE):
            self.traps.learn_nothing(visit.url, is_same=visit.outcome == DUPLICATE)
            traps = self._name_traps(visit, digest)
        site, rank = self._judge_site(update_site(before, visit, NO_FORMS, pause), None)
        return VisitDecision(visit, site, rank=rank, traps=traps)

    def repeat(
        self, visit: Visit, why: str, before: SiteState, pause: SitePause, digest: int = 0
    ) -> VisitDecision:
        """Of a page that was visited before under another URL; `digest` is that of its text."""
        visit = structs.replace(visit, outcome=DUPLICATE, reason=why)
        return self.close_visit(visit, before, pause, digest)

    def count_gain(self, reading: PageReading, new: NewForms, before: SiteState) -> int:
        """What a page brings for the goal."""
        return count_gain(self.plan.goal, reading.judgement, new.relevant, before.forms)

    def decide_page(
        self,
        lease: Lease,
        visit: Visit,
        reading: PageReading,
        facts: PageFacts,
        before: SiteState,
        pause: SitePause,
    ) -> VisitDecision:
        """Of a page with a text of its own."""
        reward = reward_visit(self.plan.goal, reading.judgement, facts.gain)
        visit = add_page(visit, reading, facts.new.relevant, reward)
        site = update_site(before, visit, facts.new, pause)
        both = zip(facts.targets, facts.known, strict=True)
        unknown = [position for position, is_known in both if not is_known]
        traps: tuple[Event, ...] = ()
        if self.plan.leave_traps:
            is_new = facts.new.searchable > 0 or facts.new.relevant > 0
            self.traps.learn_page(visit.url, reading.page, unknown, has_new_form=is_new)
            traps = self._name_traps(visit, reading.digest)
        view, refused = self._view(lease, reading, site, facts, unknown)
        found = make_candidates(view, self.strategy.rank(view), refused)
        extras = self.strategy.extra_urls(view)
        found += [make_extra_candidate(view, extra) for extra in extras if self._may_follow(extra)]
        site, rank = self._judge_site(site, view)
        queries = tuple(extra for extra in extras if isinstance(extra, BacklinkQuery))
        forms = reading.judgement.forms
        return VisitDecision(
            visit, site, tuple(found), forms, rank, view, queries, facts.fresh, traps
        )

    def _name_traps(self, visit: Visit, digest: int) -> tuple[Event, ...]:
        """What the visit tells beyond its own page."""
        found = (
            self.traps.learn_digest(visit.url, digest, visit.at) if digest else None,
            self.traps.name_trap(visit.url, visit.at),
        )
        return tuple(event for event in found if event is not None)

    def _may_follow(self, extra: ExtraUrl | BacklinkQuery) -> TypeGuard[ExtraUrl]:
        return isinstance(extra, ExtraUrl) and not self.plan.rules.why_not(extra.url)

    def _view(
        self,
        lease: Lease,
        reading: PageReading,
        site: SiteState,
        facts: PageFacts,
        unknown: Sequence[int],
    ) -> tuple[PageView, list[tuple[int, str]]]:
        page = reading.page
        left = self.traps.sort_out(page.links, unknown) if self.plan.leave_traps else {}
        allowed = [position for position in unknown if position not in left] if left else unknown
        choice = choose_links(page, allowed, lease.candidate.depth, self.plan.rules)
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
        spec = self.strategy.features
        if spec is not None and spec.known:
            both = zip(facts.targets, facts.known, strict=True)
            known = [position for position, is_known in both if is_known]
            known = known[:: max(1, -(-len(known) // MOST_KNOWN))]
            links = tuple(page.links[position] for position in known)
            rows = reading.features(spec, known)
            if spec.own:
                rows = np.hstack(
                    [rows, self.strategy.own_features(structs.replace(view, links=links))]
                )
            view = structs.replace(view, known_links=links, known_features=rows)
        if spec is not None and spec.own:
            own = self.strategy.own_features(view)
            view = structs.replace(view, features=np.hstack([view.features, own]))
        return view, [*choice.refused, *left.items()]

    def _judge_site(
        self, site: SiteState, view: PageView | None
    ) -> tuple[SiteState, Priority | None]:
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
        return why_done(self.plan.goal, site)
