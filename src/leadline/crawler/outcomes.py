"""What became of a visit, and what it means for its site. No I/O."""

from msgspec import Struct, structs

from leadline.core.crawl import Lease, SiteState, Visit
from leadline.core.http import Response
from leadline.crawler.reading import Reading
from leadline.errors import FetchError

PAGE = "page"
DUPLICATE = "duplicate"
PASSED_OVER = "passed-over"
"""Of a candidate that the strategy no longer wanted when its turn came: nothing was asked."""


def of_response(lease: Lease, response: Response) -> Visit:
    """A visit that got an answer; `outcome` is `page` for a good one, `http-404` and so on else."""
    final = response.url if response.url != lease.candidate.url else None
    ok = 200 <= response.status < 300
    return Visit(
        id=lease.id,
        url=lease.candidate.url,
        site=lease.candidate.site,
        outcome=PAGE if ok else f"http-{response.status}",
        at=response.at,
        status=response.status,
        final_url=final,
        elapsed_s=response.elapsed_s,
        size_bytes=response.size_bytes,
        requests=response.requests,
    )


def of_refusal(lease: Lease, why: str, at: float) -> Visit:
    """A visit that the strategy would not have."""
    candidate = lease.candidate
    return Visit(lease.id, candidate.url, candidate.site, PASSED_OVER, at, reason=why, requests=0)


def of_error(lease: Lease, error: FetchError, at: float) -> Visit:
    """A visit that got none."""
    return Visit(
        id=lease.id,
        url=lease.candidate.url,
        site=lease.candidate.site,
        outcome=error.kind,
        at=at,
        reason=error.reason,
        requests=error.requests,
    )


def with_page(visit: Visit, reading: Reading, new_forms: int, reward: float) -> Visit:
    """The visit with what its page brought."""
    page = reading.page
    return structs.replace(
        visit,
        title=page.title,
        language=page.language,
        relevance=reading.judgement.relevance,
        reward=reward,
        links=len(page.links),
        forms=new_forms,
        digest=reading.digest,
    )


class NewForms(Struct, frozen=True):
    """Distinct forms a visit brought for the first time."""

    relevant: int = 0
    searchable: int = 0


NO_FORMS = NewForms()


def next_site(
    site: SiteState, visit: Visit, new: NewForms, *, ready_at: float, delay_s: float
) -> SiteState:
    """The site after the visit."""
    failed = visit.outcome not in (PAGE, DUPLICATE)
    return structs.replace(
        site,
        pages=site.pages + (not failed),
        forms=site.forms + new.relevant,
        searchable=site.searchable + new.searchable,
        errors=site.errors + failed,
        # A site that refuses one page by its rules or has lost it is not broken.
        errors_in_a_row=site.errors_in_a_row + 1 if _is_trouble(visit) else 0,
        ready_at=ready_at,
        delay_s=delay_s,
    )


def _is_trouble(visit: Visit) -> bool:
    return visit.status >= 500 or visit.outcome in (
        "timeout",
        "connection",
        "bad-response",
        "busy",
        "address-refused",
    )
