"""How often forms are given to the right domain: on worlds and real sites never learned from.

`python -m tools.critic_training.evaluation FOLDER [--profile P --seeds N ...] [--picture FILE]`;
needs scikit-learn, and matplotlib for the picture. The last line printed is one JSON object.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leadline.forms.domain import DOMAINS, open_domain_judge
from leadline.forms.searchable import open_searchable_judge
from leadline.topics.judges import open_topic
from tools.critic_training.fitting import Lesson, calibrate
from tools.critic_training.joining import Heard, compare, heard, join
from tools.critic_training.material import Example, targets, written_examples
from tools.critic_training.picture import confusion, confusion_svg
from tools.critic_training.real import real_examples
from tools.critic_training.scoring import (
    Figures,
    by_domain,
    calibrated,
    calibration_error,
    figures,
)
from tools.critic_training.table import table
from tools.critic_training.vocabulary import own_words
from tools.critic_training.worlds import TAUGHT, TESTED, SeenForm, seen_forms, world_examples

World = tuple[str, int]
Numbers = NDArray[np.float64]


def on_worlds(worlds: Sequence[World]) -> tuple[list[SeenForm], Heard]:
    """The forms of these worlds as the shipped judges see them; and the searchable ones."""
    topics = [open_topic(domain) for domain in DOMAINS]
    seen = list(seen_forms(worlds, open_searchable_judge(), topics))
    return seen, heard(seen, [open_domain_judge(domain) for domain in DOMAINS])


def telling_figures(told: Heard) -> dict[str, Figures]:
    """By the form alone, of the domain's forms only those that say a word of it."""
    found = {}
    for column, domain in enumerate(DOMAINS):
        own = np.array(sorted(own_words(domain)), np.int32)
        says = [bool(np.isin(one.words, own).any()) for one in told.examples]
        is_own = np.array([domain in one.domains for one in told.examples])
        used = ~is_own | np.array(says)
        found[domain] = figures(told.forms[used, column], is_own[used])
    return found


def best_possible(form: dict[str, Figures], telling: dict[str, Figures]) -> dict[str, float]:
    """The accuracy of one who errs only on forms of the domain that do not speak of it."""
    shares = {domain: telling[domain].own / max(1, form[domain].own) for domain in form}
    return {domain: round((share + 1) / 2, 4) for domain, share in shares.items()}


def searchable_accuracy(seen: Sequence[SeenForm]) -> dict[str, float]:
    """Of the first stage, on all forms of the sites with databases of each domain."""
    found = {}
    for domain in DOMAINS:
        some = [one for one in seen if domain in one.site_domains]
        right = [(one.searchable >= 0.5) == one.example.is_searchable for one in some]
        found[domain] = round(float(np.mean(right)), 4) if right else 0.0
    return found


def hifi_figures(seen: Sequence[SeenForm], told: Heard, chances: Numbers) -> dict[str, Figures]:
    """Of both stages: all forms, and those of the domain among them."""
    places = {id(one): row for one, row in zip(told.examples, chances, strict=True)}
    first = np.array([one.searchable for one in seen])
    nothing = np.zeros(len(DOMAINS))
    second = np.stack([places.get(id(one.example), nothing) for one in seen])
    found = {}
    for column, domain in enumerate(DOMAINS):
        is_own = np.array([domain in one.example.domains for one in seen])
        found[domain] = figures(first * second[:, column], is_own)
    return found


def on_real_sites(folder: Path) -> dict[str, dict[str, Figures]]:
    """By judges that never saw the site: of SWDE's four verticals, and of all real forms."""
    examples = [*written_examples(), *real_examples(folder), *world_examples(TAUGHT)]
    scores = Lesson(examples).cross_scores()
    chances = calibrated(scores, calibrate(examples, scores))
    swde = [one.source == "real" and _is_swde(one) for one in examples]
    every = [one.source == "real" for one in examples]
    return {"swde": _some(examples, chances, swde), "all": _some(examples, chances, every)}


def _is_swde(one: Example) -> bool:
    return one.owner.split("-")[0] in {"auto", "book", "job", "movie"}


def _some(examples: Sequence[Example], chances: Numbers, chosen: list[bool]) -> dict[str, Figures]:
    some = [one for one, is_chosen in zip(examples, chosen, strict=True) if is_chosen]
    return by_domain(some, chances[np.array(chosen)])


def _rounded(found: dict[str, Figures]) -> dict[str, dict[str, float]]:
    """Domains without a form of their own are left out."""
    return {domain: one.rounded() for domain, one in found.items() if one.own}


def calibration_errors(told: Heard, chances: Numbers) -> float:
    """The mean over the domains."""
    gaps = [
        calibration_error(chances[:, column], targets(told.examples, domain))
        for column, domain in enumerate(DOMAINS)
    ]
    return round(float(np.mean(gaps)), 4)


def _mean(found: dict[str, Figures]) -> float:
    return round(float(np.mean([one.accuracy for one in found.values()])), 4)


def evaluate(folder: Path, worlds: Sequence[World], picture: Path | None) -> dict[str, Any]:
    """All figures. Prints the table and draws the picture on the way."""
    seen, told = on_worlds(worlds)
    compared = compare(told)
    telling, searchable = telling_figures(told), searchable_accuracy(seen)
    sys.stdout.write(table(compared["form alone"], compared["joined"], telling, searchable) + "\n")
    chances = join(told)
    counts = [confusion(told.examples, one) for one in (told.forms, chances)]
    if picture is not None:
        titles = ("by the words of the form alone", "by form and page")
        picture.write_text(confusion_svg(counts, titles), encoding="utf-8")
    return {
        "worlds": [f"{profile} {seed}" for profile, seed in worlds],
        "forms": len(seen),
        "searchable_forms": len(told.examples),
        "form_alone": _rounded(compared["form alone"]),
        "form_alone_at_best": best_possible(compared["form alone"], telling),
        "telling_forms": _rounded(telling),
        "joined": _rounded(compared["joined"]),
        "hifi": _rounded(hifi_figures(seen, told, chances)),
        "searchable": searchable,
        "mean_accuracy_by_rule": {name: _mean(found) for name, found in compared.items()},
        "calibration_error": {
            "form": calibration_errors(told, told.forms),
            "joined": calibration_errors(told, chances),
        },
        "confusion": {"form": counts[0].tolist(), "joined": counts[1].tolist()},
        "real": {name: _rounded(found) for name, found in on_real_sites(folder).items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.critic_training.evaluation")
    parser.add_argument("folder", type=Path, help="the folder of real data")
    parser.add_argument("--profile", help="of the worlds; by default all that are kept for tests")
    parser.add_argument("--seeds", type=int, nargs="+", default=[301])
    parser.add_argument("--picture", type=Path, help="where the confusion is drawn, as SVG")
    given = parser.parse_args()
    worlds = [(given.profile, seed) for seed in given.seeds] if given.profile else TESTED
    found = evaluate(given.folder, worlds, given.picture)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
