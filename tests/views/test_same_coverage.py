"""The command line and the dashboard say the same of one harvest."""

from contextlib import closing
from pathlib import Path

import pytest

from leadline.config import load_config
from leadline.crawler.harvests.assembly import harvest_forms_async
from leadline.store import open_store_view
from leadline.views.mirror.store import open_mirror
from tests.harvester.session.test_beginning import SilentSite


@pytest.mark.parametrize("requests", [0, 17, 18, 19, 20, 21, 25])
async def test_the_mirror_of_a_store_has_the_coverage_that_the_harvest_ended_with(
    requests: int, tmp_path: Path
) -> None:
    """Also of one that its budget ended in the middle of an answer."""
    path = tmp_path / "a.leadline"
    async with SilentSite("hazel") as site:
        config, _ = load_config(
            settings={
                "web.resolve": {"*": site.address},
                "web.allow_private": True,
                "politeness.delay_s": 0.0,
                "store.path": str(path),
                "harvest.max_requests": requests,
            }
        )
        (harvest,) = (await harvest_forms_async(config, "http://shelf.test/desk")).harvests
    mirror = open_mirror("a", path)
    with mirror.refresh():
        (mirrored,) = mirror.harvests.by_id.values()
        assert mirrored.coverage == harvest.coverage
    mirror.close()


async def test_queries_that_type_a_word_are_stored_with_the_records_held_that_show_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.leadline"
    async with SilentSite("hazel") as site:
        config, _ = load_config(
            settings={
                "web.resolve": {"*": site.address},
                "web.allow_private": True,
                "politeness.delay_s": 0.0,
                "store.path": str(path),
            }
        )
        (harvest,) = (await harvest_forms_async(config, "http://shelf.test/desk")).harvests
    with closing(open_store_view(path)) as store:
        asked = list(store.harvests.queries(harvest.harvest.id))
    assert any(query.held_matches for query in asked)
    assert all(query.held_matches is None for query in asked if query.is_survey)
