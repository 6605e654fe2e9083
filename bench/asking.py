"""How well forms are described and surveyed, on lab worlds whose truth is known.

    python bench/asking.py [--profile small] [--seeds 31 32] [--sites 60] [--http]

Every form of a database on the sites drawn is described, and each of its controls is compared with
what the lab made it for: a box, a menu, the end of a range, or something that only arranges. Then
it is surveyed, in process or over loopback HTTP. What kind of answer a page is, and which records
it shows, is told by the lab in headers, so that only asking is measured and not reading. The last
line is JSON.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from msgspec import structs

from bench.probe import drawn_sites, fetching, pages_of
from leadline.core.harvest import (
    NOTHING,
    RECORD,
    REFUSED,
    RESULTS,
    UNCLEAR,
    Answer,
    NextPage,
    Query,
    Record,
)
from leadline.core.http import Request
from leadline.core.page import Form, Page
from leadline.core.ports import Fetcher
from leadline.core.url import Url
from leadline.errors import FetchError
from leadline.forms.signature import signature
from leadline.forms.submit import why_refused
from leadline.harvester.interface import Interface
from leadline.harvester.reply import Reply
from leadline.harvester.session.source import FormSubmitter, PagingFunctions, WebSource
from leadline.harvester.session.stored_survey import run_survey
from leadline.harvester.survey.describe import describe_form
from leadline.harvester.survey.results import SurveyResult
from leadline.harvester.survey.survey import survey_source
from leadline.page import parse_page
from leadline_lab.databases.answer import Answer as LabAnswer
from leadline_lab.databases.answer import respond
from leadline_lab.databases.kinds import Behaviour
from leadline_lab.interfaces import SearchForm
from leadline_lab.profile import profile_named
from leadline_lab.reply import Reply as LabReply
from leadline_lab.sites import querying
from leadline_lab.truth import Truth
from leadline_lab.world import World

BELIEF = 0.99
_CHOSEN = ("select", "radio", "checkbox")
_HEADER = "x-lab-truth"


class TellingWorld(World):
    """A world that says in a header what it answered to a query."""

    def answer(self, request: Request, now: float = 0.0) -> LabReply:
        told: list[LabAnswer] = []

        def noted(*parts: Any, **named: Any) -> LabAnswer:
            told.append(respond(*parts, **named))
            return told[-1]

        vars(querying)["respond"] = noted
        try:
            reply = super().answer(request, now)
        finally:
            vars(querying)["respond"] = respond
        if not told:
            return reply
        shown = ",".join(map(str, told[-1].shown)) or "-"
        text = f"{told[-1].asks_again:d} {told[-1].matched} {shown}"
        return structs.replace(reply, headers=(*reply.headers, (_HEADER, text)))


class TruthfulReader:
    """Reads what the world says of its answers."""

    def take_nonsense(self, query: Query, reply: Reply) -> None:
        pass

    def read(self, query: Query, reply: Reply) -> Answer:  # noqa: ARG002 (the port's signature)
        response = reply.response
        if response.hops:
            return Answer(RECORD, (Record(response.url, "", ()),))
        asks_again, matched, shown = (response.header(_HEADER) or "0 - -").split(" ")
        if asks_again == "1" or response.status in (400, 403):
            return Answer(REFUSED)
        if shown == "-":
            return Answer(NOTHING if matched != "-" else UNCLEAR)
        records = tuple(Record(key, reply.page.title, ()) for key in shown.split(","))
        return Answer(RESULTS, records, int(matched), is_total_exact=True)


def _no_next_page(
    reply: Reply, query: Query, asked: Request, turn: NextPage | None, keys: Sequence[str]
) -> None:
    """A survey turns no pages."""


def uses_meant(form: Form, made: SearchForm) -> dict[str, str]:
    """What each control is for by the lab's truth; '' for those that only arrange."""
    kinds = {field.name: field.kind for field in form.fields}
    ends = {(to.partition(":")[0], to.partition(":")[2]) for to in made.bound.values()}
    found = dict.fromkeys((*made.settings, *filter(None, [made.scope])), "")
    for name, to in made.bound.items():
        base, _, end = to.partition(":")
        if end and {(base, "min"), (base, "max")} <= ends:
            found[name] = "span"
        else:
            found[name] = "menu" if kinds.get(name) in _CHOSEN else "box"
    return {name: use for name, use in found.items() if name in kinds}


def uses_said(interface: Interface) -> dict[str, str]:
    return {
        **{box.name: "box" for box in interface.boxes},
        **{menu.name: "menu" for menu in interface.menus},
        **{name: "span" for span in interface.spans for name in (span.low, span.high)},
    }


class Met(NamedTuple):
    """A form of a database, with the page it stands on and what is true of it."""

    form: Form
    page: Page
    made: SearchForm
    behaviour: Behaviour


