"""What the store knows of a page: which links, texts and forms were met before."""

from collections.abc import Sequence

from msgspec import Struct

from leadline.core.crawl import LIKELY, JudgedForm, Lease, SiteState
from leadline.core.store import PageIndex
from leadline.core.url import Url
from leadline.crawler.decisions import Decider, NewForms, PageFacts, VisitDecision
from leadline.crawler.links import distinct_links
from leadline.crawler.reading import PageReading
from leadline.crawler.store_calls import StoreCalls


def count_new_forms(forms: Sequence[JudgedForm], known: Sequence[bool]) -> NewForms:
    """How many of a page's forms were not met before."""
    new = [form for form, is_known in zip(forms, known, strict=True) if not is_known]
    return NewForms(
        sum(form.relevant >= LIKELY for form in new),
        sum(form.searchable >= LIKELY for form in new),
    )


class LeaseFindings(Struct):
    """What earlier pages of the same lease brought, of which the store knows nothing yet."""

    digests: set[int] = set()
    signatures: set[str] = set()
    urls: set[Url] = set()

    def add(self, decision: VisitDecision) -> None:
        visit = decision.visit
        if visit.digest:
            self.digests.add(visit.digest)
        if visit.final_url is not None:
            self.urls.add(visit.final_url)
        self.signatures.update(form.signature for form in decision.forms)


class PageLookup:
    """Asks the store what it knows of a page; one call a page."""

    def __init__(self, pages: PageIndex, calls: StoreCalls, decider: Decider) -> None:
        self._pages = pages
        self._calls = calls
        self._decider = decider

    async def is_known(self, url: Url, brought: LeaseFindings) -> bool:
        return url in brought.urls or (await self._calls(lambda: self._pages.are_known([url])))[0]

    async def look_up(
        self, lease: Lease, reading: PageReading, before: SiteState, brought: LeaseFindings
    ) -> PageFacts | None:
        """None for a page whose text was met on its site before."""
        if reading.digest and reading.digest in brought.digests:
            return None
        return await self._calls(lambda: self._find_facts(lease, reading, before, brought))

    def _find_facts(
        self, lease: Lease, reading: PageReading, before: SiteState, brought: LeaseFindings
    ) -> PageFacts | None:
        pages = self._pages
        if reading.digest and pages.have_digests([(before.site, reading.digest)])[0]:
            return None
        forms, links = reading.judgement.forms, reading.page.links
        met = pages.have_forms([form.signature for form in forms]) if forms else []
        is_met = [
            is_stored or form.signature in brought.signatures
            for form, is_stored in zip(forms, met, strict=True)
        ]
        new = count_new_forms(forms, is_met)
        gain = self._decider.count_gain(reading, new, before)
        places = distinct_links(links)
        known = pages.are_known([links[place].target for place in places]) if places else []
        length = self._decider.strategy.path_length
        path = pages.path(lease.id, length)[::-1] if gain and length else ()
        fresh = tuple(form.signature for form, met in zip(forms, is_met, strict=True) if not met)
        return PageFacts(known, new, gain, tuple(path), fresh, places)
