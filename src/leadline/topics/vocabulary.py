"""Words of the shipped topics that were written by hand, one file a topic."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from leadline.page.words import Words, vocabulary

DOMAINS = (
    "airfare", "apartment", "auto", "book", "hotel", "job",
    "movie", "music", "people", "product", "rental", "route",
)  # fmt: skip
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt")
"""In which there are words of every topic; English first."""
_FLAT = 12
"""Ranks are counted from here on, so that the first words do not outweigh all others: with 120
words the first counts eleven times the last."""


class TopicVocabulary(Struct, frozen=True):
    """What one knows of a topic before any page was seen. Words stand commonest first."""

    name: str
    page: dict[str, tuple[str, ...]]
    """By language: words of pages about the topic."""
    fields: dict[str, tuple[str, ...]]
    """By language: what its search forms ask for."""
    links: dict[str, tuple[str, ...]]
    """Words of links that lead to such forms, by where they stand: url, anchor, around."""
    queries: tuple[str, ...]
    """What a person might type into such a form."""


@lru_cache(maxsize=32)
def read_vocabulary(name: str) -> TopicVocabulary:
    """The words of a shipped topic."""
    table = _read(name)
    page, fields, links = (_split(table[part]) for part in ("page", "fields", "links"))
    return TopicVocabulary(name, page, fields, links, tuple(table["queries"]["en"]))


@lru_cache(maxsize=1)
def general_words() -> dict[str, tuple[str, ...]]:
    """Words of no topic, by language; English has real pages enough."""
    return _split(_read("general")["page"])


def _read(name: str) -> dict[str, Any]:
    file = files("leadline.topics") / "vocabularies" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _split(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(words.split()) for key, words in table.items()}


def rank_words(words: Iterable[str], languages: Iterable[str]) -> dict[int, float]:
    """Word ids and their shares of the list, by rank; each word as the languages have it.

    The same word has different ids in languages that stem it differently. Where one is met
    twice, the higher rank counts; stop words have no id.
    """
    numbering = [vocabulary(language) for language in languages]
    found: dict[int, float] = {}
    for rank, word in enumerate(words):
        for one in numbering:
            ids = Words([word], one).ids.tolist()
            for number in filter(None, ids):
                found.setdefault(number, 1 / (rank + _FLAT))
    total = sum(found.values())
    return {number: weight / total for number, weight in found.items()}
