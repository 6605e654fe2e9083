"""Sources of the lab asked through their sites' own templates, with the truth beside the page."""

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from msgspec import structs

from leadline.core.harvest import Query
from leadline.core.http import Hop, Request, Response
from leadline.core.page import Form
from leadline.core.url import Url, canonical
from leadline.forms.submit import Submission, prepare
from leadline.harvester.reply import Reply, reply_of
from leadline.page.parse import parse_page
from leadline_lab.databases.answer import Answer, respond
from leadline_lab.databases.index import Index
from leadline_lab.databases.kinds import Source
from leadline_lab.databases.records import key_of_record
from leadline_lab.databases.truth import Postings
from leadline_lab.markup.model import PageModel
from leadline_lab.schemas import DOMAIN_OF
from leadline_lab.sites.estate import Estate
from leadline_lab.sites.querying import lexicon_of
from leadline_lab.world import World

_UNFIT = {"dead", "failing", "sessions", "slow"}
_SIZE = 1_200


class Asked(NamedTuple):
    """One answer: as it came, and as it was meant."""

    query: Query
    reply: Reply
    truth: Answer


class LabSource:
    """A database of a world whose behaviour the test decides."""

    def __init__(self, world: World, estate: Estate, number: int) -> None:
        self._world = world
        self._estate = estate
        self._number = number
        self.form = _form(world, estate, number)
        bound = estate.search_forms[number].bound
        self.box = next((name for name, target in bound.items() if target == "*"), "")

    @property
    def is_fit(self) -> bool:
        """Whether it has a keyword box, may be asked, and answers always."""
        if self.form is None or _UNFIT.intersection(self._estate.plan.traps):
            return False
        return self.box != "" and isinstance(prepare(self.form, {self.box: "x"}, 1.0), Submission)

    def behave(self, **behaviour: Any) -> None:
        database = self._estate.plan.interfaces[self._number].database
        source = self._estate.source(database)
        habits = structs.replace(source.behaviour, token_s=0, cap=0, **behaviour)
        changed = structs.replace(source, size=min(_SIZE, source.size), behaviour=habits)
        self._estate._sources[database] = changed  # the one place where a source is decided
        self.source: Source = changed
        self.form = _form(self._world, self._estate, self._number)
        schema = self._estate.plan.interfaces[self._number].schema
        topic = DOMAIN_OF.get(schema) or self._estate.plan.population.topic
        self._index = Index(changed, lexicon_of(topic))

    def words(self) -> list[str]:
        """Some that find many records, some that find few, one that finds a single one."""
        known = Postings(self._index)
        counts = {word: known[word] for word in list(known)[:400] if len(word) > 3}
        picks = (100, 25, 12, 6, 3, 2, 1)
        return [min(counts, key=lambda word: (abs(counts[word] - n), word)) for n in picks]

    def ask(self, text: str) -> Asked:
        assert self.form is not None
        filled = prepare(self.form, {self.box: text}, 1.0)
        assert isinstance(filled, Submission)
        response = _fetched(self._world, filled.request)
        return Asked(Query.of(**{self.box: text}), reply_of(response), self._truth(filled.request))

    def keys(self, truth: Answer) -> list[str]:
        """The addresses of the records that an answer shows."""
        database = self._estate.plan.interfaces[self._number].database
        paths = self._estate.paths
        names = (key_of_record(self.source, number) for number in truth.shown)
        root = f"{self._estate.root}/"
        return [str(canonical(paths.record(database, name), root)) for name in names]

    def _truth(self, request: Request) -> Answer:
        located = self._world.locate(request.url)
        assert located is not None
        form = self._estate.search_forms[self._number]
        texts = (located.query, request.body.decode())
        pairs = [pair for text in texts for pair in parse_qsl(text, keep_blank_values=True)]
        parameters = dict(reversed(pairs))
        return respond(
            self._index,
            form.bound_by(parameters),
            parameters,
            action="",
            record_url=str,
            now=0.0,
            settings=form.settings,
        )


def sources(world: World, wanted: int) -> Iterator[LabSource]:
    """Those with a keyword box, over the sites of the world."""
    found = 0
    populations = [p for p in world.census.populations if p.schemas]
    for turn in range(50):
        for population in populations:
            if turn >= population.sites or found >= wanted:
                continue
            estate = world.estate(population.first + turn)
            for interface in estate.plan.interfaces[:1]:
                if interface.schema:
                    source = LabSource(world, estate, interface.number)
                    if source.is_fit:
                        found += 1
                        yield source


def _form(world: World, estate: Estate, number: int) -> Form | None:
    """The form as a page of its site shows it."""
    frame = world._frame(estate.plan.site)
    body = estate.template.page(frame, PageModel("", (estate.shown(number),)))
    page = parse_page(body, Url(f"{estate.root}/form"), "text/html")
    names = set(estate.search_forms[number].bound)
    action = estate.paths.action(number).partition("?")[0]
    fit = (
        form
        for form in page.forms
        if form.action and action in form.action and names & {f.name for f in form.fields}
    )
    return next(fit, None)


def _fetched(world: World, request: Request) -> Response:
    hops: list[Hop] = []
    while True:
        reply = world.answer(request)
        location = reply.header("location")
        target = canonical(location, request.url) if location else None
        if target is None:
            headers = reply.headers
            return Response(request.url, reply.status, headers, reply.body, 0.0, hops=tuple(hops))
        hops.append(Hop(request.url, reply.status, location))
        request = Request(target)
