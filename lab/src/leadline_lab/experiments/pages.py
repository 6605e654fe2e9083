"""Answers of a lab world, parsed once and kept: a warm crawl generates and parses nothing.

A trial that finds its pages here does the same, request by request, as one
that does not. Robots.txt is the one thing a fetcher remembers: it costs
requests when an origin is first asked in a trial, whether or not the page is
kept, so they are kept apart from those of the page.
"""

from collections import Counter
from collections.abc import Callable
from typing import Protocol

import msgspec
import numpy as np
import zstandard
from msgspec import Raw, Struct

from leadline.core.crawl import Judgement
from leadline.core.http import Hop, Request, Response
from leadline.core.page import Page
from leadline.core.ports import Fetcher
from leadline.core.url import DEFAULT_RULES, Site, Url, origin_of, path_of
from leadline.crawler.reading import PageReading, hash_text
from leadline.errors import FetchError, RobotsDeniedError
from leadline.page.parse import DEFAULT_LIMITS, parse_page
from leadline.page.words import PageWords, WordIds
from leadline_lab.experiments.shelf import Shelf, shelf_key
from leadline_lab.experiments.worlds import AskedWorld
from leadline_lab.server.transport import Answering

_LEVEL = 1
"""Of zstandard: higher ones pack 3 % better and take longer."""
_ROBOTS = "/robots.txt"
_ERRORS = {kind.kind: kind for kind in FetchError.__subclasses__()} | {FetchError.kind: FetchError}

MakeFetcher = Callable[[Answering], Fetcher]


class KeptPage(Struct, frozen=True, array_like=True):
    """A parsed page with its words as bytes of int32."""

    page: Raw
    digest: int
    ids: bytes
    starts: bytes


class KeptAnswer(Struct, frozen=True, array_like=True):
    """What one URL answers, whoever asks."""

    asked: Url
    """The URL asked for: two URLs of one hash must not be taken for each other."""
    requests: int
    """Spent, robots.txt left out."""
    origins: tuple[tuple[str, int], ...]
    """Whose robots.txt was looked at on the way, and the requests that takes."""
    url: Url = Url("")
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    elapsed_s: float = 0.0
    hops: tuple[Hop, ...] = ()
    size_bytes: int = 0
    error: str = ""
    """The kind of the FetchError; '' when there was a response."""
    error_url: str = ""
    reason: str = ""
    page: KeptPage | None = None


class KeptResponse(Response, frozen=True):
    """A response whose body was parsed before; `body` is empty."""

    kept: KeptPage | None = None


class KeptWords(PageWords):
    """The words of a page, numbered earlier."""

    __slots__ = ()

    def __init__(self, page: Page, ids: WordIds, starts: WordIds) -> None:
        self.ids = ids
        self.starts = starts
        self._leaves = len(page.leaves)
        self.paths = self._leaves + 1
        self._page = page
        self._forms = None


class Judge(Protocol):
    """What a critic is to a reader."""

    def judge(self, page: Page, words: PageWords) -> Judgement: ...


class Spending(Struct):
    """Requests of one trial."""

    requests: int = 0
    """All of them; each of the others is a part of it."""
    robots: int = 0
    redirects: int = 0
    failed: int = 0
    """On the way to no response, robots.txt left out."""


