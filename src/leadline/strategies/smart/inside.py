"""The links that stay on a page's site: ranked, deduplicated, shared out by the link tree."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from leadline.core.crawl import Priority, Sight, Skip
from leadline.core.url import Url, site_of
from leadline.strategies.smart.exploring import query_pattern
from leadline.strategies.smart.link_tree import balanced, leaf_of
from leadline.strategies.smart.ranking import LinkRanker
from leadline.strategies.smart.settings import SmartCrawlerSettings

Verdicts = dict[int, Priority | Skip]
"""By the number of the link."""


def inside(sight: Sight) -> list[int]:
    """The numbers of the links that stay."""
    here = site_of(sight.page.url)
    return [number for number, site in enumerate(sight.sites) if site == here]


def rank_inside(
    sight: Sight, ranker: LinkRanker, taken: Mapping[int, int], settings: SmartCrawlerSettings
) -> Verdicts:
    """All of them are to be followed, but for those the link tree leaves out.

    `taken` counts the links with queries that were followed before, by pattern.
    """
    numbers, depth = inside(sight), sight.candidate.depth + 1
    if depth > settings.max_depth:
        return dict.fromkeys(numbers, Skip(f"deeper than {settings.max_depth} links (SC1)"))
    scores = np.zeros(len(numbers), np.float32)
    if settings.link_ranking and numbers:
        scores = ranker.ranks(sight.features[numbers])
    scored = dict(zip(numbers, scores.tolist(), strict=True))
    # A site's links compete with each other only, so levels count from 0.
    verdicts: Verdicts = {n: Priority(depth - 1, score, "link rank") for n, score in scored.items()}
    if settings.link_tree:
        twins = _twins(sight, numbers, taken, settings)
        verdicts |= dict.fromkeys(twins, Skip("differs from others in its query only"))
        over = _surplus(sight, {n: scored[n] for n in numbers if n not in twins}, settings)
        verdicts |= dict.fromkeys(over, Skip("more of its directory than its share"))
    return verdicts


def queries_taken(
    sight: Sight, verdicts: Sequence[Priority | Skip], settings: SmartCrawlerSettings
) -> dict[int, int]:
    """Links that are to be followed, by the pattern of their query."""
    here = site_of(sight.page.url)
    taken = (
        link.target
        for link, site, verdict in zip(sight.links, sight.sites, verdicts, strict=True)
        if "?" in link.target and site == here and isinstance(verdict, Priority)
    )
    return dict(Counter(_pattern(url, settings) for url in taken))


def _twins(
    sight: Sight,
    numbers: Iterable[int],
    taken: Mapping[int, int],
    settings: SmartCrawlerSettings,
) -> set[int]:
    """Links beyond the first few of their path and kind of query."""
    if settings.same_query == "never":
        return set()
    most = 1 if settings.same_query == "path" else settings.query_links
    counts: dict[int, int] = {}
    twins = set()
    for number in numbers:
        url = sight.links[number].target
        if "?" in url:
            pattern = _pattern(url, settings)
            counts[pattern] = counts.get(pattern, taken.get(pattern, 0)) + 1
            if counts[pattern] > most:
                twins.add(number)
    return twins


def _surplus(
    sight: Sight, scored: Mapping[int, float], settings: SmartCrawlerSettings
) -> list[int]:
    """Links beyond the share of their directory."""
    if len(scored) <= settings.site_pages:
        return []
    leaves = [leaf_of(number, sight.links[number].target, scored[number]) for number in scored]
    picked = balanced(leaves, settings.site_pages, evenly=settings.sharing == "even")
    return [number for number in scored if number not in picked]


def _pattern(url: Url, settings: SmartCrawlerSettings) -> int:
    return query_pattern(url, by_path=settings.same_query == "path")
