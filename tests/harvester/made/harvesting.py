"""Harvests a made-up site over HTTP and judges what came by its truth."""

import time
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct

from leadline import harvest_async, load_config
from leadline.core.harvest import StoredRecord
from leadline.core.store import StoreView
from leadline.store import open_store_view
from tests.harvester.made.catalogue import judge_records, name_record
from tests.harvester.made.site import HOST, MadeSite


class MadeHarvest(Struct, frozen=True):
    """What one harvest brought."""

    share: float
    false: int
    requests: int
    """As the site counts them, looking around included."""
    to_90: int | None
    """Requests of the harvest until nine tenths were held."""
    low: float | None
    high: float | None
    size: int
    reason: str
    cpu_s: float


def _count_to_90(
    view: StoreView, kept: Sequence[StoredRecord], wanted: Collection[int]
) -> int | None:
    """With the requests that no page came of counted as the first."""
    (head,) = view.harvests.all()
    firsts: dict[tuple[int, int], set[int]] = {}
    for one in kept:
        firsts.setdefault((one.query, one.page), set()).add(name_record(one.record, wanted))
    spent, held = head.requests, set[int]()
    for page, _ in view.harvests.pages(head.id):
        spent += page.requests
        held |= firsts.get((page.query, page.number), set()) - {0}
        if len(held) >= 0.9 * len(wanted):
            return spent
    return None


async def harvest_made(kind: type[MadeSite], store: Path, **settings: object) -> MadeHarvest:
    begun = time.process_time()
    async with kind() as site:
        given = {
            "web.resolve": {"*": site.address},
            "web.allow_private": True,
            "politeness.delay_s": 0.0,
            "store.path": str(store),
            "harvest.max_requests": kind.max_requests,
            "harvest.retry_pause_s": 0.01,
            **{name.replace("__", "."): value for name, value in settings.items()},
        }
        done = await harvest_async(f"{HOST}{kind.start}", load_config(settings=given)[0])
        asked, wanted = len(site.log), site.reachable()
    (one,) = done.harvests
    view = open_store_view(store)
    try:
        kept = list(view.harvests.records())
        held, false = judge_records((one.record for one in kept), wanted)
        to_90 = _count_to_90(view, kept, wanted)
    finally:
        view.close()
    coverage = one.coverage
    return MadeHarvest(
        len(held) / len(wanted),
        false,
        asked,
        to_90,
        coverage.low if coverage else None,
        coverage.high if coverage else None,
        len(wanted),
        one.reason,
        time.process_time() - begun,
    )
