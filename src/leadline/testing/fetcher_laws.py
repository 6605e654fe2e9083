"""Laws every fetcher and every backlink provider obeys, and a small site to fetch from."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

from leadline.core.http import Request
from leadline.core.ports import Backlinks, Fetcher
from leadline.core.url import Url, canonical, is_home_page, site_of
from leadline.errors import FetchError
from leadline.testing.laws import must
from leadline.web import PolitenessSettings, RobotsSettings, WebSettings, open_fetcher

DELAY_S = 0.05
"""The pause between two requests to a site of the laws: short, and long enough to be seen."""
_PAGES, _HOSTS = 12, 2
_ROBOTS = "User-agent: *\nDisallow: /private/\n"
FORBIDDEN = Url("http://site0.test/private/secret")
"""What the robots.txt of the laws' site forbids."""
UNREACHABLE = (
    Url("http://site0.test/no/such/page"),
    Url("http://127.0.0.1:9/"),
    Url("http://10.0.0.1/"),
    Url("http://unmapped.invalid/"),
    Url("http://site0.test:1/" + "x" * 1900),
)
"""Pages that are not there, private addresses, and names that nobody knows."""
ODD = (
    Url("http://unheard-of.test/a%20b?q=%22{url}'&limit=0"),
    Url("http://site0.test/?a=1&a=2#x"),
)


class LoggedRequest(NamedTuple):
    """One request that a site got, by the monotonic clock."""

    host: str
    path: str
    start: float
    end: float


class LawSite:
    """A small, well-behaved site of two hosts. Start it with `async with`."""

    def __init__(self) -> None:
        self.log: list[LoggedRequest] = []
        self.pages = {
            Url(f"http://site{n % _HOSTS}.test/page/{n}"): f"<title>Page {n}</title>"
            for n in range(_PAGES)
        }
        self.address = ""

    async def __aenter__(self) -> "LawSite":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        start = time.monotonic()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        path = head.split(" ", 2)[1]
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        host = {name.lower(): value for name, value in fields.items()}.get("host", "")
        status, body = "200 OK", self.pages.get(Url(f"http://{host}{path}"), "")
        if path == "/robots.txt":
            body = _ROBOTS
        elif not body:
            status = "404 Not Found"
        kind = "text/plain" if path == "/robots.txt" else "text/html"
        self.log.append(LoggedRequest(host, path, start, time.monotonic()))
        writer.write(
            f"HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode()
        )
        await writer.drain()
        writer.close()

    @asynccontextmanager
    async def open_http(self) -> AsyncIterator[Fetcher]:
        """Our own fetcher, which finds every `*.test` host here."""
        web = WebSettings(resolve={"*.test": self.address})
        fetcher = open_fetcher(web, RobotsSettings(), PolitenessSettings(delay_s=DELAY_S))
        try:
            yield fetcher
        finally:
            await fetcher.close()


def check_fetcher(make: Callable[[Fetcher], Fetcher]) -> None:
    """Put all laws to the fetcher that `make` makes with our own, on a small site of this machine.

    Raises LawBrokenError.
    """
    asyncio.run(_check_fetcher(make))


async def _check_fetcher(make: Callable[[Fetcher], Fetcher]) -> None:
    async with LawSite() as site, site.open_http() as http:
        fetcher = make(http)
        await fetches_what_is_there(fetcher, site.pages)
        keeps_one_request_at_a_time(site.log, DELAY_S)
        await obeys_robots(fetcher, FORBIDDEN)
        must(FORBIDDEN.removeprefix("http://site0.test") not in {one.path for one in site.log},
             "what robots.txt forbids is not asked for")  # fmt: skip
        await raises_only_fetch_errors(fetcher, UNREACHABLE)
        await says_when_a_site_is_ready(fetcher, next(iter(site.pages)), DELAY_S)
        await fetcher.close()


