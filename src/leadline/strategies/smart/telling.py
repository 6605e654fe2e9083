"""What SmartCrawler's rankers have learned, in words."""

from collections.abc import Sequence
from typing import Any

import msgspec

from leadline.strategies.base import NOT_LEARNING, NOT_YET, make_knowledge, make_steps
from leadline.strategies.smart.learner import FeatureSetIteration, FeatureSets
from leadline.strategies.smart.ranking import LinkRanker, SiteRanker
from leadline.strategies.smart.settings import SmartCrawlerSettings

CONTEXTS = {
    "site_url": "sites: host name",
    "site_anchor": "sites: anchor",
    "site_around": "sites: around",
    "link_path": "links: path",
    "link_anchor": "links: anchor",
    "link_around": "links: around",
}
"""The tables of words, as people read them."""


def describe_feature_sets(
    iterations: Sequence[FeatureSetIteration], tables: FeatureSets, settings: SmartCrawlerSettings
) -> dict[str, Any]:
    """In the shape of all strategies, with the tables of the paper beside the iterations."""
    words = (
        (number, one.pages, _words(one.tables)) for number, one in enumerate(iterations, start=1)
    )
    own = [msgspec.to_builtins(one) for one in iterations]
    rows = [{**kept, **row} for kept, row in zip(own, make_steps(words), strict=True)]
    is_learning = settings.site_ranking or settings.link_ranking
    weights = _weights(tables, settings) if rows else {}
    return make_knowledge(rows, weights, NOT_YET if is_learning else NOT_LEARNING)


def _words(tables: FeatureSets) -> dict[str, list[str]]:
    return {
        shown: [term.word for term in getattr(tables, name)] for name, shown in CONTEXTS.items()
    }


def _weights(
    tables: FeatureSets, settings: SmartCrawlerSettings
) -> dict[str, list[tuple[str, float]]]:
    """Of the rankers in use."""
    found = {}
    if settings.site_ranking:
        found["site ranker"] = SiteRanker(tables, settings.alpha).weights()
    if settings.link_ranking:
        found["link ranker"] = LinkRanker(tables).weights()
    return found
