"""What people read of harvests, as flat rows: the same for tables, JSON, CSV and Parquet."""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct, structs
from rich.table import Table

from leadline.core.harvest import Cell, Outcome
from leadline.core.kept import Harvest, HarvestId, KeptRecord, Tally
from leadline.core.ports import Store
from leadline.errors import ConfigError
from leadline.ui.output import shorten, table

_MOST_COLUMNS = 200
"""Places of records that get a column of their own where there are columns; the rest shares one."""


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


class QueryRow(Struct, frozen=True):
    """One query, and what it brought."""

    source: str
    site: str
    query: str
    number: int
    at: float
    why: str
    is_survey: bool
    """Asked to get to know the source."""
    fresh_expected: float
    requests_expected: float
    kind: str
    """'' while pages may be missing."""
    returned: int = 0
    fresh: int = 0
    total: int | None = None
    is_total_exact: bool = False
    pages: int = 0
    requests: int = 0
    is_cut: bool = False
    is_left: bool = False
    ended: str = ""


class HarvestRow(Struct, frozen=True):
    """One harvest."""

    source: str
    site: str
    policy: str
    state: str
    reason: str
    queries: int
    requests: int
    records: int
    details: int
    per_request: float
    """Records a request, of all requests."""


def record_rows(store: Store, form: str = "") -> Iterator[RecordRow]:
    """In the order of first sight. Queries are looked up as they come: one at a time is held."""
    heads = harvests_of(store, form)
    asked = {number: _Asked(store, head) for number, head in heads.items()}
    only = next(iter(heads)) if len(heads) == 1 else None
    for kept in store.harvests.records(only):
        if kept.harvest in heads:
            head = heads[kept.harvest]
            yield _record_row(head, asked[kept.harvest].text(kept.query), kept)


def flat_records(store: Store, form: str = "") -> Iterator[dict[str, object]]:
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


def query_rows(store: Store, form: str = "") -> Iterator[QueryRow]:
    """Harvest by harvest, in the order of asking."""
    for head in harvests_of(store, form).values():
        for asked in store.harvests.queries(head.id):
            outcome, subject = asked.outcome, head.subject
            row = QueryRow(
                *(subject.signature, subject.site, shown(asked.query.values), asked.number),
                *(asked.at, asked.why),
                asked.is_survey,
                *(asked.fresh, asked.requests),
                outcome.kind if outcome else "",
            )
            yield row if outcome is None else _with_outcome(row, outcome)


def harvest_rows(store: Store) -> list[HarvestRow]:
    """In the order in which they were begun."""
    return [_harvest_row(head, store.harvests.tally(head.id)) for head in store.harvests.all()]


def harvest_table(title: str, rows: list[HarvestRow]) -> Table:
    """One line each."""
    columns = ("site", "form", "#queries", "#requests", "#records", "#per request", "stopped")
    cells = (
        (
            *(shorten(row.site, 40), row.source, row.queries, row.requests, row.records),
            *(f"{row.per_request:.2f}", row.reason or "running, or cut off"),
        )
        for row in rows
    )
    return table(title, columns, cells)


def harvests_of(store: Store, form: str = "") -> dict[HarvestId, Harvest]:
    """Those of forms whose signature begins so. Raises ConfigError when there is none of them."""
    heads = list(store.harvests.all())
    fitting = {head.id: head for head in heads if head.subject.signature.startswith(form)}
    if form and not fitting:
        names = ", ".join(head.subject.signature for head in heads[:5]) or "none yet"
        raise ConfigError(f"no harvest of a form {form!r}; there are: {names}")
    return fitting


def shown(values: tuple[tuple[str, str], ...]) -> str:
    """A query in words.

    >>> shown((("title", "sea"), ("year", "1950")))
    'title=sea / year=1950'
    """
    return " / ".join(f"{name}={value}" for name, value in values)


class _Asked:
    """The queries of a harvest by number, read along with its records, whose numbers only rise."""

    def __init__(self, store: Store, head: Harvest) -> None:
        self._queries = store.harvests.queries(head.id)
        self._number, self._text = 0, ""

    def text(self, number: int) -> str:
        while self._number < number:
            asked = next(self._queries)
            self._number, self._text = asked.number, shown(asked.query.values)
        return self._text


def _record_row(head: Harvest, query: str, kept: KeptRecord) -> RecordRow:
    record, subject = kept.record, head.subject
    return RecordRow(
        *(subject.signature, subject.site, query, kept.query, kept.page, kept.position, kept.at),
        *(record.key, record.title, record.url or "", kept.sightings),
        (*record.cells, *kept.detail),
    )


def _with_outcome(row: QueryRow, outcome: Outcome) -> QueryRow:
    told = structs.asdict(outcome)
    for name in ("query", "kind"):
        del told[name]
    return structs.replace(row, ended=told.pop("why"), **told)


def _harvest_row(head: Harvest, tally: Tally) -> HarvestRow:
    subject = head.subject
    return HarvestRow(
        *(subject.signature, subject.site, subject.policy, head.state, head.reason),
        *(tally.queries, tally.requests, tally.records, tally.details),
        round(tally.records / tally.requests, 3) if tally.requests else 0.0,
    )
