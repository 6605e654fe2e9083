"""The backward crawl, on a web of a dozen pages in memory."""

from leadline.core.crawl import LinkFeatures
from leadline.core.http import Request, Response
from leadline.core.ports import BacklinkAnswer
from leadline.core.url import Site, Url
from leadline.crawler.backward import BackwardPlan, BackwardResult, crawl_backward
from leadline.errors import ConnectionFailedError
from leadline.learn.link_levels import learn_levels
from leadline.learn.link_selection import Selection

SPEC = LinkFeatures(own=1)
FORM = Url("http://deep.test/search")

WEB = {
    "http://deep.test/": "<a href=/search>search hotels</a> <a href=/legal>legal</a>",
    "http://deep.test/map": "<a href=/search>find hotels</a> <a href=/jobs>jobs</a>",
    "http://hub.test/": "<a href=http://deep.test/>travel guide</a> <a href=/more>more</a>",
    "http://top.test/": "<a href=http://hub.test/>directory</a> <a href=/about>about us</a>",
    "http://old.test/": "<a href=http://else.test/>nothing of it is left</a>",
}
POINTING = {
    FORM: ("http://deep.test/", "http://deep.test/map", "http://old.test/", "http://gone.test/"),
    "http://deep.test/": ("http://hub.test/",),
    "http://hub.test/": ("http://top.test/",),
}


class Web:
    """Fetches from WEB; everything else cannot be reached."""

    def __init__(self) -> None:
        self.asked: list[Url] = []

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        if request.url not in WEB:
            raise ConnectionFailedError(request.url, "no such host")
        html = f"<html lang=en>{WEB[request.url]}".encode()
        return Response(request.url, 200, (("content-type", "text/html"),), html, 0.0)

    def ready_at(self, site: Site) -> float:  # noqa: ARG002
        return 0.0

    def delay_of(self, site: Site) -> float:  # noqa: ARG002
        return 0.0

    async def close(self) -> None:
        """Nothing to give back."""


class Pointing:
    """Answers from POINTING, and fails where it knows nothing."""

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        if url not in POINTING:
            raise ConnectionFailedError(url, "the provider is silent")
        return BacklinkAnswer(tuple(Url(found) for found in POINTING[url])[:limit], 1)


async def gather(plan: BackwardPlan | None = None, web: Web | None = None) -> BackwardResult:
    return await crawl_backward([FORM], Pointing(), web or Web(), plan or BackwardPlan(), SPEC)


def stems(gathered: BackwardResult, level: int) -> list[set[str]]:
    return [{term.stem for term in terms} for terms in gathered.lesson.levels[level]]


async def test_links_have_the_level_of_their_distance_from_the_form() -> None:
    found = await gather()
    assert sorted(found.lesson.levels) == [1, 2, 3]
    assert all({"search", "hotel"} <= words for words in stems(found, 1))
    assert [{"travel", "guid"} <= words for words in stems(found, 2)] == [True]
    assert ["directori" in words for words in stems(found, 3)] == [True]
    assert found.pages == {1: 2, 2: 1, 3: 1}


async def test_every_request_is_counted_also_those_in_vain() -> None:
    web = Web()
    found = await gather(web=web)
    questions = 1 + 2 + 1
    assert found.requests == questions + len(web.asked)
    assert Url("http://gone.test/") in web.asked


async def test_other_links_of_the_same_pages_lead_to_no_form() -> None:
    found = await gather()
    levels = learn_levels(found.lesson, Selection())
    assert levels.classes == (1, 2, 3, 0)
    assert len(found.lesson.others) == 4
    hotel = next(at for at, f in enumerate(levels.features) if f.name == "anchor: hotel")
    assert levels.counts[:, hotel].tolist() == [2, 0, 0, 0]


async def test_no_page_is_fetched_twice_and_no_more_than_allowed() -> None:
    web = Web()
    found = await gather(BackwardPlan(levels=2, pages=1), web)
    assert web.asked == ["http://deep.test/", "http://hub.test/"]
    assert found.pages == {1: 1, 2: 1}


async def test_only_so_many_back_links_are_asked_for() -> None:
    found = await gather(BackwardPlan(levels=1, back_links=2))
    assert found.pages == {1: 2}
    assert found.requests == 1 + 2


async def test_nothing_to_find_is_no_error() -> None:
    nowhere = Url("http://nowhere.test/")
    found = await crawl_backward([nowhere], Pointing(), Web(), BackwardPlan(), SPEC)
    assert not found.lesson.levels
    assert found.lesson.others.shape == (0, SPEC.words)
    assert found.requests == 1
