"""A database behind a form on the Web, asked as a visitor would ask it."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct, structs

from leadline.core.crawl import Event
from leadline.core.harvest import BLOCKED, REFUSED, RESULTS, UNCLEAR, Answer, NextPage, Query
from leadline.core.http import Request, Response
from leadline.core.page import Form, Page
from leadline.core.ports import Fetcher
from leadline.core.url import AS_IT_IS, canonical
from leadline.errors import FetchError, SiteBusyError
from leadline.forms.form_data import make_empty_query, output_codec, urlencode
from leadline.forms.probe import CANNOT_TELL, ProbeAnswer, ProbeVerdict, judge_answers, plan_probe
from leadline.forms.query import is_query_field_certain
from leadline.forms.settings import SubmitSettings
from leadline.forms.signature import control_names, signature
from leadline.forms.submit import (
    SearchableChance,
    Submission,
    SubmissionRefusal,
    build_event,
    prepare,
    prepare_page,
    show_request,
)
from leadline.harvester.paging import MAX_SIZE, PageSize
from leadline.harvester.reply import Reply, reply_of
from leadline.page import parse_page

UNANSWERED = frozenset({REFUSED, BLOCKED})
_MOST_PATIENCE = 16
_DEFAULTS = SubmitSettings()
_SCRIPTED = 3
"""Answers that are the form's own page, before its search is taken to need a script."""
_SHORT_PAUSE_S = 30.0
"""Pauses a busy site asks for that are sat out here: what a fetcher holds a request back for."""


class FormSubmitter:
    """Guarantees: nothing is sent that was not logged before; a refusal is logged and not sent.

    In a dry run what would be sent is told instead: nothing is sent, nothing logged.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        note: Callable[[Event], None],
        now: Callable[[], float],
        *,
        tell: Callable[[str], None] | None = None,
        accept: tuple[str, ...] = (),
    ) -> None:
        """`note` keeps an event, as a store's does; with `tell` it is a dry run. `accept`: content
        types that answers may have; () for those of the fetcher's settings."""
        self._fetcher = fetcher
        self._note = note
        self._now = now
        self._tell = tell
        self._accept = accept

    async def submit(self, decision: Submission | SubmissionRefusal) -> Response | None:
        """The answer; None for a refusal and in a dry run. Raises FetchError."""
        if self._tell is not None:
            self._tell(show_request(decision))
            return None
        self._note(build_event(decision, self._now()))
        if isinstance(decision, SubmissionRefusal):
            return None
        request = decision.request
        if self._accept:
            request = structs.replace(request, accept=self._accept)
        return await self._fetcher.fetch(request)


# Hidden values that grow old: when a form is fetched anew, and what is taken of it.
#
# A refusal may mean that a token or a session ran out, or only that the query was a bad one. The
# form's page tells: fetched once more it has other hidden values or sets a cookie, or not. As
# some sites write new values into every page, that alone proves nothing; only a query that is
# answered after it was refused does. So each renewal that did not help doubles the refusals that
# it takes before the next one.


class HiddenValueRenewal:
    """Counts answers and refusals of one source, and says when to fetch its form anew."""

    def __init__(self) -> None:
        self._patience = 1
        self._refusals = 0
        self._uses = 0
        self._lives: list[int] = []

    @property
    def is_due(self) -> bool:
        """Whether the hidden values are used up: two before them were, after as many queries."""
        lives = self._lives[-2:]
        return len(lives) == 2 and lives[0] == lives[1] <= self._uses

    def take(self, kind: str) -> bool:
        """Count an answer; whether the form should be fetched anew because of it."""
        if kind not in UNANSWERED:
            self._uses += 1
            self._refusals = 0
            return False
        self._refusals += 1
        return self._refusals >= self._patience

    def restart(self) -> None:
        """The form was fetched before its values ran out."""
        self._uses = 0

    def judge(self, *, has_helped: bool) -> None:
        """The form was fetched after a refusal, and the query asked once more."""
        self._refusals = 0
        self._patience = 1 if has_helped else min(2 * self._patience, _MOST_PATIENCE)
        if has_helped:
            self._lives = [*self._lives[-1:], self._uses]
            self._uses = 1


