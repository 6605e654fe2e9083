"""A SearXNG instance as a back-link service."""

import pytest

from leadline.backlinks.providers import SearxngLinks, find_seeds
from leadline.backlinks.settings import BackLinkSettings
from leadline.core.url import Url
from leadline.errors import BadResponseError, ConfigError, RobotsDeniedError, WrongTypeError
from leadline_lab.server.fetcher import LabFetcher
from leadline_lab.server.serve import open_world
from leadline_lab.server.services import SEARCH
from tests.backlinks.servers import SEARXNG_ROBOTS, Fixed, SearchServer
from tests.server.wire import answer_bytes
from tests.web.rig import fetching

HOME, PAGE = Url("http://a.test/"), Url("http://a.test/shop?id=1")
QUERIES = BackLinkSettings().queries
ADDRESS = "http://find.test"
ELSEWHERE = ["http://b.test/hub", "http://c.test/"]


async def test_the_link_operator_comes_first_and_is_enough_where_it_finds_something() -> None:
    server = SearchServer({f"link:{HOME}": ["http://a.test/about", *ELSEWHERE]})
    async with server, fetching(server) as fetcher:
        found = await SearxngLinks(fetcher, ADDRESS, QUERIES).find_backlinks(HOME, 20)
    assert found.urls == tuple(ELSEWHERE)
    assert found.requests == 2
    assert server.queries == [f"link:{HOME}"]
    assert server.asks[0].path == "/search"


@pytest.mark.parametrize(
    ("page", "query"),
    [(HOME, '"a.test" -site:a.test'), (PAGE, '"a.test/shop?id=1" -site:a.test')],
)
async def test_where_it_finds_nothing_the_name_is_searched_for(page: Url, query: str) -> None:
    server = SearchServer({query: ELSEWHERE})
    async with server, fetching(server) as fetcher:
        found = await SearxngLinks(fetcher, ADDRESS, QUERIES).find_backlinks(page, 1)
    assert found.urls == ("http://b.test/hub",)
    assert found.requests == 3
    assert server.queries == [f"link:{page}", query]


async def test_nothing_found_is_an_answer() -> None:
    async with SearchServer({}) as server, fetching(server) as fetcher:
        found = await SearxngLinks(fetcher, ADDRESS, QUERIES).find_backlinks(HOME, 20)
    assert found == ((), 3)


async def test_the_robots_txt_it_ships_with_is_obeyed() -> None:
    server = SearchServer({f"link:{HOME}": ELSEWHERE}, SEARXNG_ROBOTS)
    async with server, fetching(server) as fetcher:
        with pytest.raises(RobotsDeniedError) as caught:
            await SearxngLinks(fetcher, ADDRESS, QUERIES).find_backlinks(HOME, 20)
        assert caught.value.requests == 1
        assert server.asks == []
        by_post = SearxngLinks(fetcher, ADDRESS, QUERIES, is_post=True)
        found = await by_post.find_backlinks(HOME, 20)
    assert found.urls == tuple(ELSEWHERE)
    assert [ask.method for ask in server.asks] == ["POST"]


async def test_an_instance_may_live_below_its_host() -> None:
    async with SearchServer({}) as server, fetching(server) as fetcher:
        await SearxngLinks(fetcher, "http://x.test/searxng/", QUERIES[:1]).find_backlinks(HOME, 20)
    assert server.asks[0].path == "/searxng/search"


async def test_all_requests_of_a_question_that_failed_are_counted() -> None:
    class Tired(SearchServer):
        def reply(self, ask):  # type: ignore[no-untyped-def]
            return super().reply(ask) if len(self.asks) < 2 else answer_bytes("<p>slow down")

    async with Tired({}) as server, fetching(server) as fetcher:
        with pytest.raises(WrongTypeError) as caught:
            await SearxngLinks(fetcher, ADDRESS, QUERIES).find_backlinks(HOME, 20)
    assert caught.value.requests == 3


async def test_an_instance_without_json_cannot_answer() -> None:
    server = Fixed(answer_bytes("no", status="403 Forbidden"))
    async with server, fetching(server) as fetcher:
        with pytest.raises(BadResponseError, match="status 403"):
            await SearxngLinks(fetcher, ADDRESS, QUERIES).find_backlinks(HOME, 20)


async def test_the_search_service_of_the_lab_answers() -> None:
    world = open_world("small", 1)
    search = SearxngLinks(LabFetcher(world), f"http://{SEARCH}", QUERIES)
    assert any([(await search.find_backlinks(seed, 20)).urls for seed in world.seeds("book", 8)])


async def test_seeds_are_searched_for_by_the_phrase_one_page_a_site() -> None:
    server = SearchServer(
        {
            "court records search": ["http://a.test/find", "http://a.test/other"],
            "court records database": ["http://b.test/"],
        }
    )
    settings = BackLinkSettings(provider="searxng", address=ADDRESS)
    async with server, fetching(server) as fetcher:
        found = await find_seeds(settings, fetcher, "court records", 2)
    assert found == ["http://a.test/find", "http://b.test/"]
    assert server.queries == ["court records search", "court records database"]


async def test_without_an_instance_the_message_says_how_to_give_seeds() -> None:
    async with SearchServer({}) as server, fetching(server) as fetcher:
        with pytest.raises(ConfigError, match="--seeds"):
            await find_seeds(BackLinkSettings(), fetcher, "court records", 2)
