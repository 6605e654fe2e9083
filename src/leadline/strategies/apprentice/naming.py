"""Remembers what features of links are called: they are learned as numbers, and read by people."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import Candidate
from leadline.learn.link_bayes import SIZE, LinkBayes, LinkOdds
from leadline.strategies.apprentice.reasons import name_features
from leadline.strategies.apprentice.settings import ApprenticeSettings
from leadline.strategies.base import SHOWN

_EVERY = 8
"""One of so many links is named: a feature that counts for something stands at many of them."""
_MOST, _KEPT = 6_000, 2_000
"""FeatureNames held between two lessons, and those of the strongest features that outlive one."""
_SHOWN = 12
"""Words of each space that are remembered of a lesson."""
_LEAST_LINKS = 5
"""A feature of fewer links says nothing yet."""
_MOST_LESSONS = 100


class ApprenticeLesson(Struct, frozen=True, array_like=True):
    """What was known after one lesson."""

    pages: int
    words: dict[str, list[str]]


class NamedFeature(NamedTuple):
    """A feature in words, what it counts for and how sure that is."""

    name: str
    weight: float
    worth: float


class FeatureNames:
    """Bounded. Knows the features of some links that were followed, the strongest above all."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._pages = 0
        self.lessons: list[ApprenticeLesson] = []

    def add(self, candidate: Candidate, settings: ApprenticeSettings) -> None:
        """Take note of a link that was followed, if it is its turn."""
        self._pages += 1
        if self._pages % _EVERY == 1 and candidate.features and len(self._names) < _MOST:
            here = set(np.frombuffer(candidate.features, "<i4").tolist())
            for number, name in name_features(candidate, settings).items():
                if number in here and number:
                    self._names.setdefault(number & (SIZE - 1), name)

    def take_lesson(self, bayes: LinkBayes, odds: LinkOdds | None) -> None:
        """Forget the names of features that count for little, and note the words that do."""
        if odds is None:
            return
        known = sorted(self._rate_features(bayes, odds), key=lambda pair: (-pair[1].worth, pair[0]))
        self._names = {cell: told.name for cell, told in known[:_KEPT]}
        words: dict[str, list[str]] = {}
        for _, told in known:
            some = words.setdefault(find_space(told.name), [])
            if told.weight > 0 and len(some) < _SHOWN:
                some.append(told.name)
        self.lessons.append(ApprenticeLesson(self._pages, words))
        if len(self.lessons) > _MOST_LESSONS:
            del self.lessons[1]

    def weights(self, bayes: LinkBayes, odds: LinkOdds | None) -> list[tuple[str, float]]:
        """Features in words, those that are surest to count."""
        known = [told for _, told in self._rate_features(bayes, odds)] if odds is not None else []
        known.sort(key=lambda told: (-told.worth, told.name))
        return [(told.name, told.weight) for told in known[:SHOWN]]

    def _rate_features(
        self, bayes: LinkBayes, odds: LinkOdds
    ) -> Iterator[tuple[int, NamedFeature]]:
        for cell, name in self._names.items():
            links = int(bayes.counts[:, cell].sum())
            if links >= _LEAST_LINKS:
                weight = float(odds.weights[cell])
                yield cell, NamedFeature(name, weight, abs(weight) * links**0.5)

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything, for `restore`."""
        return {
            "name_cells": np.array(list(self._names), np.int64),
            "names": np.array(list(self._names.values()), np.str_),
            "named_pages": np.array([self._pages]),
            "lessons": np.frombuffer(msgspec.json.encode(self.lessons), np.uint8),
        }

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """A state of a crawl that kept no names leaves them empty."""
        if "lessons" in state:
            cells, names = state["name_cells"].tolist(), state["names"].tolist()
            self._names = dict(zip(cells, names, strict=True))
            self._pages = int(state["named_pages"][0])
            self.lessons = msgspec.json.decode(
                state["lessons"].tobytes(), type=list[ApprenticeLesson]
            )


def find_space(name: str) -> str:
    """Where a feature stands, by its name."""
    word, _, offset = name.partition(" @")
    if offset:
        distance = int(offset)
        return "anchor" if not distance else "before the link" if distance < 0 else "after the link"
    if name.endswith(" in the URL"):
        return "URL"
    return "the page and its links" if " " in word else "near the link"


def shown_words(
    lessons: Sequence[ApprenticeLesson],
) -> Iterator[tuple[int, int, dict[str, list[str]]]]:
    """Number, pages and words of each lesson."""
    for number, lesson in enumerate(lessons, start=1):
        yield number, lesson.pages, lesson.words
