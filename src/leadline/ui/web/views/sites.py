"""The sites of a crawl, one page of them at a time."""

import numpy as np
from numpy.typing import NDArray

from leadline.ui.web.models import Listing, SiteQuery, SiteSort, SiteView
from leadline.ui.web.seen.following import Following


def site_list(seen: Following, wanted: SiteQuery) -> Listing[SiteView]:
    found = _sorted(seen, _fitting(seen, wanted), wanted.sort)
    shown = found[wanted.offset : wanted.offset + wanted.limit].tolist()
    return Listing(
        items=tuple(site_view(seen, at) for at in shown),
        total=len(found),
        offset=wanted.offset,
        limit=wanted.limit,
    )


def site_view(seen: Following, at: int) -> SiteView:
    sites = seen.sites
    counts = {name: int(column.cells[at]) for name, column in sites.counts.items()}
    return SiteView(
        site=sites.names[at],
        delay_s=float(sites.delay_s.cells[at]),
        ready_at=float(sites.ready_at.cells[at]),
        closed=sites.reasons.words[sites.closed.cells[at]],
        **counts,
    )


def _fitting(seen: Following, wanted: SiteQuery) -> NDArray[np.int64]:
    """Sites that were asked something at least once."""
    sites = seen.sites
    is_fitting = (sites.counts["pages"].cells > 0) | (sites.counts["errors"].cells > 0)
    if wanted.state != "any":
        is_fitting &= (sites.closed.cells == 0) == (wanted.state == "open")
    found = np.flatnonzero(is_fitting)
    if wanted.q:
        part, names = wanted.q.lower(), sites.names
        found = np.fromiter((at for at in found.tolist() if part in names[at]), np.int64)
    return found


def _sorted(seen: Following, found: NDArray[np.int64], sort: SiteSort) -> NDArray[np.int64]:
    """Largest first, names in their order."""
    sites = seen.sites
    if sort == "site":
        return found[np.argsort(np.array([sites.names[at] for at in found.tolist()], np.str_))]
    forms, pages = (sites.counts[name].cells[found] for name in ("forms", "pages"))
    chosen = sites.delay_s if sort == "delay" else sites.counts[sort]
    return found[np.lexsort((-pages, -forms, -chosen.cells[found]))]
