"""A small made-up store to look at: a crawl of hostile pages, and one harvest."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from leadline.config import load_config
from leadline.core.crawl import Budget, Candidate, Event, JudgedForm, Priority, SiteState, Visit
from leadline.core.harvest import (
    OPEN,
    RESULTS,
    Cell,
    Harvest,
    HarvestSource,
    Outcome,
    Query,
    Record,
    ResultPage,
    StoredQuery,
)
from leadline.core.page import Field, Form, Option
from leadline.core.store import Completion, Delivery
from leadline.core.url import Site, Url
from leadline.forms.signature import signature
from leadline.harvester.interface import Box, Interface
from leadline.store import open_store

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
SITES = 6
VISITS = 60
FORMS = 12
QUERIES = 20
RECORDS_A_QUERY = 8
START = 1_700_000_000.0


def site(number: int) -> Site:
    return Site(f"s{number % SITES}.test")


def url(number: int) -> Url:
    return Url(f"http://{site(number)}/{number}")


def form(number: int) -> Form:
    """Forms of even numbers search alike on their sites."""
    names = ("q", "author") if number % 2 else ("q", "title")
    fields = [
        Field(name, "text", label=f"{name} {HOSTILE if number == 1 else ''}") for name in names
    ]
    menu = Field("genre", "select", label="Genre", options=(Option("1", "Poetry"), Option("2", "")))
    page = url(number)
    return Form(
        page,
        Url(f"http://{site(number)}/find{number}"),
        "get",
        (*fields, menu, Field("s", "hidden")),
        (Field("go", "submit", value="Search"),),
        text=f"Search our books {HOSTILE}",
    )


def judged(number: int) -> JudgedForm:
    made = form(number)
    relevant = 0.95 - 0.08 * number
    return JudgedForm(made, signature(made), searchable=0.97, relevant=relevant, why=HOSTILE)


Place = TypeVar("Place", Path, str)


def harmful() -> JudgedForm:
    """One that logs people in."""
    fields = (Field("user", "text"), Field("secret", "password"), Field("go", "submit"))
    made = Form(url(0), Url(f"http://{site(0)}/login"), "post", fields)
    return JudgedForm(made, signature(made), searchable=0.9, relevant=0.9)


def make_store(path: Place, *, visits: int = VISITS, further: Sequence[JudgedForm] = ()) -> Place:
    """A store that was crawled and stopped by its budget; the first page has further forms."""
    store: Any = open_store(path)
    settings = {"topic.name": "book", "strategy.name": "breadth_first"}
    config, _ = load_config(settings=settings)
    store.save("config", config.model_dump_json().encode())
    store.note(Event(START - 1, "started", "book", "breadth_first"))
    store.links.put([_candidate(number) for number in range(visits + 5)])
    for number in range(visits):
        visit_next(store, number, further=() if number else further)
    store.run.stop("budget: pages")
    store.note(Event(START + visits + 1, "stopped", detail="budget: pages"))
    harvest(store)
    store.close()
    return path


def _candidate(number: int) -> Candidate:
    return Candidate(
        url(number),
        site(number),
        Priority(0, -float(number), "in order"),
        anchor=f"to {number} {HOSTILE}",
        skip="made to be skipped" if number % 20 == 19 else "",
    )


def visit_next(
    store: Any, number: int, topic: str = "book", further: Sequence[JudgedForm] = ()
) -> Visit | None:
    """Visit what is next; every fifth visit fails, every ninth is redirected."""
    store.run.begin(Budget())
    leases = store.links.lease("maker", sites=1, urls=1, for_s=math.inf)
    if not leases:
        return None
    (lease,) = leases[0].leases
    fails = number % 5 == 4
    forms = [judged(number), *further] if number < FORMS and not fails else []
    visit = Visit(
        lease.id,
        lease.candidate.url,
        lease.candidate.site,
        "timeout" if fails else "page",
        START + number,
        status=0 if fails else 200,
        final_url=Url(f"http://{site(number)}/end/{number}") if number % 9 == 8 else None,
        size_bytes=1_000,
        title=f"Page {number} {HOSTILE}",
        language="en" if number % 2 else "fr",
        relevance=0.6,
        forms=sum(one.relevant >= 0.5 for one in forms),
        digest=number + 1,
    )
    state = SiteState(lease.candidate.site, pages=number + 1, forms=len(forms), errors=int(fails))
    events = [Event(visit.at, "busy", lease.candidate.site, HOSTILE)] if fails else []
    events.append(_sample(visit.at, number))
    done = Completion(visit, state, (), tuple(forms), tuple(events), topic=topic)
    store.links.deliver([Delivery(leases[0], (done,))])
    return visit


def _sample(at: float, visits: int) -> Event:
    told = {"visits": visits, "pages": visits, "queues": {"waiting": 100 - visits}}
    return Event(at, "sample", detail=json.dumps(told))


def harvest(store: Any) -> Harvest:
    """Of the first form: its last query is not finished."""
    interface = msgspec.msgpack.encode(Interface(boxes=(Box("q"),)))
    first = judged(0)
    subject = HarvestSource(first.signature, site(0), first.form, 0.97, "yield_per_cost")
    subject = msgspec.structs.replace(subject, interface=interface, settings=b"{}")
    head: Harvest = store.harvests.begin(subject, START + 100)
    for number in range(1, QUERIES + 1):
        ask(store, head, number, is_last=number == QUERIES)
    store.harvests.keep(msgspec.structs.replace(head, state=OPEN, reason="budget: requests"))
    store.note(Event(START + 200, "harvest-stopped", first.signature, "budget: requests"))
    store.flush()
    return head


def ask(store: Any, head: Harvest, number: int, *, is_last: bool = False) -> None:
    """Each query brings six records that the one before it did not, and two that it did."""
    asked = StoredQuery(
        number, Query.of(q=f"word{number}"), START + 100 + number, 5.0, 1.0, HOSTILE
    )
    store.harvests.begin_query(head.id, asked)
    records = [_record(6 * number + n) for n in range(RECORDS_A_QUERY)]
    page = store.harvests.add_page(
        head.id, ResultPage(number, 1, asked.at, RESULTS, url(0), total=500), records
    )
    if not is_last:
        outcome = Outcome(asked.query, RESULTS, len(records), page.fresh, 500, True, 1, 1)
        store.harvests.end_query(head.id, number, outcome)


def _record(number: int) -> Record:
    cells = (Cell("title", f"Book {number} {HOSTILE}"), Cell("year", str(1900 + number)))
    return Record(
        f"http://s0.test/r/{number}", f"Book {number}", cells, Url(f"http://s0.test/r/{number}")
    )