async def fetches_what_is_there(fetcher: Fetcher, pages: Mapping[Url, str]) -> None:
    responses = await asyncio.gather(*(fetcher.fetch(Request(url)) for url in pages))
    bodies = [response.body.decode() for response in responses]
    must(bodies == list(pages.values()), "fetch returns what the site sent", bodies)
    law = "a response counts the requests it took, at least one"
    must(all(response.requests >= 1 for response in responses), law)


async def obeys_robots(fetcher: Fetcher, forbidden: Url) -> None:
    try:
        response = await fetcher.fetch(Request(forbidden))
    except FetchError:
        return
    must(False, "what robots.txt forbids raises FetchError", response.status)


def keeps_one_request_at_a_time(log: Collection[LoggedRequest], delay_s: float) -> None:
    by_host: dict[str, list[LoggedRequest]] = {}
    for one in sorted(log, key=lambda one: one.start):
        by_host.setdefault(one.host, []).append(one)
    for host, requests in by_host.items():
        for earlier, later in itertools.pairwise(requests):
            pause = later.start - earlier.end
            law = f"a site gets one request at a time, and its pause of {delay_s} s between two"
            must(pause >= delay_s, law, f"{host} got {later.path} after {pause:.3f} s")


async def raises_only_fetch_errors(fetcher: Fetcher, urls: Sequence[Url]) -> None:
    for url in urls:
        try:
            response = await fetcher.fetch(Request(url))
        except FetchError as error:
            must(bool(error.kind), "a FetchError has a kind", repr(error))
        except Exception as error:  # noqa: BLE001 (whatever a broken fetcher raises)
            must(False, "only FetchError is raised", repr(error))
        else:
            must(response.status in (200, 404), "there is no such page", response.status)


async def says_when_a_site_is_ready(fetcher: Fetcher, url: Url, delay_s: float) -> None:
    site = site_of(url)
    await fetcher.fetch(Request(url))
    ready_at, latest = fetcher.ready_at(site), time.time() + delay_s + 0.01
    must(ready_at <= latest, "a site is ready again after its pause", ready_at - time.time())
    must(fetcher.delay_of(site) >= 0, "the pause of a site is 0 or more", fetcher.delay_of(site))


def check_backlinks(make: Callable[[Fetcher], Backlinks], known: Sequence[Url]) -> None:
    """Put all laws to the provider that `make` makes with a fetcher. `known` are pages that it
    knows links to. Raises LawBrokenError."""
    asyncio.run(_check_backlinks(make, known))


async def _check_backlinks(make: Callable[[Fetcher], Backlinks], known: Sequence[Url]) -> None:
    async with LawSite() as site, site.open_http() as http:
        provider = make(http)
        for page in known:
            for limit in (1, 2, 20):
                await names_distinct_other_pages(provider, page, limit)
            await answers_the_same_again(provider, page)
        for page in ODD:
            await answers_about_any_page(provider, page)


async def names_distinct_other_pages(provider: Backlinks, page: Url, limit: int) -> None:
    found = (await provider.find_backlinks(page, limit)).urls
    must(0 < len(found) <= limit, f"it finds 1 to {limit} pages that link to {page}", found)
    must(len(set(found)) == len(found), "each page is named once", found)
    must(page not in found, "the page itself is not named", found)
    must([canonical(url) for url in found] == list(found), "pages are named canonically", found)
    if is_home_page(page):
        own = [url for url in found if site_of(url) == site_of(page)]
        must(not own, "of a home page, only pages of other sites are named", own)


async def answers_the_same_again(provider: Backlinks, page: Url) -> None:
    first = (await provider.find_backlinks(page, 2)).urls
    again = (await provider.find_backlinks(page, 2)).urls
    must(first == again, "the same question has the same answer", f"{first} became {again}")


async def answers_about_any_page(provider: Backlinks, page: Url) -> None:
    try:
        answer = await provider.find_backlinks(page, 20)
    except FetchError:
        return
    except Exception as error:  # noqa: BLE001 (whatever a broken provider raises)
        must(False, "only FetchError is raised", repr(error))
        return
    must(answer.requests >= 0, "an answer costs 0 requests or more", answer.requests)
    must(page not in answer.urls, "the page itself is not named", answer.urls)
