"""Strategies on webs of several makers, in one process and without waiting.

    python -m tools.web_trials WORLDS DATA --webs a b lab:demo --seeds 1 2 \
        --strategies expected_gain ffc sitewise --budget 2000 --out FOLDER

Each web is opened by its own code (`tools.foreign_webs`) and asked in this process; the loop, the
parser, the critic and the settings are those of `leadline crawl`, politeness takes no time. Pages
are parsed once for all strategies and kept in FOLDER. A strategy can be given settings, as
`expected_gain:families=false`, which makes ablations. Topics are taught from the seeds and words
that a web gives, as a user would (`leadline topic new --pages SEEDS --words WORDS`).

For each crawl: doors of the topic fetched after so many requests (robots.txt not counted), where
the missed ones were lost, and where requests went. Truth is looked at afterwards only. The last
line is JSON.
"""

import argparse
import asyncio
import contextlib
import json
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import uvloop
import xxhash
from msgspec import Struct
from msgspec.structs import asdict

import leadline
from leadline.config import Config
from leadline.core.crawl import CandidateId
from leadline.core.http import Request, Response
from leadline.core.ports import Critic
from leadline.core.url import Url, host_of, site_of
from leadline.crawler.assembly import make_plan, make_strategies
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.evidence import QuestionTerms
from leadline.crawler.example_pages import find_owner
from leadline.crawler.links import make_seed
from leadline.crawler.network import make_scope
from leadline.errors import FetchError, RobotsDeniedError
from leadline.learn.model_files import Manifest
from leadline.page import parse_page
from leadline.store.index import CrawlIndex
from leadline.store.memory import MemoryJournal, MemoryStore
from leadline.topics import make_critic, open_topic
from leadline.topics.background import shipped_background
from leadline.topics.pack import KIND, write_pack
from leadline.topics.teaching import PageExample, TopicExamples, make_pack
from leadline_lab.experiments.lab_web import fetcher_at_rest
from leadline_lab.experiments.pages import CachedWeb, KeptReader
from leadline_lab.experiments.shelf import Shelf, open_shelf
from tools.foreign_webs import DoorPages, ForeignWeb, WebTopic, open_web

MARKS = (200, 500, 1_000, 2_000)
LOSSES = ("site unknown", "site not entered", "link unknown", "waits", "refused", "failed")
"""Where a door was lost, from the farthest on: no visited page links to its site; its site was
linked to and not entered; the site was entered, and no link to the door met; the link waits; it
was refused, or asked for without getting the page."""
_PARSED_BY = ("core", "page", "web")
"""Packages of leadline that decide what is in a parsed page."""


class Ask(Struct, frozen=True):
    """One request that counts, in the order of the crawl."""

    number: int
    url: Url
    """Where it ended; '' if that is no page."""


class CountedWeb:
    """A fetcher that keeps what was asked, in order."""

    def __init__(self, web: CachedWeb) -> None:
        self._web = web
        self.asked: list[Ask] = []
        self.requests = 0

    async def fetch(self, request: Request) -> Response:
        before = self._web.spending.requests - self._web.spending.robots
        url = Url("")
        try:
            response = await self._web.fetch(request)
            if 200 <= response.status < 300 and request.method == "GET":
                url = response.url
            return response
        finally:
            spent = self._web.spending.requests - self._web.spending.robots - before
            self.requests += spent
            if spent:
                self.asked.append(Ask(self.requests, url))

    def ready_at(self, site: Any) -> float:  # noqa: ARG002 (the port's signature)
        return 0.0

    def delay_of(self, site: Any) -> float:  # noqa: ARG002 (the port's signature)
        return 0.0

    async def close(self) -> None:
        await self._web.close()


class AskingReader(KeptReader):
    """A reader of kept pages whose critic the crawl may see, to ask forms by it."""

    def __init__(self, critic: Critic) -> None:
        super().__init__(critic)
        self.critic = critic

    def use_critic(self, critic: Critic) -> None:
        self.critic = self._critic = critic


class Trial(Struct, frozen=True):
    """One crawl to be graded."""

    web: str
    seed: int
    topic: str
    strategy: str
    """A name, and settings after a colon: `expected_gain:families=false,learning=false`."""
    budget: int


class TrialRow(Struct, frozen=True):
    """What a crawl came to."""

    web: str
    seed: int
    topic: str
    strategy: str
    reachable: int
    doors: dict[str, int]
    claimed: int
    """Doors that the critic holds to be of the topic, right or wrong."""
    requests: int
    sites: int
    losses: dict[str, int]
    kinds: dict[str, int]
    """Requests by the kind of site."""
    reason: str
    cpu_s: float
    missed: list[list[str]] = []
    """Each missed door: its kind, site, where it was lost."""


def shelf_stamp() -> str:
    """Of the code that parses: pages of other code are not used."""
    digest = xxhash.xxh3_64()
    for package in _PARSED_BY:
        for file in sorted((Path(leadline.__file__).parent / package).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:10]


