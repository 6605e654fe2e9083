"""How often the post-query check is right, on lab worlds whose truth is known.

    python bench/probe.py [--profiles demo small] [--seeds 1 2] [--sites 150] [--http]

Sites are drawn evenly from those with databases and those without; their home pages and the
pages of their search forms are read, and every form that the gate lets through is asked by
`leadline.harvester.session.probing`, in process and, with --http, over loopback HTTP. A form opens
onto a database, searches the site's own pages (the lab answers those with some pages, whatever
is asked), or is no search at all. --believe takes the place of the form classifier, so that
forms which only it would stop are asked too. --topic asks forms about a shipped topic for its
words, as a crawl for that topic would; without it the words are the page's own. The last line
is JSON.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from leadline.core.crawl import Event
from leadline.core.http import Request
from leadline.core.page import Form, Page
from leadline.core.ports import Fetcher
from leadline.core.url import Url
from leadline.errors import FetchError
from leadline.forms.probe import CANNOT_TELL, NO, YES
from leadline.forms.query import pick_topical_words
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.signature import signature
from leadline.forms.submit import why_refused
from leadline.harvester.session.source import FormSubmitter, probe_form
from leadline.page import parse_page
from leadline.topics import KEYWORDS
from leadline.web import PolitenessSettings, RobotsSettings, WebSettings, open_fetcher
from leadline_lab.draw import Draw, key_of
from leadline_lab.profile import profile_named
from leadline_lab.server.fetcher import LabFetcher
from leadline_lab.server.running import serving
from leadline_lab.truth import Truth
from leadline_lab.world import World

DATABASE = "database"
SITE_SEARCH = "site search"
NO_SEARCH = "no search"
REFUSED = "refused"
_PAGES = 12
"""Of one site, read at most."""


def drawn_sites(world: World, wanted: int) -> list[int]:
    """Half of them with databases; those that are dead or answer after seconds left out."""
    draw = Draw(key_of(world.key, "probe bench"))
    with_databases = [p for p in world.census.populations if p.schemas]
    without = [p for p in world.census.populations if not p.schemas]
    found: dict[int, None] = {}
    for turn in range(20 * wanted):
        population = draw.pick(with_databases if turn % 2 else without)
        site = population.first + draw.below(population.sites)
        if not {"dead", "slow"} & {*world.estate(site).plan.traps}:
            found.setdefault(site)
        if len(found) == wanted:
            break
    return list(found)


def pages_of(world: World, site: int) -> Iterator[Url]:
    """The home page, those of the search forms, and some others."""
    estate = world.estate(site)
    plan = estate.plan
    numbers = [0, *plan.page_of.values(), *range(1, plan.pages)]
    for number in list(dict.fromkeys(numbers))[:_PAGES]:
        yield Url(estate.root + estate.paths.page(plan.place(number)))


def kind_of(truth: Truth, form: Form) -> str:
    number = truth.form(form)
    if number is None:
        return NO_SEARCH
    return DATABASE if truth.interface(number).schema else SITE_SEARCH


async def forms_of(world: World, fetcher: Fetcher, sites: int) -> AsyncIterator[tuple[Page, Form]]:
    """Every form once, each as its page is read: what it carries may grow old."""
    seen: set[str] = set()
    for site in drawn_sites(world, sites):
        for url in pages_of(world, site):
            try:
                response = await fetcher.fetch(Request(url))
            except FetchError:
                continue
            page = parse_page(response.body, response.url, response.header("content-type"))
            for form in page.forms:
                if signature(form) not in seen:
                    seen.add(signature(form))
                    yield page, form


@asynccontextmanager
async def fetching(world: World, *, over_http: bool) -> AsyncIterator[Fetcher]:
    if not over_http:
        yield LabFetcher(world)
        return
    with serving(world) as port:
        fetcher = open_fetcher(
            WebSettings(resolve={"*": f"127.0.0.1:{port}"}, allow_private=True),
            RobotsSettings(max_crawl_delay_s=0.0),
            PolitenessSettings(delay_s=0.0, first_backoff_s=0.0),
            retries={},
        )
        try:
            yield fetcher
        finally:
            await fetcher.close()


def topic_words(truth: Truth, form: Form) -> tuple[str, ...]:
    """Those of the topic that a crawl which met the form would be about."""
    number = truth.form(form)
    domains = truth.domains_of(number) if number is not None else frozenset[str]()
    return tuple(word for domain in domains for word in KEYWORDS.get(domain, ()))


class Plan(NamedTuple):
    """How a world is measured."""

    sites: int
    believe: float | None = None
    is_topical: bool = False
    over_http: bool = False
    is_verbose: bool = False
    judge: str = "default"


async def measure(world: World, plan: Plan) -> Counter[tuple[str, str]]:
    """Verdicts by the truth about the form."""
    truth = Truth(world)
    counts: Counter[tuple[str, str]] = Counter()
    log: list[Event] = []
    judge = open_searchable_judge(plan.judge)
    async with fetching(world, over_http=plan.over_http) as fetcher:
        submitter = FormSubmitter(fetcher, log.append, lambda: 0.0)
        async for page, form in forms_of(world, fetcher, plan.sites):
            chance = judge.chance(form) if plan.believe is None else plan.believe
            kind = kind_of(truth, form)
            if why_refused(form, chance):
                counts[kind, REFUSED] += 1
                continue
            words = pick_topical_words(
                page, form, topic_words(truth, form) if plan.is_topical else ()
            )
            verdict = await probe_form(form, words, chance, submitter)
            counts[kind, verdict.database] += 1
            if plan.is_verbose:
                print(f"{kind:12} {verdict.database:12} {verdict.why[:120]}  {form.page}")
    counts["", "submissions"] = sum(event.kind == "submission" for event in log)
    return counts


def figures(counts: Counter[tuple[str, str]]) -> dict[str, object]:
    """Accuracy is of the forms decided: databases must be `yes`, forms that search nothing `no`."""
    right = counts[DATABASE, YES] + counts[NO_SEARCH, NO]
    wrong = counts[DATABASE, NO] + counts[NO_SEARCH, YES]
    asked = sum(counts[kind, v] for kind in (DATABASE, NO_SEARCH) for v in (YES, NO, CANNOT_TELL))
    return {
        **{
            kind: {v: counts[kind, v] for v in (REFUSED, YES, NO, CANNOT_TELL)}
            for kind in (DATABASE, SITE_SEARCH, NO_SEARCH)
        },
        "asked": asked,
        "decided": right + wrong,
        "accuracy": round(right / (right + wrong), 4) if right + wrong else None,
        "submissions": counts["", "submissions"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", nargs="+", default=["demo", "small"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--sites", type=int, default=150)
    parser.add_argument("--http", action="store_true", help="over loopback HTTP as well")
    parser.add_argument("--judge", default="default", help="of forms: default, c45 or rule")
    parser.add_argument("--believe", type=float, default=None)
    parser.add_argument("--topic", action="store_true", help="ask for the words of the topic")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    report: dict[str, object] = {}
    total: Counter[tuple[str, str]] = Counter()
    for profile in options.profiles:
        for seed in options.seeds:
            world = World(profile_named(profile), seed)
            for over_http in (False, True) if options.http else (False,):
                plan = Plan(
                    options.sites,
                    options.believe,
                    options.topic,
                    over_http,
                    options.verbose,
                    options.judge,
                )
                counts = asyncio.run(measure(world, plan))
                name = f"{profile} {seed} {'http' if over_http else 'in process'}"
                report[name] = figures(counts)
                print(name, json.dumps(report[name]))
                if not over_http:
                    total += counts
    report["all, in process"] = figures(total)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
