"""Multinomial naive Bayes over hashed link features, two classes, learned batch by batch.

Features are hashed into a table of fixed size, so that scoring a frontier is one look-up per
feature and what was learned has a bound, however large the vocabulary grows.
"""

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.learn.link_features import linear_scores

Numbers = NDArray[np.float32]
Counts = NDArray[np.int32]

SIZE = 1 << 20
"""Cells of the table, a power of two: with 100,000 features one in twenty shares its cell. 8 MB."""
_LOW, _HIGH = 0, 1


class LinkOdds(Struct, frozen=True, eq=False):
    """How much likelier each feature is on links of the high class. Never changed."""

    weights: Numbers
    """By cell; 0 for features never met, which say nothing."""
    is_known: Numbers
    """By cell, 1 for a feature that was met."""
    prior: float
    """Log-odds of the high class before anything is said of a link."""

    def of_rows(self, rows: FeatureRows, length: int = 0) -> Numbers:
        """The log-odds of the high class for each row.

        With `length`, a link of more known features weighs as if it had so many: words of one
        text depend on each other, and long ones would otherwise be sure of anything.
        """
        said = linear_scores(self.weights, rows)
        if length:
            said *= np.minimum(1, length / np.maximum(linear_scores(self.is_known, rows), 1))
        return said + np.float32(self.prior)

    def parts(self, row: NDArray[np.int32], length: int = 0) -> Numbers:
        """What each feature of one row adds."""
        cells = row & np.int32(SIZE - 1)
        known = float(self.is_known[cells].sum())
        scale = min(1.0, length / known) if length and known else 1.0
        return np.asarray(self.weights[cells] * np.float32(scale), np.float32)


class LinkBayes:
    """Counts the features of links of two classes."""

    def __init__(self) -> None:
        self.counts: Counts = np.zeros((2, SIZE), np.int32)
        """counts[class, cell]: how often the feature stood at links of the class."""
        self.links: NDArray[np.int64] = np.zeros(2, np.int64)
        """How many links of each class there were, the low one first."""

    def add(self, rows: FeatureRows, is_high: NDArray[np.bool_]) -> None:
        """Counts one link per row."""
        cells = rows & np.int32(SIZE - 1)
        for number, chosen in ((_LOW, cells[~is_high]), (_HIGH, cells[is_high])):
            np.add.at(self.counts[number], chosen.ravel(), 1)
            self.links[number] += len(chosen)
        # Cell 0 is where there is no feature.
        self.counts[:, 0] = 0

    def odds(self) -> LinkOdds:
        """What was learned, by Laplace's rule over the features met in either class."""
        known = np.flatnonzero(self.counts.any(axis=0))
        counts = self.counts[:, known] + 1.0
        rates = counts / counts.sum(axis=1, keepdims=True)
        weights, is_known = np.zeros((2, SIZE), np.float32)
        weights[known] = np.log(rates[_HIGH] / rates[_LOW])
        is_known[known] = 1
        low, high = (self.links + 1).tolist()
        return LinkOdds(weights, is_known, float(np.log(high / low)))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it, the table without its empty cells; `of` reads it."""
        cells = np.flatnonzero(self.counts.any(axis=0)).astype(np.int32)
        return {"cells": cells, "counts": self.counts[:, cells], "links": self.links}

    @staticmethod
    def of(arrays: Mapping[str, NDArray[Any]]) -> "LinkBayes":
        found = LinkBayes()
        found.counts[:, arrays["cells"]] = arrays["counts"]
        found.links[:] = arrays["links"]
        return found


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Arrays as bytes, the same for the same arrays."""
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    return packed.getvalue()


def unpack_arrays(packed: bytes) -> dict[str, NDArray[Any]]:
    """What `pack_arrays` packed; raises ValueError for anything else."""
    try:
        with np.load(io.BytesIO(packed), allow_pickle=False) as found:
            return {name: found[name] for name in found.files}
    except (OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"not packed arrays: {error}") from error
