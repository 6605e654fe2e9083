"""How good the packs are on real pages of sites they were not made from.

`python -m tools.topic_training.evaluation FOLDER`: every site is judged by packs that were made
without it. Takes five minutes; the last line printed is one JSON object.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct, to_builtins
from numpy.typing import NDArray

from leadline.learn.evaluation import measure_scores
from leadline.learn.naive_bayes import Numbers
from leadline.page.words import WordIds
from leadline.topics.background import CAMPUS, ENCYCLOPEDIA
from leadline.topics.judges import BayesTopic
from leadline.topics.pack import Example
from leadline.topics.training import learn_pack
from leadline.topics.vocabulary import DOMAINS
from tools.topic_training.building import VERTICALS, WITH_REAL_PAGES, Built, build
from tools.topic_training.collections import Material, Text, read_material
from tools.topic_training.crossing import folds_of

FOLDS = 7
"""As many as each vertical has sites: each fold leaves one of each out."""
_OFF_TOPIC = 3
"""Pages off the topic for each one on it: see calibrating.PRIOR."""
_EXAMPLES = 10
_CHOSEN_ON = 3
"""The first folds, on which it was chosen how teaching is calibrated: not to be measured on."""
_HALF = 0.5
_VERTICALS = tuple(f"real:{name}" for name in VERTICALS)
Figures = dict[str, float]


class Part(NamedTuple):
    """The texts of one fold and what was made without their owners."""

    texts: list[Text]
    others: list[Text]
    built: Built


def parts_of(material: Material, folds: Iterable[int], names: Sequence[str]) -> list[Part]:
    """Some of the folds, with packs for these domains."""
    fold_of = folds_of(material.texts, FOLDS)
    found = []
    for fold in folds:
        texts, others = _split(material.texts, fold_of == fold)
        built = build(Material(others, material.spelled), names)
        found.append(Part(texts, others, built))
    return found


def _split(texts: Sequence[Text], is_first: NDArray[np.bool_]) -> tuple[list[Text], list[Text]]:
    first = [text for text, wanted in zip(texts, is_first, strict=True) if wanted]
    return first, [text for text, wanted in zip(texts, is_first, strict=True) if not wanted]


class Judged(NamedTuple):
    """Texts with a probability each."""

    texts: list[Text]
    chances: Numbers

    def figures(self, name: str) -> Figures:
        """Of a sample of which a quarter is about the domain, as calibrations mean it."""
        places = _sampled(self.texts, name)
        labels = np.array([self.texts[at].group == f"real:{name}" for at in places])
        owners = [self.texts[at].owner for at in places]
        found = measure_scores(self.chances[places], labels, owners)
        return {
            "pages": len(places),
            "accuracy": round(1 - found.error.value, 4),
            "precision": round(found.precision.value, 4),
            "recall": round(found.recall.value, 4),
            "calibration": round(found.calibration.value, 4),
        }

    def said_relevant(self, group: str) -> float:
        """The share of a group's texts that are taken for the domain's."""
        said = [c for t, c in zip(self.texts, self.chances, strict=True) if t.group == group]
        return round(float(np.mean(np.array(said) >= _HALF)), 4)


def judged(parts: Sequence[Part], name: str) -> Judged:
    """All texts of the parts by the packs of a domain."""
    texts = [text for part in parts for text in part.texts]
    chances = [
        topic.page_chance(text.ids)
        for part in parts
        for topic in [BayesTopic(part.built.packs[name])]
        for text in part.texts
    ]
    return Judged(texts, np.array(chances))


def taught(parts: Sequence[Part], name: str) -> Judged:
    """The same, by what ten pages of other sites teach, where nothing is known of the domain."""
    chances = []
    for part in parts:
        about = [text for text in part.others if text.group == f"real:{name}"]
        shown = [about[at] for at in _evenly(_EXAMPLES, len(about)).tolist()]
        examples = [Example(text.ids, text.owner) for text in shown]
        pack = learn_pack(name, examples, part.built.background.without([name]))
        chances += [BayesTopic(pack).page_chance(text.ids) for text in part.texts]
    return Judged([text for part in parts for text in part.texts], np.array(chances))


def _sampled(texts: Sequence[Text], name: str) -> NDArray[np.int64]:
    """All texts about the domain, and thrice as many others: as many of each origin, evenly."""
    groups = np.array([text.group for text in texts])
    is_about = groups == f"real:{name}"
    origins = np.array([group.partition(":")[0] for group in groups])
    others = [np.flatnonzero((origins == origin) & ~is_about) for origin in np.unique(origins)]
    wanted = _OFF_TOPIC * int(is_about.sum()) // len(others)
    thinned = [row[_evenly(min(wanted, len(row)), len(row))] for row in others]
    return np.concatenate([np.flatnonzero(is_about), *thinned])


def _evenly(wanted: int, size: int) -> NDArray[np.int64]:
    return np.linspace(0, size - 1, wanted).astype(np.int64)


def sites(parts: Sequence[Part], name: str) -> Figures:
    """Whole sites: by the words that half of a site's pages share, which its home page has too, and
    by its host; beside real home pages of other sites."""
    right = about = found = others = 0
    for part in parts:
        topic = BayesTopic(part.built.packs[name])
        for text in _homes(part.texts):
            is_about = text.group == f"real:{name}"
            is_said = topic.site_chance(text.ids, text.host) >= _HALF
            right += is_said == is_about
            about += is_about
            found += is_said and is_about
            others += not is_about
    return {
        "sites": about + others,
        "accuracy": round(right / (about + others), 4),
        "recall": round(found / about, 4),
    }


def _homes(texts: Sequence[Text]) -> list[Text]:
    """Home pages of the Web, and for each site of the verticals what stands for its home page."""
    found = [text for text in texts if text.is_home and text.group.startswith("web:")]
    for owner in sorted({text.owner for text in texts if text.group.startswith(_VERTICALS)}):
        pages = [text for text in texts if text.owner == owner]
        found.append(Text(pages[0].group, owner, pages[0].host, _frame([p.ids for p in pages])))
    return found


def _frame(pages: Sequence[WordIds]) -> WordIds:
    words, counts = np.unique(np.concatenate([np.unique(ids) for ids in pages]), return_counts=True)
    return words[counts >= len(pages) / 2]


def unseen(material: Material, group: str) -> Figures:
    """Texts of a group taken for each domain's, by packs made without any text of that group."""
    texts, others = _split(material.texts, np.array([t.group == group for t in material.texts]))
    part = Part(texts, others, build(Material(others, material.spelled), DOMAINS))
    return {name: judged([part], name).said_relevant(group) for name in DOMAINS}