def find_same_form(page: Page, form: Form) -> Form | None:
    """The form of a page that is this one; None when there is none."""
    wanted, names = signature(form), control_names(form)
    alike = (f for f in page.forms if (f.method, control_names(f)) == (form.method, names))
    return next((f for f in page.forms if signature(f) == wanted), next(alike, None))


def hidden_values(form: Form) -> dict[str, str]:
    return {f.name: f.value for f in form.fields if f.kind == "hidden" and f.name}


def has_new_values(before: Form, after: Form) -> bool:
    """Whether a form carries other hidden values, or is sent elsewhere."""
    return hidden_values(before) != hidden_values(after) or before.action != after.action


def changed_names(before: Form, after: Form) -> set[str]:
    """Of hidden values that both have and that differ."""
    old, new = hidden_values(before), hidden_values(after)
    return {name for name in old.keys() & new.keys() if old[name] != new[name]}


def with_hidden_values(form: Form, values: Mapping[str, str]) -> Form:
    """The form with other values of its hidden fields, where they are named."""
    fields = (
        structs.replace(one, value=values[one.name])
        if one.kind == "hidden" and one.name in values
        else one
        for one in form.fields
    )
    return structs.replace(form, fields=tuple(fields))


def renew_request(
    request: Request, before: Form, after: Form, volatile: Collection[str] = ()
) -> Request:
    """A request with the hidden values that grew old replaced, where it carries them. Those called
    as in `volatile` are, whatever they were: the request may be older than `before`."""
    old, new = hidden_values(before), hidden_values(after)
    codec = output_codec(before.charset)
    url, body = str(request.url), request.body.decode("latin-1")
    for name in old.keys() & new.keys():
        if old[name] != new[name]:
            one, other = (urlencode([(name, values[name])], codec) for values in (old, new))
            url, body = _swap_pair(url, one, other), _swap_pair(body, one, other)
    for name in volatile:
        if name in new:
            pair = re.compile(rf"(?:(?<=[?&;])|^){re.escape(urlencode([(name, '')], codec))}[^&;]*")
            fresh = urlencode([(name, new[name])], codec)
            # Percent signs in it, but no backslashes: nothing that `sub` would read.
            url, body = pair.sub(fresh, url), pair.sub(fresh, body)
    target = canonical(url, rules=AS_IT_IS) or request.url
    return structs.replace(request, url=target, body=body.encode("latin-1"))


def _swap_pair(text: str, one: str, other: str) -> str:
    """`text` with the pair `one` replaced where it is a whole one, of a query or a body."""
    pair = re.compile(rf"(?:(?<=[?&;])|^){re.escape(one)}(?=[&;]|$)")
    return pair.sub(lambda _found: other, text)


class ReplyReader(Protocol):
    """Tells what a reply says to a query; learns from what nonsense gets."""

    def take_nonsense(self, query: Query, reply: Reply) -> None: ...

    def read(self, query: Query, reply: Reply) -> Answer:
        """The answer, but for how to turn the page."""
        ...


class NextPageFinder(Protocol):
    """Finds the way to the next page of an answer."""

    def __call__(
        self, reply: Reply, query: Query, asked: Request, turn: NextPage | None, keys: Sequence[str]
    ) -> NextPage | None:
        """`asked` brought the reply, by way of `turn` if it is no first page; `keys` are those of
        the records on it."""
        ...


class LargerPageFinder(Protocol):
    """Finds the same answer on larger pages."""

    def __call__(self, reply: Reply, query: Query, asked: Request) -> PageSize | None: ...


class PagingFunctions(Struct, frozen=True):
    """How the pages of answers are had."""

    following: NextPageFinder
    larger: LargerPageFinder | None = None
    """Without it pages stay as small as they come."""


