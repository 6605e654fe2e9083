"""Opens one source: asks for its form's page, surveys it once, and makes its policy."""

import time
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from msgspec import structs

from leadline.config import Config
from leadline.core.harvest import (
    Harvest,
    NextPage,
    Query,
    Trail,
)
from leadline.core.http import Request
from leadline.core.page import Page
from leadline.core.ports import Fetcher
from leadline.core.store import SessionStore
from leadline.errors import FetchError
from leadline.forms.query import make_nonsense
from leadline.forms.submit import prepare, show_request, why_refused
from leadline.harvester.answers.data_records import find_data_total
from leadline.harvester.answers.data_tree import read_data
from leadline.harvester.answers.reader import AnswerReader
from leadline.harvester.coverage import CoverageMonitor, count_held_matches
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.paging import find_larger_size, find_next_page
from leadline.harvester.paging.data_pages import DataAnswer, find_next_data_page
from leadline.harvester.policies import make_policy
from leadline.harvester.reply import Reply
from leadline.harvester.session.pool import SourceOpener
from leadline.harvester.session.retries import (
    BudgetedFetcher,
)
from leadline.harvester.session.session import OpenedSource
from leadline.harvester.session.source import FormSubmitter, PagingFunctions, WebSource
from leadline.harvester.session.stored_survey import StoredSurvey, read_site_words, run_survey
from leadline.harvester.survey.describe import describe_form
from leadline.harvester.survey.site_words import interleave_words
from leadline.harvester.survey.survey import survey_source

MakeOpener = Callable[[Config, SessionStore, Fetcher], SourceOpener]
ANSWER_TYPES = (
    "application/json",
    "application/ld+json",
    "application/x-ndjson",
    "application/xml",
    "text/xml",
    "application/rss+xml",
    "application/atom+xml",
    "text/plain",
)
"""Content types of answers that are read beside those of pages."""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Interface).decode


def make_submitter(config: Config, fetcher: Fetcher, store: SessionStore) -> FormSubmitter:
    """Logs to the store, and takes answers that are data as well as pages."""
    types = config.web.accept_types
    return FormSubmitter(
        fetcher, store.note, time.time, accept=(*types, *ANSWER_TYPES) if types else ()
    )


def make_opener(config: Config, store: SessionStore, fetcher: Fetcher) -> SourceOpener:
    """Opens forms on the Web."""
    return FormOpener(config, store, fetcher).open


