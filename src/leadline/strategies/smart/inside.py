"""The links that stay on a page's site: ranked, deduplicated, shared out by the link tree."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from leadline.core.crawl import PageView, Priority, Skip
from leadline.core.url import site_of
from leadline.strategies.smart.exploring import query_pattern
from leadline.strategies.smart.link_tree import leaf_of, pick_balanced
from leadline.strategies.smart.ranking import LinkRanker
from leadline.strategies.smart.settings import SmartCrawlerSettings

Verdicts = dict[int, Priority | Skip]
"""By the number of the link."""
_TWIN = Skip("differs from others in its query only")
_SURPLUS = Skip("more of its directory than its share")


class InsideLinks(NamedTuple):
    """What becomes of the links that stay."""

    verdicts: Verdicts
    queries: dict[int, int]
    """Links with queries that are to be followed, by pattern."""


def find_inside_links(view: PageView) -> list[int]:
    """The numbers of the links that stay."""
    here = site_of(view.page.url)
    return [number for number, site in enumerate(view.sites) if site == here]


def rank_inside(
    view: PageView, ranker: LinkRanker, taken: Mapping[int, int], settings: SmartCrawlerSettings
) -> InsideLinks:
    """All of them are to be followed, but for those the link tree leaves out.

    `taken` counts the links with queries that were followed before, by pattern.
    """
    numbers, depth = find_inside_links(view), view.candidate.depth + 1
    if depth > settings.max_depth:
        why = Skip(f"deeper than {settings.max_depth} links (SC1)")
        return InsideLinks(dict.fromkeys(numbers, why), {})
    if settings.link_ranking and numbers:
        every = len(numbers) == len(view.links)
        scores = ranker.ranks(view.features if every else view.features[numbers]).tolist()
    else:
        scores = [0.0] * len(numbers)
    # A site's links compete with each other only, so levels count from 0.
    verdicts: Verdicts = {
        number: Priority(depth - 1, score, "link rank")
        for number, score in zip(numbers, scores, strict=True)
    }
    patterns = _find_patterns(view, numbers, settings)
    if settings.link_tree:
        twins = _find_twins(patterns, taken, settings)
        verdicts |= dict.fromkeys(twins, _TWIN)
        verdicts |= dict.fromkeys(_find_surplus(view, verdicts, settings), _SURPLUS)
    followed = (
        pattern for number, pattern in patterns.items() if isinstance(verdicts[number], Priority)
    )
    return InsideLinks(verdicts, dict(Counter(followed)) if patterns else {})


def _find_patterns(
    view: PageView, numbers: Iterable[int], settings: SmartCrawlerSettings
) -> dict[int, int]:
    """The patterns of the links that have a query."""
    by_path, links = settings.same_query == "path", view.links
    return {
        number: query_pattern(links[number].target, by_path=by_path)
        for number in numbers
        if "?" in links[number].target
    }


def _find_twins(
    patterns: Mapping[int, int], taken: Mapping[int, int], settings: SmartCrawlerSettings
) -> list[int]:
    """Links beyond the first few of their path and kind of query."""
    if settings.same_query == "never":
        return []
    most = 1 if settings.same_query == "path" else settings.query_links
    counts: dict[int, int] = {}
    twins = []
    for number, pattern in patterns.items():
        counts[pattern] = counts.get(pattern, taken.get(pattern, 0)) + 1
        if counts[pattern] > most:
            twins.append(number)
    return twins


def _find_surplus(view: PageView, verdicts: Verdicts, settings: SmartCrawlerSettings) -> list[int]:
    """Links beyond the share of their directory."""
    if len(verdicts) <= settings.site_pages:
        return []
    scored = {n: rank.score for n, rank in verdicts.items() if isinstance(rank, Priority)}
    if len(scored) <= settings.site_pages:
        return []
    leaves = [leaf_of(number, view.links[number].target, scored[number]) for number in scored]
    picked = pick_balanced(leaves, settings.site_pages, evenly=settings.sharing == "even")
    return [number for number in scored if number not in picked]
