"""The services of the lab: incomplete, capped, partly stale, and always the same."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from leadline.core.http import Request
from leadline.core.url import host_of, site_of
from leadline.web import WebSettings
from leadline_lab.lookup import Lookup
from leadline_lab.profile import profile_named
from leadline_lab.server.fetcher import LabFetcher
from leadline_lab.server.incomplete import POOL
from leadline_lab.server.running import serving
from leadline_lab.server.serve import open_world
from leadline_lab.server.services import BACKLINKS, SEARCH, Query, WithServices, parse_query
from leadline_lab.world import World
from tests.lab.small_world import LinkedWorld, get, url_of
from tests.web.rig import fetching

JSON_TOO = (*WebSettings().accept_types, "application/json")


def served(linked: LinkedWorld | None = None) -> WithServices:
    linked = linked or LinkedWorld()
    return WithServices(linked, linked)


@pytest.fixture
def world() -> WithServices:
    return served()


def asked(world: WithServices, host: str, path: str) -> Any:
    reply = world.answer(get(path, host), 0.0)
    assert reply.header("content-type") == "application/json"
    return json.loads(reply.body)


def links(world: WithServices, target: str, more: str = "") -> Any:
    return asked(world, BACKLINKS, f"/links?url={quote(target, safe='')}{more}")


def search(world: WithServices, query: str, more: str = "") -> Any:
    return asked(world, SEARCH, f"/search?q={quote(query)}&format=json{more}")


# Back-links


def test_back_links_name_pages_and_anchors(world: WithServices) -> None:
    found = links(world, "http://s60.test/page/7")
    assert set(found) == {"url", "links", "total"}
    assert found["url"] == "http://s60.test/page/7"
    assert all(set(link) == {"url", "anchor"} for link in found["links"])
    assert found["total"] >= len(found["links"]) > 0


def test_a_bare_host_means_its_home_page(world: WithServices) -> None:
    assert links(world, "s60.test") == links(world, "http://s60.test/")


def test_the_same_question_has_the_same_answer_in_every_copy_of_a_world() -> None:
    one, other = (served().links_to(url_of("http://s60.test/")) for _ in "ab")
    assert one == other


def test_another_world_knows_other_links(world: WithServices) -> None:
    class Elsewhere(LinkedWorld):
        key = 2

    target = url_of("http://s60.test/")
    assert served(Elsewhere()).links_to(target) != world.links_to(target)


def test_no_more_than_twenty_are_given_or_as_many_as_asked_for(world: WithServices) -> None:
    assert max(len(links(world, f"http://s80.test/{n}")["links"]) for n in range(50)) == 20
    assert len(links(world, "http://s80.test/", "&limit=3")["links"]) == 3


def test_a_third_to_a_half_is_known_and_a_tenth_is_stale(world: WithServices) -> None:
    size = 30
    truth = {url for url, _ in LinkedWorld().backlinks(url_of(f"http://s{size}.test/"), POOL)}
    good = stale = 0
    for n in range(500):
        found = {hit.url for hit in world.links_to(url_of(f"http://s{size}.test/{n}")).hits}
        good += len(found & truth)
        stale += len(found - truth)
    assert 0.36 < good / (500 * size) < 0.44
    assert 0.08 < stale / (good + stale) < 0.12


def test_what_nobody_links_to_has_no_links(world: WithServices) -> None:
    assert links(world, "http://s0.test/") == {"url": "http://s0.test/", "links": [], "total": 0}


@pytest.mark.parametrize(
    "path", ["/links", "/links?url=", "/links?url=http://[", "/links?url=a.test&limit=21",
             "/links?url=a.test&limit=0", "/links?url=a.test&limit=x"]
)  # fmt: skip
def test_a_question_that_is_none_is_refused(world: WithServices, path: str) -> None:
    reply = world.answer(get(path, BACKLINKS), 0.0)
    assert reply.status == 400
    assert "limit" in json.loads(reply.body)["error"]


# Search


def test_results_have_the_fields_of_searxng(world: WithServices) -> None:
    found = search(world, "old books")
    assert list(found) == [
        "query", "number_of_results", "results", "answers", "corrections", "infoboxes",
        "suggestions", "unresponsive_engines",
    ]  # fmt: skip
    assert found["query"] == "old books"
    first = found["results"][0]
    assert {
        "url", "title", "content", "engine", "engines", "score", "category", "parsed_url",
        "positions", "template", "publishedDate", "thumbnail", "img_src", "priority",
    } == set(first)  # fmt: skip
    assert first["parsed_url"] == ["http", host_of(site_of(first["url"])), "/", "", "", ""]
    assert first["engines"] == [first["engine"]]


def test_results_come_in_pages_and_end_at_twenty(world: WithServices) -> None:
    pages = [search(world, "link:http://s80.test/", f"&pageno={n}")["results"] for n in (1, 2, 3)]
    assert [len(page) for page in pages] == [10, 10, 0]
    assert [row["positions"] for page in pages for row in page] == [[n] for n in range(1, 21)]


def test_a_site_is_known_or_not_for_good(world: WithServices) -> None:
    true = {row[0] for row in LinkedWorld().sites_about(["books"], POOL)}
    found: set[str] = set()
    shares = []
    for n in range(400):
        hits = {hit.url for hit in world.search(Query(("books", f"word{n}"))).hits}
        shares.append(len(hits & true) / len(true))
        found |= hits & true
    assert 0.2 < sum(shares) / len(shares) < 0.55
    assert len(found) / len(true) < 0.75


def test_the_order_of_words_changes_no_answer(world: WithServices) -> None:
    one, other = (world.search(Query(words)) for words in (("a", "books"), ("books", "a")))
    assert one == other


def test_link_queries_ask_the_same_index_as_the_back_link_service(world: WithServices) -> None:
    by_search = [row["url"] for row in search(world, "link:http://s20.test/")["results"]]
    assert by_search == [row["url"] for row in links(world, "s20.test")["links"]][:10]


def test_site_queries_stay_on_the_site(world: WithServices) -> None:
    found = [hit for n in range(40) for hit in world.search(Query((), f"x{n}.test")).hits]
    assert found
    assert all(hit.title in ("home", "a") for hit in found)
    below = world.search(parse_query("books site:test")).hits
    assert below
    assert not world.search(parse_query("books site:invalid")).hits


def test_words_nobody_uses_find_nothing(world: WithServices) -> None:
    found = search(world, "zzzz")
    assert (found["results"], found["number_of_results"]) == ([], 0)


def test_people_get_a_form_and_a_list(world: WithServices) -> None:
    empty = world.answer(get("/", SEARCH), 0.0)
    found = world.answer(get("/search?q=books", SEARCH), 0.0)
    assert b'<input type="text" name="q" value="">' in empty.body
    assert b"Books &amp; " in found.body
    assert b"&lt;b&gt;all" in found.body


def test_a_form_may_be_posted(world: WithServices) -> None:
    kind = "application/x-www-form-urlencoded"
    url = url_of(f"http://{SEARCH}/search")
    reply = world.answer(Request(url, "POST", b"q=old+books&format=json", kind), 0.0)
    assert json.loads(reply.body) == search(world, "old books")


@pytest.mark.parametrize(
    ("path", "status"),
    [("/search?format=json", 400), ("/search?q=a&pageno=0&format=json", 400),
     ("/search?q=a&pageno=x", 400), ("/search?q=a&format=rss", 403), ("/nothing", 404)],
)  # fmt: skip
def test_a_query_that_is_none_is_refused(world: WithServices, path: str, status: int) -> None:
    assert world.answer(get(path, SEARCH), 0.0).status == status


# In a real world


def test_a_world_and_its_index_make_services() -> None:
    whole = open_world("small", 1)
    index = Lookup(World(profile_named("small"), 1))
    known = stale = true = 0
    for url in whole.seeds("book", 12):
        truth = dict(index.backlinks(url, POOL))
        found = {hit.url for hit in whole.links_to(url).hits}
        # Where the cap of twenty takes part, recall is not seen.
        true += len(truth) if len(found) < 20 else 0
        known += len(found & set(truth)) if len(found) < 20 else 0
        stale += len(found - set(truth))
    assert true
    assert 0.25 < known / true < 0.55
    assert stale
    assert len(search(whole, "used books online")["results"]) > 3


def test_what_the_services_name_can_be_asked_for() -> None:
    whole = open_world("small", 1)
    urls = [hit.url for hit in whole.search(parse_query("books")).hits]
    for home in urls[:5]:
        urls += [hit.url for hit in whole.links_to(home).hits]
    replies = [whole.answer(Request(url), 0.0) for url in urls]
    assert 0.7 < sum(reply.status == 200 for reply in replies) / len(replies) < 1.0


# Both ways


@pytest.mark.parametrize(
    "url",
    [f"http://{BACKLINKS}/links?url=s30.test", f"http://{SEARCH}/search?q=books&format=json"],
)
async def test_services_are_asked_like_any_site_by_both_transports(url: str) -> None:
    web = WebSettings(accept_types=JSON_TOO)
    fetcher = LabFetcher(served(), web)
    inside = await fetcher.fetch(Request(url_of(url)))
    with serving(served()) as port:
        settings: dict[str, Any] = {
            "resolve": {"*": f"127.0.0.1:{port}"},
            "accept_types": JSON_TOO,
        }
        async with fetching(None, web=settings) as live:
            outside = await live.fetch(Request(url_of(url)))
    assert (inside.body, inside.headers) == (outside.body, outside.headers)
    assert fetcher.requests == inside.requests == outside.requests == 2


def test_all_other_hosts_are_the_worlds_own(world: WithServices) -> None:
    assert world.answer(get("/"), 0.0) == LinkedWorld().answer(get("/"), 0.0)
    assert world.seeds("book", 2) == LinkedWorld().seeds("book", 2)
