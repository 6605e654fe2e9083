"""A synthetic deep Web: a function of (profile, seed), each page computed from its own URL."""

from functools import lru_cache

from msgspec import Struct, structs

from leadline.core.http import Request
from leadline.core.url import Url
from leadline.errors import ConfigError
from leadline_lab.draw import Draw, key_of
from leadline_lab.markup import Frame
from leadline_lab.markup.model import Heading, PageModel, Prose
from leadline_lab.profile import Profile
from leadline_lab.reply import Reply
from leadline_lab.sites.census import Census
from leadline_lab.sites.content import write_page
from leadline_lab.sites.estate import Estate
from leadline_lab.sites.frames import site_frame
from leadline_lab.sites.graph import Graph
from leadline_lab.sites.hosts import MIRROR, Hosts
from leadline_lab.sites.outward import Outward
from leadline_lab.sites.paths import Route
from leadline_lab.sites.plan import Place, plan_site
from leadline_lab.sites.querying import Searches
from leadline_lab.sites.traps import (
    add_session,
    calendar_page,
    loop_step,
    robots_text,
    take_facets,
    take_session,
)

_UNKNOWN = Reply(0, fault="unknown host")
_HTML = ("content-type", "text/html")
_FAILS = 400
"""Per mille of a failing site's pages that fail."""
_MOST_URL_CHARS = 2_000


class Located(Struct, frozen=True):
    """What a URL stands for."""

    estate: Estate
    path: str
    query: str
    """Without what traps put into it."""
    route: Route | None
    trap: str = ""
    """Which trap the URL belongs to: calendar, loops, facets, endless, sessions, mirror; or ''."""
    variant: int = 0
    session: str = ""