def forms_met(world: World, sites: int) -> Iterator[Met]:
    """Each form of a database once."""
    truth, seen = Truth(world), set[int]()
    for site in drawn_sites(world, sites):
        for url in pages_of(world, site):
            reply = world.answer(Request(url), 0.0)
            page = parse_page(reply.body, Url(url), "text/html")
            for form in page.forms if reply.status == 200 else ():
                number = truth.form(form)
                if number is None or number in seen or not truth.interface(number).schema:
                    continue
                seen.add(number)
                interface = truth.interface(number)
                estate = world.estate(truth.site_of(number))
                source = estate.source(interface.database)
                yield Met(form, page, estate.search_forms[interface.number], source.behaviour)


def graded(met: Met) -> Counter[str]:
    """How far a description is right."""
    interface = describe_form(met.form, met.page)
    meant, said = uses_meant(met.form, met.made), uses_said(interface)
    wrong = [name for name, use in meant.items() if said.get(name, "") != use]
    counts = Counter({"forms": 1, "described": not wrong, "controls": len(meant)})
    counts["controls right"] = len(meant) - len(wrong)
    words = [name for name, to in met.made.bound.items() if to == "*"]
    counts["with a keyword box"] = bool(words)
    counts["keyword box first"] = (
        bool(words) and interface.boxes[:1] != () and (interface.boxes[0].name in words)
    )
    return counts


async def surveyed(fetcher: Fetcher, met: Met) -> SurveyResult:
    source = WebSource(
        met.form,
        BELIEF,
        fetcher,
        FormSubmitter(fetcher, lambda _event: None, lambda: 0.0),
        TruthfulReader(),
        PagingFunctions(_no_next_page),
    )
    page = (await source.open()).page
    interface = describe_form(source.form, page)
    return await run_survey(source, survey_source(interface, signature(met.form), page.language))


def judged(met: Met, found: SurveyResult) -> Counter[str]:
    """What a survey learned, against what is so."""
    findings, interface = found.findings, found.interface
    behaviour = met.behaviour
    empty = {"all": RESULTS, "nothing": NOTHING, "error": REFUSED}[behaviour.empty_query]
    counts = Counter({"surveyed": 1, "requests": findings.requests})
    counts["executable"] = findings.is_executable
    counts["found records"] = bool(interface.patterns)
    counts["empty right"] = findings.empty == empty
    is_plain = len(met.made.bound) == 1
    counts["lone boxes"] = is_plain
    counts["requests of lone boxes"] = findings.requests * is_plain
    if met.behaviour.min_length and behaviour.empty_query == "error" and is_plain:
        counts["with a least length"] = 1
        counts["length right"] = interface.min_length == (
            behaviour.min_length if behaviour.min_length > 2 else 0
        )
    return counts


async def measure(world: World, sites: int, *, over_http: bool, tell: bool = False) -> Counter[str]:
    counts: Counter[str] = Counter()
    async with fetching(world, over_http=over_http) as fetcher:
        for met in forms_met(world, sites):
            counts += graded(met)
            if why_refused(met.form, BELIEF):
                counts["refused by the gate"] += 1
                continue
            try:
                found = await surveyed(fetcher, met)
            except FetchError as error:
                counts[f"failed: {error.kind}"] += 1
                continue
            counts += judged(met, found)
            if tell and not found.findings.is_executable:
                print(met.form.page, met.made.style, found.findings.summary, met.behaviour)
    return counts


def figures(counts: Mapping[str, int]) -> dict[str, float]:
    def share(part: str, whole: str) -> float:
        return round(counts[part] / counts[whole], 4) if counts[whole] else 0.0

    return {
        **{name: number for name, number in counts.items() if name.startswith(("failed", "ref"))},
        "forms": counts["forms"],
        "described rightly": share("described", "forms"),
        "controls rightly": share("controls right", "controls"),
        "keyword box first": share("keyword box first", "with a keyword box"),
        "surveyed": counts["surveyed"],
        "executable": share("executable", "surveyed"),
        "found records": share("found records", "surveyed"),
        "empty query rightly": share("empty right", "surveyed"),
        "least length rightly": share("length right", "with a least length"),
        "requests": share("requests", "surveyed"),
        "requests of lone boxes": share("requests of lone boxes", "lone boxes"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="small")
    parser.add_argument("--seeds", nargs="+", type=int, default=[31, 32])
    parser.add_argument("--sites", type=int, default=60)
    parser.add_argument("--http", action="store_true", help="over loopback HTTP")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for seed in options.seeds:
        world = TellingWorld(profile_named(options.profile), seed)
        running = measure(world, options.sites, over_http=options.http, tell=options.verbose)
        total += asyncio.run(running)
    print(json.dumps(figures(total)))


if __name__ == "__main__":
    main()
