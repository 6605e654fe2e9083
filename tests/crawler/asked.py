"""Sources of the test server, opened with a reader that knows how this server writes."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from leadline.core.crawl import Event
from leadline.core.harvest import (
    BLOCKED,
    NOTHING,
    REFUSED,
    RESULTS,
    UNCLEAR,
    Answer,
    NextPage,
    Query,
    Record,
    Trail,
)
from leadline.core.http import Request
from leadline.core.url import Url, path_of
from leadline.harvester.answers import AnswerReader
from leadline.harvester.paging import find_larger_size, find_next_page
from leadline.harvester.reply import Reply, reply_of
from leadline.harvester.session.source import FormSubmitter, PagingFunctions, WebSource
from tests.server.source_site import SourceSite
from tests.web.rig import fetching

BELIEF = 0.99


class ServersReader:
    """Tells answers of the test server by its own words."""

    def __init__(self) -> None:
        self.nonsense: list[Query] = []

    def take_nonsense(self, query: Query, reply: Reply) -> None:  # noqa: ARG002 (the port's)
        self.nonsense.append(query)

    def read(self, query: Query, reply: Reply) -> Answer:  # noqa: ARG002 (the port's)
        page, text = reply.page, reply.page.text
        rows = [link for link in page.links if path_of(link.target).startswith("/r/")]
        if rows:
            records = tuple(Record(link.target, link.anchor, ()) for link in rows)
            return Answer(RESULTS, records, len(records), is_total_exact=True)
        if "Nothing found" in text:
            return Answer(NOTHING)
        if any(field.kind == "password" for form in page.forms for field in form.fields):
            return Answer(BLOCKED, why="a login")
        is_refused = "Please" in text or reply.response.status == 403
        return Answer(REFUSED if is_refused else UNCLEAR)


def no_next_page(
    reply: Reply, query: Query, asked: Request, turn: NextPage | None, keys: Sequence[str]
) -> None:
    """All records of the test server stand on one page."""


ONE_PAGE = PagingFunctions(no_next_page)


def next_page(
    reply: Reply, query: Query, asked: Request, turn: NextPage | None, keys: Sequence[str]
) -> NextPage | None:
    trail = turn.trail if turn is not None else Trail()
    return find_next_page(reply, query, asked, trail.after(asked, keys))


@asynccontextmanager
async def paged_source_at(site: SourceSite, way: str) -> AsyncIterator[WebSource]:
    """The source of a way, read and paged as in a harvest."""
    async with source_at(site, way) as bare, fetching(None, web=host_of(site)) as fetcher:
        submitter = FormSubmitter(fetcher, lambda _event: None, lambda: 0.0)
        reader = AnswerReader(bare.form)
        turning = PagingFunctions(next_page, find_larger_size)
        source = WebSource(bare.form, BELIEF, fetcher, submitter, reader, turning)
        await source.open()
        yield source


def host_of(site: SourceSite) -> dict[str, dict[str, str]]:
    return {"resolve": {"*.test": site.address}}


@asynccontextmanager
async def source_at(
    site: SourceSite, way: str, log: list[Event] | None = None, **parts: Any
) -> AsyncIterator[WebSource]:
    """The source of a way, its form as a crawl would have met it."""
    noted: list[Event] = [] if log is None else log
    host = host_of(site)
    url = Url(f"http://a.test/{way}")
    async with fetching(None, web=host) as visitor:
        (form,) = reply_of(await visitor.fetch(Request(url))).page.forms
    site.asks.clear()
    async with fetching(None, web=host, **parts) as fetcher:
        submitter = FormSubmitter(fetcher, noted.append, lambda: 0.0)
        yield WebSource(form, BELIEF, fetcher, submitter, ServersReader(), ONE_PAGE)
