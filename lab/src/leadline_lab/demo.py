"""`python -m leadline_lab.demo`: `leadline run` on a synthetic deep Web, the truth beside it."""

import asyncio
import shutil
import sys
from collections import defaultdict
from functools import partial
from pathlib import Path

from msgspec import Struct

from leadline.core.store import StoreView
from leadline.core.url import Url
from leadline.job import plan_job
from leadline.store.address import quote_address
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import RunOptions
from leadline.ui.cli.output import say, show, table
from leadline.ui.cli.run import watch_job
from leadline.views.stores import open_to_read
from leadline.views.text import shorten
from leadline_lab.databases.records import number_of_key, record, titles
from leadline_lab.profile import profile_named
from leadline_lab.server.running import serving_apart
from leadline_lab.server.serve import open_world
from leadline_lab.sites.querying import find_lexicon
from leadline_lab.truth import Truth
from leadline_lab.world import World

FOLDER = Path("demo-out")
PHRASE, DOMAIN = "books", "book"
PROFILE, SEED = "demo", 1
SEEDS = 12
DELAY_S = 0.2
"""A fifth of the default: all sites are ours, and a demo should not take two minutes."""
LONGEST_S = 50.0
MOST_REQUESTS = 20_000
PATIENCE_S = 3.0
"""With sites that never answer; the end of the demo waits for the last of them."""
_LIKELY = 0.5


_SHOWN = 4
"""Records shown beside the truth."""


class TrueRecord(Struct, frozen=True):
    """A record that was extracted, and the one of the database that it is."""

    title: str
    database: tuple[int, int]
    """Its site and its number there."""
    number: int


def make_flags(port: int, seeds: list[Url], folder: Path, delay_s: float) -> dict[str, object]:
    """Default settings, but for shorter pauses and the way to the demo's web."""
    return {
        "seeds": seeds,
        "store.path": str(folder / "books.leadline"),
        "budget.seconds": LONGEST_S,
        "budget.pages": MOST_REQUESTS,
        "web.first_byte_timeout_s": PATIENCE_S,
        "politeness.delay_s": delay_s,
        # All sites of the demo answer at one address of this machine.
        "politeness.sites_per_address": 0,
        "web.resolve": {"*": f"127.0.0.1:{port}"},
        "web.allow_private": True,
    }


def run_demo(
    folder: Path = FOLDER, delay_s: float = DELAY_S, requests: int = MOST_REQUESTS
) -> Exit:
    """Run the job on the demo's web into `folder`, which is made afresh."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    world = World(profile_named(PROFILE), SEED)
    out = str(folder / "books.sqlite")
    with serving_apart(partial(open_world, PROFILE, SEED)) as port:
        say(f"A synthetic deep Web of {world.census.sites:,} sites and {world.pages:,} pages is")
        say(f"served on 127.0.0.1:{port}, over real HTTP. What runs on it is the whole job:")
        say("")
        say(f'  leadline run "{PHRASE}" --seeds SEEDS --out {out}')
        say("")
        say(f"with {delay_s} s between two requests to one site (the default is 1 s), robots.txt")
        say("obeyed, one request at a time per site.")
        say("")
        flags = make_flags(port, world.seeds(DOMAIN, SEEDS), folder, delay_s)
        flags["budget.pages"] = requests
        plan = asyncio.run(plan_job(PHRASE, flags, out=out))
        code = watch_job(plan, RunOptions())
    if code is not Exit.INTERRUPTED:
        with open_to_read(plan.config.store.path) as store:
            _say_truth(store, world)
        say("\nto see it all in a browser:")
        command = Path(sys.executable).parent / "leadline"
        say(f"  {command} serve {quote_address(plan.config.store.path)} --open")
    return code


def _say_truth(store: StoreView, world: World) -> None:
    """What only a synthetic web can tell: which forms and records are what they seem."""
    truth = Truth(world)
    listed = [found for found in store.reader.forms() if found.judged.relevant >= _LIKELY]
    numbers = [truth.form(found.judged.form) for found in listed]
    right = sum(number is not None and DOMAIN in truth.domains_of(number) for number in numbers)
    say(f"\nby the truth of this web, {right} of the {len(listed)} accepted forms search books;")
    found = find_true_records(store, world)
    total = sum(store.harvests.tally(head.id).records for head in store.harvests.all())
    held: dict[tuple[int, int], set[int]] = defaultdict(set)
    for one in found:
        held[one.database].add(one.number)
    size = sum(world.estate(site).source(number).size for site, number in held)
    distinct = sum(map(len, held.values()))
    say(
        f"of the {total:,} records {len(found):,} are in their databases: {distinct:,} of the "
        f"{size:,} that these {len(held)} hold."
    )
    if not found:
        return
    say("some of them, beside what their databases hold:")
    cells = [
        (shorten(one.title, 40), shorten(describe_record(world, one), 100))
        for one in found[:: max(1, len(found) // _SHOWN)][:_SHOWN]
    ]
    show(table("", ("extracted title", "true record"), cells), sys.stderr)


def describe_record(world: World, one: TrueRecord) -> str:
    """What the database holds of it."""
    site, number = one.database
    estate = world.estate(site)
    held = record(estate.source(number), find_lexicon(estate, number), one.number)
    return ", ".join(f"{name}: {text}" for name, text in held.values.items())


def find_true_records(store: StoreView, world: World) -> list[TrueRecord]:
    """The records that are in the database behind their form: by their own page's address, or by
    their title if they have no page."""
    truth = Truth(world)
    found = []
    for head in store.harvests.all():
        number = truth.form(head.subject.form)
        if number is None or not truth.interface(number).schema:
            # A form that searches the site's own pages.
            continue
        site = truth.site_of(number)
        database = site, truth.interface(number).database
        by_title = number_titles(world, database)
        for stored in store.harvests.records(head.id):
            true = _find_by_page(world, site, stored.record.url)
            if true is None and by_title.get(stored.record.title):
                # Several records of one title are told apart by nothing: each is used once.
                true = by_title[stored.record.title].pop()
            if true is not None:
                found.append(TrueRecord(stored.record.title, database, true))
    return found


def number_titles(world: World, database: tuple[int, int]) -> dict[str, list[int]]:
    """The numbers of a database's records by their titles."""
    estate = world.estate(database[0])
    source = estate.source(database[1])
    everything = titles(source, find_lexicon(estate, database[1]), tuple(range(source.size)))
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, title in enumerate(everything):
        numbers[title].append(number)
    return numbers


def _find_by_page(world: World, site: int, url: Url | None) -> int | None:
    at = world.locate(url) if url else None
    if at is None or at.route is None or at.route.kind != "record" or at.estate.plan.site != site:
        return None
    return number_of_key(at.estate.source(at.route.number), at.route.name)


if __name__ == "__main__":
    sys.exit(run_demo())
