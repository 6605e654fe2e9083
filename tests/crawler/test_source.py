"""Sources asked over real HTTP: what is hard about a form does not keep its records back."""

from collections.abc import AsyncIterator

import pytest

from leadline.core.crawl import Event
from leadline.core.harvest import BLOCKED, NOTHING, REFUSED, RESULTS, UNCLEAR, NextPage, Query
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.errors import SiteBusyError
from leadline.harvester.session.source import FormSubmitter, WebSource
from tests.crawler.asked import BELIEF, ONE_PAGE, ServersReader, paged_source_at, source_at
from tests.server.source_site import RECORDS, SourceSite
from tests.web.rig import fetching

GARDENS = sum("garden" in record for record in RECORDS)


@pytest.fixture
async def site() -> AsyncIterator[SourceSite]:
    async with SourceSite() as running:
        yield running


@pytest.mark.parametrize(
    "way",
    ["plain", "token", "forbidding", "state", "cookie", "session", "semicolons", "buttons",
     "buttonless", "itself"],
)  # fmt: skip
async def test_records_come_back(site: SourceSite, way: str) -> None:
    async with source_at(site, way) as source:
        await source.open()
        answer = await source.ask(Query.of(q="garden"))
        nothing = await source.ask(Query.of(q="bgzvxmwqfbm"))
    assert (answer.kind, len(answer.records)) == (RESULTS, GARDENS), site.asks
    assert nothing.kind == NOTHING
    assert site.strayed == []


@pytest.mark.parametrize(("way", "word"), [("latin", "málaga"), ("japanese", "東京")])
async def test_words_are_sent_in_the_charset_of_the_page(
    site: SourceSite, way: str, word: str
) -> None:
    async with source_at(site, way) as source:
        await source.open()
        answer = await source.ask(Query.of(q=word))
    assert (answer.kind, len(answer.records)) == (RESULTS, 20), site.asks


@pytest.mark.parametrize("way", ["token", "forbidding"])
async def test_a_query_refused_for_an_old_token_is_asked_once_more(
    site: SourceSite, way: str
) -> None:
    async with source_at(site, way) as source:
        await source.open()
        answers = [await source.ask(Query.of(q=word)) for word in ("garden", "clock", "winter")]
    assert [answer.kind for answer in answers] == [RESULTS] * 3
    assert [answer.requests for answer in answers] == [1, 1, 3]


async def test_tokens_that_are_used_up_are_renewed_beforehand(site: SourceSite) -> None:
    site.uses = 1
    async with source_at(site, "token") as source:
        await source.open()
        answers = [await source.ask(Query.of(q=word)) for word in ("red", "old", "last", "quiet")]
    assert [answer.kind for answer in answers] == [RESULTS] * 4
    assert [answer.requests for answer in answers] == [1, 3, 3, 2]


async def test_a_bad_query_is_not_taken_for_an_old_token_again_and_again(
    site: SourceSite,
) -> None:
    async with source_at(site, "restless") as source:
        await source.open()
        answers = [await source.ask(Query.of(q=word)) for word in ("ab", "cd", "ef", "gh", "ij")]
        good = await source.ask(Query.of(q="garden"))
    assert [answer.kind for answer in answers] == [REFUSED] * 5
    assert [answer.requests for answer in answers] == [1, 3, 1, 3, 1]
    assert (good.kind, good.requests) == (RESULTS, 1)


async def test_without_a_visit_to_the_form_its_cookie_is_fetched_when_it_is_missed(
    site: SourceSite,
) -> None:
    async with source_at(site, "cookie") as source:
        answer = await source.ask(Query.of(q="garden"))
        second = await source.ask(Query.of(q="clock"))
    assert (answer.kind, second.kind) == (RESULTS, RESULTS)
    assert (answer.requests, second.requests) == (4, 1)  # with robots.txt


async def test_a_wall_is_told_and_not_run_against(site: SourceSite) -> None:
    async with source_at(site, "wall") as source:
        await source.open()
        answer = await source.ask(Query.of(q="garden"))
    assert (answer.kind, answer.why) == (BLOCKED, "a login")
    assert len(site.asks) == 2


async def test_a_short_rest_is_taken_and_a_long_one_reported(site: SourceSite) -> None:
    log: list[Event] = []
    async with source_at(site, "busy", log) as source:
        await source.open()
        answer = await source.ask(Query.of(q="garden"))
        assert (answer.kind, answer.requests) == (RESULTS, 2)
        assert [event.kind for event in log] == ["submission"] * 2
        site.rest_s = "600"
        with pytest.raises(SiteBusyError) as caught:
            await source.ask(Query.of(q="clock"))
    assert caught.value.requests == 1
    assert (caught.value.retry_after_s or 0) > 500


