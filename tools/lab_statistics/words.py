"""Words of topics: how often each is met in a million words of a page about it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.lab_statistics import sources
from tools.lab_statistics.handwritten import FOREIGN, GENERAL, SEEDS
from tools.lab_statistics.topics import (
    LANGUAGES,
    LISTS,
    NEWS,
    PARTS,
    RECIPES,
    SUBJECTS,
    VERTICALS,
)

Shares = dict[str, float]
"""Word to share of all words; the shares of an ingredient add up to 1."""

_MAX_CHARS = 24
_TOPIC_WORDS = 1_500
_MILLION = 1_000_000
_FULL_WORDS = 300
"""From so many words on owners count the same; with fewer, by their words."""
_SELDOM_LOWER = 0.15
"""A word of the name lists written small less often than this is taken for a name."""
_FEW_OWNERS = 8
"""Languages with fewer real sites than this are stirred with words written by hand."""
_BOILERPLATE = frozenset({"wikipedia", "schools", "retrieved", "gnu", "disclaimer"})
"""Words that stand on every article of the collection and on no other page."""
_letters = re.compile(r"[^\W\d_]+").findall


class Tally:
    """Words by the page or site they were met on; a long page says no more than a short one."""

    def __init__(self) -> None:
        self._words: dict[str, Counter[str]] = {}
        self._small: Counter[str] = Counter()
        self._any: Counter[str] = Counter()

    def add(self, owner: str, text: str) -> None:
        found = Counter(_letters(text))
        counted = self._words.setdefault(owner, Counter())
        for word, count in found.items():
            lower = word.lower()
            if len(lower) <= _MAX_CHARS and lower.isalpha():
                counted[lower] += count
                self._any[lower] += count
                self._small[lower] += count * (word == lower)

    def __len__(self) -> int:
        return len(self._words)

    def shares(self, owners: int, names: frozenset[str]) -> Shares:
        """Of the words met with at least so many owners that are no personal names.

        The owner who says a word most is left out, so that no single one decides.
        """
        holders: Counter[str] = Counter()
        sums: dict[str, float] = {}
        most: dict[str, float] = {}
        for counted in self._words.values():
            total = max(_FULL_WORDS, sum(counted.values()))
            for word, count in counted.items():
                holders[word] += 1
                share = count / total
                sums[word] = sums.get(word, 0.0) + share
                most[word] = max(most.get(word, 0.0), share)
        kept = (word for word, count in holders.items() if count >= owners)
        return normal({w: sums[w] - most[w] for w in sorted(kept) if not self._is_name(w, names)})

    def _is_name(self, word: str, names: frozenset[str]) -> bool:
        if word in _BOILERPLATE:
            return True
        return word in names and self._small[word] < _SELDOM_LOWER * self._any[word]


def normal(weights: Mapping[str, float]) -> Shares:
    """The same proportions, adding up to 1."""
    total = sum(weights.values()) or 1.0
    return {word: weight / total for word, weight in weights.items()}


def stirred(parts: Iterable[tuple[Shares, float]]) -> Shares:
    """A mixture, each part by its weight."""
    mixed: dict[str, float] = {}
    for shares, weight in parts:
        for word, share in shares.items():
            mixed[word] = mixed.get(word, 0.0) + share * weight
    return normal(mixed)


def handwritten(tiers: Mapping[int, str]) -> Shares:
    return normal({word: weight for weight, row in tiers.items() for word in row.split()})


def personal_names(folder: Path) -> frozenset[str]:
    """Words of the names of actors and authors."""
    found: Counter[str] = Counter()
    for row in sources.rows(folder, "records/movies"):
        for name in row.get("cast") or ():
            found.update(set(_letters(name.lower())))
    for row in sources.rows(folder, "records/books"):
        found.update(set(_letters(row["authors"].lower())))
    return frozenset(word for word, count in found.items() if len(word) > 1 and count > 1)


def count_words(folder: Path) -> dict[str, dict[str, int]]:
    """All topics, domains and languages: topic -> word -> times in a million."""
    names = personal_names(folder)
    parts = _vertical_parts(folder, names) | _webkb_parts(folder, names)
    parts |= _subject_parts(folder, names) | _record_parts(folder, names)
    parts |= _list_parts(folder, names) | {f"seed {k}": handwritten(v) for k, v in SEEDS.items()}
    general, commercial = _general_parts(folder, names, parts)
    parts["commercial"] = commercial
    topics = {name: parts[name] for name in (*SUBJECTS, *NEWS, *LISTS, "software")}
    topics |= {name: parts[name] for name in parts["webkb classes"]}
    for topic, recipe in RECIPES.items():
        parts[topic] = stirred((parts[name], share) for name, share in recipe)
        topics[topic] = parts[topic]
    for language, shares in general.items():
        topics[f"general:{language}"] = shares
    for language, domains in FOREIGN.items():
        for domain, row in domains.items():
            topics[f"{domain}:{language}"] = normal(dict.fromkeys(row.split(), 1.0))
    return {name: counts(topics[name]) for name in sorted(topics) if name not in PARTS}


def counts(shares: Shares) -> dict[str, int]:
    """The commonest words, times in a million, most frequent first."""
    ranked = sorted(shares, key=lambda word: (-shares[word], word))[:_TOPIC_WORDS]
    return {word: max(1, round(shares[word] * _MILLION)) for word in ranked}


def _by_kind(pages: Iterable[sources.RealPage]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for real in pages:
        tallies.setdefault(real.kind, Tally()).add(real.owner, real.page.text)
    return tallies


def _vertical_parts(folder: Path, names: frozenset[str]) -> dict[str, Shares]:
    tallies = _by_kind(sources.swde(folder))
    return {f"{kind} pages": tally.shares(2, names) for kind, tally in tallies.items()}


def _webkb_parts(folder: Path, names: frozenset[str]) -> dict[str, Shares]:
    tallies = _by_kind(sources.webkb(folder))
    parts = {kind: tally.shares(3, names) for kind, tally in tallies.items()}
    return parts | {"webkb classes": dict.fromkeys(parts, 1.0)}


def _subject_parts(folder: Path, names: frozenset[str]) -> dict[str, Shares]:
    tallies = {topic: Tally() for topic in SUBJECTS}
    for real, subjects in sources.wikipedia(folder):
        text = real.page.text
        for topic, prefixes in SUBJECTS.items():
            if any(subject.startswith(prefixes) for subject in subjects):
                tallies[topic].add(real.page.url, text)
    return {topic: tally.shares(4, names) for topic, tally in tallies.items()}


def _record_parts(folder: Path, names: frozenset[str]) -> dict[str, Shares]:
    news = {topic: Tally() for topic in NEWS}
    for row in sources.rows(folder, "records/reuters"):
        for topic, labels in NEWS.items():
            if not set(labels).isdisjoint(row["topics"]):
                news[topic].add(row["id"], f"{row['title'].lower()} {row['body']}")
    parts = {topic: tally.shares(4, names) for topic, tally in news.items()}
    software = Tally()
    for row in sources.rows(folder, "records/debian"):
        software.add(row["name"], f"{row['summary']} {row['description']}")
    parts["software"] = software.shares(4, names)
    for part, file, field in (
        ("book titles", "books", "title"),
        ("movie titles", "movies", "title"),
        ("airports", "airports", "city"),
    ):
        parts[part] = _field_words(folder, file, field, names)
    return parts


def _field_words(folder: Path, file: str, field: str, names: frozenset[str]) -> Shares:
    """Counted all together: a title is too short to be an owner."""
    found: Counter[str] = Counter()
    for row in sources.rows(folder, f"records/{file}"):
        found.update(_letters(row[field].lower()))
    kept = {w: float(n) for w, n in found.items() if n >= 8 and len(w) <= _MAX_CHARS}
    return normal({word: kept[word] for word in sorted(kept) if word not in names})


def _list_parts(folder: Path, names: frozenset[str]) -> dict[str, Shares]:
    topic_of = {stem: topic for topic, stem in LISTS.items()}
    topic_of |= {"awesome-music": "music list", "awesome-remote-job": "remote list"}
    parts: dict[str, Shares] = {}
    for stem, lines in sources.lists(folder):
        tally = Tally()
        for at, line in enumerate(lines):
            tally.add(str(at), line.text)
        parts[topic_of.get(stem, stem)] = tally.shares(2, names)
    return parts


def _general_parts(
    folder: Path, names: frozenset[str], parts: Mapping[str, Shares]
) -> tuple[dict[str, Shares], Shares]:
    """Words of any page by language, and words of English commercial pages of no one topic."""
    tallies = {language: Tally() for language in LANGUAGES}
    for real, _ in sources.formasaurus(folder):
        if (language := sources.spoken(real.page)) in tallies:
            tallies[language].add(real.owner, real.page.text)
    general = {language: tally.shares(2, names) for language, tally in tallies.items()}
    for language, tiers in GENERAL.items():
        real_sites = len(tallies[language])
        if real_sites < _FEW_OWNERS:
            general[language] = stirred(
                [(general[language], real_sites), (handwritten(tiers), _FEW_OWNERS - real_sites)]
            )
    filled = Tally()
    for real in sources.autofill(folder):
        if sources.spoken(real.page) == "en":
            filled.add(real.owner, real.page.text)
    shared = _shared_words([parts[f"{name} pages"] for name in VERTICALS])
    commercial = [(general["en"], 0.5), (filled.shares(2, names), 0.2), (shared, 0.3)]
    return general, stirred(commercial)


def _shared_words(verticals: list[Shares]) -> Shares:
    """The words of at least three verticals, as often as in the one that has them least."""
    common: dict[str, float] = {}
    for word in sorted(set().union(*verticals)):
        held = [shares[word] for shares in verticals if word in shares]
        if len(held) >= 3:
            common[word] = min(held)
    return normal(common)
