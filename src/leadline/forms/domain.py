"""Whose domain is this form? Its words decide: one linear judge for each of twelve domains.

The second stage of HIFI (Barbosa and Freire, "Combining classifiers to identify online
databases", WWW 2007), with logistic regression in place of their support vector machine, so that
every word has a weight and the answer is a chance. A form may belong to several domains.
"""

from functools import cache
from importlib import resources
from math import exp, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.errors import ConfigError
from leadline.forms.joining import joined
from leadline.learn.model_files import Arrays, read_model
from leadline.page.words import WordIds

DOMAINS = (
    "airfare", "auto", "book", "hotel", "job", "movie",
    "music", "rental", "apartment", "route", "product", "people",
)  # fmt: skip
KIND = "domains"
ENOUGH = 8
"""Known words of a form up to which each adds its full weight. Of many words, some fit by chance;
so a form of n counts for sqrt(8 / n) of their sum."""
_REASONS = 5

Reason = tuple[str, float]
"""A word, and how far it speaks for (above 0) or against the domain."""


class Learned(NamedTuple):
    """What all judges know together, as it is kept."""

    ids: WordIds
    """Of the known words, in rising order."""
    words: tuple[str, ...]
    """The same words to be read."""
    weights: NDArray[np.float32]
    """One row per domain."""
    biases: NDArray[np.float64]
    platt: NDArray[np.float64]
    """Slope and offset of each domain's calibration."""

    def arrays(self) -> Arrays:
        return {**self._asdict(), "words": np.array(self.words)}

    @staticmethod
    def of(arrays: Arrays) -> "Learned":
        words = tuple(arrays["words"].tolist())
        named = {name: arrays[name] for name in ("ids", "weights", "biases", "platt")}
        return Learned(words=words, **named)


class DomainJudge:
    """Tells forms of one domain by their words. Picklable, without memory.

    Chances hold where every other search form is of the domain, and forms that say nothing of
    what they search are among both halves.
    """

    def __init__(self, name: str, learned: Learned) -> None:
        row = DOMAINS.index(name)
        self.name = name
        self._bias = float(learned.biases[row])
        self._slope, self._offset = learned.platt[row].tolist()
        weights = learned.weights[row].tolist()
        self._weights: dict[int, float] = dict(zip(learned.ids.tolist(), weights, strict=True))
        self._words = dict(zip(learned.ids.tolist(), learned.words, strict=True))

    def chance(self, ids: WordIds) -> float:
        """Between 0 and 1, from the words of a form as `PageWords.form` numbers them."""
        return self.judge(ids)[0]

    def judge(self, ids: WordIds) -> tuple[float, int]:
        """The chance, and how many of the words are known: with none, it says nothing."""
        known = self._weights.keys() & ids.tolist()
        score = self._slope * self._score(known) + self._offset
        return 1.0 / (1.0 + exp(-score)), len(known)

    def score(self, ids: WordIds) -> float:
        """Before calibration."""
        return self._score(self._weights.keys() & ids.tolist())

    def _score(self, known: set[int]) -> float:
        weights = self._weights
        said = sum([weights[number] for number in known])
        n = len(known)
        return self._bias + (said * sqrt(ENOUGH / n) if n > ENOUGH else said)

    def of_form(self, ids: WordIds, page_chance: float | None) -> float:
        """The chance where the page's being about the domain is known too."""
        chance, known = self.judge(ids)
        return chance if page_chance is None else joined(chance, page_chance, known)

    def form_reasons(self, ids: WordIds, most: int = _REASONS) -> list[Reason]:
        """The words that say most for and against the domain, the strongest first."""
        known = self._weights.keys() & ids.tolist()
        share = sqrt(ENOUGH / max(len(known), ENOUGH))
        parts = [(self._words[number], self._weights[number] * share) for number in known]
        return sorted(parts, key=lambda part: (-abs(part[1]), part[0]))[:most]


@cache
def _learned() -> Learned:
    folder = resources.files("leadline.forms").joinpath("models", "domains")
    return Learned.of(read_model(folder, KIND).arrays)


def domain_judge(name: str) -> DomainJudge:
    """The judge of that domain, read from the weights that ship with the package."""
    if name not in DOMAINS:
        raise ConfigError(f"no domain of forms is called {name!r}; there are: {', '.join(DOMAINS)}")
    return DomainJudge(name, _learned())
