"""Is this form searchable? A trained classifier, FFC's decision tree or a rule of thumb answers.

Crawls, `leadline.parts` and the gate of `forms.submit` ask the judge that `open_searchable_judge`
returns. People's labels correct a judge without changing it (`correct_judge`).
"""

import re
from collections.abc import Callable, Sequence
from importlib import resources
from math import exp
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import LIKELY
from leadline.core.page import LINK, LISTING, OPENSEARCH, SEARCH_ACTION, TEMPLATE, Form
from leadline.errors import ConfigError
from leadline.forms.features import (
    FEATURES,
    FFC_FEATURES,
    FeatureSum,
    feature_cells,
    feature_rows,
    ffc_rows,
)
from leadline.learn.c45 import Tree
from leadline.learn.correction import Correction, Ids, Traits
from leadline.learn.linear import Linear, logit
from leadline.learn.model_files import LoadedModel, Manifest, read_model

Chances = NDArray[np.float64]
Reason = tuple[str, float]
"""A feature or word, and how far it speaks for (above 0) or against what is asked."""

_REASONS = 2
"""Named in one line: the `why` of a form is read in a table, where more is cut off."""
_LINK_CHANCE = 0.4
"""The most that is believed of a door that only a link tells of: that somebody linked to a page of
results does not say that other queries are answered. Below LIKELY, so that nothing counts it until
it was asked."""
_DECLARED_CHANCE = 0.95
"""The least that is believed of a template that its site, or a person, declares to be a search:
such a declaration has no other use. What it may be sent is decided as for any form."""
_SOURCE_REASONS = {
    LINK: "made of a link to results: to be asked before it is believed",
    OPENSEARCH: "an OpenSearch description declares it",
    SEARCH_ACTION: "a SearchAction declares it",
    TEMPLATE: "a person gave it",
    LISTING: "a list that goes on page by page",
}


def _bound_by_source(chance: float, form: Form) -> float:
    """Templates have no controls to judge: what made them says how far they are believed."""
    if not form.is_template:
        return chance
    return min(chance, _LINK_CHANCE) if form.source == LINK else max(chance, _DECLARED_CHANCE)


_NO_REASON = {True: "nothing speaks against it", False: "nothing speaks for it"}


class FormClassifier(Protocol):
    """Computes what a judge says. Picklable, without memory: equal forms get equal answers."""

    def chances(self, forms: Sequence[Form]) -> Chances: ...

    def reasons(self, form: Form) -> list[Reason]: ...

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]: ...


