"""The harvest itself, its receipt and the console tell one and the same coverage, wherever in an
answer a budget ended the run; and no budget is exceeded."""

from pathlib import Path

import pytest

from leadline import harvest_async, load_config
from leadline.crawler.harvests.verification import verify_harvests
from leadline.store import open_store_view
from leadline.views.mirror.store import open_mirror
from leadline.views.receipt import make_receipt
from tests.harvester.made.answers import GrowingCatalogue
from tests.harvester.made.interfaces import CappedInSilence, ListsAll, Plain
from tests.harvester.made.site import HOST, MadeSite


@pytest.mark.parametrize("most", [5, 9, 19, 33])
@pytest.mark.parametrize(
    "kind", [Plain, CappedInSilence, ListsAll, GrowingCatalogue], ids=lambda kind: kind.__name__
)
async def test_one_coverage_is_told_everywhere(
    kind: type[MadeSite], most: int, tmp_path: Path
) -> None:
    store = tmp_path / "a.leadline"
    async with kind() as site:
        settings = {
            "web.resolve": {"*": site.address},
            "web.allow_private": True,
            "politeness.delay_s": 0.0,
            "store.path": str(store),
            "harvest.max_requests": most,
        }
        done = await harvest_async(f"{HOST}{kind.start}", load_config(settings=settings)[0])
        # The page on which the form is looked for is no request of its harvest yet.
        assert len(site.log) <= most + 1
    (one,) = done.harvests
    view = open_store_view(store)
    mirror = open_mirror("a", store)
    try:
        (head,) = view.harvests.all()
        assert one.coverage is not None
        assert make_receipt(view, head).coverage == one.coverage
        with mirror.refresh() as current:
            (shown,) = current.harvests.by_id.values()
            assert shown.coverage == one.coverage
    finally:
        mirror.close()
        view.close()


@pytest.mark.parametrize("kind", [ListsAll, Plain], ids=lambda kind: kind.__name__)
async def test_what_a_harvest_says_of_an_honest_source_is_verified(
    kind: type[MadeSite], tmp_path: Path
) -> None:
    async with kind() as site:
        settings = {
            "web.resolve": {"*": site.address},
            "web.allow_private": True,
            "politeness.delay_s": 0.0,
            "store.path": str(tmp_path / "a.leadline"),
            "harvest.max_requests": 60,
        }
        config = load_config(settings=settings)[0]
        await harvest_async(f"{HOST}{kind.start}", config)
        before = len(site.log)
        (found,) = await verify_harvests(config)
        assert len(site.log) - before <= 50
    assert [claim for claim in found.claims if claim.has_held is False] == []
