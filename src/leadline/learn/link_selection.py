"""Which words of links a classifier looks at: ACHE's automatic feature selection.

L. Barbosa and J. Freire, "An Adaptive Crawler for Locating Hidden-Web Entry Points", WWW 2007,
Algorithm 2:

    for each space of anchor, URL, around:
        the terms of all links, stop words removed, stemmed
        URL only: for each t of the k most frequent, for each t' that contains t:
            frequency(t) += frequency(t')
        keep the n most frequent

Two readings. As printed, the last line chooses from the terms before stemming and merging, so
that both are lost, and a term contains itself; that is `literal`, which counts occurrences. In
the other, `corrected`, the merged stems are chosen from, t' is never t, merging reads the counts
of before, and frequency is the number of links with the word, as the paper's text has it. The
printed n is the window, the number of merged terms and the number kept; here they are three.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from leadline.learn.link_features import NAMES, URL, Terms

Reading = Literal["corrected", "literal"]

_SHORTEST = 3
"""Letters of a word that is looked for inside others: shorter ones are there by chance. The
published code of ACHE leaves out words of less than three letters."""
_OFTEN, _SELDOM, _FEW = 5, 1, 10
"""FFC's fixed threshold, whose value it does not give: as in ACHE's published code, words of more
than 5 links, or of more than 1 where no word has more than 10."""


class Selection(Struct, frozen=True):
    """How many words are chosen, and how."""

    kept: int = 20
    """Words in each space: the n of the paper."""
    merged: int = 20
    """Frequent words of URLs that are looked for inside others: its k."""
    reading: Reading = "corrected"
    has_threshold: bool = False
    """Leave out words of few links, as FFC does."""


OFFLINE = Selection(kept=100, merged=50, has_threshold=True)
"""What a backward crawl is learned by: it brings enough links for words that few of them have."""


class ChosenTerm(Struct, frozen=True):
    """A chosen word. Whatever link has one of its ids has the word."""

    space: int
    term: str
    ids: tuple[int, ...]
    """Its own, and of longer words that contain it, rising."""

    @property
    def name(self) -> str:
        """As people read it: `anchor: search`."""
        return f"{NAMES[self.space]}: {self.term}"


def select_terms(links: Sequence[Terms], selection: Selection) -> tuple[ChosenTerm, ...]:
    """The chosen words, space by space, the most frequent first."""
    choose = _select_as_printed if selection.reading == "literal" else _select_corrected
    return tuple(feature for space in NAMES for feature in choose(links, space, selection))


def merge_counts(counts: Mapping[str, int], k: int) -> dict[str, int]:
    """The counts, those of the k most frequent raised by the counts of words they are part of.

    >>> merge_counts({"job": 10, "index": 9, "jobsearch": 4}, 1)["job"]
    14
    """
    raised = dict(counts)
    for term in _most_frequent(counts, k):
        raised[term] += sum(counts[longer] for longer in find_longer_terms(term, counts))
    return raised


def find_longer_terms(term: str, terms: Mapping[str, object]) -> list[str]:
    """The terms of which this one is a part."""
    if len(term) < _SHORTEST:
        return []
    return [other for other in terms if term in other and other != term]


def _most_frequent(counts: Mapping[str, int], n: int) -> list[str]:
    """The n most frequent, equals by name."""
    return sorted(counts, key=lambda term: (-counts[term], term))[:n]


def _drop_rare(counts: Mapping[str, int], selection: Selection) -> dict[str, int]:
    if not selection.has_threshold:
        return dict(counts)
    least = _OFTEN if max(counts.values(), default=0) > _FEW else _SELDOM
    return {term: count for term, count in counts.items() if count > least}


def _select_corrected(
    links: Sequence[Terms], space: int, selection: Selection
) -> Iterator[ChosenTerm]:
    counts: Counter[str] = Counter()
    ids: dict[str, set[int]] = {}
    for terms in links:
        here = {term.stem: term.feature for term in terms if term.space == space}
        counts.update(here.keys())
        for stem, feature in here.items():
            ids.setdefault(stem, set()).add(feature)
    # Words of URLs run together (jobsearch), so only there are frequent ones looked for in others.
    frequent = set(_most_frequent(counts, selection.merged)) if space == URL else set()
    raised = merge_counts(counts, selection.merged) if space == URL else dict(counts)
    for stem in _most_frequent(_drop_rare(raised, selection), selection.kept):
        parts = [stem, *(find_longer_terms(stem, counts) if stem in frequent else ())]
        yield ChosenTerm(space, stem, tuple(sorted(set().union(*(ids[part] for part in parts)))))


def _select_as_printed(
    links: Sequence[Terms], space: int, selection: Selection
) -> Iterator[ChosenTerm]:
    counts: Counter[str] = Counter()
    feature_of_word: dict[str, int] = {}
    for terms in links:
        for term in terms:
            if term.space == space:
                counts[term.word] += 1
                feature_of_word[term.word] = term.feature
    known: set[int] = set()
    for word in _most_frequent(_drop_rare(counts, selection), selection.kept):
        feature = feature_of_word[word]
        # Links are told apart by stems: two words of one stem are one feature.
        if feature not in known:
            known.add(feature)
            yield ChosenTerm(space, word, (feature,))
