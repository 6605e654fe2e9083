"""A world answers for every URL, the same each time, and its truth is what its pages show."""

from collections import deque
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.http import Request
from leadline.core.page import Page
from leadline.core.url import Url
from leadline.errors import ConfigError
from leadline.page.parse import parse_page
from leadline_lab.lookup import Lookup
from leadline_lab.profile import profile_named
from leadline_lab.sites.domains import DOMAINS
from leadline_lab.truth import Truth
from leadline_lab.world import World

WORLD = World(profile_named("small"), 1)
TRUTH = Truth(WORLD)
SITES = range(0, WORLD.census.sites, 29)


def parsed(url: Url, world: World = WORLD) -> Page | None:
    reply = world.answer(Request(url))
    if reply.status != 200:
        return None
    return parse_page(reply.body, url, reply.header("content-type"))


def walk(start: list[Url], most: int) -> dict[Url, Page]:
    """Pages met breadth first."""
    waiting, seen = deque(start), set(start)
    met: dict[Url, Page] = {}
    while waiting and len(met) < most:
        url = waiting.popleft()
        page = parsed(url)
        if page is None:
            continue
        met[url] = page
        for link in page.links:
            if link.target not in seen:
                seen.add(link.target)
                waiting.append(link.target)
    return met


PAGES = walk([url for domain in ("book", "hotel", "movie") for url in WORLD.seeds(domain, 4)], 400)


def test_every_page_of_a_site_is_found_under_its_own_url() -> None:
    for site in SITES:
        estate = WORLD.estate(site)
        for number in range(0, estate.plan.pages, 1 + estate.plan.pages // 20):
            place = estate.plan.place(number)
            found = WORLD.locate(Url(estate.root + estate.paths.page(place)))
            assert found is not None
            assert found.route is not None, estate.paths.page(place)
            assert found.route.place == place


def test_pages_of_a_site_have_different_urls() -> None:
    for site in SITES:
        estate = WORLD.estate(site)
        paths = [
            estate.paths.page(estate.plan.place(n)) for n in range(min(200, estate.plan.pages))
        ]
        assert len(set(paths)) == len(paths)


def test_links_of_pages_lead_to_pages() -> None:
    own = [link.target for page in PAGES.values() for link in page.links]
    missing = [url for url in own if TRUTH.page(url).kind == "missing"]
    assert not missing


def test_the_truth_is_what_a_page_shows() -> None:
    shown = 0
    for url, page in PAGES.items():
        numbers = {TRUTH.form(form) for form in page.forms} - {None}
        assert numbers == set(TRUTH.page(url).interfaces), url
        shown += len(numbers)
    assert shown > 30


def test_another_world_of_the_same_name_has_the_same_bytes() -> None:
    other = World(profile_named("small"), 1)
    for url in reversed(list(PAGES)[:100]):
        assert other.answer(Request(url)) == WORLD.answer(Request(url))


def test_another_seed_is_another_world() -> None:
    other = World(profile_named("small"), 2)
    assert not set(other.seeds("book", 5)) & set(WORLD.seeds("book", 5))


@pytest.mark.parametrize("domain", sorted(DOMAINS))
def test_forms_stand_where_and_as_deep_as_planned(domain: str) -> None:
    checked = 0
    for plan, interface in TRUTH.interfaces(domain):
        if checked == 12 or plan.traps & {"dead", "failing", "sessions", "robots"}:
            continue
        estate = WORLD.estate(plan.site)
        page = parsed(
            Url(estate.root + estate.paths.page(plan.place(plan.page_of.get(interface.number, 0))))
        )
        assert page is not None
        actions = [form.action for form in page.forms]
        is_there = Url(estate.root + estate.paths.action(interface.number)) in actions
        assert is_there != interface.is_scripted
        checked += 1
    assert checked


def test_searches_bring_records_that_have_pages() -> None:
    answered = with_records = 0
    for plan, interface in TRUTH.interfaces("book"):
        if interface.style != "keyword" or plan.traps & {"dead", "failing", "slow", "sessions"}:
            continue
        estate = WORLD.estate(plan.site)
        form = estate.search_forms[interface.number]
        values = {
            control.name: control.value for control in estate.shown(interface.number).controls
        }
        values.update({name: "book" for name, target in form.bound.items() if target == "*"})
        action = Url(estate.root + estate.paths.action(interface.number))
        sent = Request(action, method="POST", body=urlencode(values).encode())
        reply = WORLD.answer(sent)
        answered += reply.status in {200, 302, 404}
        page = parse_page(reply.body, action, "text/html")
        records = [link.target for link in page.links if TRUTH.page(link.target).kind == "record"]
        with_records += bool(records)
        for url in records[:2]:
            assert WORLD.answer(Request(url)).status == 200
    assert answered > 5
    assert with_records > 3


def test_backlinks_are_links() -> None:
    lookup = Lookup(WORLD)
    checked = 0
    for url in WORLD.seeds("book", 4):
        host = url.split("/")[2]
        for source, _ in lookup.backlinks(url, 8):
            page = parsed(source)
            if page is not None:
                assert any(host in link.target for link in page.links), (source, url)
                checked += 1
    assert checked > 10


def test_most_sites_can_be_reached_from_the_seeds() -> None:
    reached = TRUTH.reachable(WORLD.seeds("book", 5))
    assert reached.mean() > 0.8


def test_an_unknown_domain_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="airfare"):
        WORLD.seeds("boats")


_HOSTS = st.sampled_from([WORLD.hosts.host(site) for site in range(0, WORLD.census.sites, 97)])
_TAILS = st.text(max_size=60) | st.sampled_from(
    ["/calendar/99999/1", "/go/5", "/?page=0", "/record/9-1", "?sid=&sid=x", "/%", "//", "/..;/"]
)


@given(_HOSTS | st.text(max_size=20), _TAILS, st.binary(max_size=50))
def test_a_world_answers_whatever_is_asked(host: str, tail: str, body: bytes) -> None:
    url = Url(f"http://{host}/{tail}")
    for request in (Request(url), Request(url, method="POST", body=body)):
        reply = WORLD.answer(request)
        assert reply.fault or 200 <= reply.status < 600
    TRUTH.page(url)
