"""Scores of real texts by packs that their owners had no part in."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from leadline.learn.evaluation import deal_folds
from leadline.learn.naive_bayes import Numbers
from leadline.page.words import WordIds
from leadline.topics.background import CAMPUS, Background, Shares, SparseShares, weigh_words
from tools.topic_training.collections import Text
from tools.topic_training.counting import Unit, rows_of, units_of


class Crossed(NamedTuple):
    """Real texts, and for each of them a background that was counted without its owner."""

    texts: Sequence[Text]
    folds: NDArray[np.int64]
    backgrounds: Sequence[Background]

    def scores(self, name: str) -> Numbers:
        """Of all texts, as pages of a domain."""
        judges = [weigh_words(name, background) for background in self.backgrounds]
        judged = zip(self.texts, self.folds, strict=True)
        return np.array([judges[fold].score(text.ids) for text, fold in judged])


def crossed(texts: Sequence[Text], background: Background, folds: int) -> Crossed:
    """Owners are dealt out to the folds; each fold is judged by what the others teach."""
    fold_of = folds_of(texts, folds)
    backgrounds = []
    for fold in range(folds):
        others = [text for text, own in zip(texts, fold_of, strict=True) if own != fold]
        rows = sparse_rows(units_of(others, background.words), background.words)
        backgrounds.append(structs.replace(background, rows=rows))
    return Crossed(texts, fold_of, backgrounds)


def sparse_rows(units: Sequence[Unit], words: WordIds) -> dict[str, SparseShares]:
    return {label: sparse(shares) for label, shares in rows_of(units, words).items()}


def sparse(shares: Shares) -> SparseShares:
    places = np.flatnonzero(shares).astype(np.int32)
    return SparseShares(places, shares[places].astype(np.float32))


def folds_of(texts: Sequence[Text], folds: int) -> NDArray[np.int64]:
    """The fold of each text. Each collection is dealt out alone, so that every fold has some."""
    collections = np.array([_collection(text.group) for text in texts])
    found = np.zeros(len(texts), np.int64)
    for name in np.unique(collections):
        places = np.flatnonzero(collections == name)
        found[places] = deal_folds([texts[at].owner for at in places.tolist()], folds)
    return found


def _collection(group: str) -> str:
    """Universities have pages in two groups; sites of the Web in several languages."""
    if group.startswith("web:"):
        return "web"
    return CAMPUS if group == "real:people" else group
