"""Trains the weights by which links that look like commands are told from links that show things.

    python -m tools.command_training FOLDER [--write]

FOLDER holds the real pages. What shows something are links of real hosts (those that
`bench/damage.py` holds out are not read) and drawn parts of things (/film/91/cast) in all languages
in which properties are known. What changes something are commands of the judge's own words in
drawn addresses, and the targets of `tests/adversary` but for those held out. Hosts are cut in five:
each fifth is judged by weights of the others, and the least score of a command is the one that
SHARE of these links reach. The last line printed is a JSON object of the figures.
"""

import argparse
import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from bench.damage import PAGES, RealLink, read_lists, read_page_links, read_searches
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression
from tests.adversary import fresh_targets as fresh
from tests.adversary import stranger_targets as strangers
from tests.adversary.damage_targets import TARGETS

from leadline.core import command_model as model
from leadline.core import state_change
from leadline.core.address_words import split_url, split_words
from leadline.extraction.vocabulary import read_properties
from tools.splits import is_held_out

SHARE = 0.0005
"""Of links of real hosts that may be refused for their looks. They come in whole sites, which name
their goods as others name commands: three times as many commands are not worth such a site."""
MOST_OF_HOST = 400
"""Links of a host, so that none has more to say than others."""
FOLDS = 5
STRENGTH = 0.3
"""Of regularisation, scikit-learn's C; a third and three times of it tell the same."""
WEIGHTS = Path(model.__file__).with_name("command_weights.bin")
Row = tuple[str, str]
"""URL and text of a link."""
THINGS = (
    "item post topic record doc user order task ticket photo message page product book file event"
    " job entry list note group game issue artikel produkt sujet pedido tema mensaje objekt annonce"
).split()
ACTIONS = "action do op act cmd mode task".split()
VIEWS = "view tab section page p show".split()
_OPAQUE = "kzxmp"


def draw_commands(chance: random.Random, times: int = 2) -> Iterator[Row]:
    """Every command that the judge knows by its words, in addresses as programs have them."""
    tables = (
        *(state_change.STRONG, state_change.WEAK, state_change.IN_ACTIONS),
        *(state_change.IN_TEXTS, state_change.TEXT_VERBS),
    )
    for words in sorted({words for table in tables for words in table}):
        slug = chance.choice(("-", "_", "")).join(words)
        for _ in range(times):
            thing, number = chance.choice(THINGS), chance.randrange(3, 99_999)
            text = " ".join(words).capitalize()
            if chance.random() < 0.3:
                text += f" {chance.choice(THINGS)}"
            addresses = {
                f"/{thing}/{number}/{slug}": 35,
                f"/{thing}s/{slug}/{number}": 15,
                f"/{slug}/{number}": 5,
                f"/{thing}.php?{chance.choice(ACTIONS)}={slug}&id={number}": 20,
                f"/{thing}?id={number}&{slug}=1": 5,
                f"/{slug}.php?{thing}={number}": 10,
                # Nothing but the text tells.
                f"/{thing}/{number}?{chance.choice(_OPAQUE)}={chance.randrange(9)}": 10,
            }
            (address,) = chance.choices([*addresses], [*addresses.values()])
            yield f"http://a.example{address}", text


def list_commands(chance: random.Random) -> list[Row]:
    targets = [
        *((target.url, target.text) for target in TARGETS if target.kind != "form"),
        *((target.url, target.text) for target in strangers.DEVELOPMENT),
        *((target.url, target.text) for target in fresh.DEVELOPMENT if target.kind != "form"),
        *((target.url, target.text) for target in fresh.LATER),
    ]
    return [*draw_commands(chance), *targets]


def draw_sections(chance: random.Random, times: int = 1) -> Iterator[Row]:
    """Parts of a thing, in the languages in which properties are known: /film/91/cast."""
    properties = read_properties().values()
    names = {name.lstrip("*") for one in properties for row in one.labels.values() for name in row}
    for name in sorted(names):
        for _ in range(times):
            thing, number = chance.choice(THINGS), chance.randrange(3, 99_999)
            slug = chance.choice(("-", "_")).join(split_words(name))
            address = chance.choice(
                (
                    f"/{thing}/{number}/{slug}",
                    f"/{slug}/{number}",
                    f"/{thing}.php?id={number}&{chance.choice(VIEWS)}={slug}",
                )
            )
            yield f"http://a.example{address}", name.capitalize()


