"""The feature sets of deep sites and of links to forms: FSS = {U, A, T} and FSL = {P, A, T}.

The words of six contexts are counted as deep sites and forms are found; the most frequent ones of
each are a feature set. Host names are written without blanks (abebooks, carbuyer), so they are
split by frequent words. What one crawl counted another may begin with.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct, field

from leadline.core.crawl import Candidate
from leadline.core.url import Site, host_of, path_of, registered_domain
from leadline.page.words import split_words, vocabulary

MOST_TERMS = 5_000
"""Words remembered a context: the top 30 are used, and rare ones do not get there."""
_LANGUAGE = "en"
"""Whose stems host names are reduced to: theirs is not known, and any one will do for all."""
_SHORTEST = 3
"""Letters of a word that a name is split by (car, job), and of a rest that is kept."""
_TWICE = 2
"""Times a word was met before names are split by it."""
PATH_WORDS = 6
"""The last words of a path, as many as the features of links hold."""


class SpelledWord(NamedTuple):
    """A word and the id of its stem."""

    id: int
    word: str


class Term(NamedTuple):
    """A word of a feature set, and how often it was met."""

    id: int
    word: str
    times: int


def spell_words(text: str, language: str) -> list[SpelledWord]:
    """The words of a text that say something, in order."""
    known = vocabulary(language)
    words = (word for word in split_words(text) if not word[0].isdigit())
    pairs = (SpelledWord(known.word(word), word) for word in words)
    return [pair for pair in pairs if pair.id]


class TermCounts(Struct):
    """How often each word was met. Holds at most MOST_TERMS, the rarest go first."""

    counts: dict[int, int] = {}
    words: dict[int, str] = {}
    """The shortest spelling met of each."""

    def add(self, words: Iterable[SpelledWord], times: int = 1) -> None:
        for number, word in words:
            self.counts[number] = self.counts.get(number, 0) + times
            before = self.words.setdefault(number, word)
            if (len(word), word) < (len(before), before):
                self.words[number] = word
        if len(self.counts) > MOST_TERMS:
            self._forget(MOST_TERMS // 2)

    def top(self, most: int) -> tuple[Term, ...]:
        """The most frequent words, equals by the alphabet."""
        terms = (Term(number, self.words[number], count) for number, count in self.counts.items())
        return tuple(sorted(terms, key=lambda term: (-term.times, term.word, term.id))[:most])

    def _forget(self, keep: int) -> None:
        kept = self.top(keep)
        self.counts = {term.id: term.times for term in kept}
        self.words = {term.id: term.word for term in kept}


@lru_cache(maxsize=50_000)
def host_words(site: Site) -> tuple[str, ...]:
    """What stands between dots and hyphens, without www and the public suffix.

    >>> host_words(Site("www.used-cars.co.uk:8080"))
    ('used', 'cars')
    """
    host = host_of(site)
    if host.replace(".", "").isdigit() or ":" in host:
        return ()
    domain = registered_domain(host)
    suffix = domain[domain.find(".") :] if "." in domain else ""
    words = split_words(host.removesuffix(suffix))
    return tuple(word for word in words if word != "www")


def split_word(word: str, parts: Sequence[str]) -> list[str]:
    """A word cut wherever one of `parts` stands in it; the first that fits counts.

    >>> split_word("abebooks", ["book"])
    ['abe', 'book']
    """
    found = next((part for part in parts if part in word), None)
    if found is None:
        return [word] if len(word) >= _SHORTEST else []
    before, _, after = word.partition(found)
    if shortest_form(found + after) == found:
        after = ""  # an ending: the s of books
    return [*split_word(before, parts), found, *split_word(after, parts)]


def find_splitters(terms: Iterable[Term]) -> tuple[str, ...]:
    """What names are split by: the shortest form of each frequent word, long ones first."""
    frequent = {shortest_form(term.word) for term in terms if term.times >= _TWICE}
    usable = (word for word in frequent if len(word) >= _SHORTEST)
    return tuple(sorted(usable, key=lambda word: (-len(word), word)))


@lru_cache(maxsize=10_000)
def shortest_form(word: str) -> str:
    """The shortest beginning of a word that has the same stem: `job` of `jobs`."""
    stem = vocabulary(_LANGUAGE).word
    lengths = range(_SHORTEST, len(word))
    return next((word[:n] for n in lengths if stem(word[:n]) == stem(word)), word)


def split_host_words(words: Iterable[str], parts: Sequence[str]) -> list[SpelledWord]:
    """The words of host names, split, with their ids."""
    pieces = (piece for word in words for piece in split_word(word, parts))
    return [pair for piece in pieces for pair in _spell_piece(piece)]


@lru_cache(maxsize=50_000)
def _spell_piece(piece: str) -> tuple[SpelledWord, ...]:
    """Waiting sites are described again at every ranking, by much the same words."""
    return tuple(spell_words(piece, _LANGUAGE))


def split_host_counts(counts: TermCounts, parts: Sequence[str]) -> TermCounts:
    """What would have been counted had the names been split."""
    again = TermCounts()
    for number, word in counts.words.items():
        again.add(split_host_words([word], parts), counts.counts[number])
    return again


Terms = tuple[Term, ...]


class FeatureSets(Struct, frozen=True):
    """The most frequent words of each context: what the rankers know."""

    site_url: Terms = ()
    site_anchor: Terms = ()
    site_around: Terms = ()
    link_path: Terms = ()
    link_anchor: Terms = ()
    link_around: Terms = ()
    splitters: tuple[str, ...] = ()
    """What host names are split by."""


class FeatureSetIteration(Struct, frozen=True, rename={"gain": "forms"}):
    """What was known after learning once more (the paper's Table 5)."""

    pages: int
    deep_sites: int
    gain: int
    """What counted for the goal by then: relevant forms, if forms are it."""
    tables: FeatureSets


class ContextCounts(Struct):
    """The words of all deep sites and links to forms met so far."""

    site_url: TermCounts = field(default_factory=TermCounts)
    """Of host names, not split yet: by what is known only when it learns."""
    site_anchor: TermCounts = field(default_factory=TermCounts)
    site_around: TermCounts = field(default_factory=TermCounts)
    link_path: TermCounts = field(default_factory=TermCounts)
    link_anchor: TermCounts = field(default_factory=TermCounts)
    link_around: TermCounts = field(default_factory=TermCounts)

    def add_prior(self, words: str) -> None:
        """Words given to begin with describe every context."""
        for counts in self.all():
            counts.add(spell_words(words, ""))

    def add_site(self, site: Site, anchor: str, around: str, language: str) -> None:
        """A site that turned out to be deep, and the link by which it was entered."""
        self.site_url.add(split_host_words(host_words(site), ()))
        self.site_anchor.add(spell_words(anchor, language))
        self.site_around.add(spell_words(around, language))

    def add_link(self, link: Candidate, language: str) -> None:
        """A link inside a site whose page brought a new form."""
        self.link_path.add(spell_words(path_of(link.url), language)[-PATH_WORDS:])
        self.link_anchor.add(spell_words(link.anchor, language))
        self.link_around.add(spell_words(link.around, language))

    def all(self) -> tuple[TermCounts, ...]:
        """The six contexts, in the order of `FeatureSets`."""
        site = (self.site_url, self.site_anchor, self.site_around)
        return (*site, self.link_path, self.link_anchor, self.link_around)

    def tables(self, most: int, *, is_splitting: bool) -> FeatureSets:
        """The `most` frequent words of each context."""
        url, anchor, around, *links = (counts.top(most) for counts in self.all())
        parts: tuple[str, ...] = ()
        if is_splitting:
            seen = TermCounts()
            for term in (*url, *anchor, *around):
                seen.add([SpelledWord(term.id, term.word)], term.times)
            parts = find_splitters(seen.top(3 * most))
            url = split_host_counts(self.site_url, parts).top(most)
        return FeatureSets(url, anchor, around, links[0], links[1], links[2], parts)
