"""Is the lab's language as hard as the real one? The same classifier answers for both.

As many sites and pages, of the same lengths, as the real collections have are
worded by the lab; a naive Bayes classifier is trained on some sites and tested on others.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from leadline.page.words import Words, vocabulary
from leadline_lab.draw import Draw, key_of, running_sums
from leadline_lab.language import Voice
from leadline_lab.statistics import load
from tools.lab_statistics.reference import (
    classified,
    half_of_all,
    half_of_each,
    measure_scores,
    some_of_each,
)
from tools.lab_statistics.scores import Sample, mean_score

_PAGES_PER_SITE = 40
_UNIVERSITIES = 100
_MAX_WORDS = 1_600
"""Between the last two quantiles lie a few pages of up to 57,000 words."""
_FIGURES = ("accuracy", "macro_f1", "f1")


def worded(voice: Voice, key: int, topic: str, lengths: list[int]) -> Sample:
    """A page of the lab as a classifier sees it."""
    n = max(1, min(_MAX_WORDS, Draw(key_of(key, "length")).quantile(lengths)))
    text = " ".join(voice.words(key, topic, n))
    return Sample("", topic, Words([text], vocabulary("en")).ids)


def lab_verticals(seed: int, sites: int = 7) -> list[Sample]:
    """Pages of as many sites for each vertical as the real collection has."""
    lengths = load("real")["swde"]["words"]
    found = []
    for topic in lengths:
        for site in range(sites):
            key = key_of(seed, "vertical", topic, site)
            voice = Voice("en", key)
            for number in range(_PAGES_PER_SITE):
                page = worded(voice, key_of(key, number), topic, lengths[topic])
                found.append(Sample(f"{topic}-{site}", topic, page.words))
    return found


def lab_classes(seed: int, sites: int = _UNIVERSITIES) -> list[Sample]:
    """Pages of universities, every class as frequent as in the real collection."""
    return [page for site in range(sites) for page in _university(seed, site)]


def _university(seed: int, site: int) -> Iterator[Sample]:
    real = load("real")["webkb"]
    labels, sums = list(real["pages"]), running_sums(list(real["pages"].values()))
    key = key_of(seed, "university", site)
    voice, draw = Voice("en", key), Draw(key)
    for number in range(_PAGES_PER_SITE):
        label = labels[draw.weighted(sums)]
        page = worded(voice, key_of(key, number), label, real["words"][label])
        yield Sample(f"university-{site}", label, page.words)


def measure_lab(seed: int, sites: int = 7, universities: int = _UNIVERSITIES) -> dict[str, Any]:
    """The figures of `real.json` for pages worded by the lab."""
    verticals = lab_verticals(seed, sites)
    classes = lab_classes(seed, universities)
    known = [sample for sample in classes if sample.label != "campus"]
    return {
        "swde": classified(verticals, half_of_each(verticals))
        | {"one_site_accuracy": mean_score(verticals, some_of_each(verticals, 1))["accuracy"]},
        "webkb": classified(classes, half_of_all(classes)),
        "webkb_without_campus": classified(known, half_of_all(known)),
    }


def compare(seed: int, folder: Path | None = None) -> dict[str, Any]:
    """Both sides; the real one is measured anew when the folder of the data is given."""
    real = measure_scores(folder) if folder else load("real")
    lab = measure_lab(seed)
    return {
        task: {
            "real": {name: real[task][name] for name in _FIGURES},
            "lab": {name: lab[task][name] for name in _FIGURES},
        }
        for task in lab
    } | {
        "swde_one_site": {
            "real": real["swde"]["one_site_accuracy"],
            "lab": lab["swde"]["one_site_accuracy"],
        }
    }


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    sys.stdout.write(json.dumps(compare(seed, folder)) + "\n")


if __name__ == "__main__":
    main()