class SearchableJudge:
    """Judges whether forms search a database. Fastest with all forms of a page at once."""

    def __init__(self, name: str, classifier: FormClassifier) -> None:
        self.name = name
        self.classifier = classifier

    def chance(self, form: Form) -> float:
        """Probability that the form is searchable."""
        return float(self.chances([form])[0])

    def chances(self, forms: Sequence[Form]) -> Chances:
        """One per form."""
        chances = self.classifier.chances(forms)
        if True in [form.is_template for form in forms]:
            pairs = zip(chances.tolist(), forms, strict=True)
            return np.array([_bound_by_source(chance, form) for chance, form in pairs])
        return chances

    def reasons(self, form: Form) -> list[Reason]:
        """What speaks for and against the form, the strongest first."""
        return self.classifier.reasons(form)

    def judge(self, form: Form) -> tuple[float, str]:
        """The probability, and why in one line."""
        return self.judge_all([form])[0]

    def judge_all(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        """`judge` for many forms."""
        if not forms:
            return []
        return [
            (_bound_by_source(chance, form), _SOURCE_REASONS.get(form.source, why))
            for form, (chance, why) in zip(forms, self.classifier.judge(forms), strict=True)
        ]


_FEW_FORMS = 12
"""Up to which the few features that each form has are added up faster than a matrix of all."""


class LinearClassifier:
    """The default: a linear model over the wider features.

    Fitted and calibrated by `tools/form_training` on 1,097 labelled forms of 254 hosts
    (Formasaurus) and 308 logins, sign-ups and checkouts of 224 others (DuckDuckGo autofill).
    """

    def __init__(self, model: Linear) -> None:
        self._model = model
        # A list of floats is read faster than an array, cell by cell.
        self._weights: list[float] = model.weights.tolist()
        self._sum = FeatureSum(self._weights)

    def chances(self, forms: Sequence[Form]) -> Chances:
        if len(forms) > _FEW_FORMS:
            return self._model.chances(feature_rows(forms))
        intercept, chance_of = self._model.intercept, self._model.calibration.chance_of
        return np.array([chance_of(intercept + self._sum.add_up(form)) for form in forms])

    def reasons(self, form: Form) -> list[Reason]:
        return self._model.contributions(feature_rows([form])[0])

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        # Two or three forms of a page are judged faster by the few features each has than by a
        # matrix of all 85; the reasons need the parts of the score anyway.
        weights = self._weights
        parts = [
            [(weights[column] * number, column) for column, number in feature_cells(form)]
            for form in forms
        ]
        scores = [self._model.intercept + sum([weight for weight, _ in each]) for each in parts]
        chances = self._model.calibration.chances(np.array(scores)).tolist()
        lines = (self._summarise(each, chance) for each, chance in zip(parts, chances, strict=True))
        return list(zip(chances, lines, strict=True))

    def _summarise(self, parts: list[tuple[float, int]], chance: float) -> str:
        is_likely = chance >= LIKELY
        strongest = sorted(parts, reverse=is_likely)[:_REASONS]
        names = self._model.names
        reasons = [names[column] for weight, column in strongest if (weight > 0) == is_likely]
        return "; ".join(reasons) or _NO_REASON[is_likely]


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
    """A rule of thumb that was never trained: for comparison, and if no weights are wanted."""

    def chances(self, forms: Sequence[Form]) -> Chances:
        return np.array([apply_rule(form)[0] for form in forms], np.float64)

    def reasons(self, form: Form) -> list[Reason]:
        chance, why = apply_rule(form)
        return [(why, chance - LIKELY)]

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        return [apply_rule(form) for form in forms]


def summarise_reasons(reasons: Sequence[Reason], chance: float) -> str:
    """The strongest reasons for what the probability says, in one line."""
    is_likely = chance >= LIKELY
    names = [name for name, weight in reasons if (weight > 0) == is_likely]
    return "; ".join(names[:_REASONS]) or _NO_REASON[is_likely]


_TYPED = frozenset({"text", "search", "number", "tel", "date", "month"})
_NEVER_SEARCHABLE = {
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
_MAX_RULE_CHARS = 5_000
"""Of a form's words: the rule searches them twice, and some forms wrap a whole page."""


def apply_rule(form: Form) -> tuple[float, str]:
    """The rule of thumb's belief that the form searches a database, and why.

    The numbers were set by hand; they only order forms, and are not calibrated.
    """
    for field in form.fields:
        if field.kind in _NEVER_SEARCHABLE:
            return 0.02, _NEVER_SEARCHABLE[field.kind]
    typed = [field for field in form.fields if field.kind in _TYPED and not field.is_disabled]
    choices = [field for field in form.fields if field.kind == "select"]
    if not typed and not choices:
        return 0.05, "nothing to fill in"
    parts = [form.text, form.attributes]
    for field in (*form.fields, *form.submits):
        parts += [field.name, field.label, field.placeholder, field.value, field.dom_id]
    words = " ".join(filter(None, parts))[:_MAX_RULE_CHARS]
    if form.has_search_role or any(field.kind == "search" for field in typed):
        return 0.97, "marked as a search box"
    if _search_word(words):
        return 0.95 if form.method == "get" else 0.9, "its words speak of searching"
    if _other_word(words):
        return 0.1, "its words speak of something else"
    if form.method == "get" and typed:
        return 0.6, "a text box sent by GET"
    return (0.5, "choices only") if choices else (0.25, "a text box sent by POST")


_SUREST = 5.3
"""Log-odds beyond which a judge that people corrected is not believed: one in 200."""
_LEAST_SLOPE = 0.1
"""A judge that is hardly believed at all cannot be worked out from what it was made into."""
_MAX_LOG_ODDS = 40.0
"""Beyond it nothing changes in a probability; keeps `exp` in bounds."""


class CorrectedClassifier:
    """Another classifier, plus what people's labels say of forms of this structure. Picklable."""

    def __init__(self, inner: FormClassifier, correction: Correction) -> None:
        self._inner = inner
        self._correction = correction

    def chances(self, forms: Sequence[Form]) -> Chances:
        before = self._inner.chances(forms).tolist()
        pairs = zip(before, forms, strict=True)
        return np.array([self._correct(chance, form) for chance, form in pairs])

    def reasons(self, form: Form) -> list[Reason]:
        added = self._correction.parts(make_traits(find_columns(form)))
        labelled = [(f"labels on: {FEATURES[column]}", part) for column, part in added]
        return sorted([*self._inner.reasons(form), *labelled], key=lambda reason: -abs(reason[1]))

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        found = []
        for form, (before, why) in zip(forms, self._inner.judge(forms), strict=True):
            chance = self._correct(before, form)
            # The old reason still holds if the answer did not change; working out a new one
            # reads the form once more.
            if (chance >= LIKELY) != (before >= LIKELY):
                why = summarise_reasons(self.reasons(form), chance)
            found.append((chance, why))
        return found

    def _correct(self, chance: float, form: Form) -> float:
        return correct_chance(chance, self._correction, make_traits(find_columns(form)))


def correct_chance(chance: float, correction: Correction, traits: Traits) -> float:
    """A judge's probability after correction; the same if no label is about anything like it."""
    before = bound_log_odds(chance)
    added = correction.of(traits, before)
    return _sigmoid(before + added, _MAX_LOG_ODDS) if added else chance


def uncorrect_chance(chance: float, correction: Correction, traits: Traits) -> float:
    """What the judge said before it was corrected: the inverse of `correct_chance`."""
    now = logit(chance)
    added = correction.of(traits, 0.0)
    if not added and not correction.slope:
        return chance
    return _sigmoid((now - added) / max(1 + correction.slope, _LEAST_SLOPE), _SUREST)


def _sigmoid(log_odds: float, bound: float) -> float:
    return 1.0 / (1.0 + exp(-min(max(log_odds, -bound), bound)))


def bound_log_odds(chance: float) -> float:
    """The log-odds of a judge that labels may correct: none is so sure that labels cannot."""
    return min(max(logit(chance), -_SUREST), _SUREST)


def find_columns(form: Form) -> Ids:
    """The columns of FEATURES that a form has."""
    return np.array([column for column, _ in feature_cells(form)], np.int32)


def make_traits(columns: Ids) -> Traits:
    """A form's structure for `learn.correction`: its features, together of length 1."""
    return Traits(columns, np.full(len(columns), max(1, len(columns)) ** -0.5))


def correct_judge(judge: SearchableJudge, correction: Correction) -> SearchableJudge:
    """The judge with the correction of its structure."""
    return SearchableJudge(judge.name, CorrectedClassifier(judge.classifier, correction))


JUDGES: dict[str, Callable[[], FormClassifier]] = {
    "default": lambda: LinearClassifier(
        Linear.of(_read_shipped("searchable", "linear").arrays, FEATURES)
    ),
    "c45": lambda: TreeClassifier(Tree(**_read_shipped("searchable-c45", "c45").arrays)),
    "rule": RuleClassifier,
}


def open_searchable_judge(name: str = "default") -> SearchableJudge:
    """The judge of that name, with the weights that ship with the package. Raises ConfigError."""
    if name not in JUDGES:
        raise ConfigError(f"no judge of forms is called {name}: choose {', '.join(JUDGES)}")
    return SearchableJudge(name, JUDGES[name]())


def read_shipped_manifest() -> Manifest:
    """Which data the default judge was trained on, and how good it was on forms it had not seen."""
    return _read_shipped("searchable", "linear").manifest


def _read_shipped(name: str, kind: str) -> LoadedModel:
    return read_model(resources.files("leadline.forms").joinpath("models", name), kind)
