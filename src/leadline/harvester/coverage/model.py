"""Corrects and joins the estimates of a database's size: learned from harvests of known sources.

Each published estimate is off by a factor that depends on how a harvest went. Linear functions of
the evidence, one each for the middle and the ends of the interval, were fitted to harvests of the
lab's sources by `python -m leadline_lab.harvests.coverage FOLDER --fit`, which wrote the file that
is read here; the ends were then moved apart until they held on sources not fitted to. Harvests that
mostly choose from menus have functions of their own: choices exclude each other, so that nothing
comes twice and estimates made of repetitions mean something else.
"""

import math
from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from leadline.harvester.coverage.estimators import FLOOR

FILE = "model.json"
_MOSTLY = 0.5
"""Of what came, by queries that chose and typed nothing."""
_CLEARLY_MORE = 1.05
"""Times what is held: nobody can be sure that less than a twentieth is missing rather than none."""


class Line(Struct, frozen=True):
    """A linear function of features by name."""

    constant: float
    weights: dict[str, float]

    def at(self, features: Mapping[str, float]) -> float:
        return self.constant + sum(w * features[name] for name, w in self.weights.items())


class Lines(Struct, frozen=True):
    """Low end, middle and high end, as logarithms of records not held for each that is held."""

    low: Line
    middle: Line
    high: Line
    bounds: dict[str, tuple[float, float]] = {}
    """What was seen of each feature: beyond, nothing was learned, and the nearer bound is taken."""

    def within(self, features: Mapping[str, float]) -> dict[str, float]:
        bounds = self.bounds
        return {name: min(max(features[name], low), high) for name, (low, high) in bounds.items()}


class SizeModel(Struct, frozen=True):
    """Says how many records there are, from `Evidence.features`."""

    words: Lines
    choices: Lines
    about: dict[str, str] = {}
    """How it was fitted, for people."""

    def sizes(self, features: Mapping[str, float], held: int) -> tuple[float, float, float]:
        """Records there are: at least, probably, at most; never fewer than are held.

        The low end is not above the least single estimate: where one says that all is held, it
        may be right.
        """
        lines = self.choices if is_by_choice(features) else self.words
        seen = lines.within(features)
        middle = lines.middle.at(seen)
        low = min(middle, lines.low.at(seen), features["least"])
        high = max(middle, lines.high.at(seen))
        least = _size(low, held)
        return (
            least if least >= _CLEARLY_MORE * held else held,
            _size(middle, held),
            _size(high, held),
        )


def is_by_choice(features: Mapping[str, float]) -> bool:
    return features["chosen"] >= _MOSTLY


def _size(unseen: float, held: int) -> float:
    return held * (1 + max(0.0, math.exp(min(unseen, 20.0)) - FLOOR))


@cache
def shipped_model() -> SizeModel:
    packed = resources.files("leadline.harvester.coverage").joinpath(FILE).read_bytes()
    return msgspec.json.decode(packed, type=SizeModel)
