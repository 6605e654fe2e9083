"""How form and page are best heard together: rules compared on worlds nothing was fitted on.

Three rules are fitted: one where every other form is of the domain; one to forms as best-first
crawls meet them; one to the same where the topic is taught by ten pages.

`python -m tools.critic_training.joining FOLDER` takes 20 minutes; the last line is one JSON object.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.forms.domain import DOMAINS, DomainJudge, FormPageMix
from leadline.forms.searchable import open_searchable_judge
from leadline.learn.evaluation import BINS
from leadline.learn.linear import fit_logistic, logit, sigmoid
from leadline.topics.judges import open_topic
from tools.critic_training.fitting import Lesson, calibrate, learned
from tools.critic_training.material import Example, written_examples
from tools.critic_training.met import Met, met_forms, taught
from tools.critic_training.real import real_examples
from tools.critic_training.scoring import LIKELY, Figures, by_domain
from tools.critic_training.worlds import TAUGHT, SeenForm, seen_forms, world_examples

Numbers = NDArray[np.float64]
World = tuple[str, int]
Rule = Callable[["Heard"], Numbers]
FITTED: tuple[World, ...] = (("dev", 1), ("dev", 2), ("dev", 3))
CRAWLED: tuple[World, ...] = (("dev", 11), ("dev", 12))
TESTED: tuple[World, ...] = (("dev", 301), ("dev", 302), ("dev", 303))
_STRENGTH = 1.0
"""Of the penalty: next to nothing beside some 2,500 rows."""
_OWN_SEARCHES = 0.36
"""What a search over a site's own pages counts. With it, of forms that say little on pages about a
domain one in four is of the domain; of the lab's one in ten is, of thirteen real ones at hand one
is and three may be."""


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


def fit_even(told: Heard) -> FormPageMix:
    """One rule for all domains, where half of the forms are of the domain."""
    is_own = np.array([[d in one.domains for d in DOMAINS] for one in told.examples]).ravel()
    rows = _rows(told)
    own, others = np.flatnonzero(is_own), np.flatnonzero(~is_own)
    even = np.concatenate([np.resize(own, len(others)), others])
    fit = fit_logistic(rows[even], is_own[even].astype(np.float64), _STRENGTH)
    return FormPageMix(fit.intercept, *fit.weights.tolist())


def fit_met(met: Sequence[Met]) -> FormPageMix:
    """One rule for all domains, from forms in the proportions crawls meet them."""
    rows = np.array([(logit(one.form), logit(one.page), 1 / (1 + one.words)) for one in met])
    is_own = np.array([one.is_of_domain for one in met], np.float64)
    fit = fit_logistic(rows, is_own, _STRENGTH, shares=_shares(met))
    return FormPageMix(fit.intercept, *fit.weights.tolist())


def _rows(told: Heard) -> Numbers:
    """A row for each form and domain: log-odds of form and page, and silence."""
    form, page = _odds(told.forms), _odds(told.pages)
    silence = np.broadcast_to(1.0 / (1 + told.words[:, None]), form.shape)
    return np.stack([form, page, silence], axis=-1).reshape(-1, 3)


_odds = np.vectorize(logit, otypes=[np.float64])


def rules(joint: FormPageMix) -> dict[str, Rule]:
    """What is compared."""
    weights = np.array([joint.form, joint.page, joint.silence])
    return {
        "form alone": lambda told: told.forms,
        "page alone": lambda told: told.pages,
        "the larger": lambda told: np.maximum(told.forms, told.pages),
        "product": lambda told: told.forms * told.pages,
        "geometric mean": lambda told: np.sqrt(told.forms * told.pages),
        "joined": lambda told: sigmoid(_rows(told) @ weights + joint.bias).reshape(
            told.forms.shape
        ),
    }


def compare(told: Heard, joint: FormPageMix) -> dict[str, dict[str, Figures]]:
    """Figures by rule and domain."""
    return {name: by_domain(told.examples, rule(told)) for name, rule in rules(joint).items()}


def unseen_judges(folder: Path, unseen: Sequence[World]) -> list[DomainJudge]:
    """Judges taught by all but these worlds, in the order of DOMAINS."""
    worlds = [world for world in TAUGHT if world not in unseen]
    examples = [*written_examples(), *real_examples(folder), *world_examples(worlds)]
    lesson = Lesson(examples)
    taught = lesson.teach(np.ones(len(examples), np.bool_))
    known = learned(taught, calibrate(examples, lesson.cross_scores()))
    return [DomainJudge(domain, known) for domain in DOMAINS]


def fit_taught(met: Sequence[Met]) -> FormPageMix:
    """The same for a topic that only pages have taught: forms are scored like short pages."""
    rows = np.array([(one.form, logit(one.page)) for one in met])
    is_own = np.array([one.is_of_domain for one in met], np.float64)
    fit = fit_logistic(rows, is_own, _STRENGTH, shares=_shares(met))
    form, page = fit.weights.tolist()
    return FormPageMix(fit.intercept, form, page, silence=0.0)


def _shares(met: Sequence[Met]) -> Numbers:
    return np.array([_OWN_SEARCHES if one.is_own_search else 1.0 for one in met])


def in_crawls(met: Sequence[Met], chances: Sequence[float]) -> dict[str, float]:
    """What the directory of a crawl is worth: of all forms met, those it takes for the domain's."""
    said = np.array([one.searchable for one in met]) * np.array(chances)
    is_said, is_own = said >= LIKELY, np.array([one.is_of_domain for one in met])
    return {
        "forms": len(met),
        "of_the_domain": int(is_own.sum()),
        "precision": round(float(is_own[is_said].mean()), 4),
        "recall": round(float(is_said[is_own].mean()), 4),
        "calibration": round(_gap(said, is_own), 4),
    }


