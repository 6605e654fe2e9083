"""What a worker asks the shared store about a page it has read."""

from msgspec import Struct

from leadline.core.crawl import Lease, SiteState
from leadline.core.shared import Shared
from leadline.core.url import Url
from leadline.crawler.decisions import (
    Decider,
    PageFacts,
    VisitDecision,
    count_new_forms,
    find_targets,
)
from leadline.crawler.reading import PageReading
from leadline.crawler.store_calls import StoreCalls


class Brought(Struct):
    """What earlier pages of the same lease brought, of which the store knows nothing yet."""

    digests: set[int] = set()
    signatures: set[str] = set()
    urls: set[Url] = set()

    def add(self, verdict: VisitDecision) -> None:
        visit = verdict.visit
        if visit.digest:
            self.digests.add(visit.digest)
        if visit.final_url is not None:
            self.urls.add(visit.final_url)
        self.signatures.update(form.signature for form in verdict.forms)


class Looking:
    """Asks; one call a page."""

    def __init__(self, shared: Shared, calls: StoreCalls, deciding: Decider) -> None:
        self._shared = shared
        self._calls = calls
        self._deciding = deciding

    async def is_known(self, url: Url, brought: Brought) -> bool:
        return url in brought.urls or (await self._calls(lambda: self._shared.known([url])))[0]

    async def look(
        self, lease: Lease, reading: PageReading, before: SiteState, brought: Brought
    ) -> PageFacts | None:
        """None for a page whose text was met on its site before."""
        if reading.digest and reading.digest in brought.digests:
            return None
        return await self._calls(lambda: self._ask(lease, reading, before, brought))

    def _ask(
        self, lease: Lease, reading: PageReading, before: SiteState, brought: Brought
    ) -> PageFacts | None:
        shared = self._shared
        if reading.digest and shared.has_digests([(before.site, reading.digest)])[0]:
            return None
        forms, links = reading.judgement.forms, reading.page.links
        met = shared.has_forms([form.signature for form in forms]) if forms else []
        is_met = [
            is_kept or form.signature in brought.signatures
            for form, is_kept in zip(forms, met, strict=True)
        ]
        new = count_new_forms(forms, is_met)
        gain = self._deciding.count_gain(reading, new, before)
        places = find_targets(reading)
        known = shared.known([links[place].target for place in places]) if places else []
        length = self._deciding.strategy.path_length
        path = shared.path(lease.id, length)[::-1] if gain and length else ()
        return PageFacts(known, new, gain, tuple(path))