def teach(web: ForeignWeb, name: str, topic: WebTopic, folder: Path) -> str:
    """The topic's folder, taught by the seeds that answer and the words; or its shipped name."""
    if topic.pack:
        return topic.pack
    if folder.exists():
        return str(folder)

    async def fetch() -> list[PageExample]:
        fetcher, found = fetcher_at_rest(web), []
        for seed in topic.seeds:
            with contextlib.suppress(FetchError):
                response = await fetcher.fetch(Request(seed, is_meant=True))
                kind = response.header("content-type")
                page = parse_page(response.body, response.url, kind)
                found.append(PageExample(page, find_owner(page.url)))
        await fetcher.close()
        return found

    given = TopicExamples(asyncio.run(fetch()), [], topic.words)
    pack = make_pack(name, given, (), shipped_background())
    folder.parent.mkdir(parents=True, exist_ok=True)
    write_pack(folder, pack, Manifest(KIND, (pack.source,), ""))
    return str(folder)


def make_config(trial: Trial, topic: str, seeds: Sequence[Url]) -> Config:
    """Default settings, but for what the trial is about."""
    name, _, pairs = trial.strategy.partition(":")
    own: dict[str, Any] = {"name": name}
    for pair in filter(None, pairs.split(",")):
        key, _, value = pair.partition("=")
        own[key] = json.loads(value) if value[:1] in "0123456789-tf[" else value
    given = {
        "topic": {"name": topic},
        "seeds": list(seeds),
        "strategy": own,
        "budget": {"pages": trial.budget},
    }
    return Config.model_validate(given)


def run_trial(web: ForeignWeb, trial: Trial, pack: str, shelf: Shelf) -> TrialRow:
    topic = web.topics[trial.topic]
    config = make_config(trial, pack, topic.seeds)
    begun_s = time.process_time()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        counted, journal, store, reason = runner.run(crawl_web(web, config, topic, shelf))
    cpu_s = time.process_time() - begun_s
    found = find_first(web, topic, counted.asked)
    doors = {str(mark): sum(at <= mark for at in found.values()) for mark in MARKS}
    missed = [
        [topic.doors[name].kind, topic.doors[name].site, loss]
        for name, loss in find_losses(journal, topic, found).items()
    ]
    hosts = [host_of(site_of(ask.url)) for ask in counted.asked if ask.url]
    kinds = Counter(web.kind_of(host) for host in hosts)
    losses = Counter(loss for _, _, loss in missed)
    return TrialRow(
        *(trial.web, trial.seed, trial.topic, trial.strategy),
        reachable=topic.reachable,
        doors=doors,
        claimed=store.reader.counts().forms,
        requests=counted.requests,
        sites=len(set(hosts)),
        losses={loss: losses[loss] for loss in LOSSES},
        kinds=dict(kinds.most_common(12)),
        reason=reason,
        cpu_s=round(cpu_s, 1),
        missed=missed,
    )


async def crawl_web(
    web: ForeignWeb, config: Config, topic: WebTopic, shelf: Shelf
) -> tuple[CountedWeb, MemoryJournal, MemoryStore, str]:
    strategy, fallback = make_strategies(config)
    journals: list[MemoryJournal] = []

    def open_journal(index: CrawlIndex) -> MemoryJournal:
        journals.append(MemoryJournal(index))
        return journals[0]

    clock = time.monotonic
    store = MemoryStore(strategy.features.width if strategy.features else 0, journal=open_journal)
    cached = CachedWeb(web, fetcher_at_rest, shelf, clock)
    counted = CountedWeb(cached)
    critic = make_critic(
        config.topic.critic, open_topic(config.topic.name, config.topic.words), config.topic.own
    )
    store.links.put([make_seed(url) for url in topic.seeds])
    scope = make_scope(config, topic.seeds)
    parts = CrawlParts(
        *(store, counted, AskingReader(critic), strategy),
        fallback=fallback,
        scope=scope,
        questions=QuestionTerms(config.topic.keywords, config.submit, config.budget.pages or None),
    )
    crawl = Crawl(parts, make_plan(config, scope), clock)
    try:
        reason = await crawl.run()
    finally:
        await counted.close()
    return counted, journals[0], store, reason


def find_first(web: ForeignWeb, topic: WebTopic, asked: Iterable[Ask]) -> dict[str, int]:
    """The request with which each door of the topic was first fetched."""
    found: dict[str, int] = {}
    for ask in asked:
        for door in web.find_doors(ask.url) if ask.url else ():
            if door in topic.doors:
                found.setdefault(door, ask.number)
    return found


