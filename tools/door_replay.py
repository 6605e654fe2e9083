"""Judges the doors of pages that were read once again and again, offline, to try variants quickly.

    python -m tools.door_replay WORLDS DATA --web a --seeds 1 2 --out FOLDER
    python -m tools.door_replay WORLDS DATA --web lab:dev-loose --seeds 31 --taught --out FOLDER

A walk is read once and kept in FOLDER: for webs of other makers all sites of a topic and as many
others, each with its home page, some pages that this links to, and the pages of its doors; for
worlds of the lab the pages of a best-first crawl. Replaying it runs the loop's own code for
evidence, questions and revision over the kept pages, site by site, with and without asking; answers
are kept as well. Truth is looked at afterwards only. Recall is of the topic's doors that stand on
a page of the walk, precision of doors with a probability of one half or more. `--show` prints for
each missed and wrong door the sum of its evidence. The last line is JSON. One web a run.
"""

import argparse
import asyncio
import json
import operator
import pickle
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol, cast

import xxhash
from msgspec import structs

from leadline.core.crawl import LIKELY, Budget, Event, JudgedForm, Judgement
from leadline.core.http import Request, Response
from leadline.core.page import Form, Page
from leadline.core.ports import Critic, Fetcher
from leadline.core.store import Store
from leadline.core.url import DEFAULT_RULES, Site, Url, canonical, is_home_page, site_of
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.evidence import DoorQuestions, EvidenceKeeper, QuestionTerms
from leadline.crawler.example_pages import find_owner
from leadline.crawler.links import LinkRules, Scope, make_seed
from leadline.crawler.reading import InlineReader, PageReading
from leadline.crawler.search_descriptions import is_worth_asking
from leadline.crawler.store_calls import DirectCalls
from leadline.errors import FetchError
from leadline.page import parse_page
from leadline.page.doors import select_new_doors
from leadline.page.opensearch import read_description
from leadline.page.parse import PageLimits
from leadline.page.words import PageWords
from leadline.store.memory import MemoryStore
from leadline.strategies import make_strategy
from leadline.topics.background import shipped_background
from leadline.topics.critic import TopicCritic
from leadline.topics.judges import KEYWORDS, find_query_words, open_judge, open_topic
from leadline.topics.teaching import PageExample, TopicExamples, make_pack
from leadline_lab.experiments.lab_web import LabWorld
from leadline_lab.server.fetcher import LabFetcher
from tools.claims import WorldA, WorldB, label_claim
from tools.critic_training.answers import fetch as fetch_answer

_SITES = 40
"""Of a topic, and as many others."""
_LINKED = 4
"""Pages of a site beside its home page and its doors."""
_MOST_DOOR_PAGES = 8
_LAB_TOPICS = ("book", "job", "hotel", "music")
_LAB_PAGES = 300
_SEED = 11
Fetched = tuple[int, str, bytes, str]
"""Status, content type, body and address after redirects."""


class Web(Protocol):
    """What a replay needs of a web; opened only if something was not read before."""

    def topics(self) -> Sequence[str]: ...
    def given(self, topic: str) -> tuple[Sequence[str], Sequence[str]]:
        """Seeds and words."""
        ...

    def walk(self, topic: str) -> list[str]: ...
    def fetch(self, url: str) -> Fetched: ...
    def send(self, request: Request) -> Fetched: ...
    def name_door(self, form: JudgedForm) -> str | None: ...
    def is_own(self, door: str, topic: str) -> bool: ...
    def label(self, door: str) -> str: ...