class PendingAnswer:
    """What one query or turn has brought so far, and what it cost."""

    def __init__(self, query: Query, turn: NextPage | None = None) -> None:
        self.query = query
        self.next_page = turn
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
        submitter: FormSubmitter,
        reader: ReplyReader,
        turning: PagingFunctions,
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
        self._renewal = HiddenValueRenewal()
        self._is_fresh = False
        """Nothing was sent since the form's page was fetched: fetching it again changes nothing."""
        self._form_text: frozenset[str] = frozenset()
        """What the form's own page says, if it has scripts."""
        self._answers = 0
        self._unchanged = 0
        """Of these answers, those that are the form's page as it was."""
        self._is_volatile = False
        """The form had other hidden values when its page was fetched again."""
        self._volatile: set[str] = set()
        """Names of these."""

    async def open(self) -> Reply:
        """Fetch the form's page: for its cookies, its hidden values, and what is to be read on it.

        Raises FetchError when it cannot be had. A page without the form changes nothing.
        """
        reply = reply_of(
            await self._fetcher.fetch(Request(self._page, is_session=True, is_meant=True))
        )
        if b"<script" in reply.response.body.lower():
            self._form_text = frozenset(reply.page.leaves)
        found = find_same_form(reply.page, self.form)
        if found is not None:
            self._is_volatile |= has_new_values(self.form, found)
            self._volatile |= changed_names(self.form, found)
            self.form = found
        self._is_fresh = True
        return reply

    @property
    def why_scripted(self) -> str:
        """Why no query can be looked up without running scripts; '' if some seem to be. Three
        answers that are the form's page, word for word, are no coincidence: even a search that
        finds nothing shows what was searched for, or says so."""
        if self._unchanged < _SCRIPTED or self._unchanged < self._answers:
            return ""
        return f"needs a script: {self.form.page} shows the same page whatever is searched for"

    async def ask(self, query: Query) -> Answer:
        """The first page of the answer. An empty query leaves the form as it is."""
        asked = PendingAnswer(query)
        answer = await self._answer(asked, partial(self._prepare, query))
        return await self._enlarge(asked, answer)

    async def _enlarge(self, asked: PendingAnswer, answer: Answer) -> Answer:
        """The answer on larger pages, where it has several and its page offers larger ones: the
        second request would have gone to its second page. What brings no more is not tried again.
        """
        request = self._larger(asked, answer)
        if request is None:
            return answer
        try:
            larger = await self._send_and_read(asked, self._prepare_page(request, self.form))
        except FetchError:
            larger = None
        if larger is not None and len(larger.records) > len(answer.records):
            return larger
        self._enlarging = None
        return structs.replace(answer, requests=asked.requests)

    def _larger(self, asked: PendingAnswer, answer: Answer) -> Request | None:
        reply, request = asked.reply, asked.request
        if self._enlarging is None or answer.next_page is None or reply is None or request is None:
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
        asked = PendingAnswer(query)
        if self._is_volatile and not self._is_fresh:
            await self._renew(asked)
        unsent = await self._send(asked, self._prepare(query))
        if asked.reply is not None:
            self._reader.take_nonsense(query, asked.reply)
        return unsent or self._read(asked)

    async def fetch_next_page(self, query: Query, page: NextPage) -> Answer:
        """A further page, as an earlier one offered it."""
        return await self._answer(
            PendingAnswer(query, page), partial(self._prepare_page, page.request, self.form)
        )

    def _prepare(self, query: Query) -> Submission | SubmissionRefusal:
        values = dict(query.values) or make_empty_query(self.form)
        return prepare(self.form, values, self._searchable, self._settings)

    def _prepare_page(self, request: Request, before: Form) -> Submission | SubmissionRefusal:
        """`before`: the form as it was when the request was offered."""
        request = renew_request(request, before, self.form, self._volatile)
        return prepare_page(self.form, request, self._searchable, self._settings)

    async def _answer(
        self, asked: PendingAnswer, prepared: Callable[[], Submission | SubmissionRefusal]
    ) -> Answer:
        if asked.next_page is None and self._renewal.is_due:
            await self._renew(asked)
            self._renewal.restart()
        is_fresh = self._is_fresh and asked.next_page is None
        answer = await self._send_and_read(asked, prepared())
        # Pages that are turned by links use up no hidden values.
        is_counted = asked.next_page is None or answer.kind in UNANSWERED
        is_wanted = asked.reply is not None and is_counted and self._renewal.take(answer.kind)
        if not is_wanted or is_fresh:
            return answer
        if await self._renew(asked):
            answer = await self._send_and_read(asked, prepared())
            self._renewal.judge(has_helped=answer.kind not in UNANSWERED)
            return answer
        self._renewal.judge(has_helped=False)
        return structs.replace(answer, requests=asked.requests)

    async def _renew(self, asked: PendingAnswer) -> bool:
        """Fetch the form anew; whether that can make a difference."""
        before = self.form
        try:
            reply = await self.open()
        except FetchError as error:
            asked.requests += error.requests
            return False
        asked.requests += reply.response.requests
        return has_new_values(before, self.form) or bool(reply.response.header("set-cookie"))

    async def _send_and_read(
        self, asked: PendingAnswer, decision: Submission | SubmissionRefusal
    ) -> Answer:
        return await self._send(asked, decision) or self._read(asked)

    async def _send(
        self, asked: PendingAnswer, decision: Submission | SubmissionRefusal
    ) -> Answer | None:
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

    async def _response(self, asked: PendingAnswer, decision: Submission) -> Response | None:
        """Once more when the site is busy for a short time; the fetcher waits until it may."""
        try:
            return await self._submit(asked, decision)
        except SiteBusyError as error:
            if error.retry_after_s is None or error.retry_after_s > _SHORT_PAUSE_S:
                raise
        return await self._submit(asked, decision)

    async def _submit(self, asked: PendingAnswer, decision: Submission) -> Response | None:
        try:
            return await self._submitter.submit(decision)
        except FetchError as error:
            asked.requests += error.requests
            error.requests = asked.requests
            raise

    def _take_hidden_values(self, page: Page) -> None:
        """Takes over the values of tokens from an answer that shows the form, as a browser in which
        the next query is typed there would."""
        found = find_same_form(page, self.form)
        changed = changed_names(self.form, found) if found is not None else set()
        if found is not None and changed and changed <= self._volatile:
            fresh = hidden_values(found)
            self.form = with_hidden_values(self.form, {name: fresh[name] for name in changed})
            self._renewal.restart()

    def _read(self, asked: PendingAnswer) -> Answer:
        reply, request = asked.reply, asked.request
        if reply is None or request is None:
            return Answer(UNCLEAR, requests=asked.requests, why="nothing was sent")
        if self._volatile:
            self._take_hidden_values(reply.page)
        self._answers += 1
        self._unchanged += bool(self._form_text) and self._form_text == {*reply.page.leaves}
        answer = self._reader.read(asked.query, reply)
        turn = None
        if answer.kind == RESULTS:
            keys = [record.key for record in answer.records]
            turn = self._paging(reply, asked.query, request, asked.next_page, keys)
        return structs.replace(
            answer, next_page=turn, requests=asked.requests, url=reply.response.url
        )


