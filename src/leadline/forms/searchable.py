"""Is this form searchable? A trained classifier, FFC's decision tree or a rule of thumb answers."""

import re
from collections.abc import Callable, Sequence
from importlib import resources
from math import exp
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from leadline.core.page import Form
from leadline.errors import ConfigError
from leadline.forms.features import FEATURES, FFC_FEATURES, feature_cells, feature_rows, ffc_rows
from leadline.learn.c45 import Tree
from leadline.learn.correction import Correction, Ids, Traits
from leadline.learn.linear import Linear, logit
from leadline.learn.model_files import Manifest, StoredModel, read_model

_FREE = frozenset({"text", "search", "number", "tel", "date", "month"})
_NEVER = {
    "password": "asks for a password",
    "file": "uploads a file",
    "email": "asks for an e-mail address",
    "textarea": "takes a message",
}
_search_word = re.compile(
    r"search|find\b|query|keyword|look ?up|browse|such(?:e|en)\b|recherch|busc|cerca|zoek"
    r"|поиск|検索|搜索",
    re.IGNORECASE,
).search
_other_word = re.compile(
    r"subscrib|newsletter|sign ?up|log ?in|sign ?in|regist|comment|contact|e-?mail|checkout|"
    r"add to (?:cart|basket)|unsubscribe|donat",
    re.IGNORECASE,
).search


def apply_rule(form: Form) -> tuple[float, str]:
    """A degree of belief that the form queries a database, and why."""
    for field in form.fields:
        if field.kind in _NEVER:
            return 0.02, _NEVER[field.kind]
    free = [f for f in form.fields if f.kind in _FREE and not f.is_disabled]
    choices = [f for f in form.fields if f.kind == "select"]
    if not free and not choices:
        return 0.05, "nothing to fill in"
    words = _rule_words(form)
    if form.has_search_role or any(f.kind == "search" for f in free):
        return 0.97, "marked as a search box"
    if _other_word(words) and not _search_word(words):
        return 0.1, "its words speak of something else"
    if _search_word(words):
        return 0.95 if form.method == "get" else 0.9, "its words speak of searching"
    if form.method == "get" and free:
        return 0.6, "a text box sent by GET"
    return (0.5, "choices only") if choices else (0.25, "a text box sent by POST")


def _rule_words(form: Form) -> str:
    parts = [form.text, form.attributes]
    for field in (*form.fields, *form.submits):
        parts += [field.name, field.label, field.placeholder, field.value, field.dom_id]
    return " ".join(filter(None, parts))[:5_000]


Chances = NDArray[np.float64]
Reason = tuple[str, float]
"""A feature in words, and how far it speaks for (above 0) or against a searchable form."""

LIKELY = 0.5
_REASONS = 2
"""Named in one line: more is not read."""
_NOTHING = {True: "nothing speaks against it", False: "nothing speaks for it"}


class FormClassifier(Protocol):
    """What a judge must know. Picklable, without memory: equal forms get equal answers."""

    def chances(self, forms: Sequence[Form]) -> Chances: ...

    def reasons(self, form: Form) -> list[Reason]: ...

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]: ...


