"""What deep sites and links to forms have in common: FSS = {U, A, T} and FSL = {P, A, T}."""

from msgspec import Struct, field

from leadline.core.crawl import Candidate
from leadline.core.url import Site, path_of
from leadline.strategies.smart.hosts import (
    find_splitters,
    host_words,
    split_host_counts,
    split_host_words,
)
from leadline.strategies.smart.terms import SpelledWord, Term, TermCounts, spell_words

PATH_WORDS = 6
"""The last words of a path, as many as the features of links hold."""

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