class World:
    """All sites of a world. Holds no page; remembers the plans of sites asked lately."""

    def __init__(self, profile: Profile, seed: int, *, remembered: int = 6_000) -> None:
        self.profile = profile
        self.seed = seed
        self.key = key_of(seed, "world", profile.name)
        self.census = Census(profile, self.key)
        self.graph = Graph(self.census, self.key)
        self.hosts = Hosts(self.census, self.key)
        self.estate = lru_cache(maxsize=remembered)(self._new_estate)
        self.outward = Outward(self.census, self.graph, self.hosts, self.estate)
        self._searches = Searches()
        self._frame = lru_cache(maxsize=remembered)(self._new_frame)

    @property
    def pages(self) -> int:
        """About how many pages there are, those of endless traps left out."""
        return int(self.census.sizes.sum())

    def _new_estate(self, site: int) -> Estate:
        plan = plan_site(self.census, key_of(self.key, "site", site), site)
        return Estate(plan, self.hosts.host(site), self.hosts.title(site), self.profile)

    def _new_frame(self, site: int) -> Frame:
        estate = self.estate(site)
        links = self.outward.links(site, self.graph.frame_edges(site))
        partners = tuple(outlink.anchor for outlink in links)
        return estate.template.frame(site_frame(estate, partners))

    def locate(self, url: Url) -> Located | None:
        """What the URL stands for; None for a host that nobody has."""
        host, path, query = _split(url)
        site = self.hosts.site(host)
        if site is None:
            return None
        estate = self.estate(site)
        traps = estate.plan.traps
        trap = "mirror" if host.startswith(MIRROR) else ""
        session, variant = "", 0
        if "sessions" in traps:
            query, session = take_session(query, estate.paths.session)
            trap = trap or ("sessions" if session else "")
        if "calendar" in traps and path.startswith("/calendar/"):
            return Located(estate, path, query, Route("calendar"), "calendar")
        if "loops" in traps and path.startswith("/go/"):
            return Located(estate, path, query, Route("loop"), "loops")
        if "facets" in traps:
            query, variant = take_facets(query)
            trap = "facets" if variant else trap
        route = estate.paths.route(path, query)
        if route is not None and route.kind == "endless":
            trap = "endless"
            route = route if "endless" in traps else None
        return Located(estate, path, query, route, trap, variant, session)

    def answer(self, request: Request, now: float = 0.0) -> Reply:
        """What the site of the URL answers. Never fails, whatever is asked."""
        found = self.locate(request.url)
        if found is None:
            return _UNKNOWN
        plan = found.estate.plan
        if "dead" in plan.traps or (found.trap == "mirror" and "mirror" not in plan.traps):
            return Reply(0, fault="reset" if plan.site & 1 else "timeout")
        if len(request.url) > _MOST_URL_CHARS:
            return Reply(414, (("content-type", "text/plain"),), b"URI too long\n")
        reply = self._at(found, request, now)
        if "slow" in plan.traps:
            delay_s = Draw(key_of(plan.key, "slow", found.path)).between(10, 90) / 10
            reply = structs.replace(reply, delay_s=delay_s)
        return reply

    def _at(self, found: Located, request: Request, now: float) -> Reply:
        estate, path = found.estate, found.path
        if path == "/robots.txt":
            return Reply(200, (("content-type", "text/plain"),), robots_text(estate).encode())
        if "failing" in estate.plan.traps:
            draw = Draw(key_of(estate.plan.key, "fails", path, found.query))
            if draw.chance(_FAILS):
                return Reply(draw.pick((500, 502, 503)), (_HTML,), b"<h1>Server error</h1>")
        if found.route is None:
            return self._missing(found)
        if found.route.kind == "loop":
            return Reply(302, (("location", loop_step(path)),))
        return self._made(found, found.route, request, now)

    def _made(self, found: Located, route: Route, request: Request, now: float) -> Reply:
        estate = found.estate
        if route.kind == "calendar":
            model = calendar_page(estate, found.path)
            return self._page(found, model) if model else self._missing(found)
        if route.kind == "action":
            answer = self._searches.answer(estate, route.number, request, found.query, now)
            if answer.location:
                return Reply(answer.status, (("location", answer.location),))
            return self._page(found, answer.model, answer.status)
        if route.kind == "record":
            model = self._searches.record(estate, route.number, route.name)
            return self._page(found, model) if model else self._missing(found)
        if route.place is None:
            return self._page(found, PageModel("Thank you", (Heading("Thank you", 1),)))
        return self._page(found, self._model(found, route.place, now))

    def _model(self, found: Located, place: Place, now: float) -> PageModel:
        estate = found.estate
        site = estate.plan.site
        edges = self.graph.page_edges(site, place.number)
        if found.trap == "endless":
            edges = range(0)
        outlinks = self.outward.links(site, edges)
        return write_page(estate, place, outlinks, found.variant, now)

    def _page(self, found: Located, model: PageModel, status: int = 200) -> Reply:
        estate = found.estate
        body = estate.template.page(self._frame(estate.plan.site), model)
        if "sessions" in estate.plan.traps:
            body = add_session(estate, body, f"{found.path}?{found.query}", found.session)
        return Reply(status, (_HTML,), body)

    def _missing(self, found: Located) -> Reply:
        estate = found.estate
        sentences = estate.voice.sentences(key_of(estate.plan.key, "missing"), "general:en", 3, 0)
        model = PageModel("Not found", (Heading("Not found", 1), Prose(((" ".join(sentences),),))))
        return self._page(found, model, 200 if "soft_404" in estate.plan.traps else 404)

    @property
    def domains(self) -> tuple[str, ...]:
        """The target domains that live here."""
        return self.census.domains

    def seeds(self, domain: str, n: int = 10) -> list[Url]:
        """Home pages to start from: a third of them of sites with databases, none of a population
        that users would not know. Fewer than `n` in a world that has not as many."""
        here = self.domains
        if domain not in here:
            raise ConfigError(f"no lab domain {domain!r}; there are: {', '.join(here)}")
        draw = Draw(key_of(self.key, "seeds", domain))
        known = [p for p in self.census.populations if p.is_seeded and not p.is_hub]
        deep = [p for p in known if domain in p.domains and len(p.schemas) == 1]
        others = [p for p in known if p.topic == domain and not p.schemas]
        found: dict[Url, None] = {}
        for _ in range(50 * n):
            if len(found) == n:
                break
            population = draw.pick(deep if len(found) % 3 == 0 else others)
            site = population.first + draw.below(population.sites)
            if not self.census.dead[site]:
                found.setdefault(Url(f"http://{self.hosts.host(site)}/"))
        return list(found)


def _split(url: str) -> tuple[str, str, str]:
    """Host, path and query; the host in lower case without a port."""
    rest = url.partition("://")[2].partition("#")[0]
    authority, slash, tail = rest.partition("/")
    authority, mark, early = authority.partition("?")
    path, _, query = tail.partition("?")
    host = authority.rpartition("@")[2].partition(":")[0].lower()
    return host, f"/{path}" if slash else "/", early if mark else query
