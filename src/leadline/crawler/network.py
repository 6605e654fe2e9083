"""The way to the Web that crawls and harvests share: scope, fetcher, robots.txt, archive."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from leadline.config import Config
from leadline.core.http import Request, Response
from leadline.core.ports import Fetcher
from leadline.core.servers import (
    ServerRequest,
    ServerSpacing,
    ServerStore,
    ServerTurn,
    name_servers,
)
from leadline.core.state_change import ChangeJudge
from leadline.core.store import HarvestRunStore
from leadline.core.url import (
    Site,
    Url,
    canonical,
    host_of,
    origin_of,
    registered_domain,
    site_of,
)
from leadline.crawler.links import Scope
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.reader_processes import ReadingLimits
from leadline.crawler.store_calls import StoreCalls
from leadline.crawler.trials import TrialFetcher
from leadline.errors import FetchError, StoreError
from leadline.web import HttpFetcher, open_fetcher
from leadline.web.archive import ArchiveWriter, ArchivingFetcher
from leadline.web.exchange import Permits
from leadline.web.fetchers import choose_fetcher
from leadline.web.politeness import ServerTurns
from leadline.web.sitemaps import is_sitemap_index, read_sitemap

MOST = 20_000
"""Origins remembered here; more are asked of the store again."""
_MAX_FILES = 50
"""Sitemaps read per origin: an index may list thousands."""


def make_scope(config: Config, seeds: Sequence[Url]) -> Scope:
    allow = list(config.scope.allow)
    if config.scope.stay_on_seed_sites:
        allow += {registered_domain(host_of(site_of(url))) for url in seeds}
    return Scope(
        allow=allow,
        deny=config.scope.deny,
        skip_extensions=config.scope.skip_extensions,
        allow_changes=config.scope.allow_changes,
    )


def make_judge(config: Config) -> ChangeJudge:
    """The fetcher's judge: what is allowed of links or of forms is allowed there."""
    return ChangeJudge((*config.scope.allow_changes, *config.submit.allow_changes))


def make_fetcher(
    config: Config, store: HarvestRunStore, in_scope: Callable[[Url], str]
) -> HttpFetcher:
    """`in_scope` is asked about the targets of redirects: the reason not to follow one, or ''."""
    started = time.time()
    # Requests of a run that was cut off may be as recent as its end; the store
    # cannot know them all, so every site rests once before a crawl goes on.
    has_run = store.reader.counts().visits or any(store.harvests.all())
    quiet_until = started + config.politeness.delay_s if has_run else 0.0
    fetcher = open_fetcher(
        config.web,
        config.robots,
        config.politeness,
        in_scope=in_scope,
        why_harmful=make_judge(config).why_harmful,
        load=store.load,
        save=store.save,
        quiet_until=quiet_until,
    )
    for state in store.reader.sites():
        ready_at = max(state.ready_at, started + state.delay_s)
        if ready_at > max(quiet_until, started):
            fetcher.gate.restore(state.site, ready_at, state.delay_s)
    return fetcher


def add_archive(config: Config, http: HttpFetcher) -> Fetcher:
    """The fetcher that the settings name, which keeps what it fetches if there is an archive."""
    fetcher = choose_fetcher(config.web.fetcher, config.web.own, http)
    if not config.archive.folder:
        return fetcher
    writer = ArchiveWriter(Path(config.archive.folder), config.archive.max_file_bytes)
    return ArchivingFetcher(fetcher, writer)


def limit_reading(config: Config) -> ReadingLimits:
    return ReadingLimits(config.page.max_seconds, config.page.max_memory_mb)


def add_trials(config: Config, fetcher: Fetcher, losses: ReaderLosses | None = None) -> Fetcher:
    """The fetcher, for those who read answers in this process."""
    return TrialFetcher(fetcher, limit_reading(config), losses)