def is_uncertain(searchable: float, settings: SubmitSettings = _DEFAULTS) -> bool:
    """Whether a form is worth asking: sure enough to be filled, not sure enough to be believed."""
    return settings.min_searchable <= searchable < settings.certain


async def probe_form(
    form: Form,
    words: Sequence[str],
    searchable: SearchableChance,
    submitter: FormSubmitter,
    settings: SubmitSettings = _DEFAULTS,
) -> ProbeVerdict:
    """Whether there is a database behind the form; four submissions, fewer when one fails.

    `words` are two or more that such a database would know. A dry run tells nothing.
    """
    asked = plan_probe(form, words)
    answers: list[ProbeAnswer] = []
    spent = 0
    for query in asked:
        decision = prepare(form, query.values, searchable, settings)
        try:
            response = await submitter.submit(decision)
        except FetchError as error:
            why = f"no answer to {query.text!r}: {error.reason}"
            return ProbeVerdict(CANNOT_TELL, why, spent + error.requests)
        if isinstance(decision, SubmissionRefusal):
            return ProbeVerdict(CANNOT_TELL, f"not sent: {decision.why}", spent)
        if response is not None:
            spent += response.requests
            page = parse_page(response.body, response.url, response.header("content-type"))
            answers.append(ProbeAnswer(query, response.status, page))
    if not asked:
        return ProbeVerdict(
            CANNOT_TELL, "there is nothing to type words into, or there are too few words"
        )
    verdict = judge_answers(answers, is_sure=is_query_field_certain(form))
    return structs.replace(verdict, requests=spent)
