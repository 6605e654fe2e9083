"""leadline's parsing and link scoring as plain functions, for a foreign downloader to call."""

from collections.abc import Container

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import LinkFeatures
from leadline.core.url import Url
from leadline.learn.link_features import linear_scores, link_rows
from leadline.page import parse_page
from leadline.page.words import PageWords

FEATURES = LinkFeatures(url=5, anchor=5, around=10)
"""30 features a link."""
BITS = 18


def toy_weights(seed: int = 1) -> NDArray[np.float32]:
    """A model with weights as good as any: their values do not change the work."""
    weights = np.random.default_rng(seed).normal(0, 1, 1 << BITS).astype(np.float32)
    weights[0] = 0.0
    return weights


def parse_and_score(
    body: bytes, url: str, weights: NDArray[np.float32], known: Container[str] = ()
) -> list[tuple[str, float]]:
    """Links of the page that are not known, with scores. Only those are scored, as in leadline."""
    page = parse_page(body, Url(url))
    links = [link for link in page.links if link.target not in known]
    scores = linear_scores(weights, link_rows(FEATURES, PageWords(page), links)).tolist()
    return [(link.target, score) for link, score in zip(links, scores, strict=True)]