class PausableFetcher:
    """A fetcher that sends nothing between `pause` and `resume`; what is under way ends."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._is_going = asyncio.Event()
        self._is_going.set()

    def pause(self) -> None:
        self._is_going.clear()

    def resume(self) -> None:
        self._is_going.set()

    async def fetch(self, request: Request) -> Response:
        await self._is_going.wait()
        return await self._fetcher.fetch(request)

    def ready_at(self, site: Site) -> float:
        return self._fetcher.ready_at(site)

    def delay_of(self, site: Site) -> float:
        return self._fetcher.delay_of(site)

    async def close(self) -> None:
        await self._fetcher.close()


class ValueStore(Protocol):
    """What is needed of a store for robots.txt."""

    def save(self, key: str, value: bytes) -> None: ...

    def load(self, key: str) -> bytes | None: ...


class StoredRobots:
    """Reads ahead for the sites that are about to be asked, and writes behind.

    What was not written yet when a process dies is asked of its site again, once.
    """

    def __init__(self, store: ValueStore, calls: StoreCalls) -> None:
        self._store = store
        self._calls = calls
        self._kept: OrderedDict[str, bytes | None] = OrderedDict()
        self._writing: set[asyncio.Task[None]] = set()

    async def read_ahead(self, urls: Iterable[Url]) -> None:
        keys = {f"robots:{origin_of(url)}" for url in urls} - self._kept.keys()
        if keys:
            await self._read(sorted(keys))

    async def read_site(self, site: Site) -> None:
        """Of a site that somebody was led to."""
        await self.read_ahead([Url(f"http://{site}/"), Url(f"https://{site}/")])

    async def _read(self, keys: Sequence[str]) -> None:
        values = await self._calls(lambda: [self._store.load(key) for key in keys])
        for key, value in zip(keys, values, strict=True):
            self._keep(key, value)

    def load(self, key: str) -> bytes | None:
        return self._kept.get(key)

    def save(self, key: str, value: bytes) -> None:
        self._keep(key, value)
        task = asyncio.create_task(self._calls(lambda: self._store.save(key, value)))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def close(self) -> None:
        """Return when everything is written."""
        await asyncio.gather(*self._writing)

    def _keep(self, key: str, value: bytes | None) -> None:
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)


class StoredServers:
    """Turns at servers that several sites share, kept in a store for all workers.

    Requests that come while a call is under way go together in the next one, so that many at a
    time cost little more than one.
    """

    def __init__(self, servers: ServerStore, calls: StoreCalls, spacing: ServerSpacing) -> None:
        self.spacing = spacing
        self._servers = servers
        self._calls = calls
        self._asked: list[tuple[ServerRequest, asyncio.Future[ServerTurn]]] = []
        self._asking: asyncio.Task[None] | None = None

    async def reserve(self, site: Site, address: str) -> ServerTurn:
        turn: asyncio.Future[ServerTurn] = asyncio.get_running_loop().create_future()
        self._asked.append((name_servers(site, address, self.spacing), turn))
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        return await turn

    async def _ask(self) -> None:
        try:
            while self._asked:
                asked, self._asked = self._asked, []
                await self._answer(asked)
        finally:
            self._asking = None

    async def _answer(
        self, asked: Sequence[tuple[ServerRequest, asyncio.Future[ServerTurn]]]
    ) -> None:
        requests = [request for request, _ in asked]
        try:
            turns = await self._calls(lambda: self._servers.reserve(requests))
        except StoreError as error:
            for _, waiting in asked:
                if not waiting.done():
                    waiting.set_exception(error)
            return
        for (_, waiting), turn in zip(asked, turns, strict=True):
            # Who was cancelled meanwhile has a turn that nobody uses.
            if not waiting.done():
                waiting.set_result(turn)


MakeFetcher = Callable[[Permits, StoredRobots, ServerTurns], Fetcher]


def make_worker_network(config: Config, scope: Scope) -> MakeFetcher:
    """The way to the Web of one worker, archive included."""

    def make(permits: Permits, rules: StoredRobots, servers: ServerTurns) -> Fetcher:
        http = open_fetcher(
            config.web,
            config.robots,
            config.politeness,
            in_scope=scope.why_not,
            why_harmful=make_judge(config).why_harmful,
            load=rules.load,
            save=rules.save,
            permits=permits,
            servers=servers,
        )
        return add_archive(config, http)

    return make


async def read_sitemap_urls(fetcher: HttpFetcher, seeds: Iterable[Url], limit: int) -> list[Url]:
    """Up to `limit` URLs per seed origin. Sitemaps that cannot be had are passed over."""
    found: list[Url] = []
    for origin in dict.fromkeys(origin_of(url) for url in seeds):
        found += await _read_origin(fetcher, origin, limit)
    return found


async def _read_origin(fetcher: HttpFetcher, origin: str, limit: int) -> list[Url]:
    waiting = await _find_sitemaps(fetcher, origin)
    urls: dict[Url, None] = {}
    for _ in range(_MAX_FILES):
        if not waiting or len(urls) >= limit:
            break
        body = await _fetch_body(fetcher, waiting.pop(0))
        if is_sitemap_index(body):
            waiting += read_sitemap(body)
        else:
            urls |= dict.fromkeys(url for url in read_sitemap(body) if origin_of(url) == origin)
    return list(urls)[:limit]


async def _find_sitemaps(fetcher: HttpFetcher, origin: str) -> list[Url]:
    try:
        named = [canonical(text, origin + "/") for text in await fetcher.robots.sitemaps(origin)]
    except FetchError:
        return []
    usual = canonical("/sitemap.xml", origin + "/")
    return [url for url in named or [usual] if url is not None]


async def _fetch_body(fetcher: HttpFetcher, url: Url) -> bytes:
    try:
        response = await fetcher.fetch(Request(url))
    except FetchError:
        return b""
    return response.body if response.status == 200 else b""
