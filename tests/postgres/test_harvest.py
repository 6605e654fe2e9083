"""`leadline harvest --shared`, by two processes on one store."""

import asyncio
from collections import Counter

from tests.postgres.shelf import REACHED, drawn, find_form, leadline, shelf_site


async def test_two_processes_draw_up_each_record_once(postgres_url: str) -> None:
    async with shelf_site() as site:
        form = await find_form(site, postgres_url)
        command = ("harvest", form, postgres_url, "--shared")
        assert await asyncio.gather(*(leadline(site, *command) for _ in range(2))) == [0, 0]
    assert set(drawn(postgres_url)) == REACHED
    assert set(drawn(postgres_url).values()) == {1}
    # What a control query asks was asked before: one query, whatever is doubted.
    assert sum(asked > 1 for asked in Counter(site.log).values()) <= 1
