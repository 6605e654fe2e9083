"""The weights of words for a topic of the background, against all its other pages."""

import numpy as np

from leadline.learn.odds import LogOdds, log_odds
from leadline.topics.background import FLOOR, Background

_KEPT_WORDS = 5_000
"""Of a topic: the others change no judgement."""


def odds_of(name: str, background: Background) -> LogOdds:
    """By the words that matter: common ones with much to say."""
    topic, others = background.topic(name), background.without([name]).mixture()
    weights = log_odds(topic, others, FLOOR)
    worth = np.abs(weights) * (topic + others)
    kept = np.sort(np.argsort(-worth, kind="stable")[:_KEPT_WORDS])
    return LogOdds(background.words[kept], weights[kept].astype(np.float32))
