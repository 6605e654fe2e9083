"""Gets to know a source and makes its policy: the one place that joins asking and policies."""

import time
from collections.abc import Callable, Sequence

import msgspec
from msgspec import structs

from leadline.config import Config
from leadline.core.harvest import Query, Trail, Turn
from leadline.core.http import Request
from leadline.core.kept import Harvest, Subject
from leadline.core.page import Page
from leadline.core.ports import Fetcher, Store
from leadline.errors import FetchError
from leadline.forms.submit import prepare, show_request, why_refused
from leadline.harvester.answers.reader import AnswerReader
from leadline.harvester.coverage import CoverageMonitor, count_held_matches
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.paging import find_larger_size, find_next_page
from leadline.harvester.policies import make_policy
from leadline.harvester.reply import Reply
from leadline.harvester.session.several import Opened, Opener
from leadline.harvester.session.site_reading import read_site
from leadline.harvester.session.source import PageTurning, WebSource
from leadline.harvester.session.submitting import Submitter
from leadline.harvester.session.survey_queries import run_survey
from leadline.harvester.session.surveying import KeptSurvey
from leadline.harvester.survey.describe import describe_form
from leadline.harvester.survey.site_words import interleave_words
from leadline.harvester.survey.survey import survey_source

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Interface).decode


def opener_of(config: Config, store: Store, fetcher: Fetcher) -> Opener:
    """Opens forms on the Web."""
    opening = _Opening(config, store, fetcher)
    return opening.open


class _Opening:
    """What all forms of a run have in common."""

    def __init__(self, config: Config, store: Store, fetcher: Fetcher) -> None:
        self._config = config
        self._store = store
        self._fetcher = fetcher

    async def open(
        self, harvest: Harvest, why_stop: Callable[[], str], *, is_dry: bool = False
    ) -> Opened | str:
        """As `Opener`: fetches the form's page, and surveys the source unless that was done."""
        subject = self._chosen(harvest.subject)
        if why := why_refused(subject.form, subject.searchable, self._config.submit):
            return f"refused: {why}"
        reader = AnswerReader(subject.form)
        if subject.reader:
            reader.restore(subject.reader)
        submitter = Submitter(self._fetcher, self._store.note, time.time)
        source = WebSource(
            *(subject.form, subject.searchable, self._fetcher, submitter, reader),
            PageTurning(_following, find_larger_size),
            settings=self._config.submit,
        )
        harvest = structs.replace(harvest, subject=subject)
        reply = await self._page(source, harvest, is_dry=is_dry)
        harvest = structs.replace(harvest, requests=harvest.requests + reply.response.requests)
        described = describe_form(source.form, reply.page, self._config.topic.keywords)
        if is_dry:
            return self._opened(harvest, source, reader, described)
        kept = KeptSurvey(
            *(source, self._store, harvest),
            reader_state=reader.state,
            why_stop=why_stop,
            now=time.time,
        )
        self._store.harvests.keep(harvest)
        if subject.interface:
            described = _decode(subject.interface)
        else:
            described = await self._surveyed(kept, source, described, reply.page)
            if kept.stopped:
                return kept.stopped
        opened = self._opened(kept.harvest, source, reader, described)
        return structs.replace(opened, known=kept.known)

    async def _surveyed(
        self, kept: KeptSurvey, source: WebSource, described: Interface, page: Page
    ) -> Interface:
        """What the form can be asked, by asking; kept unless the survey was told to stop. Where
        it found nothing at all, words of the site are added."""
        steps = survey_source(described, kept.harvest.subject.signature, page.language)
        found = (await run_survey(kept, steps)).interface
        if not kept.stopped and not self._store.harvests.tally(kept.harvest.id).records:
            further = await read_site(source.form, page, self._fetcher, kept.spend)
            found = structs.replace(found, words=interleave_words(found.words, further))
        if not kept.stopped:
            packed = structs.replace(kept.harvest.subject, interface=_encode(found))
            kept.harvest = structs.replace(kept.harvest, subject=packed)
            self._store.harvests.keep(kept.harvest)
        return found

    def _chosen(self, subject: Subject) -> Subject:
        """With the settings of this run: another policy goes on from the same outcomes."""
        settings = self._config.harvest
        packed = settings.model_dump_json().encode()
        return structs.replace(
            subject, policy=settings.policy, seed=settings.random_seed, settings=packed
        )

    async def _page(self, source: WebSource, harvest: Harvest, *, is_dry: bool) -> Reply:
        try:
            return await source.open()
        except FetchError as error:
            if not is_dry:
                spent = harvest.requests + error.requests
                self._store.harvests.keep(structs.replace(harvest, requests=spent))
            raise

    def _opened(
        self, harvest: Harvest, source: WebSource, reader: AnswerReader, interface: Interface
    ) -> Opened:
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

        return Opened(
            harvest,
            source,
            policy,
            holdings,
            reader.state,
            monitor=CoverageMonitor(interface, settings.stopping),
            count_matches=lambda query: count_held_matches(holdings, interface, query),
            sends=sends,
        )


def _following(
    reply: Reply, query: Query, asked: Request, turn: Turn | None, keys: Sequence[str]
) -> Turn | None:
    trail = turn.trail if turn is not None else Trail()
    return find_next_page(reply, query, asked, trail.after(asked, keys))
