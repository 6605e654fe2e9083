"""The words of a host name, which are written without blanks: abebooks, carbuyer."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from leadline.core.url import Site, host_of, registered_domain
from leadline.page.words import split_words, vocabulary
from leadline.strategies.smart.terms import SpelledWord, Term, TermCounts, spell_words

_LANGUAGE = "en"
"""Whose stems host names are reduced to: theirs is not known, and any one will do for all."""
_SHORTEST = 3
"""Letters of a word that a name is split by (car, job), and of a rest that is kept."""
_TWICE = 2
"""Times a word was met before names are split by it."""


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
