"""How well a naive Bayes page classifier does on sites it was not trained on."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from leadline.learn.naive_bayes import NaiveBayes
from leadline.page.words import WordIds


class Sample(Struct, frozen=True):
    """The words of one page, its site and its class."""

    owner: str
    label: str
    words: WordIds


class Score(Struct, frozen=True):
    accuracy: float
    macro_f1: float
    """The mean over classes."""
    f1: dict[str, float]


def macro_f1(truth: Sequence[str], guesses: Sequence[str]) -> dict[str, float]:
    """F1 of each class that occurs."""
    found = {}
    for label in sorted(set(truth)):
        right = sum(t == g == label for t, g in zip(truth, guesses, strict=True))
        named = sum(label == g for g in guesses) + sum(label == t for t in truth)
        found[label] = 2 * right / named
    return found


def score(train: Sequence[Sample], test: Sequence[Sample]) -> Score:
    model = NaiveBayes.fit([s.words for s in train], [s.label for s in train])
    guesses = model.predict([s.words for s in test])
    truth = [s.label for s in test]
    right = sum(t == g for t, g in zip(truth, guesses, strict=True))
    f1 = macro_f1(truth, guesses)
    return Score(right / len(test), sum(f1.values()) / len(f1), f1)


def mean_score(
    samples: Sequence[Sample], splits: Sequence[frozenset[str]]
) -> dict[str, float | dict[str, float]]:
    """Means over splits; each names the owners that are trained on."""
    scores = [_split_score(samples, owners.__contains__) for owners in splits]
    labels = sorted({label for each in scores for label in each.f1})
    return {
        "accuracy": _mean([each.accuracy for each in scores]),
        "macro_f1": _mean([each.macro_f1 for each in scores]),
        "f1": {label: _mean([each.f1.get(label, 0.0) for each in scores]) for label in labels},
    }


def _split_score(samples: Sequence[Sample], is_trained: Callable[[str], bool]) -> Score:
    train = [sample for sample in samples if is_trained(sample.owner)]
    return score(train, [sample for sample in samples if not is_trained(sample.owner)])


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4)
