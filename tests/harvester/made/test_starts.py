"""Whatever address of a site is given - a page, an answer, data - its records come."""

from pathlib import Path

import pytest

from leadline import harvest_async, load_config
from leadline.errors import ConfigError
from tests.harvester.made.data_answers import NestedHits
from tests.harvester.made.habits import LeadsToPath
from tests.harvester.made.interfaces import (
    Feed,
    JsonNextAddress,
    JsonOffset,
    MenuOnly,
    NoFormAtHome,
    PathQueries,
    Plain,
)
from tests.harvester.made.site import HOST, MadeSite

STARTS: tuple[tuple[type[MadeSite], str], ...] = (
    (Plain, "/find?q=lamp&page=2"),
    (Plain, "/item/5"),
    (Plain, "/about"),
    (NoFormAtHome, "/visit"),
    (NoFormAtHome, "/item/3"),
    (PathQueries, "/search/lamp/"),
    (PathQueries, "/search/lamp/2"),
    (LeadsToPath, "/found/lamp"),
    (JsonOffset, "/api/items?search=lamp&limit=10&offset=10"),
    (JsonNextAddress, "/api?q=lamp"),
    (NestedHits, "/api?q=lamp&from=0&size=10"),
    (Feed, "/feed?q=lamp"),
    (MenuOnly, "/find?kind=2"),
)


def settings_for(site: MadeSite, store: Path) -> dict[str, object]:
    return {
        "web.resolve": {"*": site.address},
        "web.allow_private": True,
        "politeness.delay_s": 0.0,
        "harvest.max_requests": 40,
        "store.path": str(store),
    }


@pytest.mark.parametrize(
    ("kind", "start"), STARTS, ids=lambda part: getattr(part, "__name__", part)
)
async def test_any_address_leads_to_the_records(
    kind: type[MadeSite], start: str, tmp_path: Path
) -> None:
    async with kind() as site:
        settings = settings_for(site, tmp_path / "a.leadline")
        done = await harvest_async(f"{HOST}{start}", load_config(settings=settings)[0])
        (one,) = done.harvests
        assert one.tally.records >= 0.95 * len(site.items)


async def test_data_without_a_query_in_its_address_is_told_what_to_do(tmp_path: Path) -> None:
    async with JsonOffset() as site:
        settings = settings_for(site, tmp_path / "a.leadline")
        with pytest.raises(ConfigError, match="query"):
            await harvest_async(f"{HOST}/api/items?limit=10", load_config(settings=settings)[0])
