"""How pages and sites are linked: in-degrees, out-degrees, how many links leave a site."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from tools.lab_statistics.sources import owner_of

from leadline.core.url import Url
from leadline_lab.calibration.view import Findings, Seen, View, mean, quantile, share

_OTHERS = 3
"""Further pages of a site by which its template is known."""
_TAIL = 100
"""One in so many sites is in the tail of in-degrees."""
_PAGE_TAIL = 60
"""In-degree from which a page is in the tail."""
_strip_session = re.compile(r"(?<=[?&])\w+=[0-9a-f]{16}\b").sub


def measure_degrees(view: View, pages: Sequence[Seen]) -> Findings:
    """`pages` are a uniform sample of pages."""
    links = [len(seen.page.links) for seen in pages]
    outside = [sum(is_external(seen, link.target) for link in seen.page.links) for seen in pages]
    figures = {
        "links_p10": quantile(links, 0.1),
        "links_median": quantile(links, 0.5),
        "links_p90": quantile(links, 0.9),
        "links_max": float(max(links)),
        "external_share": share(sum(outside), sum(links)),
        "external_links_median": quantile(outside, 0.5),
    }
    return Findings(figures | _framed(view, pages[: view.effort.framed]))


def is_external(seen: Seen, target: Url) -> bool:
    return owner_of(target) != owner_of(seen.page.url)


def plain(target: Url) -> str:
    """Without what looks like a session."""
    return _strip_session("", target)


def content_links(seen: Seen, others: Sequence[Seen]) -> list[int]:
    """Positions of the links that are not repeated on most other pages of the site."""
    repeated = _repeated(others)
    return [link.position for link in seen.page.links if plain(link.target) not in repeated]


def _repeated(others: Sequence[Seen]) -> set[str]:
    counts: dict[str, int] = {}
    for other in others:
        for target in {plain(link.target) for link in other.page.links}:
            counts[target] = counts.get(target, 0) + 1
    return {target for target, n in counts.items() if 2 * n > len(others)}


def _framed(view: View, pages: Sequence[Seen]) -> dict[str, float]:
    draw = view.draw("framed")
    template, content, within = [], [], []
    degrees: list[float] = []
    for seen in pages:
        others = view.others(seen, _OTHERS, draw)
        if len(others) < 2:
            continue
        own = content_links(seen, others)
        template.append(len(seen.page.links) - len(own))
        content.append(len(own))
        within.append(sum(not is_external(seen, seen.page.links[at].target) for at in own))
        degrees += _in_degrees(view, [seen, *others])
    return {
        "template_links_median": quantile(template, 0.5),
        "template_links_mean": mean(template),
        "content_links_mean": mean(content),
        "content_inner_links_mean": mean(within),
        "page_in_degree_exponent": _weighted_exponent(degrees),
    }


def _in_degrees(view: View, pages: Sequence[Seen]) -> list[float]:
    """For each link of the first page an estimate of how many pages of its site have it too."""
    size = view.plan(pages[0].site).pages
    rows = [{plain(link.target) for link in seen.page.links} for seen in pages]
    own = {t for t in rows[0] if not is_external(pages[0], Url(t))}
    return [size * sum(target in row for row in rows) / len(rows) for target in sorted(own)]


def _weighted_exponent(degrees: Sequence[float]) -> float:
    """Of the density of page in-degrees. A page is met here as often as it is linked to, so each
    counts by the inverse of its degree."""
    tail = [degree for degree in degrees if degree >= _PAGE_TAIL]
    weight = sum(1 / degree for degree in tail)
    logs = sum(np.log(degree / _PAGE_TAIL) / degree for degree in tail)
    return 1 + share(weight, float(logs))


def measure_sites_linked(view: View) -> Findings:
    """In-degrees of sites from a regular sample of the links between them."""
    graph = view.world.graph
    step = max(1, graph.edges // view.effort.edges)
    targets = graph.targets(np.arange(0, graph.edges, step, dtype=np.uint64))
    counts = np.bincount(targets[targets >= 0], minlength=view.world.census.sites)
    figures = {
        "site_in_degree_exponent": hill(counts, view.world.census.sites // _TAIL),
        "top_site_link_share": float(counts.max() / counts.sum()),
    }
    chosen = view.sites(view.effort.plans // 8, "linked")
    out = [_targets_of(view, site) for site in chosen]
    figures |= {"external_sites_median": quantile(out, 0.5), "external_sites_mean": mean(out)}
    values, shares = _beyond(counts * step)
    return Findings(figures, {"in_degree": values, "in_degree_share": shares})


def _targets_of(view: View, site: int) -> int:
    first, last = view.world.graph.firsts[site : site + 2].tolist()
    targets = view.world.graph.targets(np.arange(first, last, dtype=np.uint64))
    return len(np.unique(targets[targets >= 0]))


def hill(counts: NDArray[np.int64], k: int) -> float:
    """Exponent of the density from the `k` largest."""
    top = np.sort(counts)[-k - 1 :].astype(float)
    return float(1 + k / np.log(top[1:] / top[0]).sum())


def _beyond(degrees: NDArray[np.int64]) -> tuple[list[float], list[float]]:
    """Degrees, and the share of sites that have at least that many."""
    row = np.sort(degrees)[::-1]
    ranks = np.unique(np.geomspace(1, len(row), 60).astype(int))
    kept = [(float(row[rank - 1]), rank / len(row)) for rank in ranks.tolist() if row[rank - 1]]
    return [degree for degree, _ in kept], [part for _, part in kept]
