"""Surveys of sources over real HTTP: what they cost, and what they learn."""

from collections.abc import AsyncIterator

import pytest

from leadline.core.harvest import BLOCKED, NOTHING, REFUSED, RESULTS, Answer, Query
from leadline.errors import FetchTimeoutError, RobotsDeniedError, SiteBusyError
from leadline.harvester.interface import Box, Interface
from leadline.harvester.session.stored_survey import run_survey
from leadline.harvester.survey.describe import describe_form
from leadline.harvester.survey.results import EMPTY, NONSENSE, WORD, SurveyProbe, SurveyResult
from leadline.harvester.survey.survey import survey_source
from tests.crawler.asked import source_at
from tests.server.source_site import SourceSite

WORDS = ("garden", "harbour", "clock")


@pytest.fixture
async def site() -> AsyncIterator[SourceSite]:
    async with SourceSite() as running:
        yield running


async def surveyed(
    site: SourceSite, way: str, heard: list[tuple[SurveyProbe, Answer]] | None = None
) -> SurveyResult:
    kept: list[tuple[SurveyProbe, Answer]] = [] if heard is None else heard
    async with source_at(site, way) as source:
        page = (await source.open()).page
        steps = survey_source(describe_form(source.form, page, WORDS), "key", "en")
        return await run_survey(source, steps, lambda *both: kept.append(both))


async def test_a_lone_box_that_lists_everything_costs_four_requests(site: SourceSite) -> None:
    heard: list[tuple[SurveyProbe, Answer]] = []
    found = await surveyed(site, "plain", heard)
    assert [probe.purpose for probe, _ in heard] == [NONSENSE, NONSENSE, WORD, EMPTY]
    assert [answer.kind for _, answer in heard] == [NOTHING, NOTHING, RESULTS, RESULTS]
    assert found.findings.requests == 4
    assert found.findings.pattern == ("q",)
    assert found.interface.takes_empty
    assert "an empty query lists everything" in found.findings.summary


async def test_what_a_refusing_box_lacks_is_found_and_fixed(site: SourceSite) -> None:
    found = await surveyed(site, "choosy")
    assert found.findings.is_executable
    assert found.findings.pattern == ("q", "kind")
    assert ("kind", "town") in found.interface.fixed
    assert not found.interface.takes_empty
    assert found.findings.uninformative == ("near",)
    assert "'kind' must be filled in as well" in found.findings.summary


async def test_the_least_length_is_found_by_asking(site: SourceSite) -> None:
    found = await surveyed(site, "restless")
    assert found.interface.min_length == 3
    assert (found.findings.empty, found.interface.takes_empty) == (REFUSED, False)
    assert "words need 3 letters" in found.findings.summary


async def test_menus_that_change_nothing_are_left_out(site: SourceSite) -> None:
    found = await surveyed(site, "menus")
    assert [menu.name for menu in found.interface.menus] == ["kind"]
    assert (found.findings.informative, found.findings.uninformative) == (("kind",), ("idle",))
    assert found.findings.is_executable
    assert found.findings.requests < 15


async def test_a_wall_ends_the_survey(site: SourceSite) -> None:
    heard: list[tuple[SurveyProbe, Answer]] = []
    found = await surveyed(site, "wall", heard)
    assert [answer.kind for _, answer in heard] == [BLOCKED]
    assert found.findings.is_blocked
    assert not found.findings.is_executable
    assert found.findings.summary[0] == "kept out: a login"


async def test_a_busy_source_is_left_alone(site: SourceSite) -> None:
    site.rest_s = "600"
    with pytest.raises(SiteBusyError):
        await surveyed(site, "busy")
    assert len(site.asks) == 2


class Failing:
    """A source that never answers."""

    def __init__(self, error: Exception) -> None:
        self.asked: list[Query] = []
        self._error = error

    async def ask(self, query: Query) -> Answer:
        self.asked.append(query)
        raise self._error

    ask_nonsense = ask


@pytest.mark.parametrize(
    ("error", "asked"), [(FetchTimeoutError("u", "slow"), 3), (RobotsDeniedError("u", "no"), 1)]
)
async def test_a_source_that_does_not_answer_is_left_alone(error: Exception, asked: int) -> None:
    source = Failing(error)
    found = await run_survey(
        source, survey_source(Interface(boxes=(Box("q"),), words=WORDS), "key")
    )
    assert (len(source.asked), found.findings.is_blocked) == (asked, True)
