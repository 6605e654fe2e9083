"""Is this form searchable? Three judges: a trained one, FFC's decision tree, a rule of thumb."""

from collections.abc import Callable, Sequence
from importlib import resources
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from leadline.core.page import Form
from leadline.errors import ConfigError
from leadline.forms import rule
from leadline.forms.structure import FEATURES, cells, ffc_rows, rows
from leadline.forms.traits import FFC_FEATURES
from leadline.learn.c45 import Tree
from leadline.learn.linear import Linear
from leadline.learn.model_files import Manifest, StoredModel, read_model

Chances = NDArray[np.float64]
Reason = tuple[str, float]
"""A feature in words, and how far it speaks for (above 0) or against a searchable form."""

LIKELY = 0.5
_REASONS = 2
"""Named in one line: more is not read."""
_NOTHING = {True: "nothing speaks against it", False: "nothing speaks for it"}


class Opinion(Protocol):
    """What a judge must know. Picklable, without memory: equal forms get equal answers."""

    def chances(self, forms: Sequence[Form]) -> Chances: ...

    def reasons(self, form: Form) -> list[Reason]: ...

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]: ...


class Searchable:
    """Judges whether forms open onto a database. Quickest with all forms of a page at once."""

    def __init__(self, name: str, opinion: Opinion) -> None:
        self.name = name
        self.opinion = opinion

    def chance(self, form: Form) -> float:
        """Between 0 and 1."""
        return float(self.chances([form])[0])

    def chances(self, forms: Sequence[Form]) -> Chances:
        """One per form."""
        return self.opinion.chances(forms)

    def reasons(self, form: Form) -> list[Reason]:
        """What speaks for and against the form, the strongest first."""
        return self.opinion.reasons(form)

    def judge(self, form: Form) -> tuple[float, str]:
        """The chance, and why in one line."""
        return self.opinion.judge([form])[0]

    def judge_all(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        """`judge` for many forms."""
        return self.opinion.judge(forms) if forms else []


class LinearOpinion:
    """The default: weighs the wider features, calibrated on real forms."""

    def __init__(self, model: Linear) -> None:
        self._model = model
        self._weights: list[float] = model.weights.tolist()

    def chances(self, forms: Sequence[Form]) -> Chances:
        return self._model.chances(rows(forms))

    def reasons(self, form: Form) -> list[Reason]:
        return self._model.contributions(rows([form])[0])

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        spoken = [self._spoken(form) for form in forms]
        scores = [self._model.intercept + sum([weight for weight, _ in each]) for each in spoken]
        chances = self._model.calibration.chances(np.array(scores)).tolist()
        lines = (self._line(each, chance) for each, chance in zip(spoken, chances, strict=True))
        return list(zip(chances, lines, strict=True))

    def _spoken(self, form: Form) -> list[tuple[float, int]]:
        """What each feature of the form adds to its score, and which it is."""
        weights = self._weights
        return [(weights[column] * number, column) for column, number in cells(form)]

    def _line(self, spoken: list[tuple[float, int]], chance: float) -> str:
        is_likely = chance >= LIKELY
        names = self._model.names
        strongest = sorted(spoken, reverse=is_likely)[:_REASONS]
        telling = [names[column] for weight, column in strongest if (weight > 0) == is_likely]
        return "; ".join(telling) or _NOTHING[is_likely]


class TreeOpinion:
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
            (chance, one_line(self.reasons(form), chance))
            for chance, form in zip(chances, forms, strict=True)
        ]


class RuleOpinion:
    """A rule of thumb that was never trained: for comparison, and where no weights are wanted."""

    def chances(self, forms: Sequence[Form]) -> Chances:
        return np.array([rule.searchable(form)[0] for form in forms], np.float64)

    def reasons(self, form: Form) -> list[Reason]:
        chance, why = rule.searchable(form)
        return [(why, chance - LIKELY)]

    def judge(self, forms: Sequence[Form]) -> list[tuple[float, str]]:
        return [rule.searchable(form) for form in forms]


def one_line(reasons: Sequence[Reason], chance: float) -> str:
    """The strongest reasons for what the chance says."""
    is_likely = chance >= LIKELY
    telling = [name for name, weight in reasons if (weight > 0) == is_likely]
    return "; ".join(telling[:_REASONS]) or _NOTHING[is_likely]


def _linear() -> Opinion:
    return LinearOpinion(Linear.of(_committed("searchable", "linear").arrays, FEATURES))


def _tree() -> Opinion:
    return TreeOpinion(Tree(**_committed("searchable-c45", "c45").arrays))


def _committed(name: str, kind: str) -> StoredModel:
    """A model that ships with the package."""
    return read_model(resources.files("leadline.forms").joinpath("models", name), kind)


def shipped_manifest() -> Manifest:
    """Where the default judge comes from, and how good it was."""
    return _committed("searchable", "linear").manifest


JUDGES: dict[str, Callable[[], Opinion]] = {
    "default": _linear,
    "c45": _tree,
    "rule": RuleOpinion,
}


def searchable_judge(name: str = "default") -> Searchable:
    """The judge of that name, read from the weights that ship with the package."""
    if name not in JUDGES:
        raise ConfigError(f"no judge of forms is called {name}: choose {', '.join(JUDGES)}")
    return Searchable(name, JUDGES[name]())
