"""Harvests as people see them: how far each came, its queries, its records."""

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, structs

from leadline.core.harvest import Cell, Harvest, HarvestId, StoredQuery, StoredRecord
from leadline.core.store import StoreView
from leadline.errors import ConfigError
from leadline.harvester.coverage import Coverage
from leadline.harvester.session.suspicion import SUSPECTED
from leadline.views.forms import LEAST_SIGNATURE
from leadline.views.listing import Listing, finite
from leadline.views.mirror.harvests import CoveragePoint, HarvestMirror
from leadline.views.mirror.store import StoreMirror

RecordSort = Literal["first", "latest", "most-seen"]
_MOST_COLUMNS = 200
"""Places of records that get a column of their own in a table; the rest shares one."""
_OFTEN = 10
"""Records seen as often or more are counted together."""


class RecordRow(Struct, frozen=True):
    """One record, and where it came from."""

    source: str
    """The form's signature."""
    site: str
    query: str
    """What was asked when it was first seen, as in `title=sea / year=1950`."""
    query_number: int
    page: int
    position: int
    at: float
    key: str
    title: str
    url: str
    sightings: int
    cells: tuple[Cell, ...]
    """Those of its own page last, their places beginning with `detail:`."""
    number: int = 0
    """In its store, rising in the order of first sight."""
    is_suspicious: bool = False
    """Its source seems to invent records."""


class QueryRow(Struct, frozen=True):
    """One query, and what it brought."""

    source: str
    """The form's signature."""
    site: str
    query: str
    number: int
    at: float
    why: str
    """Why it was chosen."""
    is_survey: bool
    """Asked to get to know the source."""
    fresh_expected: float | None
    requests_expected: float | None
    kind: str
    """Of its first page; '' while pages may be missing."""
    returned: int = 0
    """Distinct records seen."""
    fresh: int = 0
    """Those not held before."""
    total: int | None = None
    is_total_exact: bool = False
    pages: int = 0
    requests: int = 0
    is_cut: bool = False
    """The source has more that this query cannot show."""
    is_left: bool = False
    """There is more, and it was not asked for."""
    ended: str = ""
    """Why no further page was asked for."""


class HarvestRow(Struct, frozen=True):
    """One harvest."""

    source: str
    """The form's signature."""
    site: str
    policy: str
    state: str
    """open: there may be more to ask; over: nothing more is worth asking."""
    reason: str
    """Why it stopped; empty while it runs, or when it was cut off."""
    queries: int
    requests: int
    records: int
    details: int
    """Records' own pages that were fetched, or tried."""
    per_request: float
    """Records a request, of all requests."""


class HarvestStatus(HarvestRow, frozen=True):
    """One harvest with what is estimated of its database."""

    at: float
    """When it was begun."""
    sightings: int
    """Records seen, repeats included."""
    duplicates: int
    """Records seen again."""
    coverage: Coverage | None


class HarvestDetail(HarvestStatus, frozen=True):
    """All about one harvest."""

    curve: tuple[CoveragePoint, ...]
    """The coverage as it was estimated after so many requests."""
    capped_queries: int
    """Finished queries that the source cut short."""
    finished_queries: int
    seen_times: dict[int, int]
    """Records by how often they were seen; 10 stands for as often or more."""


def record_rows(store: StoreView, form: str = "") -> Iterator[RecordRow]:
    """In the order of first sight. Queries are looked up as they come: one at a time is held."""
    heads = find_harvests(store, form)
    # A crawl has up to a million records: holding all queries would take as much again.
    texts = {number: _QueryTexts(store, head) for number, head in heads.items()}
    only = next(iter(heads)) if len(heads) == 1 else None
    for stored in store.harvests.records(only):
        if stored.harvest in heads:
            head = heads[stored.harvest]
            query = texts[stored.harvest].find(stored.query)
            subject = head.subject
            yield _record_row(subject.signature, subject.site, query, stored, head.reason)


def flat_records(store: StoreView, form: str = "") -> Iterator[dict[str, object]]:
    """Records with a column for each place; read twice, once for the places."""
    places = Counter(cell.place for row in record_rows(store, form) for cell in row.cells)
    columns = [place for place, _ in places.most_common(_MOST_COLUMNS)]
    for row in record_rows(store, form):
        flat = structs.asdict(row)
        del flat["cells"]
        texts: dict[str, list[str]] = {}
        for cell in row.cells:
            texts.setdefault(cell.place if cell.place in columns else "more", []).append(cell.text)
        for place in (*columns, "more") if len(places) > _MOST_COLUMNS else columns:
            flat[f"cell:{place}"] = "; ".join(texts.get(place, ()))
        yield flat


def query_rows(store: StoreView, form: str = "") -> Iterator[QueryRow]:
    """Harvest by harvest, in the order of asking."""
    for head in find_harvests(store, form).values():
        for asked in store.harvests.queries(head.id):
            yield _query_row(head.subject.signature, head.subject.site, asked)


def harvest_rows(store: StoreView) -> list[HarvestRow]:
    """In the order in which they were begun."""
    return [_harvest_row(store, head) for head in store.harvests.all()]


def find_harvests(store: StoreView, form: str = "") -> dict[HarvestId, Harvest]:
    """Those of forms whose signature begins so. Raises ConfigError when there is none of them."""
    heads = list(store.harvests.all())
    fitting = {head.id: head for head in heads if head.subject.signature.startswith(form)}
    if form and not fitting:
        names = ", ".join(head.subject.signature for head in heads[:5]) or "none yet"
        raise ConfigError(f"no harvest of a form {form!r}; there are: {names}")
    return fitting