class ForeignWeb:
    """World `a` or `b` by its own code."""

    def __init__(self, name: str, seed: int, data: Path, cache: Path) -> None:
        self.world = (WorldA if name == "a" else WorldB)(data, cache, seed)
        self._is_a = name == "a"

    def topics(self) -> Sequence[str]:
        return list(self.world.truth["topics"])

    def given(self, topic: str) -> tuple[Sequence[str], Sequence[str]]:
        known = self.world.truth["topics"][topic]
        return known["seeds"], known["words"]

    def fetch(self, url: str) -> Fetched:
        return self.world.fetch(url)

    def send(self, request: Request) -> Fetched:
        return fetch_answer(self.world, request)

    def walk(self, topic: str) -> list[str]:
        rng = random.Random(f"{_SEED} {topic}")
        own, others = self._sites(topic)
        chosen = rng.sample(own, min(_SITES, len(own)))
        chosen += rng.sample(others, min(len(chosen), len(others)))
        rng.shuffle(chosen)
        doors = self._door_pages()
        found = []
        for host in chosen:
            home = f"http://{host}/"
            status, kind, body, at = self.fetch(home)
            pages = [home] if status == 200 and "html" in kind else []
            if pages and (place := canonical(at)):
                page = parse_page(body, place, kind)
                own_site = site_of(place)
                linked = [str(link.target) for link in page.links]
                linked = [
                    one
                    for one in linked
                    if site_of(Url(one)) == own_site and not is_home_page(Url(one))
                ]
                pages += rng.sample(linked, min(_LINKED, len(linked)))
            rng.shuffle(at_doors := list(doors.get(host, ())))
            pages += at_doors[:_MOST_DOOR_PAGES]
            # A crawl meets doors in any order, the home page mostly first.
            rest = pages[1:]
            rng.shuffle(rest)
            found += list(dict.fromkeys(pages[:1] + rest))
        return found

    def _sites(self, topic: str) -> tuple[list[str], list[str]]:
        if self._is_a:
            hosts = self.world.truth["hosts"]
            own = [host for host, about in hosts.items() if about["topic"] == topic]
            other = [host for host, about in hosts.items() if about["topic"] != topic]
        else:
            sites = self.world.world.sites
            own = [host for host, one in sites.items() if getattr(one, "topic", None) == topic]
            other = [host for host, one in sites.items() if getattr(one, "topic", None) != topic]
        return sorted(own), sorted(other)

    def _door_pages(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for door in self.world.truth["doors"].values():
            if self._is_a:
                page = door["page"] or "/"
                page = page if page.startswith("http") else f"http://{door['site']}{page}"
                if not door["script_only"] and page not in found[door["site"]]:
                    found[door["site"]].append(page)
            elif door["page"] not in found[door["host"]]:
                found[door["host"]].append(door["page"])
        return found

    def name_door(self, form: JudgedForm) -> str | None:
        return self.world.match(form)

    def is_own(self, door: str, topic: str) -> bool:
        about = self.world.truth["doors"].get(door)
        if about is None:
            return False
        if self._is_a:
            return bool(about["subject"] == topic)
        return bool(about["kind"] == "database" and about.get("topic") == topic)

    def label(self, door: str) -> str:
        return label_claim(self.world, door)


class LabWalks:
    """A world of the lab: walks are crawls by the shipped pack."""

    def __init__(self, profile: str, seed: int) -> None:
        self._world = LabWorld(profile, seed)
        self._fetcher: LabFetcher | None = None

    def topics(self) -> Sequence[str]:
        populations = self._world.inside.census.populations
        has_sites = {name for one in populations for name in one.domains}
        return [name for name in _LAB_TOPICS if name in has_sites]

    def given(self, topic: str) -> tuple[Sequence[str], Sequence[str]]:
        return [str(url) for url in self._world.seeds(topic, 8)], KEYWORDS[topic]

    def walk(self, topic: str) -> list[str]:
        return asyncio.run(self._crawl(topic))

    async def _crawl(self, topic: str) -> list[str]:
        strategy = make_strategy("baseline_sc")
        store = MemoryStore(strategy.features.width if strategy.features else 0)
        store.links.put([make_seed(url) for url in self._world.seeds(topic, 10)])
        found: list[str] = []

        class Noted(InlineReader):
            async def read(self, response: Response) -> PageReading:
                found.append(str(response.url))
                return await super().read(response)

        reader = Noted(TopicCritic(open_topic(topic)), DEFAULT_RULES, PageLimits())
        plan = CrawlPlan(
            "forms", Budget(pages=_LAB_PAGES), LinkRules(Scope().why_not), width=4, ask_forms=False
        )
        fetcher = LabFetcher(self._world.inside)
        await Crawl(CrawlParts(store, fetcher, reader, strategy), plan).run()
        await fetcher.close()
        # As a crawl does, but site by site: what comes later of a site is judged in its light.
        by_site: defaultdict[Site, list[str]] = defaultdict(list)
        for url in found:
            by_site[site_of(Url(url))].append(url)
        return [url for urls in by_site.values() for url in urls]

    def fetch(self, url: str) -> Fetched:
        return self.send(Request(Url(url)))

    def send(self, request: Request) -> Fetched:
        async def ask() -> Fetched:
            fetcher = LabFetcher(self._world.inside, now=lambda: 0.0)
            try:
                response = await fetcher.fetch(request)
            finally:
                await fetcher.close()
            kind = response.header("content-type") or ""
            return response.status, kind, response.body, str(response.url)

        # A loop of its own: questions are sent from within one.
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(lambda: asyncio.run(ask())).result()

    def name_door(self, form: JudgedForm) -> str | None:
        number = self._world.truth.form(form.form)
        return None if number is None else str(number)

    def is_own(self, door: str, topic: str) -> bool:
        return door.isdecimal() and topic in self._world.truth.domains_of(int(door))

    def label(self, door: str) -> str:
        if not door.isdecimal():
            return "no door"
        return "off-topic" if self._world.truth.domains_of(int(door)) else "site-search"


class Kept:
    """What was read of a web, and how its doors are named; opens the web for what is missing."""

    def __init__(self, file: Path, open_it: Callable[[], Web]) -> None:
        self._file, self._open = file, open_it
        self._web: Web | None = None
        self._is_new = False
        kept: dict[str, Any] = pickle.loads(file.read_bytes()) if file.exists() else {}
        self._kept = kept

    def get(self, kind: str, key: Any, make: Callable[[Web], Any]) -> Any:
        at = self._kept.setdefault(kind, {})
        if key not in at:
            if self._web is None:
                self._web = self._open()
            at[key] = make(self._web)
            self._is_new = True
        return at[key]

    def save(self) -> None:
        if self._is_new:
            self._file.write_bytes(pickle.dumps(self._kept))
            self._is_new = False

    def fetch(self, url: str) -> Fetched | None:
        def ask(web: Web) -> Fetched | None:
            try:
                return web.fetch(url)
            except FetchError:
                return None

        found: Fetched | None = self.get("pages", url, ask)
        return found

    def send(self, request: Request) -> Fetched | None:
        def ask(web: Web) -> Fetched | None:
            try:
                return web.send(request)
            except FetchError:
                return None

        key = request.method, str(request.url), request.body
        found: Fetched | None = self.get("answers", key, ask)
        return found


class KeptPages:
    """Pages parsed once a process."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._parsed: dict[str, tuple[Page, PageWords] | None] = {}

    def read(self, url: str) -> tuple[Page, PageWords] | None:
        if url not in self._parsed:
            got = self._kept.fetch(url)
            place = canonical(got[3]) if got is not None else None
            if got is None or got[0] != 200 or place is None or "html" not in got[1]:
                self._parsed[url] = None
            else:
                page = parse_page(got[2], place, got[1])
                self._parsed[url] = (page, PageWords(page))
        return self._parsed[url]

    def describe(self, page: Page) -> tuple[Page, PageWords] | None:
        doors: list[Form] = []
        for url in page.search_descriptions:
            got = self._kept.fetch(str(url))
            if got is not None and got[0] == 200:
                doors += read_description(got[2], url, page.url, got[1])
        fresh = select_new_doors(page.forms, doors)
        if not fresh:
            return None
        page = structs.replace(page, forms=(*page.forms, *fresh))
        return page, PageWords(page)


class KeptFetcher:
    """Sends questions to what was kept."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    async def fetch(self, request: Request) -> Response:
        got = self._kept.send(request)
        if got is None:
            raise FetchError(request.url, "it was not answered")
        status, kind, body, at = got
        return Response(canonical(at) or request.url, status, (("content-type", kind),), body, 0.0)


class NoStore:
    """The little that questions and evidence need of a store."""

    def __init__(self, known: set[Url]) -> None:
        self.run = self.links = self.pages = self
        self.events: list[Event] = []
        self.forms: dict[str, JudgedForm] = {}
        self._known = known

    def load(self, _key: str) -> None:
        return None

    def save(self, _key: str, _value: bytes) -> None:
        pass

    def note(self, event: Event) -> None:
        self.events.append(event)

    def spend(self, _worker: str, _requests: int) -> None:
        pass

    def rejudge_forms(self, forms: dict[str, JudgedForm]) -> None:
        self.forms |= forms

    def are_known(self, urls: Sequence[Url]) -> list[bool]:
        return [url in self._known for url in urls]


class Judge(Protocol):
    def judge(self, page: Page, words: PageWords) -> Judgement: ...


class Replay:
    """One run over a walk. Made inside an event loop."""

    def __init__(
        self, kept: Kept, pages: KeptPages, walk: Sequence[str], critic: Judge, words: Sequence[str]
    ) -> None:
        self._pages, self._walk, self._critic = pages, walk, critic
        self._known: set[Url] = set()
        self.store = NoStore(self._known)
        calls = DirectCalls()
        store = cast("Store", self.store)
        self._keeper = EvidenceKeeper(store, calls, is_alone=True)
        fetcher = cast("Fetcher", KeptFetcher(kept))
        terms = QuestionTerms(tuple(words), pages=len(walk))
        self._questions = DoorQuestions(
            store, calls, fetcher, self._keeper, "replay", lambda: 0.0, terms
        )

    @property
    def requests(self) -> int:
        """Spent on questions."""
        return self._questions.requests

    async def run(self, *, is_asking: bool) -> dict[str, JudgedForm]:
        """The forms as a crawl would have stored them at its end, by signature."""
        at: Site | None = None
        for url in self._walk:
            read = self._pages.read(url)
            if read is None:
                continue
            site = site_of(read[0].url)
            if site != at:
                if at is not None:
                    await self._keeper.close(at, lambda _: False)
                await self._keeper.open(site)
                at = site
            await self._visit(site, *read, is_asking=is_asking)
        if at is not None:
            await self._keeper.close(at, lambda _: False)
        return self.store.forms

    async def _visit(self, site: Site, page: Page, words: PageWords, *, is_asking: bool) -> None:
        judgement = self._critic.judge(page, words)
        if page.search_descriptions and is_worth_asking(judgement):
            richer = self._pages.describe(page)
            if richer is not None:
                page, words = richer
                judgement = self._critic.judge(page, words)
        self._known.update(link.target for link in page.links)
        self._known.add(page.url)
        evidence, reading = self._keeper.judge(site, PageReading(page, judgement, 0, words))
        self._keeper.keep(site, evidence)
        fresh = [one for one in reading.judgement.forms if one.signature not in self.store.forms]
        self.store.forms |= {one.signature: one for one in fresh}
        self._questions.count_visit(sum(one.relevant >= LIKELY for one in fresh))
        if is_asking:
            chosen = self._questions.choose(site, reading.judgement.forms)
            if chosen is not None:
                critic = cast("Critic", self._critic)
                await self._questions.ask(site, chosen, page, critic)


async def replay(
    kept: Kept,
    pages: KeptPages,
    walk: Sequence[str],
    critic: Judge,
    words: Sequence[str],
    *,
    is_asking: bool,
) -> tuple[dict[str, JudgedForm], int]:
    """The forms at the end, and the requests spent on questions."""
    run = Replay(kept, pages, walk, critic, words)
    return await run.run(is_asking=is_asking), run.requests


class CachedCritic:
    """Judges each page once, also for later runs of the same judges."""

    def __init__(self, critic: TopicCritic, cache: dict[Any, Judgement]) -> None:
        self._critic, self._cache = critic, cache

    def judge(self, page: Page, words: PageWords) -> Judgement:
        key = page.url, len(page.forms), xxhash.xxh3_64_intdigest("\n".join(page.leaves).encode())
        if key not in self._cache:
            self._cache[key] = self._critic.judge(page, words)
        return self._cache[key]


def teach(pages: KeptPages, topic: str, seeds: Iterable[str], words: Sequence[str]) -> TopicCritic:
    samples = []
    for url in seeds:
        read = pages.read(url)
        if read is not None:
            samples.append(PageExample(read[0], find_owner(read[0].url)))
    pack = make_pack(
        f"my-{topic}", TopicExamples(samples, [], tuple(words)), (), shipped_background()
    )
    return TopicCritic(open_judge(pack))


def grade(kept: Kept, topic: str, forms: dict[str, JudgedForm], *, show: bool) -> dict[str, Any]:
    """What of the topic's doors was accepted, by the truth."""
    best: dict[str, JudgedForm] = {}
    for form in forms.values():
        name = _name_door(kept, form)
        if name not in best or best[name].relevant < form.relevant:
            best[name] = form
    own = {name for name in best if _is_own(kept, name, topic)}
    claims = {name for name, form in best.items() if form.relevant >= LIKELY}
    labels = {name: _label(kept, name) for name in best}
    if show:
        for name in sorted(own - claims):
            _show("MISSED", name, best[name])
        for name in sorted(claims - own):
            _show(f"WRONG {labels[name]}", name, best[name])
    return {
        "met": len(own),
        "claims": len(claims),
        "right": len(own & claims),
        "others": len(best) - len(own),
        "lost": dict(Counter(_name_loss(best[name]) for name in own - claims)),
        "wrong": dict(Counter(labels[name] for name in claims - own)),
    }


def _name_door(kept: Kept, form: JudgedForm) -> str:
    names = tuple(field.name for field in form.form.fields)
    key = str(form.form.action), str(form.form.page), names
    found = kept.get("doors", key, lambda web: web.name_door(form))
    return found or f"none:{form.form.action}"


def _is_own(kept: Kept, name: str, topic: str) -> bool:
    is_own: bool = kept.get("own", (name, topic), lambda web: web.is_own(name, topic))
    return is_own


def _label(kept: Kept, name: str) -> str:
    label: str = kept.get("label", name, lambda web: web.label(name))
    return label


def _name_loss(form: JudgedForm) -> str:
    if form.searchable < LIKELY:
        return "not believed to search"
    answers = form.evidence.answers if form.evidence else None
    if answers is not None:
        return f"asked: {answers.database}" + (" 0 requests" if not answers.requests else "")
    return "not asked, by POST" if form.form.method == "post" else "not asked"


def _show(what: str, name: str, form: JudgedForm) -> None:
    parts = ", ".join(f"{part} {weight:+.2f}" for part, weight in form.parts)
    evidence, door = form.evidence, form.form
    page = f"page {evidence.page:.2f} known {evidence.known}" if evidence else ""
    fields = [(field.name, field.label[:20]) for field in door.fields if field.kind != "hidden"]
    print(
        f"{what} {name}\n   {door.method} {door.source} {door.page} searchable "
        f"{form.searchable:.2f} relevant {form.relevant:.2f} {page}: {parts}\n"
        f"   {form.why} | {door.text[:100]!r} {fields[:6]}"
    )
    if evidence and evidence.answers:
        print(f"   {evidence.answers}")


def run_seed(options: argparse.Namespace, seed: int) -> Iterator[dict[str, Any]]:
    name = options.web.replace(":", "-")
    options.out.mkdir(parents=True, exist_ok=True)

    def open_it() -> Web:
        if options.web.startswith("lab:"):
            return LabWalks(options.web.partition(":")[2], seed)
        cache = options.out / options.web
        cache.mkdir(parents=True, exist_ok=True)
        sys.path.insert(0, str(options.worlds / options.web))
        sys.dont_write_bytecode = True
        return ForeignWeb(options.web, seed, options.data, cache)

    kept = Kept(options.out / f"walk-{name}-{seed}.pickle", open_it)
    pages = KeptPages(kept)
    for topic in options.topics or kept.get("topics", "", lambda web: list(web.topics())):
        walk = kept.get("walk", topic, operator.methodcaller("walk", topic))
        seeds, words = kept.get("given", topic, operator.methodcaller("given", topic))
        is_taught = options.taught or not options.web.startswith("lab:")
        kind = "taught" if is_taught else "pack"
        cache_file = options.out / f"judged-{name}-{seed}-{topic}-{kind}.pickle"
        cached: dict[Any, Judgement] = {}
        if cache_file.exists() and not options.judge_again:
            cached = pickle.loads(cache_file.read_bytes())
        size = len(cached)
        critic = CachedCritic(
            teach(pages, topic, seeds, words) if is_taught else TopicCritic(open_topic(topic)),
            cached,
        )
        asked_words = words if is_taught else find_query_words(topic, ())
        for is_asking in {"both": (True, False), "yes": (True,), "no": (False,)}[options.ask]:
            again = replay(kept, pages, walk, critic, asked_words, is_asking=is_asking)
            forms, probes = asyncio.run(again)
            row = {"web": options.web, "seed": seed, "topic": topic, "asking": is_asking}
            row |= {"probes": probes, "requests": len(walk) + probes}
            yield row | grade(kept, topic, forms, show=options.show)
        if len(cached) != size:
            cache_file.write_bytes(pickle.dumps(cached))
        kept.save()


def sum_up(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """All walks together, asking and not."""
    sums: dict[str, Any] = {}
    for is_asking in (True, False):
        if mine := [row for row in rows if row["asking"] == is_asking]:
            sums["asking" if is_asking else "not asking"] = add_rows(mine)
    return sums


def add_rows(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Numbers and counts by name added, with the shares that they come to."""
    one: dict[str, Any] = {}
    for name, value in rows[0].items():
        if isinstance(value, dict):
            counts: Counter[str] = Counter()
            for row in rows:
                counts.update(row[name])
            one[name] = dict(counts.most_common())
        elif isinstance(value, int) and name not in ("seed", "asking"):
            one[name] = sum(row[name] for row in rows)
    right = one["right"] + one.get("right_unmet", 0)
    one["recall"] = round(one["right"] / max(1, one["met"]), 3)
    one["precision"] = round(right / max(1, one["claims"]), 3)
    one["probe_share"] = round(one["probes"] / max(1, one["requests"]), 4)
    return one


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.door_replay", description=__doc__)
    parser.add_argument("worlds", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--web", required=True, help="a, b or lab:PROFILE")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--topics", nargs="+")
    parser.add_argument("--taught", action="store_true", help="in the lab: by seeds and words")
    parser.add_argument("--ask", choices=("both", "yes", "no"), default="both")
    parser.add_argument("--judge-again", action="store_true", help="do not use kept judgements")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--out", type=Path, required=True, help="outside the repository")
    options = parser.parse_args()
    rows = []
    for seed in options.seeds:
        for row in run_seed(options, seed):
            rows.append(row)
            print(json.dumps(row), flush=True)
    print(json.dumps({"runs": len(rows), "sums": sum_up(rows)}))


if __name__ == "__main__":
    main()
