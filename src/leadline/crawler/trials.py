"""Answers that may be costly are read in a process that may die, before they are read for good.

Harvests, probes and training fetch through a `TrialFetcher`; pages of a crawl are read by
`crawler/reading.py`, which has no need of a second time.
"""

from msgspec import structs

from leadline.core.http import Request, Response
from leadline.core.ports import Fetcher
from leadline.core.url import Site
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.reader_processes import ReaderProcesses, ReadingLimits
from leadline.crawler.reading import SAMPLE, decode_answer, encode
from leadline.errors import UnreadablePageError
from leadline.harvester.single_page import read_answer_page
from leadline.page.markup_guard import is_quick_to_parse

_MOST_S = 2.0
"""What passes is read once more where everything else waits meanwhile."""


class TrialWork:
    """Reads an answer as a harvest does, and throws away what it read."""

    def warm_up(self) -> None:
        read_answer_page(SAMPLE, "http://sample.invalid/?title=book", "text/html")

    def __call__(self, job: bytes) -> bytes:
        body, url, kind = decode_answer(job)
        read_answer_page(body, url, kind)
        return b""


class TrialFetcher:
    """A fetcher of bodies that can be read: what may be costly was tried in a process that may die.

    Harvests learn from answer to answer and keep what they learn in memory, so they read in the
    crawl's own process. What takes its time or its memory there was refused here before.
    """

    def __init__(
        self, fetcher: Fetcher, limits: ReadingLimits, losses: ReaderLosses | None
    ) -> None:
        """Without `losses` nothing is remembered."""
        self._fetcher = fetcher
        self._losses = losses
        self._processes = ReaderProcesses(
            TrialWork(), structs.replace(limits, seconds=min(limits.seconds, _MOST_S))
        )

    async def fetch(self, request: Request) -> Response:
        """Raises UnreadablePageError, too."""
        response = await self._fetcher.fetch(request)
        if is_quick_to_parse(response.body):
            return response
        why = await self._losses.why_not(response.url) if self._losses else ""
        if not why:
            job = encode((response.body, response.url, response.header("content-type")))
            result = await self._processes.run(job)
            why = result.failure
            if result.is_lost and self._losses:
                await self._losses.add(response.url, why)
        if not why:
            return response
        error = UnreadablePageError(response.url, why)
        error.requests = response.requests
        raise error

    def ready_at(self, site: Site) -> float:
        return self._fetcher.ready_at(site)

    def delay_of(self, site: Site) -> float:
        return self._fetcher.delay_of(site)

    async def close(self) -> None:
        """The fetcher inside is closed as well."""
        self._processes.close()
        await self._fetcher.close()
