"""The site ranker and the link ranker: likeness to those that brought forms (Eq. 3 to 8)."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows, LinkFeatures
from leadline.core.url import Site
from leadline.learn.link_features import ANCHOR, AROUND, URL, hash_in_space, space_key
from leadline.strategies.base import NOT_LEARNING, NOT_YET, make_knowledge, make_steps
from leadline.strategies.smart.feature_sets import (
    FeatureSetIteration,
    FeatureSets,
    Term,
    host_words,
    split_host_words,
)
from leadline.strategies.smart.settings import SmartCrawlerSettings
from leadline.strategies.smart.site_frontier import SiteFrontier

Values = NDArray[np.float32]

_CHUNK = 2_048
"""Rows compared at a time: their cells stay in the cache."""
SPEC = LinkFeatures(url=6, anchor=6, around=10, own=1)
"""What is known of each link; its own cell holds the key of the site it leads to."""
SITE_CELLS = slice(SPEC.url, SPEC.words)
"""The part of a link's row that describes the site it leads to: anchor and surroundings."""
_HOST_CELLS = 8
"""Words of a host name that count."""
CONTEXTS = {
    "site_url": "sites: host name",
    "site_anchor": "sites: anchor",
    "site_around": "sites: around",
    "link_path": "links: path",
    "link_anchor": "links: anchor",
    "link_around": "links: around",
}
"""The tables of words, as people read them."""


class TermContext(NamedTuple):
    """The frequent words of one context, and where links have theirs."""

    name: str
    space: int
    """Of learn.features: a word in two of them is two features."""
    width: int
    """Cells of a row that belong to it."""
    terms: tuple[Term, ...]


class TermVectors:
    """Contexts side by side. A word weighs w = 1 + ln tf (Eq. 3), in them and in a link."""

    def __init__(self, contexts: Sequence[TermContext]) -> None:
        widths = [context.width for context in contexts]
        owner = np.repeat(np.arange(len(contexts)), widths)
        self._names = [contexts[at].name for at in owner.tolist()]
        self._columns = (owner[:, np.newaxis] == np.arange(len(contexts))).astype(np.float32)
        cells = np.concatenate([_cells(context) for context in contexts])
        weights = np.concatenate([_weights(context.terms) for context in contexts])
        order = np.argsort(cells, kind="stable")
        # One more at the end, for what would come after all of them.
        self._known = cells[order]
        self._cells = np.append(self._known, np.int32(0))
        self._weights = np.append(weights[order], np.float32(0))
        words = [term.word for context in contexts for term in context.terms]
        self._words = [words[at] for at in order.tolist()]
        named = [f"{context.name}: {term.word}" for context in contexts for term in context.terms]
        self._named = [named[at] for at in order.tolist()]
        ends = np.cumsum(widths).tolist()
        self._spans = [slice(end - width, end) for end, width in zip(ends, widths, strict=True)]
        self._places = np.arange(sum(widths))
        self._term_weights = (1 + np.log(np.arange(1, sum(widths) + 1))).astype(np.float32)

    def weights(self) -> list[tuple[str, float]]:
        """What each word counts for, with the name of its context, strongest first."""
        named = zip(self._named, self._weights.tolist(), strict=False)
        return sorted(named, key=lambda pair: (-pair[1], pair[0]))

    def similarity(self, rows: FeatureRows) -> Values:
        """The sum of the cosines (Eq. 5) of all contexts, for each row."""
        similar = np.zeros(len(rows), np.float32)
        if len(self._known):
            for start in range(0, len(rows), _CHUNK):
                chunk = slice(start, start + _CHUNK)
                dots, lengths, _ = self._parts(rows[chunk])
                similar[chunk] = ((dots @ self._columns) / lengths).sum(axis=1)
        return similar

    def shares(self, row: FeatureRows) -> list[tuple[str, float]]:
        """What each word of one link adds, with the name of its context."""
        if not len(self._known):
            return []
        dots, lengths, places = self._parts(row[np.newaxis])
        values = dots[0] / (self._columns @ lengths[0])
        return [
            (f"{self._names[at]}: {self._words[places[0, at]]}", float(values[at]))
            for at in np.flatnonzero(dots[0]).tolist()
        ]

    def _parts(self, rows: FeatureRows) -> tuple[Values, Values, NDArray[np.intp]]:
        """What each cell adds to the product, each context's length, and which word it is.

        Cells are in rising order within their context.
        """
        cells = rows.copy()
        for span in self._spans:
            cells[:, span].sort(axis=1)
        own = self._own_weights(cells)
        # No weight is below 1, so nothing but 0 is raised.
        lengths = np.maximum(np.sqrt((own * own) @ self._columns), 1)
        places = self._known.searchsorted(cells)
        own *= self._cells.take(places) == cells
        own *= self._weights.take(places)
        return own, lengths, places

    def _own_weights(self, cells: FeatureRows) -> Values:
        """The weight of each word at the last of its cells, 0 at the others."""
        is_first = np.ones(cells.shape, bool)
        np.not_equal(cells[:, 1:], cells[:, :-1], out=is_first[:, 1:])
        begin = np.maximum.accumulate(self._places * is_first, axis=1)
        is_last = cells != 0
        is_last[:, :-1] &= is_first[:, 1:]
        weights: Values = self._term_weights.take(self._places - begin) * is_last
        return weights


def _cells(context: TermContext) -> FeatureRows:
    ids = np.array([term.id for term in context.terms], np.int32)
    return hash_in_space(ids, space_key(context.space))


