"""A regression over the hashed features of links that learns from one link at a time.

Used by the strategies that learn online: `anthelion`, `deepdeep`, `sb` and `tres`. Weights live in
a table of fixed size, so that ranking all that waits is one look-up per feature.
"""

import math
from collections.abc import Iterable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import Candidate, FeatureRows
from leadline.learn.link_features import NAMES, candidate_terms, linear_scores

Numbers = NDArray[np.float32]
SIZE = 1 << 18
"""Cells: a crawl of 100,000 pages meets fewer words that count."""
_MOST_NAMES = 3_000
_PRIOR_LINKS, _PRIOR_GOOD = 20.0, 1.0
"""Of a model of chances: as if one of twenty links had led to something. What counts is rarer than
pages about the topic and commoner than forms, and after twenty links it is the crawl's own."""


class SavedWeights(Struct, frozen=True, array_like=True):
    """A model as bytes: cells, their weights and the squares of their errors."""

    cells: bytes
    values: bytes
    links: float
    good: float
    names: dict[int, str]


class OnlineLinkModel:
    """Predicts what a link is worth: a chance (logistic) or a number (linear).

    A row's features count together as one of length 1, however many there are, so one step size
    suits short links and long ones. Steps shrink with what was learned of a feature (AdaGrad),
    unless `is_plain`: stochastic gradient descent with steps of one size.
    """

    def __init__(self, rate: float, *, is_chance: bool, is_plain: bool = False) -> None:
        self._rate, self._is_chance, self._is_plain = rate, is_chance, is_plain
        self.weights: Numbers = np.zeros(SIZE, np.float32)
        self._squares: Numbers = np.zeros(SIZE, np.float32)
        self.links = self.good = 0.0
        """Links learned from, and the sum of what they were worth."""
        self._names: dict[int, str] = {}

    def __len__(self) -> int:
        return int(self.links)

    @property
    def base(self) -> float:
        """What is said of a link without features."""
        if not self._is_chance:
            return 0.0
        share = (self.good + _PRIOR_GOOD) / (self.links + _PRIOR_LINKS)
        return math.log(share / max(1e-6, 1 - share))

    def predict(self, rows: FeatureRows) -> Numbers:
        """One number per row."""
        said = linear_scores(self.weights, rows) * _scales(rows) + np.float32(self.base)
        if not self._is_chance:
            return said
        chances: Numbers = (1 / (1 + np.exp(-np.clip(said, -30, 30)))).astype(np.float32)
        return chances

    def learn(self, rows: FeatureRows, targets: Numbers) -> None:
        """Take a step from each of these links towards what it was worth."""
        if not len(rows):
            return
        errors = (targets - self.predict(rows)).astype(np.float32)
        cells = (rows & np.int32(SIZE - 1)).ravel()
        slopes = np.repeat(errors * _scales(rows), rows.shape[1])
        if not self._is_plain:
            np.add.at(self._squares, cells, slopes * slopes)
            # The 1 makes first steps small: a single link says little about a word.
            slopes = slopes / np.sqrt(1 + self._squares[cells])
        np.add.at(self.weights, cells, np.float32(self._rate) * slopes)
        self.weights[0] = self._squares[0] = 0.0
        self.links += len(rows)
        self.good += float(targets.sum())

    def note_names(self, candidate: Candidate, width: int, languages: Iterable[str]) -> None:
        """Remember the words of a link that was followed, so that weights can be told in words."""
        if len(self._names) < _MOST_NAMES:
            for term in candidate_terms(candidate, width, tuple(languages)):
                cell = term.feature & (SIZE - 1)
                self._names.setdefault(cell, f"{NAMES[term.space]}: {term.word}")

    def named_weights(self) -> list[tuple[str, float]]:
        """The weights of words that are known by name."""
        return [(name, float(self.weights[cell])) for cell, name in self._names.items()]

    def reasons(self, row: NDArray[np.int32], names: dict[int, str]) -> list[tuple[str, float]]:
        """What each named feature of one link adds, strongest first."""
        scale = float(_scales(row[None])[0])
        told: dict[str, float] = {}
        for feature in row.tolist():
            cell = feature & (SIZE - 1)
            name = names.get(feature) or self._names.get(cell)
            if name and self.weights[cell]:
                told[name] = told.get(name, 0.0) + float(self.weights[cell]) * scale
        return sorted(told.items(), key=lambda pair: (-abs(pair[1]), pair[0]))

    def save(self) -> SavedWeights:
        used = np.flatnonzero((self.weights != 0) | (self._squares != 0)).astype(np.int32)
        values = np.stack([self.weights[used], self._squares[used]])
        return SavedWeights(used.tobytes(), values.tobytes(), self.links, self.good, self._names)

    def load(self, saved: SavedWeights) -> None:
        used = np.frombuffer(saved.cells, np.int32)
        values = np.frombuffer(saved.values, np.float32).reshape(2, len(used))
        self.weights[:] = self._squares[:] = 0.0
        self.weights[used], self._squares[used] = values
        self.links, self.good, self._names = saved.links, saved.good, dict(saved.names)


def _scales(rows: FeatureRows) -> Numbers:
    scales: Numbers = (1 / np.sqrt(np.maximum((rows != 0).sum(axis=1), 1))).astype(np.float32)
    return scales


def char_cells(texts: Iterable[str], sizes: Iterable[int], most: int) -> FeatureRows:
    """Features of the last `most` characters of each text: all runs of so many characters.

    One row per text; its width is the sum of `most` - size + 1 over the sizes. Characters beyond
    ASCII count by their UTF-8 bytes.
    """
    encoded = [text.encode("utf-8", "surrogatepass")[-most:] for text in texts]
    padded = b"".join(part.rjust(most, b"\0") for part in encoded)
    letters = np.frombuffer(padded, np.uint8).reshape(len(encoded), most).astype(np.uint32)
    columns = []
    for size in sizes:
        count = most - size + 1
        runs = np.full((len(encoded), count), np.uint32(size), np.uint32)
        for step in range(size):
            # The multiplier of FNV-1a, which spreads neighbouring letters.
            runs = (runs ^ letters[:, step : step + count]) * np.uint32(16_777_619)
        runs ^= runs >> np.uint32(15)
        is_text = letters[:, :count] != 0
        columns.append(np.where(is_text, (runs >> np.uint32(1)) | np.uint32(1), 0))
    return np.hstack(columns).astype(np.int32)