def list_shown(folder: Path, chance: random.Random) -> list[RealLink]:
    """Links of real hosts that words do not refuse."""
    links = set[RealLink]().union(
        *(read_page_links(folder, name) for name in PAGES),
        *(read_lists(folder), read_searches(folder)),
    )
    by_host: dict[str, list[RealLink]] = defaultdict(list)
    for link in sorted(links):
        if not is_held_out(link.host):
            by_host[link.host].append(link)
    chosen: list[RealLink] = []
    for found in by_host.values():
        chosen += chance.sample(found, min(MOST_OF_HOST, len(found)))
    return [link for link in chosen if not state_change.find_change_by_words(link.url, link.text)]


def build_matrix(rows: Sequence[Row]) -> csr_matrix:
    """How often each weight counts for every link; empty for links that are not judged."""
    places = [model.find_features(*split_url(url), text) for url, text in rows]
    ends = np.cumsum([0, *map(len, places)])
    columns = np.fromiter((place for found in places for place in found), np.int32, int(ends[-1]))
    built = csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), model.BUCKETS))
    built.sum_duplicates()
    return built


def fit_weights(commands: csr_matrix, shown: csr_matrix) -> NDArray[np.int8]:
    rows = vstack([commands, shown])
    is_command = np.arange(rows.shape[0]) < commands.shape[0]
    fitted = LogisticRegression(C=STRENGTH, solver="liblinear", fit_intercept=False)
    fitted.fit(rows, is_command)
    stored = np.rint(fitted.coef_[0] * model.SCALE)
    weights: NDArray[np.int8] = np.clip(stored, -127, 127).astype(np.int8)
    return weights


def score_rows(rows: csr_matrix, weights: NDArray[np.int8]) -> NDArray[np.float64]:
    scores: NDArray[np.float64] = rows @ weights.astype(float) / model.SCALE
    return scores


def train(folder: Path, *, write: bool) -> dict[str, object]:
    chance = random.Random(1)
    commands = build_matrix(list_commands(chance))
    links = list_shown(folder, chance)
    shown = build_matrix([(link.url, link.text) for link in links])
    # They have no host: all weights learn from them, and the least score from real links alone.
    sections = build_matrix([*draw_sections(chance)])
    fold = np.array([hashlib.sha256(link.host.encode()).digest()[1] % FOLDS for link in links])
    scores = np.zeros(len(links))
    for turn in range(FOLDS):
        weights = fit_weights(commands, vstack([shown[fold != turn], sections]))
        scores[fold == turn] = score_rows(shown[fold == turn], weights)
    least = float(np.quantile(scores, 1 - SHARE))
    weights = fit_weights(commands, vstack([shown, sections]))
    if write:
        WEIGHTS.write_bytes(weights.tobytes())
    of_host = Counter(link.host for link in links)
    refused = Counter[str]()
    for link, score in zip(links, scores, strict=True):
        refused[link.host] += int(score >= least)
    return {
        "commands": commands.shape[0],
        "sections": sections.shape[0],
        "links": len(links),
        "links judged": int((shown.getnnz(axis=1) > 0).sum()),
        "hosts": len(of_host),
        "least score": round(least, 2),
        "least score in use": model.LEAST_SCORE,
        "commands above it": round(float((score_rows(commands, weights) >= least).mean()), 3),
        "hosts of over 50 links with more than 2 % refused": sum(
            number > 0.02 * of_host[host] for host, number in refused.items() if of_host[host] > 50
        ),
        "weights that are not 0": int(np.count_nonzero(weights)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help="replace the weights of the judge")
    options = parser.parse_args()
    print(json.dumps(train(options.folder, write=options.write)))


if __name__ == "__main__":
    main()
