"""Tells in one shape what strategies have learned (`leadline.core.learned`)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Words = Mapping[str, Sequence[str]]
"""Features of a model, strongest first, by the space they stand in."""
Weights = Mapping[str, Iterable[tuple[str, float]]]

SHOWN = 40
"""Features of a model that are told, half of them for and half against."""
NOT_LEARNING = "it learns nothing: links are ranked by the same rule from first to last"
NOT_YET = "it has not learned yet: too little was found to learn from"


def told(iterations: Sequence[dict[str, Any]], weights: Weights, note: str) -> dict[str, Any]:
    """The whole; `note` is told where there is something missing."""
    return {
        "iterations": list(iterations),
        "weights": {model: strongest(words) for model, words in weights.items()},
        "notes": [] if iterations and weights else [note],
    }


def iterations_told(learned: Iterable[tuple[int, int, Words]]) -> list[dict[str, Any]]:
    """Of each learning its number, the pages read until then, and the words that counted."""
    rows: list[dict[str, Any]] = []
    before: Words = {}
    for number, pages, words in learned:
        fresh = {space: _fresh(some, before.get(space, ())) for space, some in words.items()}
        features = {space: list(some) for space, some in words.items()}
        rows.append({"number": number, "pages": pages, "features": features, "fresh": fresh})
        before = words
    return rows


def _fresh(words: Sequence[str], before: Sequence[str]) -> list[str]:
    known = set(before)
    return [word for word in words if word not in known]


def strongest(words: Iterable[tuple[str, float]], most: int = SHOWN) -> list[list[Any]]:
    """Those that count most, for or against, as [name, weight]."""
    known = [(name, round(float(weight), 4)) for name, weight in words if weight]
    for_it = sorted((pair for pair in known if pair[1] > 0), key=_strength)
    against = sorted((pair for pair in known if pair[1] < 0), key=_strength)
    few = min(len(for_it), max(most // 2, most - len(against)))
    chosen = sorted(for_it[:few] + against[: most - few], key=_strength)
    return [[name, weight] for name, weight in chosen]


def _strength(pair: tuple[str, float]) -> tuple[float, str]:
    return -abs(pair[1]), pair[0]
