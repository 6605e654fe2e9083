"""A small web with known truth, and a fetcher for it: what experiments are tested on.

Every site has a home page, items and, on some, a search page. Topics alternate
between `book` and `auto`; one link in a while is a redirect, lost, forbidden
or broken, and one site is an endless calendar.
"""

import msgspec

from leadline.core.http import Hop, Request, Response
from leadline.core.page import Form
from leadline.core.url import Site, Url, canonical, origin_of, path_of
from leadline.errors import (
    ConnectionFailedError,
    RobotsDeniedError,
    SiteBusyError,
    TooManyRedirectsError,
)
from leadline_lab.draw import Draw, key_of
from leadline_lab.reply import Reply
from leadline_lab.server.transport import Answering

SITES = 24
ITEMS = 12
CALENDAR = 5
"""The site that is one."""
_HTML = (("content-type", "text/html; charset=utf-8"),)
_WORDS = {
    "book": "book author isbn publisher paperback library title reading novel".split(),
    "auto": "car vehicle dealer mileage engine model wheel garage tyre".split(),
}
_FILLER = "the house went by and nobody knew what could have been said about weather".split()


class VillagePage(msgspec.Struct, frozen=True):
    site: int
    topic: str
    kind: str
    interfaces: tuple[int, ...] = ()
    trap: str = ""


class VillageTruth:
    def __init__(self, village: "Village") -> None:
        self._village = village

    def page(self, url: Url) -> VillagePage:
        site, path = self._village.place(url)
        topic = self._village.topic(site)
        if site == CALENDAR:
            return VillagePage(site, topic, "trap", trap="calendar")
        if path.startswith("/lost"):
            return VillagePage(site, topic, "missing")
        has_form = path.startswith("/find") and self._village.has_form(site)
        return VillagePage(site, topic, "search" if has_form else "item", (site,) * has_form)

    def domains_of(self, interface: int) -> frozenset[str]:
        return frozenset({self._village.topic(interface)})

    def is_relevant(self, page: VillagePage, domain: str) -> bool:
        return page.kind != "missing" and page.topic == domain

    def form(self, form: Form) -> int | None:
        site, path = self._village.place(form.page)
        is_search = path.startswith("/find") and any(f.name == "q" for f in form.fields)
        return site if is_search else None


class Village:
    """The world of one seed."""

    def __init__(self, seed: int = 0) -> None:
        self._key = key_of(seed, "village")
        self.truth = VillageTruth(self)
        self.answered = 0

    def topic(self, site: int) -> str:
        return "auto" if site % 3 == 2 else "book"

    def has_form(self, site: int) -> bool:
        return Draw(key_of(self._key, "form", site)).chance(700)

    def place(self, url: Url) -> tuple[int, str]:
        host = origin_of(url).rpartition("//")[2]
        return int(host.partition(".")[0].removeprefix("s")), path_of(url)

    def seeds(self, domain: str, n: int) -> list[Url]:
        sites = [site for site in range(SITES) if self.topic(site) == domain]
        return [Url(f"http://s{site}.test/") for site in sites[:n]]

    def answer(self, request: Request, now: float) -> Reply:
        del now
        self.answered += 1
        site, path = self.place(request.url)
        if path == "/robots.txt":
            return Reply(200, body=b"User-agent: *\nDisallow: /private\n")
        if path.startswith("/lost"):
            return Reply(404, _HTML, b"<p>lost</p>")
        if path.startswith("/busy"):
            return Reply(503, (("retry-after", "3600"),))
        if path.startswith("/broken"):
            return Reply(0, fault="reset")
        if path.startswith("/go/"):
            target = f"http://s{(site + 1) % SITES}.test/item/{path[4:]}"
            return Reply(302, (("location", target),))
        if path.startswith("/ring"):
            return Reply(302, (("location", path),))
        return Reply(200, _HTML, self._page(site, path).encode())

    def _page(self, site: int, path: str) -> str:
        draw = Draw(key_of(self._key, site, path))
        words = [draw.pick(_WORDS[self.topic(site)]) if draw.chance(300) else draw.pick(_FILLER)
                 for _ in range(80)]  # fmt: skip
        links = "".join(
            f'<li><a href="{h}">{draw.pick(words)}</a>' for h in self._links(site, draw)
        )
        form = ""
        if path.startswith("/find"):
            box = "<input name=q><select name=kind><option>all</select>"
            form = f"<form action=/results>Search {self.topic(site)} {box}</form>"
            form = form if self.has_form(site) else "<form action=/in><input type=password></form>"
        return f"<title>{words[0]}</title><body><p>{' '.join(words)}</p><ul>{links}</ul>{form}"

    def _links(self, site: int, draw: Draw) -> list[str]:
        if site == CALENDAR:
            return [f"/day/{draw.below(10**9)}" for _ in range(4)]
        own = [f"/item/{draw.below(ITEMS)}" for _ in range(3)]
        other = [f"http://s{draw.below(SITES)}.test/item/{draw.below(ITEMS)}" for _ in range(3)]
        odd = ("/lost/1", "/broken", "/private/x", f"/go/{draw.below(ITEMS)}", "/ring", "/find",
               "/busy")  # fmt: skip
        return [*own, *other, draw.pick(odd), draw.pick(odd)]


class VillageFetcher:
    """Implements the Fetcher port on a village: robots.txt asked once an origin.

    Errors do not say how many requests they took: who keeps answers counts for himself.
    """

    def __init__(self, world: Answering) -> None:
        self._world = world
        self._robots: set[str] = set()

    async def fetch(self, request: Request) -> Response:
        hops: list[Hop] = []
        asked, url = 0, request.url
        while True:
            asked += self._ask_robots(url)
            if path_of(url).startswith("/private"):
                raise RobotsDeniedError(url, "robots.txt forbids it")
            asked += 1
            reply = self._world.answer(msgspec.structs.replace(request, url=url), 0.0)
            if reply.fault:
                raise ConnectionFailedError(url, reply.fault)
            if reply.status == 503:
                raise SiteBusyError(url, "status 503", 3600.0)
            if reply.status != 302:
                size = len(reply.body)
                return Response(
                    url, reply.status, reply.headers, reply.body, 0.0, 0.0, tuple(hops), asked, size
                )
            hops.append(Hop(url, 302, reply.header("location")))
            target = canonical(reply.header("location"), url)
            assert target is not None
            if target == url:
                raise TooManyRedirectsError(request.url, "redirects in a circle")
            url = target

    def _ask_robots(self, url: Url) -> int:
        origin = origin_of(url)
        if origin in self._robots:
            return 0
        self._robots.add(origin)
        self._world.answer(Request(Url(origin + "/robots.txt")), 0.0)
        return 1

    def ready_at(self, site: Site) -> float:
        del site
        return 0.0

    def delay_of(self, site: Site) -> float:
        del site
        return 0.0

    async def close(self) -> None:
        pass