class FormOpener:
    """Surveys sources and makes their policies: the one place that joins asking and policies."""

    def __init__(self, config: Config, store: SessionStore, fetcher: Fetcher) -> None:
        self._config = config
        self._store = store
        self._fetcher = fetcher

    async def open(
        self, harvest: Harvest, why_stop: Callable[[], str], *, is_dry: bool = False
    ) -> OpenedSource | str:
        """Fetches the form's page, and surveys the source unless that was done."""
        settings = self._config.harvest
        # With the settings of this run: another policy continues from the same outcomes.
        subject = structs.replace(
            harvest.subject,
            policy=settings.policy,
            seed=settings.random_seed,
            settings=settings.model_dump_json().encode(),
        )
        if why := why_refused(subject.form, subject.searchable, self._config.submit):
            return f"refused: {why}"
        reader = AnswerReader(subject.form)
        if subject.reader:
            reader.restore(subject.reader)
        harvests = self._store.harvests
        fetcher: Fetcher = self._fetcher
        if not is_dry:
            most = settings.max_requests or None
            fetcher = BudgetedFetcher(fetcher, most, lambda: harvests.tally(harvest.id).requests)
        submitter = make_submitter(self._config, fetcher, self._store)
        source = WebSource(
            *(subject.form, subject.searchable, fetcher, submitter, reader),
            PagingFunctions(find_page_after, find_larger_size),
            settings=self._config.submit,
        )
        harvest = structs.replace(harvest, subject=subject)
        try:
            reply = await source.open()
        except FetchError as error:
            if not is_dry:
                spent = harvest.requests + error.requests
                self._store.harvests.keep(structs.replace(harvest, requests=spent))
            raise
        harvest = structs.replace(harvest, requests=harvest.requests + reply.response.requests)
        described = describe_form(source.form, reply.page, self._config.topic.keywords)
        if is_dry:
            return self._assemble(harvest, source, reader, described)
        survey = StoredSurvey(
            *(source, self._store, harvest),
            reader_state=reader.state,
            why_stop=lambda: why_stop() or source.why_scripted,
            now=time.time,
        )
        self._store.harvests.keep(harvest)
        if subject.interface:
            described = _decode(subject.interface)
        else:
            described = await self._survey(survey, source, described, reply.page, fetcher)
            if survey.stopped:
                return survey.stopped
        opened = self._assemble(survey.harvest, source, reader, described)
        relearn = partial(_relearn, source, reader, described)
        return structs.replace(opened, known=survey.known, relearn=relearn)

    async def _survey(
        self,
        survey: StoredSurvey,
        source: WebSource,
        described: Interface,
        page: Page,
        fetcher: Fetcher,
    ) -> Interface:
        """What the form can be asked, learned by asking; stored unless the survey had to stop. If
        it found nothing at all, words of the site are added."""
        steps = survey_source(described, survey.harvest.subject.signature, page.language)
        found = (await run_survey(survey, steps)).interface
        if not survey.stopped and not self._store.harvests.tally(survey.harvest.id).records:
            further = await read_site_words(source.form, page, fetcher, survey.spend)
            found = structs.replace(found, words=interleave_words(found.words, further))
        if not survey.stopped:
            packed = structs.replace(survey.harvest.subject, interface=_encode(found))
            survey.harvest = structs.replace(survey.harvest, subject=packed)
            self._store.harvests.keep(survey.harvest)
        return found

    def _assemble(
        self, harvest: Harvest, source: WebSource, reader: AnswerReader, interface: Interface
    ) -> OpenedSource:
        holdings, settings = Holdings(), self._config.harvest
        policy = make_policy(
            settings.policy, interface, holdings, settings=settings.own, seed=settings.random_seed
        )

        def sends(query: Query) -> str:
            values = dict(query.values)
            subject = harvest.subject
            return show_request(
                prepare(source.form, values, subject.searchable, self._config.submit)
            )

        return OpenedSource(
            harvest,
            source,
            policy,
            holdings,
            reader.state,
            monitor=CoverageMonitor(interface, settings.stopping),
            count_matches=lambda query: count_held_matches(holdings, interface, query),
            sends=sends,
            type_words=interface.make_text_query if interface.boxes else None,
        )


async def _relearn(
    source: WebSource,
    reader: AnswerReader,
    interface: Interface,
) -> int:
    """Learns anew how the source answers: its form's page, and what nonsense gets; the requests
    that took. What the reader knew of the old layout is forgotten."""
    reader.restore(AnswerReader(source.form).state())
    spent = 0
    try:
        spent += (await source.open()).response.requests
        box = next(iter(interface.boxes), None)
        for turn in range(2 if box else 0):
            word = make_nonsense(f"anew {source.form.page}", turn, box.max_length if box else 0)
            spent += (await source.ask_nonsense(interface.make_text_query(word))).requests
    except FetchError as error:
        spent += error.requests
    return spent


def find_page_after(
    reply: Reply, query: Query, asked: Request, turn: NextPage | None, keys: Sequence[str]
) -> NextPage | None:
    trail = (turn.trail if turn is not None else Trail()).after(asked, keys)
    found = find_next_page(reply, query, asked, trail, len(keys))
    if found is not None:
        return found
    tree = read_data(reply.response.body, reply.response.header("content-type"))
    if tree is None:
        return None
    total = find_data_total(tree, len(keys))
    return find_next_data_page(DataAnswer(tree, asked, len(keys), total), trail)