class Evaluation(Struct, frozen=True):
    """All figures. A page is taken for a domain's from a probability of one half on."""

    pages: dict[str, Figures]
    """Domains with real pages, a quarter of the sample about the domain."""
    taught_by_ten: dict[str, Figures]
    """The same by what ten pages of other sites teach, nothing else being known of the domain."""
    sites: dict[str, Figures]
    web_taken_for: Figures
    """English pages of any topic: some may well be about the domain."""
    encyclopedia_taken_for: Figures
    campus_taken_for: Figures
    """Courses, projects and departments."""
    unseen_encyclopedia_taken_for: Figures
    """By packs made without any article."""
    unseen_campus_taken_for: Figures

    def of_domain(self, name: str) -> Figures:
        """What a pack's manifest tells."""
        found = {f"page {key}": value for key, value in self.pages.get(name, {}).items()}
        found |= {f"site {key}": value for key, value in self.sites.get(name, {}).items()}
        found["web pages taken for it"] = self.web_taken_for[name]
        found["articles taken for it"] = self.unseen_encyclopedia_taken_for[name]
        return found


def evaluate(material: Material) -> Evaluation:
    """Everything."""
    parts = parts_of(material, range(FOLDS), DOMAINS)
    pages = {name: judged(parts, name) for name in DOMAINS}
    taken = {
        group: {name: pages[name].said_relevant(group) for name in DOMAINS}
        for group in ("web:en", ENCYCLOPEDIA, CAMPUS)
    }
    return Evaluation(
        pages={name: pages[name].figures(name) for name in WITH_REAL_PAGES},
        taught_by_ten={n: taught(parts[_CHOSEN_ON:], n).figures(n) for n in VERTICALS},
        sites={name: sites(parts, name) for name in VERTICALS},
        web_taken_for=taken["web:en"],
        encyclopedia_taken_for=taken[ENCYCLOPEDIA],
        campus_taken_for=taken[CAMPUS],
        unseen_encyclopedia_taken_for=unseen(material, ENCYCLOPEDIA),
        unseen_campus_taken_for=unseen(material, CAMPUS),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of the real data")
    figures = to_builtins(evaluate(read_material(parser.parse_args().folder)))
    for name, found in figures.items():
        sys.stdout.write(f"{name}:\n")
        for key, value in found.items():
            sys.stdout.write(f"  {key:<10} {json.dumps(value)}\n")
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
