"""How labels correct a critic: error on sites without labels, against the number of labels.

    python bench/labels.py DATA [--half judge|dev] [--profile judge-a] [--seed 102] [--rounds 4]

Three kinds of cases:

* real forms of DATA, by the form judges as they are for sites they have not seen, and by a list of
  keywords; right is what a person said, strictly (`of the domain`) and leniently (`may be said to
  belong to it`)
* real pages of universities (WebKB), by the shipped topic people; right are pages of persons, or
  pages of faculty alone: a narrower wish than the topic's
* forms of a lab world, by the shipped topics, by topics that ten pages have taught, by keywords

Sites are dealt out by hash to a half on which the correction's priors were chosen (dev) and one to
judge on; worlds likewise (dev 301 was used for choosing). In each half the sites are parted in two:
labels are given to cases of one part, in the order of a directory (likelier ones first, with
chance), and the other part is judged. `alone` has the labels without the critic. The last line is
JSON.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import xxhash
from msgspec import structs
from numpy.typing import NDArray
from tools.critic_training.fitting import Lesson, calibrate
from tools.critic_training.material import written_examples
from tools.critic_training.real import RealForm, formasaurus_forms, real_examples, swde_forms
from tools.critic_training.scoring import calibrated
from tools.critic_training.worlds import TAUGHT, world_examples, world_forms
from tools.form_training.examples import make_material, read_autofill, read_formasaurus
from tools.form_training.fitting import cross_validate, fit_default_judge
from tools.lab_statistics import sources

from leadline.core.crawl import DoorEvidence
from leadline.core.inbox import FORM, PAGE
from leadline.core.page import Form, Page
from leadline.core.url import host_of, registered_domain, site_of
from leadline.forms.domain import DOMAINS, count_controls, find_door_evidence, open_domain_judge
from leadline.forms.evidence import judge_evidence
from leadline.forms.searchable import find_columns, open_searchable_judge
from leadline.learn.evaluation import deal_folds
from leadline.learn.linear import logit
from leadline.page.words import PageWords, form_words
from leadline.topics import KEYWORDS, KeywordTopic, open_topic
from leadline.topics.cases import Case, Corrections, learn_cases
from leadline.topics.critic import Topic
from leadline.topics.judges import page_ids
from leadline_lab.experiments.critics import taught_topic
from leadline_lab.experiments.lab_web import open_lab_world

LABELS = (0, 5, 10, 20, 50, 100)
FEWEST = 8
"""Right cases that a task needs."""
LISTED = 0.03
"""Added to scores where labels are drawn: what the critic refuses is looked at now and then."""
PERSONS = frozenset({"faculty", "staff", "student"})
MOST_PAGES = 1_500
LAB_DOMAINS = ("airfare", "book", "hotel", "job", "movie", "product")
_LEAST = 1e-3
Numbers = NDArray[np.float64]


class Task(NamedTuple):
    """What one person looks for, and what a critic says of each case."""

    kind: str
    critic: str
    cases: list[Case]


class Figures(NamedTuple):
    """On cases of sites without labels."""

    error: float
    """Share judged wrong at 0.5."""
    loss: float
    """Mean of -log of the chance given to what is so."""
    order: float
    """Average precision: how well right ones come first."""


def case(page: Page, form: Form, owner: str, topic: Topic) -> Case:
    """A form as a critic sees it, not labelled yet."""
    ids, chance = form_words(form, page.language), topic.relevance(PageWords(page))
    searchable = open_searchable_judge().chance(form)
    topical = judge_evidence(find_door_evidence(topic, form, ids, chance))
    return Case(FORM, "", owner, False, ids, topical, searchable, chance, find_columns(form))


# Real forms


def crossed_judges(folder: Path) -> tuple[Numbers, dict[tuple[str, str], float]]:
    """What judges that never saw its site say of each real form: its domains; is it searchable,
    by host and tag."""
    examples = [*written_examples(), *real_examples(folder), *world_examples(TAUGHT)]
    scores = Lesson(examples).cross_scores()
    is_real = np.array([one.source == "real" for one in examples])
    collection = read_formasaurus(folder)
    material = make_material(collection, read_autofill(folder))
    chances = cross_validate(fit_default_judge, material.wide, material.extra).tolist()
    named = zip(collection.examples, chances, strict=True)
    first = {(one.host, _tag(one.form)): chance for one, chance in named}
    return calibrated(scores, calibrate(examples, scores))[is_real], first


def _tag(form: Form) -> str:
    return f"{form.action} {form.attributes} {form.text[:200]} {len(form.fields)}"


def real_tasks(folder: Path) -> Iterator[Task]:
    forms = [*swde_forms(folder), *formasaurus_forms(folder)]
    domains, first = crossed_judges(folder)
    for column, domain in enumerate(DOMAINS):
        shipped = open_topic(domain)
        by_pack = [_crossed(found, case(found.page, found.form, found.owner, shipped), first,
                            float(domains[at, column]), domain)
                   for at, found in enumerate(forms)]  # fmt: skip
        listed = KeywordTopic(domain, KEYWORDS[domain])
        by_words = [case(found.page, found.form, found.owner, listed) for found in forms]
        for critic, cases in (("shipped", by_pack), ("keywords", by_words)):
            for kind, is_right in wishes(domain).items():
                told = zip(cases, forms, strict=True)
                labelled = [structs.replace(one, is_right=is_right(form)) for one, form in told]
                yield Task(f"real forms, {kind}", critic, labelled)


def _crossed(
    found: RealForm, seen: Case, first: dict[tuple[str, str], float], chance: float, domain: str
) -> Case:
    """With what judges say that were not taught by its site. SWDE's taught no judge of searching,
    and its forms have no page."""
    if found.vertical:
        return structs.replace(seen, topical=chance)
    host = registered_domain(host_of(site_of(found.page.url)))
    known = open_domain_judge(domain).judge(seen.words)[1]
    searchable = first.get((host, _tag(found.form)), seen.searchable)
    controls = count_controls(found.form)
    topical = judge_evidence(
        DoorEvidence(logit(chance) if known else 0.0, known, controls, seen.page_chance)
    )
    return structs.replace(seen, searchable=searchable, topical=topical)


def wishes(domain: str) -> dict[str, Callable[[RealForm], bool]]:
    return {
        "strictly": lambda found: domain in found.label.domains,
        "leniently": lambda found: domain in found.label.domains | found.label.doubtful,
    }


# Real pages


def page_tasks(folder: Path) -> Iterator[Task]:
    topic = open_topic("people")
    seen = []
    for row in sources.rows(folder, "pages/webkb"):
        page = sources.read(row["html"].partition("\n\n")[2] or row["html"], row["url"])
        ids = page_ids(words := PageWords(page))
        owner = registered_domain(host_of(site_of(page.url)))
        chance = topic.relevance(words)
        seen.append((row["class"], Case(PAGE, "", owner, False, ids, chance)))
    for kind, wanted in (("persons", PERSONS), ("faculty", frozenset({"faculty"}))):
        cases = [structs.replace(one, is_right=name in wanted) for name, one in seen]
        yield Task(f"real pages, {kind}", "shipped", cases)


# The lab


def lab_tasks(profile: str, seed: int) -> Iterator[Task]:
    world = open_lab_world(profile, seed)[0]
    forms = list(world_forms(profile, seed))
    for domain in LAB_DOMAINS:
        critics = {
            "shipped": open_topic(domain),
            "taught": taught_topic(world, domain, 10),
            "keywords": KeywordTopic(domain, KEYWORDS[domain]),
        }
        for critic, topic in critics.items():
            cases = [
                structs.replace(
                    case(one.page, one.form, str(one.site), topic),
                    is_right=one.is_searchable and domain in one.domains,
                )
                for one in forms
            ]
            yield Task("lab forms", critic, cases)


# Measuring


def halved(task: Task, half: str) -> Task:
    """The cases of the sites of one half."""
    wanted = {"dev": 0, "judge": 1}[half]
    cases = [one for one in task.cases if _hash(one.owner) % 2 == wanted]
    drawn = np.random.default_rng(0).permutation(len(cases))[:MOST_PAGES]
    return task._replace(cases=[cases[at] for at in sorted(drawn.tolist())])


def _hash(owner: str) -> int:
    return xxhash.xxh3_64_intdigest(owner.encode())


def curve(task: Task, rounds: int) -> dict[str, Figures]:
    """By number of labels, and for as many labels without a critic."""
    found: dict[str, list[Figures]] = {}
    for number in range(rounds):
        folds = deal_folds([one.owner for one in task.cases], 2, number)
        for fold in (0, 1):
            pool = [one for one, own in zip(task.cases, folds, strict=True) if own != fold]
            test = [one for one, own in zip(task.cases, folds, strict=True) if own == fold]
            listed = _listed(pool, 2 * number + fold)
            for labels in LABELS:
                learned = learn_cases(listed[:labels]) if labels else Corrections()
                found.setdefault(str(labels), []).append(_figures(learned, test))
            alone = [_unjudged(one) for one in listed[: LABELS[-1]]]
            told = _figures(learn_cases(alone), [_unjudged(one) for one in test])
            found.setdefault("alone", []).append(told)
    return {key: Figures(*np.nanmean(rows, axis=0).tolist()) for key, rows in found.items()}


def _listed(pool: Sequence[Case], seed: int) -> list[Case]:
    """As a person meets them who goes through a directory: likelier ones first, with chance."""
    scores = np.array([one.before for one in pool])
    keys = np.log(scores + LISTED) + np.random.default_rng(seed).gumbel(size=len(pool))
    return [pool[at] for at in np.argsort(-keys).tolist()]


def _unjudged(one: Case) -> Case:
    """Without what the critic says."""
    return structs.replace(one, topical=0.3, searchable=0.9)


def _figures(learned: Corrections, test: Sequence[Case]) -> Figures:
    chances = np.array([learned.after(one) for one in test])
    right = np.array([one.is_right for one in test])
    likely = np.clip(np.where(right, chances, 1 - chances), _LEAST, 1)
    hits = right[np.argsort(-chances, kind="stable")]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    order = float(precision[hits].mean()) if hits.any() else np.nan
    return Figures(float(((chances >= 0.5) != right).mean()), float(-np.log(likely).mean()), order)


def told(tasks: Sequence[Task], rounds: int) -> dict[str, object]:
    """Means over the tasks of one kind."""
    curves = [curve(task, rounds) for task in tasks]
    return {
        "tasks": len(tasks),
        "cases": sum(len(task.cases) for task in tasks),
        "right": sum(one.is_right for task in tasks for one in task.cases),
        **{
            key: [round(float(np.mean([getattr(one[key], name) for one in curves])), 4)
                  for name in Figures._fields]
            for key in curves[0]
        },
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", choices=("dev", "judge"), default="judge")
    parser.add_argument("--profile", default="judge-a")
    parser.add_argument("--seed", type=int, default=102)
    parser.add_argument("--rounds", type=int, default=4)
    given = parser.parse_args()
    real = [halved(task, given.half) for task in (*real_tasks(given.data), *page_tasks(given.data))]
    tasks = [*real, *lab_tasks(given.profile, given.seed)]
    kinds: dict[str, list[Task]] = {}
    for task in tasks:
        if sum(one.is_right for one in task.cases) >= FEWEST:
            kinds.setdefault(f"{task.kind}, {task.critic}", []).append(task)
    found = {kind: told(some, given.rounds) for kind, some in kinds.items()}
    print("| | labels:", *LABELS, "alone |", sep=" | ")
    for kind, row in found.items():
        cells = [f"{100 * row[key][0]:.1f} / {row[key][1]:.3f}"  # type: ignore[index]
                 for key in (*map(str, LABELS), "alone")]  # fmt: skip
        print(f"| {kind} | {row['tasks']} tasks, {row['right']} of {row['cases']} right", *cells,
              sep=" | ", end=" |\n")  # fmt: skip
    print(json.dumps({"half": given.half, "world": f"{given.profile} {given.seed}", **found}))


if __name__ == "__main__":
    main()
