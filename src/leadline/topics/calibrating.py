"""From scores of pages to probabilities, for the share of pages on the topic that crawls meet."""

import numpy as np
from numpy.typing import ArrayLike

from leadline.learn.calibration import Platt
from leadline.learn.odds import Numbers

PRIOR = 0.25
"""The share of pages on the topic for which probabilities are made: what a crawl meets that keeps
near its topic. Of the whole Web it would be one page in a thousand."""


def calibrated(on_topic: ArrayLike, off_topic: ArrayLike) -> Platt:
    """As if the pages on the topic were the share PRIOR of all, however many are given."""
    off = np.asarray(off_topic, np.float64)
    wanted = max(2, round(len(off) * PRIOR / (1 - PRIOR)))
    on = np.quantile(np.asarray(on_topic, np.float64), np.linspace(0, 1, wanted))
    scores: Numbers = np.concatenate([on, off])
    return Platt.fit(scores, np.arange(len(scores)) < wanted)
