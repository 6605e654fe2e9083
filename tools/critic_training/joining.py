"""What form and page say together, by several rules: for the tables of the evaluation."""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import DoorEvidence
from leadline.forms.domain import DomainJudge
from leadline.forms.evidence import judge_evidence
from leadline.learn.linear import logit
from tools.critic_training.material import Example
from tools.critic_training.scoring import Figures, by_domain
from tools.critic_training.worlds import SeenForm

Numbers = NDArray[np.float64]
Rule = Callable[["Heard"], Numbers]


class Heard(Struct, frozen=True, eq=False):
    """Searchable forms with what was made of their words and of their pages."""

    examples: tuple[Example, ...]
    forms: Numbers
    """Chances by the words of the form: one row per form, one column per domain."""
    pages: Numbers
    """Chances of the page being about each domain."""
    words: NDArray[np.int64]
    """Known words of each form."""


def heard(seen: Sequence[SeenForm], judges: Sequence[DomainJudge]) -> Heard:
    """The searchable ones, with the chances these judges give."""
    seen = [one for one in seen if one.example.is_searchable]
    judged = [[judge.judge(one.example.words) for judge in judges] for one in seen]
    return Heard(
        tuple(one.example for one in seen),
        np.array([[chance for chance, _ in row] for row in judged]),
        np.stack([one.pages for one in seen]),
        np.array([row[0][1] for row in judged]),
    )


def join(told: Heard) -> Numbers:
    """By `leadline.forms.evidence`, of the page's site nothing else being known."""
    rows = [
        [
            judge_evidence(DoorEvidence(logit(form) if words else 0.0, int(words), 1, page))
            for form, page in zip(forms, pages, strict=True)
        ]
        for forms, pages, words in zip(told.forms, told.pages, told.words, strict=True)
    ]
    return np.array(rows)


RULES: dict[str, Rule] = {
    "form alone": lambda told: told.forms,
    "page alone": lambda told: told.pages,
    "the larger": lambda told: np.maximum(told.forms, told.pages),
    "product": lambda told: told.forms * told.pages,
    "geometric mean": lambda told: np.sqrt(told.forms * told.pages),
    "joined": join,
}


def compare(told: Heard) -> dict[str, dict[str, Figures]]:
    """Figures by rule and domain."""
    return {name: by_domain(told.examples, rule(told)) for name, rule in RULES.items()}
