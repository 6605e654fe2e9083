"""Between the words of a crawl and the rows of its tables in PostgreSQL."""

from leadline.core.crawl import Candidate, SiteState, Visit
from leadline.frontier.ranks import rank_of
from leadline.store.ledger import SKIPPED, Arrival
from leadline.store.rows import Row, signed

URL_COLUMNS = (
    "id, hash, site, tier, score, parent, depth, url, why, anchor, around, tag_path, features, skip"
)
VISIT_COLUMNS = (
    "id, url, site, outcome, at, status, final_url, reason, elapsed_s, size_bytes, requests, "
    "title, language, relevance, reward, links, forms, digest"
)
LINK_COLUMNS = f"ord, rank, version, {URL_COLUMNS.removeprefix('id, ')}"
"""Of links on their way in."""
STATE_COLUMNS = "pages, forms, searchable, errors, errors_in_a_row, delay_s, closed"
STATE_TYPES = ("int[]",) * 5 + ("float8[]", "text[]")


def url_row(arrival: Arrival) -> Row:
    return (arrival.id, *_facts(arrival.candidate, signed(arrival.hash), arrival.site))


def link_row(order: int, link: Candidate, key: int, site: int, version: int) -> Row:
    rank = SKIPPED if link.skip else rank_of(link.priority.tier, link.priority.score)
    return (order, rank, version, *_facts(link, signed(key), site))


def _facts(link: Candidate, key: int, site: int) -> Row:
    tier, score, why = link.priority
    return (
        *(key, site, tier, score, link.parent, link.depth, link.url, why),
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
