"""A made-up store of any size, for measuring who reads it: pages, forms, records.

It is written by the store's own transactions, 1,000 visits at a time, and read as any other.
"""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from leadline.config.runs import resolve_settings
from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Event,
    JudgedForm,
    Priority,
    SiteState,
    Visit,
)
from leadline.core.harvest import (
    RESULTS,
    Cell,
    Harvest,
    HarvestId,
    HarvestSource,
    Outcome,
    Query,
    Record,
    ResultPage,
    StoredQuery,
    StoredRecord,
)
from leadline.core.inbox import Label
from leadline.core.page import Field, Form, Option
from leadline.core.url import Site, Url
from leadline.frontier.seen_urls import text_hash
from leadline.harvester.interface import Box, Interface
from leadline.store import open_store
from leadline.store.batch import Batch, write
from leadline.store.harvests.rows import HarvestBatch, page_row, query_row, record_row
from leadline.store.inbox import open_inbox
from leadline.store.index import Arrival
from leadline.store.rows import to_signed
from leadline.store.sqlite_connection import connect

LINKS_A_PAGE = 5
SITES_SHARE = 0.05
"""Sites for each page."""
START = 1_700_000_000.0
BATCH = 1_000
PAGE_RECORDS, PAGES_A_QUERY = 20, 5
SEEN_BEFORE = 6
"""Of the records of a page, those that came before."""
HARVESTS = 20
LARGEST_SHARE = 0.7
"""Of all records, in the largest harvest."""
LABELS = 200
_OUTCOMES = ("page",) * 17 + ("duplicate", "timeout", "robots")
_WORDS = [f"{a}{b}{c}" for a in ("lo", "ka", "mi", "ter", "san") for b in "aeiou" for c in
          ("ra", "nd", "st", "le", "mo", "x", "vi", "pon")]  # fmt: skip
_FIELDS = (
    ("q", "Keywords"), ("title", "Title"), ("author", "Author"), ("isbn", "ISBN"),
    ("city", "City"), ("zip", "ZIP code"), ("price_min", "Price from"), ("price_max", "to"),
    ("year", "Year"), ("date", "Date"), ("make", "Make"), ("name", "Name"), ("lang", "Language"),
)  # fmt: skip


def make_store(path: Path, pages: int, forms: int, records: int, seed: int = 1) -> None:
    """Write the whole store."""
    open_store(path).close()
    chance = random.Random(seed)
    config, _ = resolve_settings(None, {"topic.name": "book", "strategy.name": "sitewise"})
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        first = Batch(saved={"config": config.model_dump_json().encode()})
        first.events = [Event(START, "started", "book", "sitewise")]
        write(connection, first)
        _write_crawl(connection, _Crawl(pages, forms, chance))
        _write_harvests(connection, records, chance)
        ended = Event(START + pages + 1, "stopped", detail="budget: pages")
        write(connection, Batch(events=[ended]))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        rows = connection.execute(f"SELECT signature FROM forms LIMIT {LABELS}").fetchall()
    verdicts = ("right", "wrong")
    open_inbox(path).label(
        [Label("form", name, chance.choice(verdicts), START, "book", 0.7) for (name,) in rows]
    )


