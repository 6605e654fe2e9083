"""A database behind a form on the Web, asked as a visitor would ask it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct, structs

from leadline.core.harvest import REFUSED, RESULTS, UNCLEAR, Answer, Query, Turn
from leadline.core.http import Request, Response
from leadline.core.page import Form
from leadline.core.ports import Fetcher
from leadline.errors import FetchError, SiteBusyError
from leadline.forms.form_data import make_empty_query
from leadline.forms.settings import SubmitSettings
from leadline.forms.submit import (
    SearchableChance,
    Submission,
    SubmissionRefusal,
    prepare,
    prepare_page,
)
from leadline.harvester.paging import MAX_SIZE, PageSize
from leadline.harvester.reply import Reply, reply_of
from leadline.harvester.session.submitting import Submitter
from leadline.harvester.survey.renewal import (
    UNANSWERED,
    Renewal,
    is_renewed,
    same_form,
    with_renewed,
)

_DEFAULTS = SubmitSettings()
_SHORT_REST_S = 30.0
"""Pauses a busy site asks for that are sat out here: what a fetcher holds a request back for."""


class Reader(Protocol):
    """Tells what a reply says to a query; learns from what nonsense gets."""

    def take_nonsense(self, query: Query, reply: Reply) -> None: ...

    def read(self, query: Query, reply: Reply) -> Answer:
        """The answer, but for how to turn the page."""
        ...


class Paging(Protocol):
    """Finds the way to the next page of an answer."""

    def __call__(
        self, reply: Reply, query: Query, asked: Request, turn: Turn | None, keys: Sequence[str]
    ) -> Turn | None:
        """`asked` brought the reply, by way of `turn` if it is no first page; `keys` are those of
        the records on it."""
        ...


class Enlarging(Protocol):
    """Finds the same answer on larger pages."""

    def __call__(self, reply: Reply, query: Query, asked: Request) -> PageSize | None: ...


class PageTurning(Struct, frozen=True):
    """How the pages of answers are had."""

    following: Paging
    larger: Enlarging | None = None
    """Without it pages stay as small as they come."""


class _Asked:
    """What one query or turn has brought so far, and what it cost."""

    def __init__(self, query: Query, turn: Turn | None = None) -> None:
        self.query = query
        self.turn = turn
        self.requests = 0
        self.request: Request | None = None
        self.reply: Reply | None = None


class WebSource:
    """Implements the Source port over HTTP.

    Guarantees: nothing is sent but what `forms.submit` allows, each sending logged before; hidden
    values go back as the form's page has them at this time; a query that is refused because they
    ran out is asked once more with fresh ones, and what that cost is counted in its answer. What
    must not be sent is a refused answer that cost nothing. Not to be asked twice at a time.
    """

    def __init__(
        self,
        form: Form,
        searchable: SearchableChance,
        fetcher: Fetcher,
        submitter: Submitter,
        reader: Reader,
        turning: PageTurning,
        settings: SubmitSettings = _DEFAULTS,
    ) -> None:
        self.form = form
        """As its page had it last."""
        self._page = form.page
        self._searchable = searchable
        self._fetcher = fetcher
        self._submitter = submitter
        self._reader = reader
        self._paging = turning.following
        self._enlarging = turning.larger
        self._settings = settings
        self._renewal = Renewal()
        self._is_fresh = False
        """Nothing was sent since the form's page was fetched: fetching it again changes nothing."""
        self._is_volatile = False
        """The form had other hidden values when its page was fetched again."""

    async def open(self) -> Reply:
        """Fetch the form's page: for its cookies, its hidden values, and what is to be read on it.

        Raises FetchError when it cannot be had. A page without the form changes nothing.
        """
        reply = reply_of(await self._fetcher.fetch(Request(self._page, is_session=True)))
        found = same_form(reply.page, self.form)
        if found is not None:
            self._is_volatile |= is_renewed(self.form, found)
            self.form = found
        self._is_fresh = True
        return reply

    async def ask(self, query: Query) -> Answer:
        """The first page of the answer. An empty query leaves the form as it is."""
        asked = _Asked(query)
        answer = await self._answer(asked, partial(self._prepared, query))
        return await self._enlarged(asked, answer)

    async def _enlarged(self, asked: _Asked, answer: Answer) -> Answer:
        """The answer on larger pages, where it has several and its page offers larger ones: the
        second request would have gone to its second page. What brings no more is not tried again.
        """
        request = self._larger(asked, answer)
        if request is None:
            return answer
        try:
            larger = await self._sent(asked, self._prepared_page(request, self.form))
        except FetchError:
            larger = None
        if larger is not None and len(larger.records) > len(answer.records):
            return larger
        self._enlarging = None
        return structs.replace(answer, requests=asked.requests)

    def _larger(self, asked: _Asked, answer: Answer) -> Request | None:
        reply, request = asked.reply, asked.request
        if self._enlarging is None or answer.turn is None or reply is None or request is None:
            return None
        size = self._enlarging(reply, asked.query, request)
        if size is None:
            return None
        # All at once may be any number of them.
        number = size.number or answer.total or 0
        return size.request if len(answer.records) < number <= MAX_SIZE else None

    async def ask_nonsense(self, query: Query) -> Answer:
        """The same for a query that nothing can match: the reader learns from what it gets.

        As a reader that was not taught yet cannot tell whether hidden values ran out, those that
        change are renewed beforehand.
        """
        asked = _Asked(query)
        if self._is_volatile and not self._is_fresh:
            await self._renewed(asked)
        unsent = await self._send(asked, self._prepared(query))
        if asked.reply is not None:
            self._reader.take_nonsense(query, asked.reply)
        return unsent or self._read(asked)

    async def turn(self, query: Query, turn: Turn) -> Answer:
        """A further page, as an earlier one offered it."""
        return await self._answer(
            _Asked(query, turn), partial(self._prepared_page, turn.request, self.form)
        )

    def _prepared(self, query: Query) -> Submission | SubmissionRefusal:
        values = dict(query.values) or make_empty_query(self.form)
        return prepare(self.form, values, self._searchable, self._settings)

    def _prepared_page(self, request: Request, before: Form) -> Submission | SubmissionRefusal:
        """`before`: the form as it was when the request was offered."""
        request = with_renewed(request, before, self.form)
        return prepare_page(self.form, request, self._searchable, self._settings)

    async def _answer(
        self, asked: _Asked, prepared: Callable[[], Submission | SubmissionRefusal]
    ) -> Answer:
        if asked.turn is None and self._renewal.is_due:
            await self._renewed(asked)
            self._renewal.restart()
        is_fresh = self._is_fresh and asked.turn is None
        answer = await self._sent(asked, prepared())
        # Pages that are turned by links use up no hidden values.
        is_counted = asked.turn is None or answer.kind in UNANSWERED
        is_wanted = asked.reply is not None and is_counted and self._renewal.take(answer.kind)
        if not is_wanted or is_fresh:
            return answer
        if await self._renewed(asked):
            answer = await self._sent(asked, prepared())
            self._renewal.judge(has_helped=answer.kind not in UNANSWERED)
            return answer
        self._renewal.judge(has_helped=False)
        return structs.replace(answer, requests=asked.requests)

    async def _renewed(self, asked: _Asked) -> bool:
        """Fetch the form anew; whether that can make a difference."""
        before = self.form
        try:
            reply = await self.open()
        except FetchError as error:
            asked.requests += error.requests
            return False
        asked.requests += reply.response.requests
        return is_renewed(before, self.form) or bool(reply.response.header("set-cookie"))

    async def _sent(self, asked: _Asked, decision: Submission | SubmissionRefusal) -> Answer:
        return await self._send(asked, decision) or self._read(asked)

    async def _send(self, asked: _Asked, decision: Submission | SubmissionRefusal) -> Answer | None:
        """What there is to say when nothing was sent; None when there is a reply."""
        if isinstance(decision, SubmissionRefusal):
            await self._submitter.submit(decision)
            why = f"not sent: {decision.why}"
            return Answer(REFUSED, requests=asked.requests, url=self.form.page, why=why)
        self._is_fresh = False
        asked.request = decision.request
        response = await self._response(asked, decision)
        if response is None:
            return Answer(UNCLEAR, requests=0, url=decision.request.url, why="not sent: a dry run")
        asked.requests += response.requests
        asked.reply = reply_of(response)
        return None

    async def _response(self, asked: _Asked, decision: Submission) -> Response | None:
        """Once more when the site is busy for a short time; the fetcher waits until it may."""
        try:
            return await self._submitted(asked, decision)
        except SiteBusyError as error:
            if error.retry_after_s is None or error.retry_after_s > _SHORT_REST_S:
                raise
        return await self._submitted(asked, decision)

    async def _submitted(self, asked: _Asked, decision: Submission) -> Response | None:
        try:
            return await self._submitter.submit(decision)
        except FetchError as error:
            asked.requests += error.requests
            error.requests = asked.requests
            raise

    def _read(self, asked: _Asked) -> Answer:
        reply, request = asked.reply, asked.request
        if reply is None or request is None:
            return Answer(UNCLEAR, requests=asked.requests, why="nothing was sent")
        answer = self._reader.read(asked.query, reply)
        turn = None
        if answer.kind == RESULTS:
            keys = [record.key for record in answer.records]
            turn = self._paging(reply, asked.query, request, asked.turn, keys)
        return structs.replace(answer, turn=turn, requests=asked.requests, url=reply.response.url)
