"""What a handful of pages says of its topic's words.

Ten pages say little about a word. So a word counts by how sure it is that it is commoner on the
examples than elsewhere: shares start from those of the background, the site that says a word
most is half believed, a word of one site hardly, and each weight is shrunk by its z-score.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.learn.naive_bayes import places_among
from leadline.learn.odds import LogOdds, Numbers, damped, log_odds
from leadline.page.words import WordIds
from leadline.topics.background import Background, Shares
from leadline.topics.kinship import languages_of
from leadline.topics.pack import Example

# Chosen on two development worlds of the lab, ten home pages of each domain.
_PRIOR_SITES = 5.0
"""So many sites of background are taken to have been seen with the examples."""
_FLOOR = 2e-4
"""Added to all shares: a word much rarer than this says nothing."""
_DOUBT = 4.0
"""A word two standard deviations (squared) away from chance has half of its weight."""
_OF_ONE_SITE = 0.3
"""What is believed of the share of a word that only one site has."""
_MOST_BELIEVED = 0.5
"""What is believed of the share of a word on the site that says it most."""
_OF_OTHERS = 0.2
"""Of the background, what examples make up that are not about the topic."""
_FEWEST_OTHERS = 3
_KEPT_WORDS = 4_000


class Space(NamedTuple):
    """All words that may count, and how common they are off the topic."""

    words: WordIds
    shares: Shares


def space_of(examples: Sequence[Example], beside: Background) -> Space:
    """The words of the background, and those of two examples or more."""
    about = [example.ids for example in examples if example.is_about]
    own, pages = np.unique(np.concatenate([damped(ids)[0] for ids in about]), return_counts=True)
    words = np.union1d(beside.words, own[pages > 1])
    shares = np.zeros(len(words))
    places, _ = places_among(words, beside.words)
    shares[places] = beside.mixture(languages_of(about, beside))
    others = [example for example in examples if not example.is_about]
    if len(others) >= _FEWEST_OTHERS:
        named = site_shares(others, words).mean(axis=0)
        shares = (1 - _OF_OTHERS) * shares + _OF_OTHERS * named
    return Space(words, shares)


def site_shares(examples: Sequence[Example], words: WordIds) -> Numbers:
    """shares[site, word]: the mean over a site's pages, of which a long one says no more than a
    short one."""
    sites = sorted({example.owner for example in examples})
    shares, pages = np.zeros((len(sites), len(words))), np.zeros(len(sites))
    for example in examples:
        unique, counts = damped(example.ids)
        places, is_known = places_among(words, unique)
        site = sites.index(example.owner)
        shares[site, places] += counts[is_known] / max(1.0, float(counts.sum()))
        pages[site] += 1
    return np.asarray(shares / pages[:, None], np.float64)


def odds_from(about: Sequence[Example], space: Space) -> LogOdds:
    """The weights of words, by examples that are all about the topic."""
    length = float(np.median([damped(example.ids)[1].sum() for example in about]))
    weights = _weights(site_shares(about, space.words), space.shares, length)
    kept = np.sort(np.argsort(-np.abs(weights), kind="stable")[:_KEPT_WORDS])
    kept = kept[weights[kept] != 0]
    return LogOdds(space.words[kept], weights[kept].astype(np.float32))


def _weights(shares: Numbers, background: Shares, length: float) -> Numbers:
    """Log-odds, shrunk by how sure they are."""
    sites, total = (shares > 0).sum(axis=0), shares.sum(axis=0)
    doubted = total - (1 - _MOST_BELIEVED) * shares.max(axis=0)
    believed = np.where(sites > 1, doubted, _OF_ONE_SITE * total)
    mean = (believed + _PRIOR_SITES * background) / (len(shares) + _PRIOR_SITES)
    odds = log_odds(mean, background, _FLOOR)
    away = _deviations(sites, len(shares), background * length)
    agreed = np.where(np.sign(odds) == np.sign(away), away**2, 0.0)
    return np.asarray(odds * agreed / (agreed + _DOUBT), np.float64)


def _deviations(sites: NDArray[np.int64], seen: int, expected: Numbers) -> Numbers:
    """How far the number of sites with a word is from chance, in standard deviations."""
    rate = -np.expm1(-expected)
    away: Numbers = (sites - seen * rate) / np.sqrt(seen * rate * (1 - rate) + 0.5)
    return away


def left_out_scores(about: Sequence[Example], space: Space) -> Numbers:
    """Of each example, by what the sites of the others teach; of a lone site's by its own."""
    owners = sorted({example.owner for example in about})
    if len(owners) == 1:
        judges = {owners[0]: odds_from(about, space)}
    else:
        judges = {
            owner: odds_from([one for one in about if one.owner != owner], space)
            for owner in owners
        }
    return np.array([judges[example.owner].score(example.ids) for example in about])
