"""What one crawl learned, kept for the next: a model folder with the six contexts."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from leadline.learn.models import Manifest, digest_of, read_model, write_model
from leadline.strategies.smart.learner import ContextCounts
from leadline.strategies.smart.terms import SpelledWord, TermCounts

KIND = "smartcrawler"
_CONTEXTS = (
    "site_url",
    "site_anchor",
    "site_around",
    "link_path",
    "link_anchor",
    "link_around",
)


def save_knowledge(folder: Path, lessons: ContextCounts, trained_on: Sequence[str]) -> Manifest:
    """Keep all words counted. Equal lessons give equal files."""
    arrays = {}
    counts = {}
    for name, context in zip(_CONTEXTS, lessons.all(), strict=True):
        terms = context.top(len(context.counts))
        counts[name] = len(terms)
        arrays[f"{name}_words"] = np.array([term.word for term in terms], np.str_)
        arrays[f"{name}_ids"] = np.array([term.id for term in terms], np.int32)
        arrays[f"{name}_counts"] = np.array([term.times for term in terms], np.int64)
    digest = digest_of(*(array.tobytes() for array in arrays.values()))
    return write_model(folder, Manifest(KIND, tuple(trained_on), digest, counts), arrays)


def load_knowledge(folder: Path) -> ContextCounts:
    """What `save_knowledge` kept. Raises ModelError."""
    arrays = read_model(folder, KIND).arrays
    contexts = []
    for name in _CONTEXTS:
        columns = (arrays[f"{name}_{column}"].tolist() for column in ("ids", "words", "counts"))
        context = TermCounts()
        for number, word, count in zip(*columns, strict=True):
            context.add([SpelledWord(number, word)], count)
        contexts.append(context)
    return ContextCounts(*contexts)
