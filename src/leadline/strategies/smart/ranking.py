"""The site ranker and the link ranker: how like those that brought forms (Eq. 4 to 8)."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from leadline.core.crawl import FeatureRows, LinkFeatures
from leadline.core.url import Site
from leadline.learn.features import ANCHOR, AROUND, URL, in_space, space_key
from leadline.strategies.smart.hosts import host_words, split_host_words
from leadline.strategies.smart.learner import FeatureSets
from leadline.strategies.smart.site_frontier import SiteFrontier
from leadline.strategies.smart.vectors import TermContext, TermVectors, Values

SPEC = LinkFeatures(url=6, anchor=6, around=10, own=1)
"""What is known of each link; its own cell holds the key of the site it leads to."""
SITE_CELLS = slice(SPEC.url, SPEC.words)
"""The part of a link's row that describes the site it leads to: anchor and surroundings."""
_HOST_CELLS = 8
"""Words of a host name that count."""


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


class LinkRanker:
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
    return in_space(ids, space_key(URL))


def rank_waiting(
    frontier: SiteFrontier, ranker: SiteRanker, frequency: Callable[[Sequence[int]], float]
) -> None:
    """Rank every site that waits again; `frequency` is SF from the sites that link to it."""
    waiting = list(frontier.waiting())
    words = np.frombuffer(b"".join(site.words for site in waiting), np.int32)
    frequencies = np.array([frequency(site.sources) for site in waiting], np.float32)
    rows = words.reshape(len(waiting), -1)
    ranks = ranker.ranks([site.site for site in waiting], rows, frequencies)
    for site, rank in zip(waiting, ranks.tolist(), strict=True):
        site.score = rank