async def test_what_must_not_be_sent_is_refused_at_no_cost(site: SourceSite) -> None:
    log: list[Event] = []
    async with source_at(site, "plain", log) as source:
        answer = await source.ask(Query.of(nowhere="x"))
    assert (answer.kind, answer.requests, site.asks) == (REFUSED, 0, [])
    assert "no control called 'nowhere'" in answer.why
    assert [event.kind for event in log] == ["refusal"]


async def test_an_empty_query_leaves_the_form_as_it_is(site: SourceSite) -> None:
    async with source_at(site, "menus") as source:
        answer = await source.ask(Query(()))
    assert len(answer.records) == len(RECORDS)
    assert site.asks == ["GET /menus/find {'idle': '0', 'kind': ''}"]


async def test_nonsense_teaches_the_reader_with_values_that_hold(site: SourceSite) -> None:
    site.uses = 1
    async with source_at(site, "token") as source:
        await source.open()
        answers = [await source.ask_nonsense(Query.of(q=text)) for text in ("bgzvxm", "qfbmwx")]
        reader = source._reader
    assert isinstance(reader, ServersReader)
    assert [(answer.kind, answer.requests) for answer in answers] == [(NOTHING, 1), (NOTHING, 2)]
    assert len(reader.nonsense) == 2


async def test_nonsense_costs_no_more_where_hidden_values_stay(site: SourceSite) -> None:
    async with source_at(site, "state") as source:
        await source.open()
        answers = [await source.ask_nonsense(Query.of(q=text)) for text in ("bgzvxm", "qfbmwx")]
    assert [(answer.kind, answer.requests) for answer in answers] == [(NOTHING, 1)] * 2


async def test_a_further_page_is_asked_for_with_fresh_hidden_values(site: SourceSite) -> None:
    async with source_at(site, "forbidding") as source:
        await source.open()
        old = next(field.value for field in source.form.fields if field.name == "csrf")
        for _ in range(site.uses):
            site.spend(old)
        query = Query.of(q="garden")
        url = Url(f"http://a.test/forbidding/find?q=garden&csrf={old}&page=2")
        answer = await source.fetch_next_page(query, NextPage(Request(url), "link", 2))
    assert (answer.kind, answer.requests) == (RESULTS, 3)
    assert f"'csrf': '{old}'" not in site.asks[-1]


async def test_a_further_page_is_not_posted_to_another_site(site: SourceSite) -> None:
    async with source_at(site, "plain") as source:
        turn = NextPage(Request(Url("http://b.test/plain/find"), "POST", b"q=x"), "post", 2)
        answer = await source.fetch_next_page(Query.of(q="x"), turn)
    assert (answer.kind, answer.requests, site.asks) == (REFUSED, 0, [])


async def test_a_dry_run_tells_and_sends_nothing(site: SourceSite) -> None:
    told: list[str] = []
    async with source_at(site, "plain") as opened:
        form = opened.form
    async with fetching(None, web={"resolve": {"*.test": site.address}}) as fetcher:
        submitter = FormSubmitter(fetcher, lambda _event: None, lambda: 0.0, tell=told.append)
        source = WebSource(form, BELIEF, fetcher, submitter, ServersReader(), ONE_PAGE)
        answer = await source.ask(Query.of(q="garden"))
    assert (answer.kind, answer.requests, site.asks) == (UNCLEAR, 0, [])
    assert told == ["GET http://a.test/plain/find?q=garden\nReferer: http://a.test/plain"]


async def drawn(source: WebSource, query: Query) -> tuple[int, int]:
    """Records of all pages of an answer, and the requests that they took."""
    answer = await source.ask(query)
    held, requests = {record.key for record in answer.records}, answer.requests
    while answer.next_page is not None:
        answer = await source.fetch_next_page(query, answer.next_page)
        held |= {record.key for record in answer.records}
        requests += answer.requests
    return len(held), requests


async def test_larger_pages_are_asked_for_where_an_answer_has_several(site: SourceSite) -> None:
    async with paged_source_at(site, "sized") as source:
        assert await drawn(source, Query.of(q="")) == (len(RECORDS), 1 + len(RECORDS) // 50)
        assert await drawn(source, Query.of(q="red garden")) == (5, 1)


async def test_larger_pages_that_are_not_given_are_asked_for_once(site: SourceSite) -> None:
    site.largest = 5
    async with paged_source_at(site, "sized") as source:
        assert await drawn(source, Query.of(q="garden")) == (GARDENS, 1 + GARDENS // 5)
        assert await drawn(source, Query.of(q="winter")) == (GARDENS, GARDENS // 5)


async def test_a_word_that_breaks_the_search_is_that_words_fault(site: SourceSite) -> None:
    async with paged_source_at(site, "odd") as source:
        for text in ("qqzzx", "wvkkb"):
            await source.ask_nonsense(Query.of(q=text))
        words = ("garden", "harbour", "clock", "letter", "winter")
        kinds = [(await source.ask(Query.of(q=word))).kind for word in words]
    assert kinds == [RESULTS, REFUSED, RESULTS, REFUSED, RESULTS]
