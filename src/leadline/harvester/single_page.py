"""Reads one page by itself: its answer and its next page, without a source, a store or a loop.

A harvest reads the answers of a source with one `AnswerReader`, which learns from page to page;
here nothing is known but the page. `leadline.parts` calls these functions.
"""

from msgspec import structs

from leadline.core.harvest import Answer, NextPage, Query, Trail
from leadline.core.http import Request, Response
from leadline.core.page import Field, Form
from leadline.core.url import AS_IT_IS, Url, canonical
from leadline.forms.form_data import is_typed
from leadline.harvester.answers.block_scorer import BlockScorer
from leadline.harvester.answers.reader import AnswerReader
from leadline.harvester.answers.record_keys import parameters_of
from leadline.harvester.paging.next_page import find_next_page
from leadline.harvester.reply import Reply, reply_of

_NOTHING_ASKED = Query(())


class AnswerPageReader:
    """Reads pages of one source one after the other, and learns from each how to read the next."""

    def __init__(self, scorer: BlockScorer | None = None) -> None:
        """`scorer` of result blocks: the one that ships if there is none."""
        self._scorer = scorer
        self._reader: AnswerReader | None = None

    def read(
        self, body: bytes | str, url: str, content_type: str = "", query: str | Query | None = None
    ) -> Answer:
        """As `read_answer_page`, without the next page."""
        reply = reply_from(body, url, content_type)
        form, asked = guess_search(reply, query)
        if self._reader is None:
            # The form was taken from this page: that the page shows it does not mean a refusal.
            self._reader = AnswerReader(form, is_form_expected=True, scorer=self._scorer)
        return self._reader.read(asked, reply)

    def state(self) -> bytes:
        """All that was learned, for `restore`; b"" before the first page."""
        return self._reader.state() if self._reader else b""

    def restore(self, state: bytes) -> None:
        """Raises ValueError for bytes that are no state."""
        if self._reader is None or not state:
            self._reader = None
        else:
            self._reader.restore(state)


def read_answer_page(
    body: bytes | str,
    url: str,
    content_type: str = "",
    query: str | Query | None = None,
    *,
    scorer: BlockScorer | None = None,
) -> Answer:
    """The answer that a page is, with its next page.

    Any bytes, any URL and any content type are read; nothing is raised. A body that is a `str` was
    decoded before: its charset is not looked for. `query` is what was typed, if it is known;
    without it, it is read from the address by the names of the page's own search form.
    """
    reply = reply_from(body, url, content_type)
    form, asked = guess_search(reply, query)
    # The form was taken from this page: that the page shows it does not mean a refusal.
    answer = AnswerReader(form, is_form_expected=True, scorer=scorer).read(asked, reply)
    return structs.replace(answer, next_page=_next_page(reply))


def read_next_page(html: bytes | str, url: str, content_type: str = "") -> NextPage | None:
    """The next page of a page; None if it has none. Nothing is raised.

    The request is that of a link, or of a button of the page; it never leaves the page's site.
    """
    return _next_page(reply_from(html, url, content_type))


def reply_from(body: bytes | str, url: str, content_type: str) -> Reply:
    """As if the page had been fetched, with status 200."""
    if isinstance(body, str):
        body = body.encode("utf-8", "replace")
        # Whatever the page says of its charset was true of the bytes that it was decoded from.
        kind = content_type.partition(";")[0].strip() or "text/html"
        content_type = f"{kind}; charset=utf-8"
    # Without an address, only absolute links on the page lead anywhere.
    address = canonical(url, rules=AS_IT_IS) or Url("")
    return reply_of(Response(address, 200, (("content-type", content_type),), body, 0.0))


def _next_page(reply: Reply) -> NextPage | None:
    return find_next_page(reply, _NOTHING_ASKED, Request(reply.response.url), Trail())


def guess_search(reply: Reply, query: str | Query | None) -> tuple[Form, Query]:
    """The search form of a page and what was asked, from the page and its address alone."""
    url = reply.response.url
    said = {name: value for name, value in parameters_of(url).items() if value}
    path = url.partition("?")[0]

    def fits(form: Form) -> tuple[int, bool]:
        names = {field.name for field in form.fields}
        return len(names & said.keys()), (form.action or "").partition("?")[0] == path

    form = max(reply.page.forms, key=fits, default=None)
    if form is None or not any(fits(form)):
        # No form of this page leads here: the address alone says what belongs to the search.
        kinds = {name: "text" if value == query else "hidden" for name, value in said.items()}
        fields = tuple(Field(name, kind, value=said[name]) for name, kind in kinds.items())
        form = Form(url, Url(path), "get", fields)
    if isinstance(query, Query):
        return form, query
    typed = [field.name for field in form.fields if is_typed(field) and field.name]
    if query is None:
        return form, Query(tuple(sorted((name, said[name]) for name in {*typed} & said.keys())))
    holding = [name for name, value in said.items() if value == query]
    return form, Query((((holding or typed or ["q"])[0], query),) if query else ())
