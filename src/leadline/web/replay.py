"""Fetchers around archives: one that files what another fetches, one that fetches from files."""

from collections.abc import Iterable
from pathlib import Path

from leadline.core.http import Hop, Request, Response
from leadline.core.ports import Fetcher
from leadline.core.url import Site
from leadline.errors import BadResponseError, NotArchivedError, TooManyRedirectsError
from leadline.web.archive import ArchiveWriter, Entry, members, read_entry, request_key
from leadline.web.exchange import REDIRECTS
from leadline.web.fetcher import redirected

_MAX_REDIRECTS = 50
"""More than any setting lets a live crawl follow and file."""


class ArchivingFetcher:
    """Any Fetcher, with a copy of each answer to an archive.

    Raises StoreError, besides the FetchErrors of the inner one, when a copy cannot be kept.
    """

    def __init__(self, inner: Fetcher, writer: ArchiveWriter) -> None:
        self._inner = inner
        self._writer = writer

    async def fetch(self, request: Request) -> Response:
        response = await self._inner.fetch(request)
        self._writer.write(request, response)
        return response

    def ready_at(self, site: Site) -> float:
        return self._inner.ready_at(site)

    def delay_of(self, site: Site) -> float:
        return self._inner.delay_of(site)

    async def close(self) -> None:
        self._writer.close()
        await self._inner.close()


class ReplayFetcher:
    """Answers from archives alone; the latest copy of a page counts. Any site is always ready.

    Obeys the robots.txt that the archived crawl obeyed: what that forbade is not in the files.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        """Reads all files once to find what they hold. Raises OSError for a missing one."""
        self._places: dict[str, tuple[Path, int]] = {}
        for path in paths:
            for offset, member in members(path):
                entry = read_entry(member)
                if entry:
                    self._places[entry.key] = (path, offset)

    async def fetch(self, request: Request) -> Response:
        """Raises NotArchivedError, or BadResponseError for a damaged copy."""
        hops: list[Hop] = []
        while True:
            entry = self._read(request)
            location = next((value for name, value in entry.headers if name == "location"), None)
            if entry.status not in REDIRECTS or location is None:
                return _response(request, entry, hops)
            hops.append(Hop(request.url, entry.status, location))
            if len(hops) > _MAX_REDIRECTS:
                raise TooManyRedirectsError(hops[0].url, "redirects in a circle")
            request = redirected(request, hops[-1])

    def ready_at(self, site: Site) -> float:  # noqa: ARG002 (the port's signature)
        return 0.0

    def delay_of(self, site: Site) -> float:  # noqa: ARG002 (the port's signature)
        return 0.0

    async def close(self) -> None:
        self._places.clear()

    def _read(self, request: Request) -> Entry:
        place = self._places.get(request_key(request))
        if place is None:
            raise NotArchivedError(request.url, "not in the archives")
        try:
            _, member = next(members(*place), (0, b""))
        except OSError as error:
            raise BadResponseError(request.url, f"its archive cannot be read: {error}") from error
        entry = read_entry(member)
        if entry is None or not entry.is_sound:
            raise BadResponseError(request.url, "its archived copy is damaged")
        return entry


def _response(request: Request, entry: Entry, hops: list[Hop]) -> Response:
    size = next((value for name, value in entry.headers if name == "content-length"), "")
    return Response(
        request.url,
        entry.status,
        entry.headers,
        entry.body,
        entry.at,
        hops=tuple(hops),
        requests=len(hops) + 1,
        size_bytes=int(size) if size.isdecimal() and len(size) < 16 else len(entry.body),
    )
