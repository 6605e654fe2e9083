"""`leadline topic list`, `show` and `evaluate`: what topics there are and what they are worth."""

from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path

from msgspec import Struct

from leadline.config import Config
from leadline.core.crawl import LIKELY
from leadline.errors import ConfigError
from leadline.learn.model_files import Manifest
from leadline.page.words import PageWords
from leadline.topics.background import shipped_background
from leadline.topics.judges import OWN_TOPICS, find_topic_folder, open_judge
from leadline.topics.pack import (
    EXAMPLES,
    REAL,
    WRITTEN,
    LinkWord,
    Pack,
    is_pack,
    read_pack,
    shipped_folder,
)
from leadline.topics.review import review_topic
from leadline.topics.translation import translated_languages
from leadline.topics.vocabulary import DOMAINS, LANGUAGES
from leadline.ui.cli.examples import read_pages
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.output import print_json, print_text, say, show, table

_SHOWN_WORDS = 24
_SHOWN_IN_LIST = 8


class TopicRow(Struct, frozen=True):
    """A topic in one line."""

    name: str
    words_from: str
    folder: str
    """'' for a shipped one."""
    words: list[str]
    scores: dict[str, float]


class TopicFacts(Struct, frozen=True):
    """All that is stored of a topic."""

    name: str
    words_from: str
    date: str
    counts: dict[str, int]
    scores: dict[str, float]
    words_for: list[tuple[str, float]]
    words_against: list[tuple[str, float]]
    queries: tuple[str, ...]
    links: tuple[LinkWord, ...]
    by_labels: list[tuple[str, float]]
    """Words of forms and pages to which labels gave more weight, or less."""
    languages: tuple[str, ...] = ()
    """In which it knows words of its own."""
    translated: tuple[str, ...] = ()
    """In which it knows translations of its English words."""


def topic_rows() -> list[TopicRow]:
    """The shipped topics, then the user's own."""
    rows = [_make_row(shipped_folder(name), "") for name in DOMAINS]
    own = sorted(OWN_TOPICS.iterdir()) if OWN_TOPICS.is_dir() else []
    return rows + [_make_row(folder, str(folder)) for folder in own if is_pack(folder)]


def _make_row(folder: Traversable, shown: str) -> TopicRow:
    pack, manifest = read_pack(folder)
    words = [word for word, _ in pack.strongest[:_SHOWN_IN_LIST]] or list(pack.queries)
    return TopicRow(pack.name, pack.source, shown, words, manifest.scores)


def run_list(*, as_json: bool) -> Exit:
    rows = topic_rows()
    if as_json:
        print_json(rows)
    else:
        cells = (
            (row.name, row.words_from, ", ".join(row.words), row.folder or "shipped")
            for row in rows
        )
        show(table("", ("topic", "words from", "strongest words", "where"), cells))
    return Exit.DONE


def make_facts(pack: Pack, manifest: Manifest) -> TopicFacts:
    return TopicFacts(
        name=pack.name,
        words_from=pack.source,
        date=manifest.date,
        counts=manifest.counts,
        scores=manifest.scores,
        words_for=_strongest(pack.strongest),
        words_against=_strongest(pack.weakest),
        queries=pack.queries,
        links=pack.links,
        by_labels=_strongest(pack.taught.strongest()),
        languages=LANGUAGES if pack.source in (REAL, WRITTEN) else (),
        translated=translated_languages(),
    )


def _strongest(words: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    return [(word, round(weight, 3)) for word, weight in words[:_SHOWN_WORDS]]


def run_show(name: str, *, as_json: bool) -> Exit:
    facts = make_facts(*read_pack(find_topic_folder(name)))
    if as_json:
        print_json(facts)
    else:
        print_facts(facts)
    return Exit.DONE


def print_facts(facts: TopicFacts) -> None:
    print_text(f"{facts.name}: words from {facts.words_from}, made {facts.date or 'at no date'}")
    for title, words in (("for it", facts.words_for), ("against it", facts.words_against)):
        if words:
            print_text(f"{title}: " + ", ".join(f"{word} {by:+.2f}" for word, by in words))
    if facts.by_labels:
        shown = ", ".join(f"{word} {by:+.2f}" for word, by in facts.by_labels)
        print_text(f"corrected by labels: {shown}")
    if facts.queries:
        print_text("to type into its forms: " + ", ".join(facts.queries))
    if facts.languages:
        print_text(f"languages with words of their own: {' '.join(facts.languages)}")
    if facts.translated:
        print_text(f"languages known by translated words: {' '.join(facts.translated)}")
    for title, figures in (("counts", facts.counts), ("scores", facts.scores)):
        if figures:
            print_text(f"{title}: {_join_figures(figures)}")


def _join_figures(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{key} {value:g}" for key, value in figures.items())


def run_evaluate(name: str, data: Path | None, *, as_json: bool) -> Exit:
    """On the pages of a folder, or else by what the topic was made with."""
    pack, manifest = read_pack(find_topic_folder(name))
    if data is not None:
        figures = measure_on_pages(pack, data)
    elif pack.source == EXAMPLES:
        found = review_topic(pack, shipped_background())
        figures = {"recall": found.recall, "false alarms": found.false_alarms}
    else:
        figures = manifest.scores
    if as_json:
        print_json({"name": pack.name, "words_from": pack.source, "scores": figures})
    elif figures:
        print_text(_join_figures(figures))
    else:
        say(f"nothing was measured for {pack.name}: give --data FOLDER with pages in yes and no")
    return Exit.DONE


def measure_on_pages(pack: Pack, data: Path) -> dict[str, float]:
    """Accuracy, precision and recall on saved pages. Raises ConfigError without any."""
    folders = [data / "yes", data / "no"]
    if not all(folder.is_dir() for folder in folders):
        raise ConfigError(f"--data {data}: it needs the folders yes and no with saved pages")
    judge = open_judge(pack)
    said = [
        [
            judge.relevance(PageWords(sample.page)) >= LIKELY
            for sample in read_pages([str(folder)], Config())
        ]
        for folder in folders
    ]
    if not all(said):
        raise ConfigError(f"--data {data}: there are no HTML files in yes or in no")
    right, wrong = sum(said[0]), sum(said[1])
    pages = len(said[0]) + len(said[1])
    return {
        "pages": pages,
        "accuracy": round((right + len(said[1]) - wrong) / pages, 4),
        "precision": round(right / (right + wrong), 4) if right + wrong else 0.0,
        "recall": round(right / len(said[0]), 4),
    }
