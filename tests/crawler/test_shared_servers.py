"""A team on one address keeps its limit together, in time that passes only when all wait."""

import asyncio
import random
from itertools import pairwise

from leadline.config import Config
from leadline.core.url import Site
from leadline.crawler.team import begin_run
from tests.crawler.virtual import Office, Web, in_virtual_time, settings
from tests.server.good import Town


def crawl_by_two(config: Config, web: Web) -> Office:
    async def main() -> Office:
        office = Office(config, web)
        begin_run(office.store, config)
        dice = [random.Random(seed) for seed in (1, 2)]
        async with asyncio.timeout(10_000):
            await asyncio.gather(*(office.take_part(f"w{n}", d) for n, d in enumerate(dice)))
        return office

    office: Office = in_virtual_time(main)
    return office


def test_two_workers_together_keep_the_limit_of_an_address() -> None:
    web = Web(Town(pages=60, hosts=20))
    office = crawl_by_two(settings(web.town, politeness__sites_per_address=3), web)
    starts = [at for _, _, at in web.log]
    # No span of a second has more than three.
    assert all(later - earlier >= 1.0 for earlier, later in zip(starts, starts[3:], strict=False))
    # The limit is used: the spacing is a fifth more than a third of a second.
    gaps = sorted(later - earlier for earlier, later in pairwise(starts))
    assert gaps[len(gaps) // 2] < 0.5
    assert office.store.reader.counts().pages == 60


def test_without_the_limit_the_same_team_is_quicker() -> None:
    web = Web(Town(pages=60, hosts=20))
    office = crawl_by_two(settings(web.town), web)
    assert office.store.reader.counts().pages == 60
    assert max(sum(0 <= at - start < 1.0 for *_, at in web.log) for *_, start in web.log) > 3
    assert {site for site, _, _ in web.log} == {Site(f"site{n}.test") for n in range(20)}
