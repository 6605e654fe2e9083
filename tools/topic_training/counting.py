"""Shares of words in groups of real pages, so that no page and no site decides alone."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from leadline.learn.naive_bayes import damp_counts, places_among
from leadline.page.words import WordIds
from leadline.topics.background import CAMPUS, ENCYCLOPEDIA, SHOPS, Shares
from leadline.topics.vocabulary import (
    DOMAINS,
    LANGUAGES,
    general_words,
    rank_words,
    read_vocabulary,
)
from tools.topic_training.collections import Text

_FEWEST_OWNERS = 3
"""A word that fewer sites have is one site's own, not a topic's."""
_TRIMMED_OWNERS = 4
"""Groups with fewer owners have their words counted as they are: too little would be left."""
_MISSING_OWNERS = 20
"""Sites that the written words of a language stand for."""
_VERTICALS = ("auto", "book", "job", "movie")
_OF_THE_WEB = 0.5
"""General words beside one part of words that three of the four real domains share."""


class Unit(NamedTuple):
    """One owner's pages of one group: the mean of their shares."""

    group: str
    owner: str
    places: WordIds
    shares: Shares


def shared_words(texts: Iterable[Text], spelled: Mapping[int, str]) -> WordIds:
    """Words of at least three owners that can be spelled, and all written ones; rising."""
    found = [
        np.unique(np.concatenate([text.ids for text in pages]))
        for _, pages in groupby(sorted(texts, key=_owner), _owner)
    ]
    words, owners = np.unique(np.concatenate(found), return_counts=True)
    kept = [number for number in words[owners >= _FEWEST_OWNERS].tolist() if number in spelled]
    return np.unique(np.array([*kept, *written_words()], np.int32))


def written_words() -> dict[int, str]:
    """All words that are written by hand, by their ids; the last spelling counts."""
    return {
        number: word
        for table in (general_words(), *(read_vocabulary(domain).page for domain in DOMAINS))
        for spoken, listed in table.items()
        for word in listed
        for number in rank_words([word], [spoken])
    }


def _owner(text: Text) -> str:
    return text.owner


def units_of(texts: Iterable[Text], words: WordIds) -> list[Unit]:
    """Every owner's pages of every group."""
    return [
        _unit(group, owner, list(pages), words)
        for (group, owner), pages in groupby(sorted(texts, key=_place), _place)
    ]


def _place(text: Text) -> tuple[str, str]:
    return text.group, text.owner


def _unit(group: str, owner: str, pages: Sequence[Text], words: WordIds) -> Unit:
    summed = np.zeros(len(words))
    for page in pages:
        unique, counts = damp_counts(page.ids)
        places, is_known = places_among(words, unique)
        summed[places] += counts[is_known] / counts.sum()
    held = np.flatnonzero(summed).astype(np.int32)
    return Unit(group, owner, held, summed[held] / len(pages))


def rows_of(units: Iterable[Unit], words: WordIds) -> dict[str, Shares]:
    """The shares of each group, and of what is made of them, all in full."""
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(unit.group, []).append(unit)
    wanted = [f"web:{spoken}" for spoken in LANGUAGES] + [ENCYCLOPEDIA, CAMPUS]
    wanted += [f"real:{name}" for name in (*_VERTICALS, "people")]
    rows = {label: _trimmed(groups[label], len(words)) for label in wanted if label in groups}
    for spoken, listed in general_words().items():
        owners = len(groups.get(f"web:{spoken}", ()))
        general = _in_full(rank_words(listed, [spoken]), words)
        rows[f"web:{spoken}"] = _beside(rows.get(f"web:{spoken}"), owners, general)
    rows[SHOPS] = _shops([rows[f"real:{name}"] for name in _VERTICALS], rows["web:en"])
    for domain in DOMAINS:
        for spoken, listed in read_vocabulary(domain).page.items():
            rows[f"written:{domain}:{spoken}"] = _in_full(rank_words(listed, [spoken]), words)
    return rows


def _trimmed(units: Sequence[Unit], size: int) -> Shares:
    """The mean over owners without the one who says a word most, of words of several owners."""
    places = np.concatenate([unit.places for unit in units])
    shares = np.concatenate([unit.shares for unit in units])
    summed, owners = np.zeros(size), np.bincount(places, minlength=size)
    np.add.at(summed, places, shares)
    if len(units) >= _TRIMMED_OWNERS:
        most = np.zeros(size)
        np.maximum.at(most, places, shares)
        summed = (summed - most) * (owners >= _FEWEST_OWNERS)
    return np.asarray(summed / summed.sum(), np.float64)


def _beside(real: Shares | None, owners: int, written: Shares) -> Shares:
    """Real words by how many sites they are from, written ones by how many are missing."""
    if real is None:
        return written
    part = owners / (owners + _MISSING_OWNERS)
    return part * real + (1 - part) * written


def _shops(verticals: Sequence[Shares], web: Shares) -> Shares:
    """Words of at least three verticals, as often as in the one that has them least of these."""
    shared = np.sort(verticals, axis=0)[1]
    mixed = shared / shared.sum() + _OF_THE_WEB * web
    return np.asarray(mixed / mixed.sum(), np.float64)


def _in_full(listed: Mapping[int, float], words: WordIds) -> Shares:
    shares = np.zeros(len(words))
    shares[words.searchsorted(np.array(list(listed), np.int32))] = list(listed.values())
    return shares