class CachedWeb:
    """A Fetcher for one trial on a world. Any site is always ready.

    GETs of pages are answered from the shelf where possible, so the world's answers
    to them should not depend on time; everything else always goes to the world.
    `now` dates the responses.
    """

    def __init__(
        self,
        world: Answering,
        make_fetcher: MakeFetcher,
        shelf: Shelf,
        now: Callable[[], float],
    ) -> None:
        self.spending = Spending()
        self._asked = AskedWorld(world)
        self._inner = make_fetcher(self._asked)
        self._shelf = shelf
        self._now = now
        self._robots: dict[str, int] = {}
        """Requests for the robots.txt of each origin asked so far."""
        self._pack = zstandard.ZstdCompressor(level=_LEVEL).compress
        self._unpack = zstandard.ZstdDecompressor().decompress
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(KeptAnswer).decode

    async def fetch(self, request: Request) -> Response:
        """As the port says; of a page `body` is empty, and it is in the response's `kept`."""
        # A request that names the types it accepts is for a service's answer, not a page. Answers
        # to forms are read by whoever asked, from their bodies.
        is_page = request.method == "GET" and not request.body and not request.accept
        if not is_page or request.is_session:
            return await self._pass_on(request)
        key = shelf_key(request.url)
        packed = self._shelf.find(key)
        answer = None if packed is None else self._decode(self._unpack(packed))
        if answer is None or answer.asked != request.url:
            answer = await self._ask(request)
            self._shelf.put(key, self._pack(self._encode(answer)))
        return self._respond(answer)

    def ready_at(self, site: Site) -> float:  # noqa: ARG002 (the port's signature)
        return 0.0

    def delay_of(self, site: Site) -> float:  # noqa: ARG002 (the port's signature)
        return 0.0

    async def close(self) -> None:
        await self._inner.close()

    def reader(self, critic: Judge) -> "KeptReader":
        """Reads the responses of this web, judged by `critic`."""
        return KeptReader(critic)

    async def _pass_on(self, request: Request) -> Response:
        try:
            response = await self._inner.fetch(request)
        except FetchError as error:
            error.requests = self._charge(*self._cost(request.url, error.url))
            raise
        requests = self._charge(*self._cost(request.url, response.url))
        return msgspec.structs.replace(response, at=self._now(), requests=requests)

    async def _ask(self, request: Request) -> KeptAnswer:
        url = request.url
        try:
            response = await self._inner.fetch(request)
        except FetchError as error:
            return KeptAnswer(
                url,
                *self._cost(url, error.url),
                error=error.kind,
                error_url=error.url,
                reason=error.reason,
            )
        return KeptAnswer(
            url,
            *self._cost(url, response.url),
            url=response.url,
            status=response.status,
            headers=response.headers,
            elapsed_s=response.elapsed_s,
            hops=response.hops,
            size_bytes=response.size_bytes,
            page=self._parsed(response) if 200 <= response.status < 300 else None,
        )

    def _parsed(self, response: Response) -> KeptPage:
        page, words = _read(response)
        return KeptPage(
            Raw(self._encode(page)), hash_text(page), words.ids.tobytes(), words.starts.tobytes()
        )

    def _respond(self, answer: KeptAnswer) -> Response:
        requests = self._charge(answer.requests, answer.origins)
        if answer.error == RobotsDeniedError.kind:
            self.spending.redirects += answer.requests
        elif answer.error:
            self.spending.failed += answer.requests
        else:
            self.spending.redirects += answer.requests - 1
        if answer.error:
            # Without a time to come back: nothing changes by waiting here.
            error = _ERRORS[answer.error](answer.error_url, answer.reason)
            error.requests = requests
            raise error
        return KeptResponse(
            answer.url,
            answer.status,
            answer.headers,
            b"",
            self._now(),
            answer.elapsed_s,
            answer.hops,
            requests,
            answer.size_bytes,
            kept=answer.page,
        )

    def _charge(self, requests: int, origins: tuple[tuple[str, int], ...]) -> int:
        fresh = {origin: cost for origin, cost in origins if origin not in self._robots}
        self._robots.update(fresh)
        robots = sum(fresh.values())
        self.spending.robots += robots
        self.spending.requests += requests + robots
        return requests + robots

    def _cost(self, *ends: str) -> tuple[int, tuple[tuple[str, int], ...]]:
        """Of what was just asked: requests without robots.txt, and those for it by origin."""
        asked = self._asked.taken()
        is_for_robots = path_of(Url(ends[0])) == _ROBOTS
        for_pages = [url for url in asked if is_for_robots or path_of(url) != _ROBOTS]
        for_robots = Counter(origin_of(url) for url in asked if path_of(url) == _ROBOTS)
        origins = dict.fromkeys(origin_of(url) for url in (*ends, *asked))
        # The inner fetcher asks once a trial; then the number is known from before.
        costs = ((name, self._robots.get(name, for_robots[name])) for name in origins)
        return len(for_pages), tuple(costs)


class KeptReader:
    """Reads what a CachedWeb fetched; implements the engine's Reader."""

    def __init__(self, critic: Judge) -> None:
        self._critic = critic
        self._decode = msgspec.msgpack.Decoder(Page).decode

    async def read(self, response: Response) -> PageReading:
        kept = response.kept if isinstance(response, KeptResponse) else None
        words: PageWords
        if kept is None:
            page, words = _read(response)
            return PageReading(page, self._critic.judge(page, words), hash_text(page), words)
        page = self._decode(kept.page)
        ids, starts = np.frombuffer(kept.ids, np.int32), np.frombuffer(kept.starts, np.int32)
        words = KeptWords(page, ids, starts)
        return PageReading(page, self._critic.judge(page, words), kept.digest, words)

    def judge(self, page: Page, words: PageWords) -> Judgement:
        return self._critic.judge(page, words)

    def close(self) -> None:
        """Nothing to end."""


def _read(response: Response) -> tuple[Page, PageWords]:
    kind = response.header("content-type")
    page = parse_page(response.body, response.url, kind, rules=DEFAULT_RULES, limits=DEFAULT_LIMITS)
    return page, PageWords(page)