def query_text(values: tuple[tuple[str, str], ...]) -> str:
    """A query in words.

    >>> query_text((("title", "sea"), ("year", "1950")))
    'title=sea / year=1950'
    """
    return " / ".join(f"{name}={value}" for name, value in values)


def find_harvest(mirror: StoreMirror, signature: str) -> HarvestMirror | None:
    """The harvest of the first form whose signature begins so."""
    known = mirror.harvests.by_signature
    if signature in known:
        return known[signature]
    if len(signature) < LEAST_SIGNATURE:
        return None
    return next((one for name, one in known.items() if name.startswith(signature)), None)


def list_harvests(mirror: StoreMirror, offset: int, limit: int) -> Listing[HarvestStatus]:
    """The latest first."""
    found = list(mirror.harvests.by_id.values())[::-1]
    items = tuple(harvest_progress(mirror, one) for one in found[offset : offset + limit])
    return Listing(items, len(found), offset, limit)


def harvest_progress(mirror: StoreMirror, harvest: HarvestMirror) -> HarvestStatus:
    head = harvest.head
    return HarvestStatus(
        source=head.signature,
        site=head.site,
        policy=head.policy,
        state=head.state,
        reason=head.reason,
        queries=mirror.feed.query_count(head.id),
        requests=harvest.requests,
        records=harvest.records,
        details=harvest.details,
        per_request=_per_request(harvest.records, harvest.requests),
        at=head.at,
        sightings=harvest.sightings,
        duplicates=harvest.keys.count_repeated(),
        coverage=harvest.coverage,
    )


def describe_harvest(mirror: StoreMirror, harvest: HarvestMirror) -> HarvestDetail:
    return HarvestDetail(
        **structs.asdict(harvest_progress(mirror, harvest)),
        curve=tuple(harvest.curve()),
        capped_queries=harvest.history.capped,
        finished_queries=harvest.history.queries,
        seen_times=harvest.keys.count_by_sightings(_OFTEN),
    )


def list_queries(
    mirror: StoreMirror,
    harvest: HarvestMirror,
    offset: int,
    limit: int,
    *,
    is_newest_first: bool = False,
) -> Listing[QueryRow]:
    """In the order of asking, or the latest first."""
    head = harvest.head
    total = mirror.feed.query_count(head.id)
    # Queries are numbered without gaps from 1 on.
    after = max(0, total - offset - limit) if is_newest_first else offset
    count = min(limit, max(0, total - offset)) if is_newest_first else limit
    found = mirror.feed.queries(head.id, after, count) if count else []
    ordered = found[::-1] if is_newest_first else found
    items = tuple(_query_row(head.signature, head.site, asked) for asked in ordered)
    return Listing(items, total, offset, limit)


def list_records(
    mirror: StoreMirror,
    harvest: HarvestMirror,
    offset: int,
    limit: int,
    sort: RecordSort = "first",
) -> Listing[RecordRow]:
    """In the order of first sight, the latest first, or those seen most often first."""
    head, numbers = harvest.head, harvest.keys.numbers
    if sort == "most-seen":
        wanted = harvest.keys.most_seen(min(offset, len(numbers)), limit)
    else:
        ordered = numbers[::-1] if sort == "latest" else numbers
        wanted = ordered[offset : offset + limit].tolist()
    found = mirror.feed.records_numbered(wanted)
    # A page of records mostly comes from a few queries.
    texts = {
        number: query_text(asked.query.values)
        for number in {stored.query for stored in found}
        for asked in mirror.feed.queries(head.id, number - 1, 1)
    }
    items = (
        _record_row(head.signature, head.site, texts[one.query], one, head.reason) for one in found
    )
    return Listing(tuple(items), len(numbers), offset, limit)


class _QueryTexts:
    """The queries of a harvest by number, read along with its records, whose numbers only rise."""

    def __init__(self, store: StoreView, head: Harvest) -> None:
        self._queries = store.harvests.queries(head.id)
        self._number, self._text = 0, ""

    def find(self, number: int) -> str:
        while self._number < number:
            asked = next(self._queries)
            self._number, self._text = asked.number, query_text(asked.query.values)
        return self._text


def _record_row(source: str, site: str, query: str, stored: StoredRecord, reason: str) -> RecordRow:
    """`reason` is why the harvest stopped."""
    record = stored.record
    return RecordRow(
        *(source, site, query, stored.query, stored.page, stored.position, stored.at),
        *(record.key, record.title, record.url or "", stored.sightings),
        (*record.cells, *stored.detail),
        stored.number,
        reason.startswith(SUSPECTED),
    )


def _query_row(source: str, site: str, asked: StoredQuery) -> QueryRow:
    expected = finite(asked.fresh), finite(asked.requests)
    row = QueryRow(
        *(source, site, query_text(asked.query.values), asked.number, asked.at, asked.why),
        asked.is_survey,
        *expected,
        asked.outcome.kind if asked.outcome else "",
    )
    if asked.outcome is None:
        return row
    # `why` is taken: of the stored query it says why it was chosen, of its outcome why it ended.
    facts = structs.asdict(asked.outcome)
    del facts["query"], facts["kind"]
    return structs.replace(row, ended=facts.pop("why"), **facts)


def _harvest_row(store: StoreView, head: Harvest) -> HarvestRow:
    subject, tally = head.subject, store.harvests.tally(head.id)
    return HarvestRow(
        *(subject.signature, subject.site, subject.policy, head.state, head.reason),
        *(tally.queries, tally.requests, tally.records, tally.details),
        _per_request(tally.records, tally.requests),
    )


def _per_request(records: int, requests: int) -> float:
    return round(records / requests, 3) if requests else 0.0
