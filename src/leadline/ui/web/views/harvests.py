"""Harvests: how far each came, its queries, its records."""

from leadline.core.kept import Asked, KeptRecord
from leadline.harvester.coverage import Coverage
from leadline.ui.explain import LEAST_SIGNATURE
from leadline.ui.record_rows import shown
from leadline.ui.web.models import (
    CoveragePoint,
    CoverageView,
    HarvestSummary,
    HarvestView,
    Listing,
    QueryView,
    RecordSort,
    RecordView,
)
from leadline.ui.web.seen.drawing import CoverageMoment
from leadline.ui.web.seen.following import Following
from leadline.ui.web.seen.harvests import HarvestSeen
from leadline.ui.web.views.scores import told

_OFTEN = 10
"""Records seen as often or more are counted together."""


def find_harvest(seen: Following, signature: str) -> HarvestSeen | None:
    """The harvest of the first form whose signature begins so."""
    known = seen.harvests.by_signature
    if signature in known:
        return known[signature]
    if len(signature) < LEAST_SIGNATURE:
        return None
    return next((one for name, one in known.items() if name.startswith(signature)), None)


def harvest_list(seen: Following, offset: int, limit: int) -> Listing[HarvestSummary]:
    """The latest first."""
    found = list(seen.harvests.by_id.values())[::-1]
    items = tuple(harvest_summary(seen, one) for one in found[offset : offset + limit])
    return Listing(items=items, total=len(found), offset=offset, limit=limit)


def harvest_summary(seen: Following, harvest: HarvestSeen) -> HarvestSummary:
    head, coverage = harvest.head, harvest.drawing.coverage
    return HarvestSummary(
        signature=head.signature,
        site=head.site,
        policy=head.policy,
        state=head.state,
        reason=head.reason,
        at=head.at,
        queries=seen.catalogue.query_count(head.id),
        requests=harvest.requests_in_all,
        records=harvest.records,
        sightings=harvest.sightings,
        duplicates=harvest.keys.seen_again(),
        details=harvest.details,
        coverage=coverage_view(coverage, harvest.records) if coverage else None,
    )


def coverage_view(coverage: Coverage, records: int) -> CoverageView:
    """An estimate rests on finished queries: one that is read at the moment may have brought
    more, and there are at least as many as are held."""
    more = records - coverage.held
    untold = f"; {more:,} more came by a query that is still read" if more > 0 else ""
    return CoverageView(
        held=max(records, coverage.held),
        size=max(records, coverage.size),
        low=max(records, coverage.low),
        high=_high(coverage, records),
        cap=coverage.cap,
        told=coverage.told,
        why=f"{coverage.why}{untold}",
    )


def _high(coverage: Coverage, records: int) -> int | None:
    """None once more is held than the estimate took for the most there can be."""
    is_beyond = coverage.high is not None and coverage.high < records
    return None if is_beyond else coverage.high


def harvest_view(seen: Following, harvest: HarvestSeen) -> HarvestView:
    return HarvestView(
        summary=harvest_summary(seen, harvest),
        curve=(*map(_point, harvest.drawing.curve()), *_underway(harvest)),
        capped_queries=harvest.drawing.cut,
        finished_queries=harvest.drawing.queries,
        seen_times=harvest.keys.by_times(_OFTEN),
    )


def query_list(
    seen: Following, harvest: HarvestSeen, offset: int, limit: int, *, is_newest_first: bool = False
) -> Listing[QueryView]:
    """In the order of asking, or the latest first."""
    number = harvest.head.id
    total = seen.catalogue.query_count(number)
    # Queries are numbered without gaps from 1 on.
    after = max(0, total - offset - limit) if is_newest_first else offset
    count = min(limit, max(0, total - offset)) if is_newest_first else limit
    found = seen.catalogue.queries(number, after, count) if count else []
    items = tuple(_query(asked) for asked in (found[::-1] if is_newest_first else found))
    return Listing(items=items, total=total, offset=offset, limit=limit)


def record_list(
    seen: Following, harvest: HarvestSeen, offset: int, limit: int, sort: RecordSort = "first"
) -> Listing[RecordView]:
    """In the order of first sight, the latest first, or those seen most often first."""
    numbers = harvest.keys.numbers
    if sort == "most-seen":
        asked = harvest.keys.most_seen(min(offset, len(numbers)), limit)
    else:
        ordered = numbers[::-1] if sort == "latest" else numbers
        asked = ordered[offset : offset + limit].tolist()
    items = tuple(_record(kept) for kept in seen.catalogue.records_numbered(asked))
    return Listing(items=items, total=len(numbers), offset=offset, limit=limit)


def _underway(harvest: HarvestSeen) -> tuple[CoveragePoint, ...]:
    """What the query that is still read has brought, if there is one."""
    coverage = harvest.drawing.coverage
    if coverage is None or harvest.records <= coverage.held:
        return ()
    view = coverage_view(coverage, harvest.records)
    point = CoveragePoint(
        requests=max(harvest.requests, harvest.drawing.requests),
        records=harvest.records,
        sightings=harvest.sightings,
        size=view.size,
        low=view.low,
        high=view.high,
    )
    return (point,)


def _point(moment: CoverageMoment) -> CoveragePoint:
    coverage = moment.coverage
    is_known = coverage.held > 0
    return CoveragePoint(
        requests=moment.requests,
        records=moment.records,
        sightings=moment.sightings,
        size=coverage.size if is_known else None,
        low=coverage.low if is_known else None,
        high=coverage.high if is_known else None,
    )


def _query(asked: Asked) -> QueryView:
    outcome = asked.outcome
    return QueryView(
        number=asked.number,
        query=shown(asked.query.values),
        at=asked.at,
        why=asked.why,
        is_survey=asked.is_survey,
        fresh_expected=told(asked.fresh),
        kind=outcome.kind if outcome else "",
        returned=outcome.returned if outcome else 0,
        fresh=outcome.fresh if outcome else 0,
        total=outcome.total if outcome else None,
        pages=outcome.pages if outcome else 0,
        requests=outcome.requests if outcome else 0,
        is_cut=outcome.is_cut if outcome else False,
        ended=outcome.why if outcome else "",
    )


def _record(kept: KeptRecord) -> RecordView:
    record = kept.record
    cells = (*record.cells, *kept.detail)
    return RecordView(
        number=kept.number,
        title=record.title,
        url=record.url or "",
        cells=tuple((cell.place, cell.text) for cell in cells),
        query=kept.query,
        page=kept.page,
        sightings=kept.sightings,
        at=kept.at,
    )