class SearchableJudge:
    """Judges whether forms open onto a database. Quickest with all forms of a page at once."""

    def __init__(self, name: str, classifier: FormClassifier) -> None:
        self.name = name
        self.classifier = classifier

    def chance(self, form: Form) -> float:
        """Between 0 and 1."""
        return float(self.chances([form])[0])

    def chances(self, forms: Sequence[Form]) -> Chances:
        """One per form."""
        return self.classifier.chances(forms)

    def reasons(self, form: Form) -> list[Reason]:
        """What speaks for and against the form, the strongest first."""
        return self.classifier.reasons(form)

    def judge(self, form: Form) -> tuple[float, str]:
        """The chance, and why in one line."""
        return self.classifier.judge([form])[0]

    def judge_all(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        """`judge` for many forms."""
        return self.classifier.judge(forms) if forms else []


class LinearClassifier:
    """The default: weighs the wider features, calibrated on real forms."""

    def __init__(self, model: Linear) -> None:
        self._model = model
        self._weights: list[float] = model.weights.tolist()

    def chances(self, forms: Sequence[Form]) -> Chances:
        return self._model.chances(feature_rows(forms))

    def reasons(self, form: Form) -> list[Reason]:
        return self._model.contributions(feature_rows([form])[0])

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        spoken = [self._spoken(form) for form in forms]
        scores = [self._model.intercept + sum([weight for weight, _ in each]) for each in spoken]
        chances = self._model.calibration.chances(np.array(scores)).tolist()
        lines = (self._line(each, chance) for each, chance in zip(spoken, chances, strict=True))
        return list(zip(chances, lines, strict=True))

    def _spoken(self, form: Form) -> list[tuple[float, int]]:
        """What each feature of the form adds to its score, and which it is."""
        weights = self._weights
        return [(weights[column] * number, column) for column, number in feature_cells(form)]

    def _line(self, spoken: list[tuple[float, int]], chance: float) -> str:
        is_likely = chance >= LIKELY
        names = self._model.names
        strongest = sorted(spoken, reverse=is_likely)[:_REASONS]
        telling = [names[column] for weight, column in strongest if (weight > 0) == is_likely]
        return "; ".join(telling) or _NOTHING[is_likely]


class TreeClassifier:
    """FFC's: a C4.5 tree over the fourteen features of structure."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def chances(self, forms: Sequence[Form]) -> Chances:
        return self._tree.chances(ffc_rows(forms))[:, 1]

    def reasons(self, form: Form) -> list[Reason]:
        row = ffc_rows([form])[0]
        found = [
            (f"{FFC_FEATURES[feature]}: {row[feature]:.0f}", float(added[1]))
            for feature, added in self._tree.path(row)
        ]
        return sorted(found, key=lambda reason: -abs(reason[1]))

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        chances = self.chances(forms).tolist()
        return [
            (chance, summarise_reasons(self.reasons(form), chance))
            for chance, form in zip(chances, forms, strict=True)
        ]


class RuleClassifier:
    """A rule of thumb that was never trained: for comparison, and where no weights are wanted."""

    def chances(self, forms: Sequence[Form]) -> Chances:
        return np.array([apply_rule(form)[0] for form in forms], np.float64)

    def reasons(self, form: Form) -> list[Reason]:
        chance, why = apply_rule(form)
        return [(why, chance - LIKELY)]

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        return [apply_rule(form) for form in forms]


def summarise_reasons(reasons: Sequence[Reason], chance: float) -> str:
    """The strongest reasons for what the chance says."""
    is_likely = chance >= LIKELY
    telling = [name for name, weight in reasons if (weight > 0) == is_likely]
    return "; ".join(telling[:_REASONS]) or _NOTHING[is_likely]


def _open_linear() -> FormClassifier:
    return LinearClassifier(Linear.of(_read_shipped("searchable", "linear").arrays, FEATURES))


def _open_tree() -> FormClassifier:
    return TreeClassifier(Tree(**_read_shipped("searchable-c45", "c45").arrays))


def _read_shipped(name: str, kind: str) -> StoredModel:
    """A model that ships with the package."""
    return read_model(resources.files("leadline.forms").joinpath("models", name), kind)


def read_shipped_manifest() -> Manifest:
    """Where the default judge comes from, and how good it was."""
    return _read_shipped("searchable", "linear").manifest


JUDGES: dict[str, Callable[[], FormClassifier]] = {
    "default": _open_linear,
    "c45": _open_tree,
    "rule": RuleClassifier,
}


def open_searchable_judge(name: str = "default") -> SearchableJudge:
    """The judge of that name, read from the weights that ship with the package."""
    if name not in JUDGES:
        raise ConfigError(f"no judge of forms is called {name}: choose {', '.join(JUDGES)}")
    return SearchableJudge(name, JUDGES[name]())


_SUREST = 5.3
"""Log-odds beyond which a judge that people corrected is not believed: one in 200."""
_LEAST_SLOPE = 0.1
"""A judge that is hardly believed at all cannot be worked out from what it was made into."""
_MOST = 40.0
"""Log-odds beyond which nothing changes: keeps exponentials in bounds."""


class CorrectedClassifier:
    """Another opinion, with what people said of forms of this structure added. Picklable."""

    def __init__(self, inner: FormClassifier, correction: Correction) -> None:
        self._inner = inner
        self._correction = correction

    def chances(self, forms: Sequence[Form]) -> Chances:
        before = self._inner.chances(forms).tolist()
        moved = zip(before, forms, strict=True)
        return np.array([self._moved(chance, form) for chance, form in moved])

    def reasons(self, form: Form) -> list[Reason]:
        added = self._correction.parts(make_traits(find_columns(form)))
        told = [(f"labels on: {FEATURES[column]}", part) for column, part in added]
        return sorted([*self._inner.reasons(form), *told], key=lambda reason: -abs(reason[1]))

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        said = zip(forms, self._inner.judge(forms), strict=True)
        return [self._judge(form, *before) for form, before in said]

    def _judge(self, form: Form, before: float, why: str) -> tuple[float, str]:
        """The old reason holds as long as the verdict does."""
        chance = self._moved(before, form)
        is_same = (chance >= LIKELY) == (before >= LIKELY)
        return chance, why if is_same else summarise_reasons(self.reasons(form), chance)

    def _moved(self, chance: float, form: Form) -> float:
        return correct_chance(chance, self._correction, make_traits(find_columns(form)))


def correct_chance(chance: float, correction: Correction, traits: Traits) -> float:
    """A judge's chance with what people said of the like; the same where they said nothing."""
    before = bound_log_odds(chance)
    added = correction.of(traits, before)
    return 1.0 / (1.0 + exp(-min(max(before + added, -_MOST), _MOST))) if added else chance


def uncorrect_chance(chance: float, correction: Correction, traits: Traits) -> float:
    """What the judge said before it was corrected: `correct_chance` the other way round."""
    now = logit(chance)
    added = correction.of(traits, 0.0)
    if not added and not correction.slope:
        return chance
    before = (now - added) / max(1 + correction.slope, _LEAST_SLOPE)
    return 1.0 / (1.0 + exp(-min(max(before, -_SUREST), _SUREST)))


def bound_log_odds(chance: float) -> float:
    """The log-odds of a judge that may be corrected."""
    return min(max(logit(chance), -_SUREST), _SUREST)


def find_columns(form: Form) -> Ids:
    """The features that a form has."""
    return np.array([column for column, _ in feature_cells(form)], np.int32)


def make_traits(columns: Ids) -> Traits:
    """What a form's structure is known by: its features, together of length 1."""
    return Traits(columns, np.full(len(columns), max(1, len(columns)) ** -0.5))


def correct_judge(judge: SearchableJudge, correction: Correction) -> SearchableJudge:
    """The judge with the correction of its structure."""
    return SearchableJudge(judge.name, CorrectedClassifier(judge.classifier, correction))
