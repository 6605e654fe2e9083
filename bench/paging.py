"""Whether walks through answers visit every page once and end, on lab worlds whose truth is known.

    python bench/paging.py [--profile dev] [--seeds 31 32] [--sites 2]

In each world, sources of every language are made to page in every way (links, numbered, offset,
keyset, post, button) and to do every thing past their end (empty, last, first); each is asked a
word that some tens of records hold, and its answer is walked from the first page on by
`leadline.harvester.paging`. A walk is right when it shows each matching record once, up to the
source's cap, asks for as many pages as there are, and stops by itself. With --past, the walk is
sent one page past the end where pages are addressable, and must stop there too. The last line is
JSON.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from msgspec import structs

from leadline.core.harvest import NextPage, Query, Trail
from leadline.core.http import Request
from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.submit import Submission, prepare
from leadline.harvester.paging import find_larger_size, find_next_page, find_url_pattern
from leadline.harvester.reply import Reply, reply_of
from leadline.page import parse_page
from leadline_lab.databases.index import Index
from leadline_lab.databases.kinds import PAGINGS, PAST_ENDS, Source
from leadline_lab.databases.query import EVERYWHERE
from leadline_lab.databases.truth import Postings
from leadline_lab.profile import profile_named
from leadline_lab.schemas import DOMAIN_OF
from leadline_lab.server.fetcher import LabFetcher
from leadline_lab.sites.doors import Interface
from leadline_lab.sites.estate import Estate
from leadline_lab.sites.querying import lexicon_of
from leadline_lab.truth import Truth
from leadline_lab.world import World

LANGUAGES = ("en", "de", "fr", "es")
_HIDING = frozenset({"dead", "failing", "slow", "robots"})
"""Traps of sites that would end a walk whatever the pages say."""
_SIZE = 10
_MATCHES = range(25, 95)
"""Records that a query should find: three to ten pages."""
_LARGEST = 100
"""The largest page size that lab sources offer; here those that show the last page again do."""
_MAX_PAGES = 40
_TRIED_SITES = 4_000
_TRIED_WORDS = 400


class Walk(NamedTuple):
    """How a walk through one answer went."""

    language: str
    paging: str
    past_end: str
    pages: int
    wanted_pages: int
    records: int
    wanted_records: int
    repeats: int
    """Pages that showed the records of an earlier one."""
    has_stopped: bool
    went_past: bool
    """It was sent past the end."""
    size: int
    """The largest page size found; 0 for none."""
    url: str

    @property
    def is_right(self) -> bool:
        is_whole = self.pages == self.wanted_pages and self.records == self.wanted_records
        return is_whole and self.has_stopped and not self.repeats

    @property
    def is_sized(self) -> bool:
        """Whether the largest size was found where sizes are offered by links."""
        return self.size == _LARGEST or self.past_end != "last"


def sources(world: World, language: str, wanted: int) -> Iterator[tuple[Estate, Interface]]:
    """Sites that answer, with a keyword box onto a database of moderate size."""
    found = 0
    populations = [p for p in world.census.populations if p.schemas]
    for turn in range(_TRIED_SITES):
        population = populations[turn % len(populations)]
        site = population.first + turn // len(populations)
        if turn // len(populations) >= population.sites:
            continue
        estate = world.estate(site)
        if estate.plan.language != language or _HIDING.intersection(estate.plan.traps):
            continue
        for interface in estate.plan.interfaces[:2]:
            if interface.schema and not interface.is_scripted and _is_small(estate, interface):
                yield estate, interface
                found += 1
                break
        if found == wanted:
            return


def _is_small(estate: Estate, interface: Interface) -> bool:
    bound = estate.search_forms[interface.number].bound
    return EVERYWHERE in bound.values() and estate.source(interface.database).size <= 20_000


def behaving(source: Source, paging: str, past_end: str) -> Source:
    """The source, paging as wanted; the rest of its ways as they are, but for those that would
    hide what is measured here."""
    behaviour = structs.replace(
        source.behaviour,
        paging=paging,
        past_end=past_end,
        page_size=_SIZE,
        semantics="and",
        has_details=True,
        redirects_single=False,
        is_size_choosable=past_end == "last",
        ranking="static" if source.behaviour.ranking == "random" else source.behaviour.ranking,
    )
    return structs.replace(source, behaviour=behaviour)


def word_of(source: Source, estate: Estate, interface: Interface) -> tuple[str, int]:
    """A word that a moderate number of records hold, and how many do; '' when there is none."""
    topic = DOMAIN_OF.get(interface.schema) or estate.plan.population.topic
    postings = Postings(Index(source, lexicon_of(topic)))
    for turn, word in enumerate(postings):
        is_long = len(word) > max(3, source.behaviour.min_length)
        if is_long and word not in source.behaviour.stop_words and postings[word] in _MATCHES:
            return word, postings[word]
        if turn > _TRIED_WORDS:
            break
    return "", 0


async def form_of(world: World, fetcher: LabFetcher, estate: Estate, own: int) -> Form | None:
    truth = Truth(world)
    plan = estate.plan
    pages = dict.fromkeys([0, *plan.page_of.values(), *range(1, min(plan.pages, 12))])
    for number in pages:
        url = Url(estate.root + estate.paths.page(plan.place(number)))
        response = await fetcher.fetch(Request(url))
        page = parse_page(response.body, response.url, response.header("content-type"))
        for form in page.forms:
            known = truth.form(form)
            if known is not None and truth.interface(known).number == own:
                return form
    return None


def keys_on(world: World, reply: Reply) -> list[str]:
    """The records that a page shows."""
    found: dict[str, None] = {}
    for link in reply.page.links:
        at = world.locate(link.target)
        if at is not None and at.route is not None and at.route.kind == "record":
            found.setdefault(f"{at.route.number}/{at.route.name}")
    return list(found)


async def walk(
    world: World, estate: Estate, interface: Interface, ways: tuple[str, str], *, past: bool = False
) -> Walk | None:
    """None when the source cannot be asked as wanted."""
    fetcher = LabFetcher(world)
    original = estate.source(interface.database)
    source = behaving(original, *ways)
    word, matched = word_of(source, estate, interface)
    estate._sources[interface.database] = source
    try:
        form = await form_of(world, fetcher, estate, interface.number) if word else None
        if form is None:
            return None
        bound = estate.search_forms[interface.number].bound
        box = next(name for name, target in bound.items() if target == EVERYWHERE)
        sent = prepare(form, {box: word}, 1.0)
        if not isinstance(sent, Submission):
            return None
        wanted = min(matched, source.behaviour.cap or matched)
        walked = await _walked(world, fetcher, sent.request, Query.of(**{box: word}), past=past)
        return Walk(
            estate.plan.language,
            *ways,
            walked.pages,
            -(-wanted // max(1, walked.first)),
            len(walked.records),
            wanted,
            walked.repeats,
            walked.has_stopped,
            walked.went_past,
            walked.size,
            sent.request.url,
        )
    finally:
        estate._sources[interface.database] = original


class Walked(NamedTuple):
    pages: int
    records: set[str]
    repeats: int
    has_stopped: bool
    went_past: bool = False
    size: int = 0
    first: int = 0
    """Records on the first page: forms may ask for a size of their own."""


async def _walked(
    world: World, fetcher: LabFetcher, first: Request, query: Query, *, past: bool
) -> Walked:
    request, trail, records, repeats, pages = first, Trail(), set[str](), 0, 0
    is_past, size, on_first = False, 0, 0
    while pages < _MAX_PAGES:
        reply = reply_of(await fetcher.fetch(request))
        keys = keys_on(world, reply)
        is_repeat = trail.repeats(keys)
        if is_past:
            following = find_next_page(reply, query, request, trail)
            is_end = (is_repeat or not keys) and following is None
            return Walked(pages, records, repeats, is_end, True, size, on_first)
        if not pages:
            offered = find_larger_size(reply, query, request)
            size, on_first = offered.number if offered else 0, len(keys)
        pages += 1
        repeats += is_repeat
        records.update(keys)
        trail = trail.after(request, keys)
        following = find_next_page(reply, query, request, trail)
        if following is None and past:
            following = _page_past_end(reply, query, request, trail)
            is_past = following is not None
        if following is None:
            return Walked(pages, records, repeats, True, False, size, on_first)
        request = following.request
    return Walked(pages, records, repeats, has_stopped=False)


def _page_past_end(reply: Reply, query: Query, request: Request, trail: Trail) -> NextPage | None:
    pattern = find_url_pattern(reply, query, request, trail)
    return NextPage(pattern.request(trail.number + 1), "beyond") if pattern else None


def measure(
    profile: str,
    seeds: Sequence[int],
    sites: int,
    *,
    past: bool = False,
    languages: Sequence[str] = LANGUAGES,
) -> Iterator[Walk]:
    for seed in seeds:
        world = World(profile_named(profile), seed)
        for language in languages:
            chosen = list(sources(world, language, sites))
            for (estate, interface), *ways in product(chosen, PAGINGS, PAST_ENDS):
                found = asyncio.run(walk(world, estate, interface, (ways[0], ways[1]), past=past))
                if found is not None:
                    yield found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="dev")
    parser.add_argument("--seeds", nargs="+", type=int, default=[31])
    parser.add_argument("--sites", type=int, default=2)
    parser.add_argument("--past", action="store_true")
    options = parser.parse_args()
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for found in measure(options.profile, options.seeds, options.sites, past=options.past):
        ways = [found.paging, f"past {found.past_end}", found.language, "all"]
        for way in (*ways, "went past") if found.went_past else ways:
            (right if found.is_right else wrong)[way] += 1
        (right if found.is_sized else wrong)["size"] += 1
        if not (found.is_right and found.is_sized):
            print(found)
    counts = {w: {"right": right[w], "wrong": wrong[w]} for w in sorted({*right, *wrong})}
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
