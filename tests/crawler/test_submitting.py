"""What the gate allows reaches a server as a browser would send it; the rest does not."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from leadline.core.crawl import Event
from leadline.core.http import Response
from leadline.core.url import Url
from leadline.errors import AddressRefusedError, RobotsDeniedError, SiteBusyError
from leadline.forms.submit import Submission, SubmissionRefusal, prepare
from leadline.harvester.session.source import FormSubmitter
from leadline.page import parse_page
from tests.server.form_site import FormSite
from tests.web.rig import fetching

PAGE = Url("http://a.test/shop?x=1")


@pytest.fixture
async def site() -> AsyncIterator[FormSite]:
    async with FormSite() as running:
        yield running


def decided(html: str, belief: float = 1.0, **values: str) -> Submission | SubmissionRefusal:
    (form,) = parse_page(html.encode(), PAGE).forms
    return prepare(form, values, belief)


async def submitted(
    site: FormSite, decision: Submission | SubmissionRefusal, log: list[Event] | None = None
) -> Response | None:
    noted: list[Event] = [] if log is None else log
    async with fetching(None, web={"resolve": {"*.test": site.address}}) as fetcher:
        return await FormSubmitter(fetcher, noted.append, lambda: 5.0).submit(decision)


async def echoed(site: FormSite, html: str, **values: str) -> Any:
    response = await submitted(site, decided(html, 1.0, **values))
    assert response is not None
    return json.loads(response.body)


CONTROLS = """<input type=hidden name=lang value=de><input name=q>
<input type=checkbox name=new value=1 checked><input type=checkbox name=used value=1>
<select name=sort><option>price<option selected>date</select>
<input type=submit name=go value=Search><input type=hidden name=after value="2 &amp; 3">"""
SENT = [
    ["lang", "de"],
    ["q", 'grün & "blau"'],
    ["new", "1"],
    ["sort", "date"],
    ["go", "Search"],
    ["after", "2 & 3"],
]


async def test_a_get_arrives_as_its_query(site: FormSite) -> None:
    got = await echoed(site, f"<form action=/echo?old=1>{CONTROLS}</form>", q='grün & "blau"')
    assert (got["method"], got["query"]) == ("GET", SENT)
    assert got["query_string"].startswith("lang=de&q=gr%C3%BCn+%26+%22blau%22&new=1")
    assert got["referrer"] == PAGE


@pytest.mark.parametrize("encoding", ["application/x-www-form-urlencoded", "multipart/form-data"])
async def test_a_post_arrives_as_its_body(site: FormSite, encoding: str) -> None:
    html = f"<form method=post action='/echo?in=books' enctype={encoding}>{CONTROLS}</form>"
    got = await echoed(site, html, q='grün & "blau"')
    assert (got["method"], got["query"], got["posted"]) == ("POST", [["in", "books"]], SENT)
    assert got["type"].startswith(encoding)


async def test_a_plain_text_post_arrives_as_lines(site: FormSite) -> None:
    html = "<form method=post action=/echo enctype=text/plain><input name=q><button>Search</form>"
    got = await echoed(site, html, q="two words")
    assert (got["type"], got["body"]) == ("text/plain", "q=two words\r\n")


async def test_a_post_in_another_charset_arrives_in_its_bytes(site: FormSite) -> None:
    html = """<form method=post action=/echo accept-charset=windows-1251>
    <input name=q><button>Поиск</button></form>"""
    got = await echoed(site, html, q="книга")
    assert got["body"] == "q=%EA%ED%E8%E3%E0"


async def test_a_post_that_is_redirected_goes_on_as_a_get(site: FormSite) -> None:
    got = await echoed(
        site, "<form method=post action=/moved><input name=q><button>Search</form>", q="x"
    )
    assert (got["method"], got["query"], got["posted"]) == ("GET", [["after", "redirect"]], [])


@pytest.mark.parametrize("status", [502, 503])
async def test_a_post_is_sent_once_whatever_comes_back(site: FormSite, status: int) -> None:
    html = f"<form method=post action=/status/{status}><input name=q><button>Search</form>"
    try:
        await submitted(site, decided(html, q="x"))
    except SiteBusyError:
        assert status == 503
    assert len(site.asks) == 1


async def test_robots_txt_holds_for_actions(site: FormSite) -> None:
    log: list[Event] = []
    html = "<form action=/forbidden><input name=q><button>Search</form>"
    with pytest.raises(RobotsDeniedError):
        await submitted(site, decided(html, q="x"), log)
    assert site.asks == []
    assert [event.kind for event in log] == ["submission"]


async def test_the_address_guard_holds_for_actions() -> None:
    html = "<form action=http://127.0.0.1:9/search><input name=q><button>Search</form>"
    async with fetching(None) as fetcher:
        with pytest.raises(AddressRefusedError):
            await FormSubmitter(fetcher, lambda _event: None, lambda: 0.0).submit(
                decided(html, q="x")
            )


async def test_a_refusal_is_logged_and_not_sent(site: FormSite) -> None:
    log: list[Event] = []
    html = "<form action=/echo><input name=q><input type=password name=p></form>"
    assert await submitted(site, decided(html, q="x"), log) is None
    assert site.asks == []
    assert [(event.at, event.kind) for event in log] == [(5.0, "refusal")]
    assert "password" in log[0].detail


async def test_a_submission_is_in_the_log_before_it_is_sent(site: FormSite) -> None:
    seen: list[tuple[str, int]] = []
    decision = decided("<form action=/echo><input name=q><button>Search</form>", q="x")
    async with fetching(None, web={"resolve": {"*.test": site.address}}) as fetcher:
        submitter = FormSubmitter(
            fetcher, lambda event: seen.append((event.kind, len(site.asks))), lambda: 0.0
        )
        await submitter.submit(decision)
    assert seen == [("submission", 0)]


async def test_a_dry_run_tells_everything_and_sends_nothing(site: FormSite) -> None:
    told: list[str] = []
    log: list[Event] = []
    html = "<form method=post action=/echo><input name=q><button>Search</form>"
    async with fetching(None, web={"resolve": {"*.test": site.address}}) as fetcher:
        submitter = FormSubmitter(fetcher, log.append, lambda: 0.0, tell=told.append)
        assert await submitter.submit(decided(html, q="a b")) is None
        assert await submitter.submit(decided(html, belief=0.3, q="a b")) is None
    assert told[0].startswith("POST http://a.test/echo\n")
    assert told[0].endswith("\n\nq=a+b")
    assert told[1] == "not sent: searchable 0.30 is below 0.60"
    assert (site.asks, log) == ([], [])
