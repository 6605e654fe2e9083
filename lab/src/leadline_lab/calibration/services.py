"""The back-link and the search service: how much of the truth they tell."""

from collections.abc import Sequence

from leadline.core.url import Url
from leadline_lab.calibration.view import Findings, View, mean, share
from leadline_lab.lookup import Lookup
from leadline_lab.server.incomplete import POOL, Hit
from leadline_lab.server.services import Query, WithServices
from leadline_lab.sites.domains import DOMAINS
from leadline_lab.sites.naming import title_words


def measure_services(view: View) -> Findings:
    index = Lookup(view.world)
    services = WithServices(view.world, index)
    links, searches = [], []
    draw = view.draw("services")
    for site in view.sites(view.effort.questions, "linked to"):
        url = view.url(site, 0)
        truth = list(dict(index.backlinks(url, POOL)))
        links.append((truth, services.links_to(url).hits))
    domains = list(DOMAINS)
    for number in range(view.effort.questions):
        words = title_words(domains[number % len(domains)], "en")
        asked = (draw.pick(words).lower(), draw.pick(words).lower())
        found = [url for url, _, _ in index.sites_about(list(asked), POOL)]
        searches.append((found, services.search(Query(words=asked)).hits))
    return Findings(_figures("backlinks", links) | _figures("search", searches))


def _figures(name: str, asked: Sequence[tuple[Sequence[Url], Sequence[Hit]]]) -> dict[str, float]:
    asked = [(truth, hits) for truth, hits in asked if truth]
    shown = sum(len(hits) for _, hits in asked)
    stale = sum(hit.url not in truth for truth, hits in asked for hit in hits)
    recalls = [recall for truth, hits in asked for recall in _recall(truth, hits)]
    return {
        f"{name}_recall": mean(recalls),
        f"{name}_most": float(max(len(hits) for _, hits in asked)),
        f"{name}_stale": share(stale, shown),
    }


def _recall(truth: Sequence[Url], hits: Sequence[Hit]) -> list[float]:
    """Of the truth as far down as the last result, which the limit of results may have set."""
    places = [truth.index(hit.url) for hit in hits if hit.url in truth]
    if len(truth) < 10:
        return []
    # Hits are found in order; where the limit ends them, the last is one by construction.
    is_limited = len(places) > 1 and len(hits) >= 20
    if is_limited:
        return [(len(places) - 1) / max(places)]
    return [len(places) / len(truth)]
