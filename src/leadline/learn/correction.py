"""What a few cases add to a judge's log-odds, trait by trait: the judge itself stays as it is."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.learn.conjunction import Labels, Numbers, Question, fit_conjunction
from leadline.learn.naive_bayes import places_among

Ids = NDArray[np.int32]

_CHUNK = 4_096
"""Traits compared at a time: some megabytes for a thousand cases."""


class Traits(NamedTuple):
    """What a case is known by."""

    ids: Ids
    """Distinct, in rising order."""
    values: Numbers


class Prior(NamedTuple):
    """How far a correction may be from nothing before any case was seen, as variances."""

    traits: float
    """Of the part of each trait whose value is 1."""
    shift: float
    """Of what is added to all cases alike."""


class Correction(Struct, frozen=True, eq=False):
    """Adds to log-odds. Picklable; with no ids and no shift it adds nothing."""

    ids: Ids
    """In rising order."""
    weights: NDArray[np.float32]
    shift: float = 0.0

    def of(self, traits: Traits) -> float:
        """What is added for something with these traits."""
        places, is_known = places_among(self.ids, traits.ids)
        return self.shift + float(self.weights[places] @ traits.values[is_known])

    def parts(self, traits: Traits) -> list[tuple[int, float]]:
        """What each trait adds, strongest first; the shift is left out."""
        places, is_known = places_among(self.ids, traits.ids)
        added = self.weights[places] * traits.values[is_known]
        order = np.argsort(-np.abs(added), kind="stable")
        return [(int(self.ids[places[at]]), float(added[at])) for at in order if added[at]]


NO_CORRECTION = Correction(np.zeros(0, np.int32), np.zeros(0, np.float32))


class Asked(NamedTuple):
    """A question, what its judge said of each case, and what each case is known by."""

    before: Sequence[float]
    """Log-odds of yes."""
    traits: Sequence[Traits]
    prior: Prior


def corrections(asked: Sequence[Asked], is_right: Sequence[bool]) -> list[Correction]:
    """One for each question; a case is right if the answers to all of them are yes."""
    labels: Labels = np.array(is_right, np.bool_)
    questions = [Question(np.array(one.before), _likeness(one)) for one in asked]
    parts = fit_conjunction(questions, labels)
    return [_correction(one, part) for one, part in zip(asked, parts, strict=True)]


def _likeness(asked: Asked) -> Numbers:
    size = len(asked.traits)
    ids, owners, values = _flat(asked.traits)
    words, columns = np.unique(ids, return_inverse=True)
    same = np.full((size, size), asked.prior.shift)
    for first in range(0, len(words), _CHUNK):
        here = (columns >= first) & (columns < first + _CHUNK)
        block = np.zeros((size, min(_CHUNK, len(words) - first)))
        block[owners[here], columns[here] - first] = values[here]
        same += asked.prior.traits * (block @ block.T)
    return same


def _correction(asked: Asked, parts: Numbers) -> Correction:
    ids, owners, values = _flat(asked.traits)
    words, columns = np.unique(ids, return_inverse=True)
    added = np.bincount(columns, values * parts[owners], len(words)) * asked.prior.traits
    shift = float(parts.sum() * asked.prior.shift)
    return Correction(words, added.astype(np.float32), shift)


def _flat(traits: Sequence[Traits]) -> tuple[Ids, NDArray[np.int64], Numbers]:
    """All traits of all cases in one row, and the case of each."""
    ids = np.concatenate([np.zeros(0, np.int32), *(one.ids for one in traits)])
    values = np.concatenate([np.zeros(0), *(one.values for one in traits)])
    return ids, np.repeat(np.arange(len(traits)), [len(one.ids) for one in traits]), values
