"""Webs of several makers, opened in this process with their truth: the worlds `a` and `b`, which
other people built (docs/worlds.md), by their own code, and worlds of the lab; for
`tools.web_trials`.
"""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from leadline.core.http import Request
from leadline.core.url import DEFAULT_RULES, Url, canonical
from leadline.crawler.links import parse_seed
from leadline.topics.judges import KEYWORDS
from leadline_lab.experiments.lab_web import LabWorld
from leadline_lab.reply import Reply

SITES = 600, 800
"""Of worlds `a` and `b`, as their servers have them unless told otherwise."""


class DoorPages(Struct, frozen=True):
    """A door and where it is, for people who ask why it was missed."""

    site: str
    pages: frozenset[str]
    """Some of the pages that show it."""
    kind: str


class WebTopic(Struct, frozen=True):
    """What a crawler is given, seeds and words, and what it should find."""

    seeds: tuple[Url, ...]
    words: tuple[str, ...]
    doors: Mapping[str, DoorPages]
    """All that count, by name."""
    reachable: int
    pack: str = ""
    """A shipped topic; '': one is taught from seeds and words."""


class ForeignWeb(Protocol):
    """A web in this process. Pages do not depend on time."""

    @property
    def topics(self) -> Mapping[str, WebTopic]: ...

    def answer(self, request: Request, now: float) -> Reply: ...

    def find_doors(self, url: Url) -> Iterable[str]:
        """The names of the doors of any topic that a page shows. The crawler may not ask."""
        ...

    def kind_of(self, host: str) -> str:
        """What kind of site it is, in its maker's words."""
        ...


def open_web(name: str, seed: int, worlds: Path, data: Path, cache: Path) -> ForeignWeb:
    """`a`, `b`, or `lab:PROFILE`. A process can open one of `a` and `b` only: they share the names
    of their modules."""
    kind, _, profile = name.partition(":")
    if kind == "lab":
        return LabWeb(profile, seed)
    sys.path.insert(0, str(worlds / name))
    sys.dont_write_bytecode = True
    cache.mkdir(parents=True, exist_ok=True)
    return WebA(worlds / name, data, cache, seed) if name == "a" else WebB(data, cache, seed)


def _seeds(urls: Iterable[str]) -> tuple[Url, ...]:
    found = (parse_seed(url, DEFAULT_RULES) for url in urls)
    return tuple(url for url in found if url is not None)


class WebA:
    """World `a`: the Web of today."""

    def __init__(self, home: Path, data: Path, cache: Path, seed: int) -> None:
        truth = cache / f"truth-{seed}.json"
        if not truth.exists():
            command = [sys.executable, "-B", "build.py", str(data), str(cache), "--seed", str(seed)]
            subprocess.run(command, cwd=home, check=True, stdout=subprocess.DEVNULL)
        known = json.loads(truth.read_text())
        build: Any = importlib.import_module("build")
        _, self._pages = build.make(str(data), str(cache), seed, SITES[0])
        self._kinds = {host: str(about["kind"]) for host, about in known["hosts"].items()}
        self._site_topics = {host: str(about["topic"]) for host, about in known["hosts"].items()}
        self.topics = {name: self._make_topic(known, one) for name, one in known["topics"].items()}

    def _make_topic(self, known: dict[str, Any], topic: dict[str, Any]) -> WebTopic:
        doors = {}
        # What exists after scripts only is graded apart by the world's own grader.
        plain = [one for one in topic["relevant"] if not known["doors"][one]["script_only"]]
        for name in plain:
            about = known["doors"][name]
            pages = [topic["first_page"].get(name)]
            pages += [f"http://{about['site']}{about['page']}"] if about["page"] else []
            at = frozenset(canonical(page) or page for page in pages if page)
            doors[name] = DoorPages(about["site"], at, f"{about['kind']} {about['place']}")
        reachable = len(set(topic["reachable"]) & set(plain))
        return WebTopic(_seeds(topic["seeds"]), tuple(topic["words"]), doors, reachable)

    def answer(self, request: Request, now: float) -> Reply:  # noqa: ARG002 (a world's signature)
        got = self._ask(request.method, request.url, request.body.decode("utf-8", "replace"))
        headers = {name.lower(): value for name, value in got.headers.items()}
        return Reply(got.status, (("content-type", got.ctype), *headers.items()), got.body.encode())

    def _ask(self, method: str, url: str, body: str) -> Any:
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return self._pages.respond(
            "GET" if method == "HEAD" else method, parts.hostname or "", target, body
        )

    def find_doors(self, url: Url) -> Iterable[str]:
        got = self._ask("GET", url, "")
        return tuple(got.info.get("doors") or ()) if got.status == 200 else ()

    def kind_of(self, host: str) -> str:
        return f"{self._kinds.get(host, 'none')} {self._site_topics.get(host) or ''}".strip()


class WebB:
    """World `b`: institutions and old software."""

    def __init__(self, data: Path, cache: Path, seed: int) -> None:  # noqa: ARG002
        world: Any = importlib.import_module("world").World(str(data), seed, SITES[1])
        self._pages: Any = importlib.import_module("render").Render(world, timing=False)
        known = world.truth()
        self._kinds = {
            host: " ".join([site.kind, site.topic or "", "db" if site.has_db else ""]).strip()
            for host, site in world.sites.items()
        }
        self.topics = {name: self._make_topic(known, one) for name, one in known["topics"].items()}

    def _make_topic(self, known: dict[str, Any], topic: dict[str, Any]) -> WebTopic:
        doors = {}
        for name in topic["relevant"]:
            about = known["doors"][name]
            page = about["page"]
            doors[name] = DoorPages(
                about["host"], frozenset([canonical(page) or page]), str(about["reach"])
            )
        words = tuple(topic["words"])
        return WebTopic(_seeds(topic["seeds"]), words, doors, len(topic["reachable"]))

    def answer(self, request: Request, now: float) -> Reply:  # noqa: ARG002 (a world's signature)
        method = "GET" if request.method == "HEAD" else request.method
        status, headers, body, _ = self._pages.respond(method, request.url, request.body)
        return Reply(status, tuple((name.lower(), value) for name, value in headers), body)

    def find_doors(self, url: Url) -> Iterable[str]:
        _, _, _, note = self._pages.respond("GET", url)
        return tuple(note.get("forms") or ())

    def kind_of(self, host: str) -> str:
        return self._kinds.get(host, "none")


class LabWeb:
    """A world of the lab, with the topics it has words for. What links lead to is not asked: all
    doors count as reachable."""

    def __init__(self, profile: str, seed: int) -> None:
        self._world = LabWorld(profile, seed)
        truth = self._world.truth
        populations = self._world.inside.census.populations
        has_sites = {name for population in populations for name in population.domains}
        self.topics: dict[str, WebTopic] = {}
        for name in sorted(has_sites.intersection(KEYWORDS)):
            doors = {}
            for plan, interface in truth.interfaces(name):
                if not interface.is_scripted:
                    door = f"{plan.site} {interface.number}"
                    doors[door] = DoorPages(str(plan.site), frozenset(), "interface")
            seeds = tuple(self._world.seeds(name, 8))
            self.topics[name] = WebTopic(seeds, KEYWORDS[name], doors, len(doors), name)

    def answer(self, request: Request, now: float) -> Reply:
        return self._world.answer(request, now)

    def find_doors(self, url: Url) -> Iterable[str]:
        truth = self._world.truth
        for number in truth.page(url).interfaces:
            yield f"{truth.site_of(number)} {truth.interface(number).number}"

    def kind_of(self, host: str) -> str:  # noqa: ARG002 (a web's signature)
        return "site"
