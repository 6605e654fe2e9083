"""Between the words of a crawl and the rows of its tables in PostgreSQL."""

from leadline.core.crawl import Candidate, SiteState, Visit
from leadline.store.rows import Row

URL_COLUMNS = (
    "id, hash, site, tier, score, parent, depth, url, why, anchor, around, tag_path, features, skip"
)
VISIT_COLUMNS = (
    "id, url, site, outcome, at, status, final_url, reason, elapsed_s, size_bytes, requests, "
    "title, language, relevance, reward, links, forms, digest"
)
WAITING_COLUMNS = "id, rank, site, version"
STATE_COLUMNS = "pages, forms, searchable, errors, errors_in_a_row, delay_s, closed"
STATE_TYPES = ("int[]",) * 5 + ("float8[]", "text[]")


def url_row(id_: int, key: int, site: int, link: Candidate) -> Row:
    """URL_COLUMNS; `key` is the hash of the URL, signed."""
    tier, score, why = link.priority
    return (
        *(id_, key, site, tier, score, link.parent, link.depth, link.url, why),
        *(link.anchor, link.around, link.tag_path, link.features, link.skip),
    )


def state_cells(state: SiteState) -> Row:
    """STATE_COLUMNS: all but the time from which it may be asked."""
    counts = state.pages, state.forms, state.searchable, state.errors, state.errors_in_a_row
    return (*counts, state.delay_s, state.closed)


def tallies_of(visits: list[Visit]) -> list[tuple[str, int, int, int]]:
    """Visits, requests and bytes by outcome, in the order in which rows are locked."""
    sums: dict[str, list[int]] = {}
    for visit in visits:
        tally = sums.setdefault(visit.outcome, [0, 0, 0])
        tally[0] += 1
        tally[1] += visit.requests
        tally[2] += visit.size_bytes
    return [(outcome, *sums[outcome]) for outcome in sorted(sums)]  # type: ignore[misc]