def find_losses(journal: MemoryJournal, topic: WebTopic, found: dict[str, int]) -> dict[str, str]:
    """Where each missed door was lost."""
    missed = {name: about for name, about in topic.doors.items() if name not in found}
    pages = {page for about in missed.values() for page in about.pages}
    met: dict[str, str] = {}
    entered, known = set(), set()
    for number in range(1, journal.index.next_id):
        candidate = journal.candidate(CandidateId(number))
        if candidate is None:
            continue
        host = _bare(host_of(candidate.site))
        known.add(host)
        visit = journal.visit(CandidateId(number))
        if visit is not None and visit.outcome == "page":
            entered.add(host)
        if candidate.url in pages:
            is_denied = visit is not None and visit.outcome == RobotsDeniedError.kind
            is_refused = candidate.skip or is_denied
            state = "refused" if is_refused else "waits" if visit is None else "failed"
            met[candidate.url] = state
    return {name: _find_loss(about, met, entered, known) for name, about in missed.items()}


def _find_loss(about: DoorPages, met: dict[str, str], entered: set[str], known: set[str]) -> str:
    host = _bare(about.site)
    states = [met[page] for page in about.pages if page in met]
    if host in entered:
        return states[0] if states else "link unknown"
    return "site not entered" if host in known else "site unknown"


def _bare(host: str) -> str:
    return host.removeprefix("www.")


def run_all(options: Any) -> list[TrialRow]:
    rows: list[TrialRow] = []
    stamp = shelf_stamp()
    for name in options.webs:
        for seed in options.seeds:
            cache = options.out / name.replace(":", "-")
            web = open_web(name, seed, options.worlds, options.data, cache)
            shelf = open_shelf(cache / f"pages-{seed}-{stamp}.sqlite")
            for topic in options.topics or web.topics:
                if topic not in web.topics:
                    continue
                folder = cache / "topics" / f"{topic}-{seed}"
                if options.teach_again:
                    shutil.rmtree(folder, ignore_errors=True)
                pack = teach(web, topic, web.topics[topic], folder)
                for strategy in options.strategies:
                    trial = Trial(name, seed, topic, strategy, options.budget)
                    rows.append(run_trial(web, trial, pack, shelf))
                    print(make_row(rows[-1]), flush=True)
            shelf.close()
    return rows


def make_row(row: TrialRow) -> str:
    doors = " | ".join(str(row.doors[str(mark)]) for mark in MARKS)
    losses = " ".join(str(row.losses[loss]) for loss in LOSSES)
    name = f"{row.web} {row.seed} {row.topic} | {row.strategy}"
    rest = f"{row.requests} | {row.sites} | {losses} | {row.cpu_s}"
    return f"| {name} | {row.reachable} | {doors} | {rest} |"


def sum_up(rows: Sequence[TrialRow]) -> dict[str, Any]:
    """Doors of each strategy on each web, over all seeds and topics, and where they were lost."""
    sums: dict[str, dict[str, Any]] = {}
    for row in rows:
        empty = {"reachable": 0, **{str(mark): 0 for mark in MARKS}, "losses": {}, "cpu_s": 0.0}
        mine = sums.setdefault(row.web, {}).setdefault(row.strategy, empty)
        mine["reachable"] += row.reachable
        mine["cpu_s"] = round(mine["cpu_s"] + row.cpu_s, 1)
        for mark in MARKS:
            mine[str(mark)] += row.doors[str(mark)]
        for loss in LOSSES:
            mine["losses"][loss] = mine["losses"].get(loss, 0) + row.losses[loss]
    return sums


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.web_trials", description=__doc__)
    parser.add_argument("worlds", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--webs", nargs="+", required=True, help="a, b (not both), lab:PROFILE")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--topics", nargs="+", help="by default all of the web")
    parser.add_argument("--strategies", nargs="+", required=True)
    parser.add_argument("--budget", type=int, default=2_000, help="pages of each crawl")
    parser.add_argument("--teach-again", action="store_true", help="do not use kept topics")
    parser.add_argument("--out", type=Path, required=True, help="outside the repository")
    options = parser.parse_args()
    for name in ("worlds", "data", "out"):
        setattr(options, name, getattr(options, name).resolve())
    marks = " | ".join(f"@{mark}" for mark in MARKS)
    print(f"| web | strategy | doors | {marks} | requests | sites | lost | cpu s |")
    print(f"|{'---|' * 11}")
    rows = run_all(options)
    sums = sum_up(rows)
    for web, mine in sums.items():
        for strategy, one in sorted(mine.items(), key=lambda pair: -pair[1][str(MARKS[-1])]):
            doors = " | ".join(str(one[str(mark)]) for mark in MARKS)
            lost = ", ".join(f"{loss} {number}" for loss, number in one["losses"].items())
            print(
                f"| {web} | {strategy} | {one['reachable']} | {doors} | {one['cpu_s']} s | {lost} |"
            )
    print(json.dumps({"sums": sums, "runs": [asdict(row) for row in rows]}))


if __name__ == "__main__":
    main()