def _gap(chances: Numbers, is_own: NDArray[np.bool_]) -> float:
    bins = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    return float(np.abs(np.bincount(bins, chances - is_own, BINS)).sum() / len(chances))


def study(folder: Path) -> dict[str, Any]:
    """All rules, each fitted on some worlds and tried on three others."""
    topics = [open_topic(domain) for domain in DOMAINS]
    searchable, judges = open_searchable_judge(), unseen_judges(folder, FITTED)
    fitted, tested = (
        heard(list(seen_forms(worlds, searchable, topics)), judges) for worlds in (FITTED, TESTED)
    )
    even, met = fit_even(fitted), fit_met(met_forms(CRAWLED))
    by_pages = fit_taught(met_forms(CRAWLED, taught))
    compared = {name: list(found.values()) for name, found in compare(tested, even).items()}
    crawled, crawled_taught = met_forms(TESTED), met_forms(TESTED, taught)
    return {
        "even": _weights(even),
        "met": _weights(met),
        "taught": _weights(by_pages),
        "forms": len(tested.examples),
        "rules": {name: _summary(found) for name, found in compared.items()},
        "in_crawls": {
            **{
                name: in_crawls(crawled, [rule.chance(o.form, o.page, o.words) for o in crawled])
                for name, rule in (("even", even), ("met", met))
            },
            "taught": in_crawls(
                crawled_taught,
                [by_pages.of_score(o.form, o.page, o.words) for o in crawled_taught],
            ),
        },
    }


def _weights(joint: FormPageMix) -> dict[str, float]:
    return {name: round(weight, 3) for name, weight in structs.asdict(joint).items()}


def _summary(found: Sequence[Figures]) -> dict[str, float]:
    """Over the domains."""
    accuracies = [one.accuracy for one in found]
    return {
        "accuracy": round(float(np.mean(accuracies)), 4),
        "worst_domain": round(min(accuracies), 4),
        "recall": round(float(np.mean([one.recall for one in found])), 4),
        "false_alarms": round(float(np.mean([one.false_alarms for one in found])), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.critic_training.joining")
    parser.add_argument("folder", type=Path, help="the folder of real data")
    sys.stdout.write(json.dumps(study(parser.parse_args().folder)) + "\n")


if __name__ == "__main__":
    main()