class _Crawl:
    """Visits in batches, each with its links, its site's state and its forms."""

    def __init__(self, pages: int, forms: int, chance: random.Random) -> None:
        self.pages = pages
        self.forms = forms
        self._chance = chance
        self.sites = max(10, int(pages * SITES_SHARE))

    def batches(self) -> Iterator[Batch]:
        yield Batch(sites=[(number, self._site(number)) for number in range(self.sites)])
        for first in range(0, self.pages, BATCH):
            batch = Batch()
            for number in range(first, min(first + BATCH, self.pages)):
                self._visit(batch, number)
            batch.events.append(_sample(START + first, first))
            yield batch

    def _site(self, number: int) -> Site:
        return Site(f"{_WORDS[number % len(_WORDS)]}-{number}.example")

    def _visit(self, batch: Batch, number: int) -> None:
        chance = self._chance
        site = int(self.sites * chance.random() ** 2)
        for link in range(LINKS_A_PAGE):
            self._arrive(batch, number * LINKS_A_PAGE + link + 1, site, number)
        id_ = CandidateId(number * LINKS_A_PAGE + 1)
        url = batch.arrivals[id_].candidate.url
        is_new = number * self.forms // self.pages != (number + 1) * self.forms // self.pages
        forms = [_judged(number, url, chance)] if is_new else []
        name = self._site(site)
        visit = Visit(
            *(id_, url, name, chance.choice(_OUTCOMES), START + number, 200),
            final_url=Url(f"{url}/end") if number % 20 == 0 else None,
            size_bytes=20_000,
            title=" ".join(chance.choices(_WORDS, k=6)),
            language=chance.choice(("en", "de", "fr", "")),
            relevance=chance.random(),
            forms=sum(form.relevant >= 0.5 for form in forms),
            digest=number + 1,
        )
        batch.visits[id_] = visit, site
        closed = "20 pages brought no new form (SC5)" if chance.random() < 0.05 else ""
        batch.states[site] = SiteState(name, 1 + number % 50, len(forms), 1, 0, closed=closed)
        batch.site_ranks[site] = Priority(0, chance.random())
        batch.forms += [(form, site, visit, "book") for form in forms]
        if number % 10 == 0:
            batch.events.append(Event(visit.at, "busy", name, "429"))

    def _arrive(self, batch: Batch, id_: int, site: int, visit: int) -> None:
        name = self._site(site)
        parent = CandidateId((visit // 7) * LINKS_A_PAGE + 1) if visit else None
        skip = "a list page" if id_ % LINKS_A_PAGE == 0 else ""
        url = Url(f"http://{name}/{id_}/{_WORDS[id_ % len(_WORDS)]}")
        why = Priority(0, 0.5, "by its words")
        text = " ".join(self._chance.choices(_WORDS, k=3))
        candidate = Candidate(url, name, why, 1, parent, text, "a b\tc d", "body/p", skip=skip)
        rank = -1 if skip else 1
        batch.arrivals[CandidateId(id_)] = Arrival(
            id=CandidateId(id_), candidate=candidate, hash=text_hash(url), site=site, rank=rank
        )


def _sample(at: float, visits: int) -> Event:
    queues = {"high": visits % 997, "low": 3 * visits % 7_919}
    return Event(
        at, "sample", detail=json.dumps({"visits": visits, "pages": visits, "queues": queues})
    )


def _judged(number: int, page: Url, chance: random.Random) -> JudgedForm:
    chosen = chance.sample(_FIELDS, k=chance.randint(1, 7))
    options = tuple(Option(str(n), f"{chance.choice(_WORDS)} {n}") for n in range(20))
    fields = [Field(name, "text", label=label, label_source="for") for name, label in chosen]
    fields.append(Field("cat", "select", label="Category", options=options))
    text = " ".join(chance.choices(_WORDS, k=30))
    form = Form(page, Url(f"{page}/search"), "get", tuple(fields), text=f"Search {text}")
    # Real signatures of so many forms of so few kinds would be the same.
    name = f"{text_hash(str(number)):016x}"
    return JudgedForm(form, name, chance.random(), chance.random(), "words of searching")


def _write_crawl(connection: sqlite3.Connection, crawl: _Crawl) -> None:
    for batch in crawl.batches():
        write(connection, batch)


def _write_harvests(connection: sqlite3.Connection, records: int, chance: random.Random) -> None:
    rows = connection.execute(f"SELECT signature, judged FROM forms LIMIT {HARVESTS}").fetchall()
    forms = [(name, msgspec.msgpack.decode(judged, type=JudgedForm)) for name, judged in rows]
    rest = max(1, len(forms) - 1)
    for at, (name, judged) in enumerate(forms):
        share = LARGEST_SHARE if not at else (1 - LARGEST_SHARE) / rest
        interface = msgspec.msgpack.encode(Interface(boxes=(Box("q"),)))
        subject = HarvestSource(name, Site("a.example"), judged.form, 0.9, "yield_per_cost")
        subject = msgspec.structs.replace(subject, interface=interface, settings=b"{}")
        head = Harvest(HarvestId(at + 1), subject, START, reason="budget: requests")
        batch = Batch()
        batch.harvests.heads[head.id] = head
        write(connection, batch)
        _write_harvest(connection, head.id, int(records * share), chance)


def _write_harvest(
    connection: sqlite3.Connection, harvest: HarvestId, records: int, chance: random.Random
) -> None:
    held = number = 0
    while held < records:
        batch = Batch()
        for _ in range(50):
            number += 1
            held = _ask(batch.harvests, harvest, number, held, chance)
        write(connection, batch)


def _ask(
    batch: HarvestBatch, harvest: HarvestId, number: int, held: int, chance: random.Random
) -> int:
    """One query of some pages; records held then."""
    before, query = held, Query.of(q=f"word{number}")
    asked = StoredQuery(number, query, START + number, 60.0, 5.0, "a frequent word")
    batch.queries.append(query_row(harvest, asked))
    for page in range(1, PAGES_A_QUERY + 1):
        known = [chance.randrange(held) for _ in range(SEEN_BEFORE)] if held else []
        fresh = range(held, held + PAGE_RECORDS - len(known))
        keys = tuple(text_hash(f"{harvest}/{n}") for n in (*fresh, *known))
        shown = ResultPage(number, page, START + number, RESULTS, keys=keys, fresh=len(fresh))
        batch.pages.append(page_row(harvest, shown))
        for position, n in enumerate(fresh, start=1):
            kept = StoredRecord(harvest, 0, _record(n), number, page, position, START + number)
            batch.records.append(record_row(kept, to_signed(text_hash(f"{harvest}/{n}"))))
        held += len(fresh)
    got = PAGE_RECORDS * PAGES_A_QUERY
    outcome = Outcome(query, RESULTS, got, held - before, None, False, PAGES_A_QUERY, PAGES_A_QUERY)
    batch.outcomes[harvest, number] = outcome
    return held


def _record(number: int) -> Record:
    words = [_WORDS[number * step % len(_WORDS)] for step in (3, 7, 11, 13, 17, 19, 23, 29)]
    cells = (Cell("title", " ".join(words[:5])), Cell("by", " ".join(words[5:])), Cell("n", "1900"))
    return Record(f"/r/{number}", " ".join(words[:5]), cells, Url(f"http://a.example/r/{number}"))
