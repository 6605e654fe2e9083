"""The post-query check over real HTTP."""

from collections.abc import AsyncIterator

import pytest

from leadline.core.crawl import Event
from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.probe import CANNOT_TELL, NO, YES, ProbeVerdict
from leadline.forms.settings import SubmitSettings
from leadline.harvester.session.source import FormSubmitter, is_uncertain, probe_form
from leadline.page import parse_page
from tests.server.form_site import FormSite
from tests.web.rig import fetching

WORDS = ("garden", "harbour")


@pytest.fixture
async def site() -> AsyncIterator[FormSite]:
    async with FormSite() as running:
        yield running


def form_to(action: str, method: str = "get", inside: str = "<input name=q>") -> Form:
    html = f"<form action={action} method={method}>{inside}<button>Search</button></form>"
    (form,) = parse_page(html.encode(), Url("http://a.test/")).forms
    return form


async def checked(
    site: FormSite, form: Form, belief: float = 0.97, log: list[Event] | None = None
) -> ProbeVerdict:
    noted: list[Event] = [] if log is None else log
    async with fetching(None, web={"resolve": {"*.test": site.address}}) as fetcher:
        return await probe_form(
            form, WORDS, belief, FormSubmitter(fetcher, noted.append, lambda: 0.0)
        )


@pytest.mark.parametrize(
    ("path", "database"),
    [
        ("/listed", YES),
        ("/suggesting", YES),
        ("/thanking", NO),
        ("/rambling", CANNOT_TELL),
        ("/echoing", CANNOT_TELL),
        ("/status/500", CANNOT_TELL),
        ("/nowhere", CANNOT_TELL),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
async def test_the_check_tells_databases_from_other_forms(
    site: FormSite, path: str, database: str, method: str
) -> None:
    verdict = await checked(site, form_to(path, method))
    assert verdict.database == database, verdict.why


async def test_it_takes_four_submissions_and_logs_each(site: FormSite) -> None:
    log: list[Event] = []
    verdict = await checked(site, form_to("/listed"), log=log)
    queries = [ask[1] for ask in site.asks]
    assert len(queries) == len(log) == 4
    assert [WORDS[0] in queries[1], WORDS[1] in queries[3]] == [True, True]
    assert verdict.requests == 5  # and robots.txt
    assert {event.kind for event in log} == {"submission"}


async def test_what_the_gate_refuses_is_not_asked(site: FormSite) -> None:
    log: list[Event] = []
    verdict = await checked(site, form_to("/listed"), 0.59, log)
    assert (verdict.database, site.asks) == (CANNOT_TELL, [])
    assert "not sent: searchable 0.59" in verdict.why
    assert [event.kind for event in log] == ["refusal"]


async def test_it_stops_at_the_first_answer_that_does_not_come(site: FormSite) -> None:
    verdict = await checked(site, form_to("/forbidden"))
    assert (verdict.database, site.asks) == (CANNOT_TELL, [])
    assert "robots" in verdict.why
    busy = await checked(site, form_to("/status/503", "post"))
    assert (busy.database, len(site.asks)) == (CANNOT_TELL, 1)


async def test_a_form_without_a_box_is_not_asked(site: FormSite) -> None:
    form = form_to("/listed", inside="<select name=q><option>a<option>b</select>")
    assert (await checked(site, form)).database == CANNOT_TELL
    assert site.asks == []


async def test_a_box_that_may_not_take_words_is_not_denied_a_database(site: FormSite) -> None:
    unsure = "<input name=q1><input name=q2>"
    assert (await checked(site, form_to("/thanking", inside=unsure))).database == CANNOT_TELL


async def test_a_dry_run_asks_nothing(site: FormSite) -> None:
    told: list[str] = []
    async with fetching(None, web={"resolve": {"*.test": site.address}}) as fetcher:
        submitter = FormSubmitter(fetcher, lambda _event: None, lambda: 0.0, tell=told.append)
        verdict = await probe_form(form_to("/listed"), WORDS, 0.97, submitter)
    assert (verdict.database, site.asks, len(told)) == (CANNOT_TELL, [], 4)


@pytest.mark.parametrize(
    ("belief", "is_asked"), [(0.59, False), (0.6, True), (0.98, True), (0.99, False), (1.0, False)]
)
def test_only_forms_in_the_uncertain_band_are_worth_asking(belief: float, is_asked: bool) -> None:
    assert is_uncertain(belief) is is_asked
    assert is_uncertain(belief, SubmitSettings(certain=0.6)) is False