def _weights(terms: Sequence[Term]) -> Values:
    weights = 1 + np.log(np.array([term.times for term in terms], np.float32))
    length = float(np.sqrt((weights**2).sum())) or 1.0
    scaled: Values = (weights / length).astype(np.float32)
    return scaled


class SiteRanker:
    """Rank(s) = alpha ST(s) + (1 - alpha) log(1 + SF(s))."""

    def __init__(self, tables: FeatureSets, alpha: float) -> None:
        self._alpha = alpha
        self._splitters = tables.splitters
        self._vectors = TermVectors(
            [
                TermContext("host", URL, _HOST_CELLS, tables.site_url),
                TermContext("anchor", ANCHOR, SPEC.anchor, tables.site_anchor),
                TermContext("around", AROUND, 2 * SPEC.around, tables.site_around),
            ]
        )
        self._is_taught = bool(tables.site_url or tables.site_anchor or tables.site_around)

    def ranks(self, sites: Sequence[Site], rows: FeatureRows, frequencies: Values) -> Values:
        """One rank per site; `rows` hold words as `SITE_CELLS` cuts them out."""
        ranks = (1 - self._alpha) * np.log1p(frequencies)
        if self._is_taught:
            ranks += self._alpha * self._vectors.similarity(self._describe_sites(sites, rows))
        return ranks.astype(np.float32)

    def weights(self) -> list[tuple[str, float]]:
        """What words add to likeness, strongest first."""
        return [(word, self._alpha * weight) for word, weight in self._vectors.weights()]

    def reasons(self, site: Site, row: FeatureRows, frequency: float) -> list[tuple[str, float]]:
        """What adds to the rank of one site, in words."""
        shares = self._vectors.shares(self._describe_sites([site], row[np.newaxis])[0])
        known = float((1 - self._alpha) * np.log1p(frequency))
        weighed = [(word, self._alpha * value) for word, value in shares]
        return [*weighed, (f"site frequency {frequency:g}", known)]

    def _describe_sites(self, sites: Sequence[Site], rows: FeatureRows) -> FeatureRows:
        """The rows with the words of the host names before them."""
        hosts = np.zeros((len(sites), _HOST_CELLS), np.int32)
        for at, site in enumerate(sites):
            hosts[at] = _host_cells(site, self._splitters)
        return np.concatenate([hosts, rows], axis=1)


class InsideLinkRanker:
    """LT(l) = Sim(P) + Sim(A) + Sim(T)."""

    def __init__(self, tables: FeatureSets) -> None:
        self._vectors = TermVectors(
            [
                TermContext("path", URL, SPEC.url, tables.link_path),
                TermContext("anchor", ANCHOR, SPEC.anchor, tables.link_anchor),
                TermContext("around", AROUND, 2 * SPEC.around, tables.link_around),
            ]
        )

    def ranks(self, rows: FeatureRows) -> Values:
        """One rank per link."""
        return self._vectors.similarity(rows[:, : SPEC.words])

    def weights(self) -> list[tuple[str, float]]:
        """What words add to likeness, strongest first."""
        return self._vectors.weights()

    def reasons(self, row: FeatureRows) -> list[tuple[str, float]]:
        """What adds to the rank of one link, in words."""
        return self._vectors.shares(row[: SPEC.words])


@lru_cache(maxsize=100_000)
def _host_cells(site: Site, splitters: tuple[str, ...]) -> FeatureRows:
    """Waiting sites are ranked many times between two learnings."""
    words = [pair.id for pair in split_host_words(host_words(site), splitters)][:_HOST_CELLS]
    ids = np.zeros(_HOST_CELLS, np.int32)
    ids[: len(words)] = words
    return hash_in_space(ids, space_key(URL))


def rank_waiting(
    frontier: SiteFrontier, ranker: SiteRanker, frequency: Callable[[Sequence[int]], float]
) -> None:
    """Rank every site that waits again; `frequency` is SF from the sites that link to it."""
    waiting = list(frontier.all_sites())
    words = np.frombuffer(b"".join(site.words for site in waiting), np.int32)
    frequencies = np.array([frequency(site.sources) for site in waiting], np.float32)
    rows = words.reshape(len(waiting), -1)
    ranks = ranker.ranks([site.site for site in waiting], rows, frequencies)
    for site, rank in zip(waiting, ranks.tolist(), strict=True):
        site.score = rank


def describe_feature_sets(
    iterations: Sequence[FeatureSetIteration], tables: FeatureSets, settings: SmartCrawlerSettings
) -> dict[str, Any]:
    """In the shape of all strategies, with the tables of the paper beside the iterations."""
    words = (
        (number, one.pages, _list_words(one.tables))
        for number, one in enumerate(iterations, start=1)
    )
    own = [msgspec.to_builtins(one) for one in iterations]
    rows = [{**kept, **row} for kept, row in zip(own, make_steps(words), strict=True)]
    is_learning = settings.site_ranking or settings.link_ranking
    weights = _describe_rankers(tables, settings) if rows else {}
    return make_knowledge(rows, weights, NOT_YET if is_learning else NOT_LEARNING)


def _list_words(tables: FeatureSets) -> dict[str, list[str]]:
    return {
        shown: [term.word for term in getattr(tables, name)] for name, shown in CONTEXTS.items()
    }


def _describe_rankers(
    tables: FeatureSets, settings: SmartCrawlerSettings
) -> dict[str, list[tuple[str, float]]]:
    """Of the rankers in use."""
    found = {}
    if settings.site_ranking:
        found["site ranker"] = SiteRanker(tables, settings.alpha).weights()
    if settings.link_ranking:
        found["link ranker"] = InsideLinkRanker(tables).weights()
    return found
