"""Which records are the same thing: within one source and between several.

A `RecordLinker` gets the rows of a table one by one and groups those that mean one thing. It is
the model of Fellegi and Sunter (1969), learned from the rows themselves without examples:

1. Each row gets some blocking keys (identifiers, rare words of its name with its year or its
   persons); only rows that share a key are compared, so that a million rows are feasible.
2. Each field of a pair is compared by its kind, which gives a level from `equal` to `differs`.
3. How often pairs reach a level by chance (u) is counted on random pairs; how often the same
   thing does (m), and how many pairs are the same thing, is learned by expectation maximisation.
   So a field in which sources disagree anyway, such as a price, teaches itself to count little.
4. An identifier decides where both rows have one of the same scheme.
5. Pairs are joined the likeliest first, unless what is joined already speaks against it.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.table import SchemaField, TypedRow
from leadline.records.comparisons import (
    NUMBERS,
    WAYS,
    Floats,
    Levels,
    drop_frame,
    find_name_numbers,
    find_way,
    is_key,
    join_name,
    read_core,
)
from leadline.records.match_model import LevelOdds, MatchModel

Pairs = NDArray[np.int32]
"""Two columns: the numbers of both rows, the smaller one first. Of 32 bits: a million rows have
thirty-five million pairs, and with twice the bits these took a gigabyte more."""
NAMES = ("name", "title")
"""Fields that say what a thing is called, the best first."""
SURE = 0.5
"""Probability from which two rows are the same thing: more right than wrong."""
_MOST_IN_BLOCK = 40
"""Rows that share a key and are all compared; of more, each is compared with the next few in the
order of their names: a key so common says little."""
_NEIGHBOURS = 8
_RANDOM_PAIRS = 200_000
"""For how often levels are reached by chance: rare levels are then known to 1 in 1,000."""
_RANDOM_OF_ROW = 50
_MOST_FIELDS = 8
"""Compared, those that most rows have."""
_CHUNK = 500_000
_LEAST_UNSEEN = 0.02
"""Things of one name that nobody has listed, at least: in a small table no name may be shared by
chance alone."""
_LEAST_FILLED = 0.02


class Linkage(Struct, frozen=True, eq=False):
    """Which rows are one thing."""

    groups: NDArray[np.int64]
    """Of each row the number of its thing, from 0 in the order of first sight."""
    probabilities: Floats
    """Of each row that it belongs to its thing: that of the best pair that joins it; 1 if it is
    alone."""
    things: int
    compared: int
    """Pairs."""
    odds: tuple[LevelOdds, ...]


class RecordLinker:
    """Takes rows, then links them. Holds a few short texts a row: a million rows are some 1 GB."""

    def __init__(self, fields: Sequence[SchemaField], seed: int = 0) -> None:
        names = [field.name for field in fields]
        self.name = next((name for name in NAMES if name in names), names[0] if names else "")
        self._fields = {field.name: field for field in fields}
        self._texts: dict[str, list[str]] = {name: [] for name in names}
        self._sources: list[int] = []
        self._source_numbers: dict[str, int] = {}
        self._keys: list[tuple[str, ...]] = []
        self._numbers: list[str] = []
        self._rng = np.random.default_rng(seed)

    def add(self, row: TypedRow) -> None:
        number = self._source_numbers.setdefault(row.source, len(self._source_numbers))
        self._sources.append(number)
        keys: list[str] = []
        for name, field in self._fields.items():
            values = row.values.get(name, ())
            way = find_way(field, self.name)
            self._texts[name].append(WAYS[way].read(values) if way else "")
            if is_key(field):
                keys += [f"{v.unit or name}:{v.value}" for v in values if v.value is not None]
        self._keys.append(tuple(keys))
        named = row.values.get(self.name, ())
        self._numbers.append(find_name_numbers(named))

    def link(self) -> Linkage:
        count = len(self._sources)
        if self.name:
            self._texts[self.name] = drop_frame(self._texts[self.name], self._sources)
        if any(self._numbers):
            # Volumes and parts: names that differ in a number only are different things.
            self._texts[NUMBERS] = self._numbers
        fields = self._choose_fields()
        pairs = self._find_pairs(fields)
        levels = {name: self._compare(name, pairs) for name in fields}
        by_identifier = self._decide_by_identifiers(pairs)
        model = MatchModel(self.name, {name: WAYS[self._find_way(name)].priors for name in fields})
        is_same_source = self._is_same_source(pairs)
        rare = self._name_chances(pairs, levels)
        sides = self._count_sides()
        by_chance = self._compare_random(fields, count)
        model.learn(*(levels, is_same_source, sides, rare, by_identifier, by_chance, self._rng))
        chances = model.judge(levels, is_same_source, rare)
        chances = np.where(by_identifier > 0, 1.0, np.where(by_identifier < 0, 0.0, chances))
        groups, own = join_pairs(count, pairs, chances, self._keys)
        return Linkage(groups, own, int(groups.max(initial=-1)) + 1, len(pairs), model.odds())

    def _choose_fields(self) -> list[str]:
        filled = {
            name: sum(map(bool, texts)) / max(1, len(texts)) for name, texts in self._texts.items()
        }
        able = [
            name for name in self._texts if self._find_way(name) and filled[name] >= _LEAST_FILLED
        ]
        return sorted(able, key=lambda name: (name != self.name, -filled[name]))[:_MOST_FIELDS]

    def _find_way(self, name: str) -> str:
        return NUMBERS if name == NUMBERS else find_way(self._fields[name], self.name)

    # Blocking

    def _find_pairs(self, fields: Sequence[str]) -> Pairs:
        """Rows that share a key, each pair once."""
        names = self._texts.get(self.name, [""] * len(self._sources))
        years = self._find_column(fields, "date")
        persons = self._find_column(fields, "person")
        cores = [read_core(name) for name in names]
        tokens = [join_name(name).split() for name in names]
        common = Counter(token for row in tokens for token in set(row))
        # A row has a dozen keys: as lists of Python's integers they would take a gigabyte.
        hashes, rows = array("q"), array("q")

        def put(number: int, *parts: str) -> None:
            hashes.append(xxhash.xxh3_64_intdigest("\x1f".join(parts).encode()) >> 1)
            rows.append(number)

        for number, words in enumerate(tokens):
            for key in self._keys[number]:
                put(number, "key", key)
            if not words:
                continue
            rare = sorted(set(words), key=lambda word: (common[word], word))[:3]
            year = years[number][:4] if years else ""
            family = persons[number].split()[:2] if persons else []
            put(number, "bag", *sorted(set(words)))
            core = cores[number].split()
            put(number, "bag", *sorted(set(core)))
            joined = "".join(core)
            put(number, "start", joined[:8])
            put(number, "end", joined[-8:])
            for at, word in enumerate(rare):
                for other in rare[at + 1 :]:
                    put(number, "two", *sorted((word, other)))
                if year:
                    put(number, "year", word, year)
                for one in family:
                    put(number, "person", word, one)
            for one in family if year else ():
                put(number, "who", one, year, joined[:1])
        return _pair_rows(np.frombuffer(hashes, np.int64), np.frombuffer(rows, np.int64), names)

    def _find_column(self, fields: Sequence[str], kind: str) -> list[str]:
        for name in fields:
            if self._find_way(name) == kind:
                return self._texts[name]
        return []

    # Comparing

    def _compare(self, name: str, pairs: Pairs) -> Levels:
        how = WAYS[self._find_way(name)].compare
        texts = self._texts[name]
        found = [
            how([texts[i] for i in part[:, 0]], [texts[i] for i in part[:, 1]])
            for part in (pairs[at : at + _CHUNK] for at in range(0, len(pairs), _CHUNK))
        ]
        return np.concatenate(found) if found else np.zeros(0, np.int8)

    def _compare_random(self, fields: Sequence[str], count: int) -> dict[str, Levels]:
        most = min(_RANDOM_PAIRS, _RANDOM_OF_ROW * count)
        pairs = self._rng.integers(0, max(1, count), (most, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        return {name: self._compare(name, pairs) for name in fields}

    def _decide_by_identifiers(self, pairs: Pairs) -> NDArray[np.int8]:
        """1 if both share an identifier, -1 if both have one of the same scheme and share none."""
        found = np.zeros(len(pairs), np.int8)
        has_key = np.array([bool(keys) for keys in self._keys], bool)
        for at in np.flatnonzero(has_key[pairs[:, 0]] & has_key[pairs[:, 1]]).tolist():
            left, right = pairs[at].tolist()
            found[at] = _agree(self._keys[left], self._keys[right])
        return found

    def _is_same_source(self, pairs: Pairs) -> NDArray[np.bool_]:
        sources = np.array(self._sources, np.int64)
        return np.asarray(sources[pairs[:, 0]] == sources[pairs[:, 1]])

    def _count_sides(self) -> tuple[float, float]:
        """All pairs of different sources there could be, and all of one."""
        sizes = np.bincount(np.array(self._sources, np.int64)).astype(float)
        every, inside = sizes.sum() * (sizes.sum() - 1) / 2, (sizes * (sizes - 1) / 2).sum()
        return max(1.0, every - inside), max(1.0, inside)

    def _name_chances(self, pairs: Pairs, levels: Mapping[str, Levels]) -> Floats:
        """Of pairs with equal names, how often another thing has just this name; else 0.

        As many things share a name as one source has rows of it, for a source has a thing once; and
        how many more there are that nobody has listed is told by names of two things against
        names of one (Good and Turing). So a rare name says more than a common one."""
        found = np.zeros(len(pairs))
        if self.name not in levels:
            return found
        names = self._texts[self.name]
        own = Counter(zip(names, self._sources, strict=True))
        shared: dict[str, int] = {}
        for (name, _), rows in own.items():
            shared[name] = max(rows, shared.get(name, 0))
        things, sizes = sum(shared.values()), Counter(shared.values())
        unseen = min(max(2 * sizes[2] / max(1, sizes[1]), _LEAST_UNSEEN), 1.0)
        for at in np.flatnonzero(levels[self.name] == 0).tolist():
            found[at] = (shared[names[pairs[at, 0]]] - 1 + unseen) / things
        return found
        names = self._texts[self.name]
        counts = Counter(filter(None, names))
        # Most names are written as often as a thing has rows; more rows are more things.
        usual = float(np.mean(list(counts.values()))) if counts else 1.0
        for at in np.flatnonzero(levels[self.name] == 0).tolist():
            found[at] = np.log(min(1.0, usual / counts[names[pairs[at, 0]]]))
        return found


def join_pairs(
    count: int, pairs: Pairs, chances: Floats, keys: Sequence[Sequence[str]]
) -> tuple[NDArray[np.int64], Floats]:
    """Group rows by pairs that are likely one thing, the likeliest first; the group of each row,
    and the probability by which it was joined."""
    groups, own = _RowGroups(count, pairs, chances, keys), np.ones(count)
    likely = np.flatnonzero(chances >= SURE)
    for at in likely[np.argsort(-chances[likely], kind="stable")].tolist():
        for row in groups.join(*pairs[at].tolist()):
            own[row] = chances[at]
    roots = np.array([groups.find(number) for number in range(count)], np.int64)
    _, first, numbers = np.unique(roots, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[numbers], own


class _RowGroups:
    """Rows in groups, each of which begins alone. Two groups are not joined if their identifiers
    disagree, or if most pairs compared between them speak against it."""

    def __init__(
        self, count: int, pairs: Pairs, chances: Floats, keys: Sequence[Sequence[str]]
    ) -> None:
        self._parents = list(range(count))
        self._members: dict[int, list[int]] = {}
        self._keys = {number: tuple(key) for number, key in enumerate(keys) if key}
        # Only rows that are likely the same as some other are ever asked about.
        likely = chances >= SURE
        is_met = np.zeros(count, bool)
        is_met[pairs[likely].ravel()] = True
        kept = is_met[pairs[:, 0]] & is_met[pairs[:, 1]]
        ends, votes = pairs[kept], np.where(likely[kept], 1, -1).astype(np.int8)
        rows = np.concatenate([ends[:, 0], ends[:, 1]])
        order = np.argsort(rows, kind="stable")
        self._others = np.concatenate([ends[:, 1], ends[:, 0]])[order]
        self._votes = np.concatenate([votes, votes])[order]
        self._starts = np.searchsorted(rows[order], np.arange(count + 1))

    def find(self, number: int) -> int:
        """The row that stands for its group."""
        while self._parents[number] != number:
            self._parents[number] = self._parents[self._parents[number]]
            number = self._parents[number]
        return number

    def join(self, left: int, right: int) -> list[int]:
        """Join the groups of two rows; those of the two that were alone until then."""
        small, large = self.find(left), self.find(right)
        ours, theirs = self._list(small), self._list(large)
        if len(ours) > len(theirs):
            small, large, ours, theirs = large, small, theirs, ours
        if small == large or not self._may_join(small, large, ours, theirs):
            return []
        alone = [row for row, group in ((small, ours), (large, theirs)) if len(group) == 1]
        self._parents[small] = large
        self._members[large] = [*theirs, *ours]
        self._members.pop(small, None)
        keys = (*self._keys.get(large, ()), *self._keys.pop(small, ()))
        if keys:
            self._keys[large] = tuple(dict.fromkeys(keys))
        return alone

    def _list(self, group: int) -> list[int]:
        return self._members.get(group, [group])

    def _may_join(self, small: int, large: int, ours: list[int], theirs: list[int]) -> bool:
        if _agree(self._keys.get(small, ()), self._keys.get(large, ())) < 0:
            return False
        if len(theirs) == 1:
            return True
        inside, total = np.array(theirs), 0
        for row in ours:
            cast = slice(self._starts[row], self._starts[row + 1])
            total += int(self._votes[cast][np.isin(self._others[cast], inside)].sum())
        return total >= 0


def _agree(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """1 for a common identifier, -1 for different ones of one scheme, 0 if that cannot be told."""
    if not ours or not theirs:
        return 0
    if set(ours) & set(theirs):
        return 1
    schemes = {key.partition(":")[0] for key in ours} & {key.partition(":")[0] for key in theirs}
    return -1 if schemes else 0


def _pair_rows(hashes: NDArray[np.int64], rows: NDArray[np.int64], names: Sequence[str]) -> Pairs:
    order = np.lexsort((rows, hashes))
    hashes, rows = hashes[order], rows[order]
    starts = np.flatnonzero(np.r_[True, hashes[1:] != hashes[:-1]])
    ends = np.r_[starts[1:], len(hashes)] if len(hashes) else starts
    # Each pair is one number until all are known: duplicates are then found by one sort.
    top = len(names)
    found: list[NDArray[np.int64]] = []
    sizes = ends - starts
    # All blocks of one size at once.
    for size in np.unique(sizes[(sizes > 1) & (sizes <= _MOST_IN_BLOCK)]).tolist():
        blocks = rows[starts[sizes == size][:, None] + np.arange(size)]
        left, right = np.triu_indices(size, 1)
        found.append(_pack(blocks[:, left].ravel(), blocks[:, right].ravel(), top))
    for start, end in zip(
        starts[sizes > _MOST_IN_BLOCK], ends[sizes > _MOST_IN_BLOCK], strict=True
    ):
        block = np.array(sorted(rows[start:end].tolist(), key=lambda row: names[row]), np.int64)
        steps = range(1, _NEIGHBOURS + 1)
        found += [_pack(block[:-step], block[step:], top) for step in steps]
    every = np.concatenate(found) if found else np.zeros(0, np.int64)
    found.clear()
    every.sort()
    every = every[np.r_[True, every[1:] != every[:-1]]] if len(every) else every
    pairs = np.empty((len(every), 2), np.int32)
    pairs[:, 0], pairs[:, 1] = every // max(1, top), every % max(1, top)
    return pairs


def _pack(left: NDArray[np.int64], right: NDArray[np.int64], top: int) -> NDArray[np.int64]:
    """Pairs of different rows as one number each, distinct and ascending."""
    packed = np.minimum(left, right) * top + np.maximum(left, right)
    return np.unique(packed[left != right])


def link_rows(rows: Iterable[TypedRow], fields: Sequence[SchemaField]) -> Linkage:
    """Link all rows of a table."""
    linker = RecordLinker(fields)
    for row in rows:
        linker.add(row)
    return linker.link()
