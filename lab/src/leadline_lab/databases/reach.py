"""Which records of a source some query through a form can bring to light."""

from collections.abc import Iterator
from itertools import product

import numpy as np
from msgspec import Struct

from leadline.page.words import split_words
from leadline_lab.databases.column import Column, Mask, Rows
from leadline_lab.databases.index import Index
from leadline_lab.databases.kinds import held
from leadline_lab.databases.query import EVERYWHERE, FAR, MAX_TERMS, Bound, Query, edge_of
from leadline_lab.databases.records import record
from leadline_lab.databases.truth import Postings
from leadline_lab.databases.values import WORD_KINDS

Condition = tuple[str, tuple[str, ...]]


class Asked(Struct, frozen=True):
    """One thing a form can ask for."""

    target: str
    is_by_words: bool
    edges: frozenset[str]
    """Of a range: `min`, `max`, or '' for both in one control."""

    def span(self, amount: int) -> tuple[int, int]:
        """The narrowest range around an amount."""
        has_both = "" in self.edges
        return (
            amount if has_both or "min" in self.edges else -1,
            amount if has_both or "max" in self.edges else FAR,
        )


def reachable(index: Index, bound: Bound) -> Rows:
    """Records that some query through this form can return.

    Under a cap and a ranking by relevance every record that can be asked for
    counts: a query of its own words ranks it first but for near twins. Under a
    cap and a static ranking, records that no single word or value reaches cost
    a query each: about a millisecond in sources of 10,000.
    """
    behaviour = index.source.behaviour
    form = asked_by(index, bound)
    found = _that_can_be_asked_for(index, form)
    if not behaviour.cap or behaviour.ranking != "static":
        if behaviour.empty_query == "all" and (not behaviour.cap or behaviour.ranking == "random"):
            found[:] = True
        return np.flatnonzero(found).astype(np.int32)
    surely = _first_of_each(index, form)
    if behaviour.empty_query == "all":
        surely[: behaviour.cap] = True
    for number in np.flatnonzero(found & ~surely).tolist():
        surely[number] = _is_among_the_first(index, form, number)
    return np.flatnonzero(surely).astype(np.int32)


def asked_by(index: Index, bound: Bound) -> list[Asked]:
    """What a form asks for, the ends of a range as one."""
    kinds = {a.name: a.kind for a in held(index.source.schema)} | {EVERYWHERE: "text"}
    edges: dict[str, set[str]] = {}
    for target in bound.values():
        name = target.partition(":")[0]
        if name in kinds:
            edges.setdefault(name, set()).add(edge_of(target))
    return [Asked(n, kinds[n] in WORD_KINDS, frozenset(ends)) for n, ends in edges.items()]


def _that_can_be_asked_for(index: Index, form: list[Asked]) -> Mask:
    found = np.zeros(index.source.size, np.bool_)
    for asked in form:
        for column in index.searched(asked.target):
            if isinstance(column, Column) and asked.is_by_words:
                found |= _telling(index, column)[column.codes].any(axis=1)
            else:
                found[:] = True
    return found


def _telling(index: Index, column: Column) -> Mask:
    """Entries with a word that is no stop word."""
    telling: Mask = np.zeros(len(column.entries), np.bool_)
    for word, row in column.spellings.items():
        if word not in index.source.behaviour.stop_words:
            telling[[code for code, _ in row]] = True
    return telling


def _first_of_each(index: Index, form: list[Asked]) -> Mask:
    """Records among the first of a query with one condition of one word or value."""
    found = np.zeros(index.source.size, np.bool_)
    cap = index.source.behaviour.cap
    for asked in form:
        if asked.is_by_words:
            for word in _plain_words(index, asked.target):
                found[np.flatnonzero(index.holding(asked.target, word))[:cap]] = True
            continue
        column = index.column(asked.target)
        if not isinstance(column, Column):
            found[:] = True
            continue
        for code in range(1, len(column.entries)):
            found[_of_value(column, asked, code)[:cap]] = True
    return found


def _of_value(column: Column, asked: Asked, code: int) -> Rows:
    amounts = column.entries.amounts
    if not len(amounts) or "" in asked.edges or len(asked.edges) == 2:
        return column.at_code(code)
    return np.flatnonzero(column.between(*asked.span(int(amounts[code])))).astype(np.int32)


def _plain_words(index: Index, target: str) -> Iterator[str]:
    """Words that a query of one word finds and nothing else with them."""
    behaviour = index.source.behaviour
    words = list(Postings(index, target))
    inner: set[str] = set()
    if behaviour.semantics == "substring":
        inner = {part for word in words for part in _parts(word)}
    shortest = behaviour.min_length if target == EVERYWHERE else 0
    for word in words:
        if word not in inner and word not in behaviour.stop_words and len(word) >= shortest:
            yield word


def _parts(word: str) -> Iterator[str]:
    for first in range(len(word)):
        for end in range(first + 1, len(word) + 1):
            if end - first < len(word):
                yield word[first:end]


def _is_among_the_first(index: Index, form: list[Asked], number: int) -> bool:
    cap = index.source.behaviour.cap
    return any(number in index.matches(q)[:cap] for q in _narrowest(index, form, number))


def _narrowest(index: Index, form: list[Asked], number: int) -> Iterator[Query]:
    """Queries that match the record and as few others as can be."""
    values = record(index.source, index.lexicon, number).values
    ways: list[list[Condition]] = []
    equals: list[tuple[str, str]] = []
    ranges: list[tuple[str, int, int]] = []
    for asked in form:
        name = asked.target
        if asked.is_by_words:
            names = index.indexed if name == EVERYWHERE else (name,)
            ways.append(_conditions(index, name, [values[n] for n in names]))
            continue
        column = index.column(name)
        if isinstance(column, Column) and len(column.entries.amounts):
            amount = int(column.entries.amounts[column.codes[number, 0]])
            ranges.append((name, *asked.span(amount)))
        else:
            equals.append((name, values[name]))
    for words in product(*ways):
        yield Query(tuple(words), tuple(equals), tuple(ranges))


def _conditions(index: Index, target: str, texts: list[str]) -> list[Condition]:
    """All words at once; each by itself where more words find more."""
    behaviour = index.source.behaviour
    if behaviour.semantics in ("phrase", "substring"):
        return [(target, tuple(split_words(text)[:MAX_TERMS])) for text in texts if text]
    words = dict.fromkeys(word for text in texts for word in split_words(text))
    told = [word for word in words if word not in behaviour.stop_words]
    if behaviour.semantics == "or":
        return [(target, (word,)) for word in told]
    counts = {word: int(index.holding(target, word).sum()) for word in told}
    return [(target, tuple(sorted(told, key=counts.__getitem__)[:MAX_TERMS]))]
