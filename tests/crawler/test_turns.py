"""How long a worker stays with a site, and what it does when that brings nothing."""

import random
from itertools import pairwise

import pytest

from leadline.crawler.team import begin_run
from tests.crawler.virtual import Office, Web, in_virtual_time, settings
from tests.server.good import Town

TOWN = Town(pages=60, hosts=6)


def asked(turn: int) -> list[str]:
    """The sites that one worker asked for pages, in order, one site at a time."""

    async def main() -> Office:
        office = Office(
            settings(TOWN, crawl__concurrency=1, cluster__pages_per_lease=turn), Web(TOWN)
        )
        begin_run(office.store, office.config)
        await office.take_part("w0", random.Random(1))
        return office

    office = in_virtual_time(main)
    return [site for site, path, _ in office.web.log if path != "/robots.txt"]


@pytest.mark.parametrize(("turn", "most"), [(1, 10), (4, 50)])
def test_a_site_is_given_back_after_its_turn(turn: int, most: int) -> None:
    sites = asked(turn)
    assert len(sites) == TOWN.pages
    stays = sum(one == next_one for one, next_one in pairwise(sites))
    assert stays <= most
    assert (stays > 20) == (turn > 1)
