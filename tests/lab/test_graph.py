"""Sites and the links between them."""

import numpy as np
import pytest

from leadline_lab.profile import profile_named
from leadline_lab.sites.census import Census
from leadline_lab.sites.graph import Graph
from leadline_lab.sites.hosts import Hosts

CENSUS = Census(profile_named("small"), 5)
GRAPH = Graph(CENSUS, 5)
HOSTS = Hosts(CENSUS, 5)


def test_populations_cover_all_sites_without_gaps() -> None:
    at = 0
    for population in CENSUS.populations:
        assert population.first == at
        assert CENSUS.population(at) is population
        at += population.sites
    assert at == CENSUS.sites


def test_a_host_leads_back_to_its_site() -> None:
    sites = range(0, CENSUS.sites, 7)
    assert [HOSTS.site(HOSTS.host(site)) for site in sites] == list(sites)
    assert len({HOSTS.host(site) for site in sites}) == len(sites)


@pytest.mark.parametrize("host", ["", "x", "www.test", "bababa.test.com", "bababa", "localhost"])
def test_other_hosts_belong_to_nobody(host: str) -> None:
    assert HOSTS.site(host) is None


def test_every_link_is_found_from_its_target() -> None:
    checked = 0
    for site in range(0, CENSUS.sites, 53):
        for edge in GRAPH.links(site, GRAPH.page_edges(site, 0)):
            assert (site, edge.number) in GRAPH.sources(edge.target, 10**6)
            checked += 1
    assert checked > 30


def test_rows_of_edges_lead_where_single_edges_lead() -> None:
    for site in range(0, CENSUS.sites, 37):
        edges = GRAPH.page_edges(site, 1)
        row = GRAPH.targets(np.arange(edges.start, edges.stop, dtype=np.uint64))
        singly = {edge.number: edge.target for edge in GRAPH.links(site, edges)}
        together = dict(zip(edges, row.tolist(), strict=True))
        assert {edge: target for edge, target in together.items() if target >= 0} == singly


def test_links_prefer_their_own_topic() -> None:
    same = total = 0
    for site in range(0, CENSUS.sites, 11):
        topic = CENSUS.population(site).topic
        for edge in GRAPH.links(site, GRAPH.page_edges(site, 0)):
            same += CENSUS.population(edge.target).topic == topic
            total += 1
    assert 0.3 < same / total < 0.9


def test_pages_of_a_site_repeat_its_outward_links() -> None:
    site = int(np.argmax(CENSUS.sizes))
    seen = {edge for page in range(200) for edge in GRAPH.page_edges(site, page)}
    assert len(seen) < 200
    assert {GRAPH.page_of(site, edge) for edge in seen} <= set(range(200))
