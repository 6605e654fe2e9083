"""Profiles drawn by lot: points of a declared space whose worlds hold what their truth says."""

import pytest

from leadline.core.http import Request
from leadline.core.page import Page
from leadline.core.url import Url, canonical, site_of
from leadline.errors import ConfigError
from leadline.page.parse import parse_page
from leadline_lab.drawn import SPACE, TRIED, draw_profile
from leadline_lab.oracles.ground import Ground
from leadline_lab.oracles.wanted import wanted_sites
from leadline_lab.profile import Profile, profile_named
from leadline_lab.sites.census import FIRST_OF_GUIDE, count_sites
from leadline_lab.truth import Truth
from leadline_lab.world import World

SEEDS = range(1, 9)
TRAPPED = frozenset({"sessions", "failing", "dead", "robots", "mirror"})
_worlds: dict[int, World] = {}


def world_of(seed: int) -> World:
    if seed not in _worlds:
        _worlds[seed] = World(draw_profile(seed), seed)
    return _worlds[seed]


def read(world: World, url: Url) -> Page:
    reply = world.answer(Request(url))
    assert reply.status == 200, url
    return parse_page(reply.body, url, "text/html")


def test_a_seed_is_always_the_same_profile() -> None:
    assert draw_profile.__wrapped__(4) == draw_profile(4) == profile_named("drawn-4")
    assert draw_profile(4) != draw_profile(7)


def test_each_choice_has_a_range_a_source_and_a_field() -> None:
    fields = set(Profile.__struct_fields__)
    for name, space in SPACE.items():
        assert name in fields
        assert space.source
        assert list(space.quantiles) == sorted(space.quantiles)
        drawn = {getattr(draw_profile(seed), name) for seed in SEEDS}
        assert len(drawn) > 1, f"{name} is the same in all worlds"


def test_worlds_of_three_sizes_take_turns() -> None:
    sizes = [count_sites(draw_profile(seed)) for seed in (3, 6, 1, 4, 2, 5)]
    assert all(size < 500 for size in sizes[:2])
    assert all(700 < size < 2_000 for size in sizes[2:4])
    assert all(size > 10_000 for size in sizes[4:])


def test_a_name_that_is_no_seed_is_refused() -> None:
    with pytest.raises(ConfigError, match="drawn-1, drawn-2"):
        profile_named("drawn-many")


def test_every_drawn_world_has_the_domains_that_are_tried() -> None:
    for seed in SEEDS:
        world = world_of(seed)
        assert set(TRIED) <= set(world.domains)
        for domain in ("book", "job"):
            assert len(world.seeds(domain, 10)) >= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_links_lead_from_the_home_page_to_each_form_that_truth_knows(seed: int) -> None:
    world = world_of(seed)
    truth = Truth(world)
    walked = 0
    for site, wanted in wanted_sites(world, "book").items():
        estate = world.estate(site)
        if estate.plan.traps & TRAPPED:
            continue
        ground = Ground(world, estate)
        ground.linked.add(0)
        for number in wanted.at:
            chain = ground.way(number, set())
            pages = [read(world, ground.url(step)) for step in chain]
            for before, after in zip(pages, chain[1:], strict=False):
                # The last step of a pager may stand on the list before.
                assert ground.url(after) in {link.target for link in before.links}, (site, chain)
            found = {truth.form(form) for form in pages[-1].forms}
            expected = set(truth.page(ground.url(number)).interfaces)
            assert expected <= found, (site, number)
            walked += 1
        if walked > 5:
            break
    assert walked


def test_a_guide_lists_sites_of_the_topic_of_each_section() -> None:
    world = world_of(4)
    site = world.census.populations[-1].first
    plan = world.estate(site).plan
    assert len(plan.sections) == len(world.census.topics)
    linked = 0
    for number, section in enumerate(plan.sections):
        page = plan.list_page(number)
        assert page == FIRST_OF_GUIDE + number
        for link in world.graph.links(site, world.graph.page_edges(site, page)):
            assert world.census.population(link.target).topic == section.topic
            linked += 1
    assert linked


def test_who_links_to_a_site_is_also_found_for_links_of_guides() -> None:
    world = world_of(4)
    graph = world.graph
    site = world.census.populations[-1].first
    links = [
        link
        for page in range(FIRST_OF_GUIDE, 9)
        for link in graph.links(site, graph.page_edges(site, page))
    ]
    for link in links[:10]:
        assert (site, link.number) in graph.sources(link.target, 5_000)


def test_a_site_of_one_page_has_all_its_forms_there_and_links_to_no_other_page() -> None:
    profile = next(
        draw_profile(seed) for seed in range(1, 30) if draw_profile(seed).single_page > 50
    )
    world = World(profile, 1)
    single = [int(s) for s in world.census.single.nonzero()[0] if not world.census.dead[s]]
    assert single
    for site in single[:20]:
        estate = world.estate(site)
        if estate.plan.traps:
            continue
        home = canonical(f"{estate.root}/") or Url(estate.root)
        page = read(world, home)
        own = {link.target for link in page.links if site_of(link.target) == site_of(home)}
        assert own <= {home}
        assert all(interface.depth == 0 for interface in estate.plan.interfaces)
