"""Whether a world is the same bytes everywhere: digests to compare between machines and versions.

`leadline lab fingerprint` prints them as one line of JSON.
"""

import hashlib
import platform
import re
import sys
from collections.abc import Iterator
from html import unescape
from itertools import islice
from urllib.parse import urlencode, urljoin

import numpy as np

from leadline.core.http import Request
from leadline.core.url import Url
from leadline_lab.profile import profile_named
from leadline_lab.reply import Reply
from leadline_lab.sites.domains import DOMAINS
from leadline_lab.sites.estate import Estate
from leadline_lab.sites.hosts import MIRROR
from leadline_lab.world import World

_LINKS_FOLLOWED = 7
"""Of a page, spread over all it has: more would keep the walk inside its first sites."""
_SEARCHES_PER_DOMAIN = 2
_RECORDS_PER_SEARCH = 2
_QUERIES = ("the", "a", "new", "old", "1")
_PROBED_SITES = 40
_PROBES = ("/", "/calendar/2026/11", "/go/3", "/nothing/here", "/?sid=0123456789abcdef")
_hrefs = re.compile(r"""href=["']?([^"'\s>]+)""", re.IGNORECASE)


class Fingerprint:
    """A running digest of requests and what was answered."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._digest = hashlib.sha256()

    def ask(self, url: str) -> Reply:
        """Take in what the world answers to a URL."""
        reply = self._world.answer(Request(Url(url)), 0.0)
        head = (url, reply.status, reply.headers, reply.fault, reply.delay_s, len(reply.body))
        self._digest.update(repr(head).encode())
        self._digest.update(reply.body)
        return reply

    @property
    def text(self) -> str:
        return self._digest.hexdigest()[:32]


def fingerprint(profile: str, seed: int, pages: int = 300) -> str:
    """A digest of what a world answers to fixed questions: pages met breadth first from seeds of
    every domain, robots.txt of their hosts, ways into traps, searches, and records these found."""
    world = World(profile_named(profile), seed)
    digest = Fingerprint(world)
    hosts: dict[str, None] = {}
    for url in _walk(world, digest, pages):
        hosts.setdefault(url.partition("://")[2].partition("/")[0])
    for host in hosts:
        digest.ask(f"http://{host}/robots.txt")
    for site in range(0, world.census.sites, world.census.sites // _PROBED_SITES):
        _probe(digest, world.estate(site))
    for domain in DOMAINS:
        for estate in islice(_deep_sites(world, domain), _SEARCHES_PER_DOMAIN):
            _search(digest, estate)
    return digest.text


def run_fingerprint(profile: str, seed: int, pages: int = 100) -> str:
    """A digest of a whole crawl: world, parser, critic, strategy and grading together."""
    from leadline_lab.experiments.lab_web import open_lab_world
    from leadline_lab.experiments.shelf import MemoryShelf
    from leadline_lab.experiments.trial import Contender, Trial, run_trial

    trial = Trial(Contender("baseline"), profile, seed, "book", pages)
    world, make_fetcher = open_lab_world(profile, seed)
    result = run_trial(trial, world, make_fetcher, MemoryShelf())
    return hashlib.sha256(repr((result.trail, result.end, result.uses)).encode()).hexdigest()[:32]


def _walk(world: World, digest: Fingerprint, pages: int) -> Iterator[str]:
    """Pages breadth first; links are read by a pattern, so that no parser has a say."""
    waiting = dict.fromkeys(url for domain in DOMAINS for url in world.seeds(domain, 3))
    order = list(waiting)
    for place in range(pages):
        if place == len(order):
            return
        url = order[place]
        links = _links(url, digest.ask(url))
        for link in links[:: max(1, len(links) // _LINKS_FOLLOWED)]:
            if link not in waiting:
                waiting[Url(link)] = None
                order.append(Url(link))
        yield url


def _links(url: str, reply: Reply) -> list[str]:
    found = _hrefs.findall(reply.body.decode("utf-8", "replace"))
    found += [reply.header("location")] if reply.header("location") else []
    joined = (urljoin(url, unescape(href)).partition("#")[0] for href in found)
    return [link for link in joined if link.startswith("http://")]


def _probe(digest: Fingerprint, estate: Estate) -> None:
    """Ask a site for what only sites with a trap have, and for a page of each kind."""
    plan, paths = estate.plan, estate.paths
    facets = f"{paths.list_page(0, 0)}?color=red&sort=price"
    numbers = (1, plan.first_special, plan.first_list, plan.first_item, plan.pages - 1)
    pages = (paths.page(plan.place(number)) for number in numbers if number < plan.pages)
    for path in (*_PROBES, facets, paths.list_page(0, 9_999), *pages):
        digest.ask(estate.root + path)
    digest.ask(f"http://{MIRROR}{estate.host}/")


def _deep_sites(world: World, domain: str) -> Iterator[Estate]:
    """Living sites with a database of the domain, the best known of each population first."""
    for rank in range(50):
        for population in world.census.populations:
            if domain in population.domains and rank < population.sites:
                estate = world.estate(population.first + rank)
                if "dead" not in estate.plan.traps:
                    yield estate


def _search(digest: Fingerprint, estate: Estate) -> None:
    """Ask each search form of a site something, and look at records it gives."""
    for interface in estate.plan.interfaces:
        names = sorted(estate.search_forms[interface.number].bound)
        text = _QUERIES[interface.number % len(_QUERIES)]
        root = f"{estate.root}{estate.paths.action(interface.number)}"
        url = f"{root}?{urlencode(dict.fromkeys(names[:1], text))}"
        folder = estate.root + estate.paths.record(0, "").partition("0-")[0]
        links = _links(url, digest.ask(url))
        records = dict.fromkeys(link for link in links if link.startswith(folder))
        for record in list(records)[:_RECORDS_PER_SEARCH]:
            digest.ask(record)


def figures_of(profile: str, seed: int, pages: int = 300) -> dict[str, object]:
    """The digests of a world and what they were made with."""
    return {
        "profile": profile,
        "seed": seed,
        "pages": pages,
        "world": fingerprint(profile, seed, pages),
        "run": run_fingerprint(profile, seed),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "byteorder": sys.byteorder,
        "numpy": np.__version__,
    }
