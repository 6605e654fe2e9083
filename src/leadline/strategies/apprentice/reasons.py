"""Tells in words why the apprentice ranks a link as it does."""

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import Candidate
from leadline.core.url import path_of
from leadline.learn.features import OFFSET, URL, in_space, space_key
from leadline.learn.link_bayes import LinkOdds
from leadline.page.words import split_words, vocabulary
from leadline.strategies.apprentice.neighbours import BESIDE, CLASS
from leadline.strategies.apprentice.settings import NEIGHBOURS, ApprenticeSettings

Reason = tuple[str, float]
_MOST = 12
"""Reasons told; what is left goes together as one."""


def explain_link(
    candidate: Candidate, odds: LinkOdds, settings: ApprenticeSettings
) -> list[Reason]:
    """What each feature adds to the log-odds, strongest first, then what had no name."""
    row = np.frombuffer(candidate.features, "<i4")
    names = name_features(candidate, settings)
    added: dict[str, float] = {}
    parts = odds.parts(row, settings.length).tolist()
    for number, part in zip(row.tolist(), parts, strict=True):
        if part:
            name = names.get(number, "words farther off")
            added[name] = added.get(name, 0.0) + part
    told = sorted(added.items(), key=lambda reason: (-abs(reason[1]), reason[0]))
    rest = sum(part for _, part in told[_MOST:])
    end = [("all others", rest)] if rest else []
    return [*told[:_MOST], *end, ("share of relevant pages so far", odds.prior)]


def name_features(candidate: Candidate, settings: ApprenticeSettings) -> dict[int, str]:
    """The features the link may have, by id: its words as a reader sees them with their offset.

    The offset of a word around a link is not kept as text; the feature ids tell it.
    """
    before, _, after = candidate.around.partition("\t")
    names = _name_extra_cells(settings)
    for text, offsets in (
        (candidate.anchor, range(1)),
        (before, range(-settings.d_max, 0)),
        (after, range(1, settings.d_max + 1)),
    ):
        for offset in offsets:
            shown = "" if settings.bag_of_words else f" @{offset}"
            space = OFFSET if settings.bag_of_words else OFFSET + offset
            names.update(_name_words(text, space, shown))
    names.update(_name_words(path_of(candidate.url), URL, " in the URL"))
    return names


def _name_words(text: str, space: int, shown: str) -> dict[int, str]:
    # Stems are those of the page's language, which candidates do not keep; most are English.
    words = split_words(text)
    ids: NDArray[np.int32] = np.array([vocabulary("en").word(word) for word in words], np.int32)
    features = in_space(ids, space_key(space)).tolist()
    return {number: f"{word}{shown}" for number, word in zip(features, words, strict=True)}


def _name_extra_cells(settings: ApprenticeSettings) -> dict[int, str]:
    names: dict[int, str] = {}
    buckets = np.arange(1, 6, dtype=np.int32)
    if settings.class_feature:
        for bucket, number in enumerate(in_space(buckets, space_key(CLASS)).tolist()):
            names[number] = f"its page's relevance is {bucket / 5:.1f} to {(bucket + 1) / 5:.1f}"
    if settings.co_citation:
        for step in (*range(-NEIGHBOURS, 0), *range(1, NEIGHBOURS + 1)):
            low, high = in_space(buckets[:2], space_key(BESIDE + step)).tolist()
            names[low] = f"off-topic page linked {step:+d} links on"
            names[high] = f"relevant page linked {step:+d} links on"
    return names
