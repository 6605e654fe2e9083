"""Which records of a source answer a query."""

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from leadline_lab.databases.column import CodeColumn, Column, Mask, Rows
from leadline_lab.databases.kinds import Source, indexed
from leadline_lab.databases.lexicon import Lexicon
from leadline_lab.databases.query import EVERYWHERE, Query
from leadline_lab.databases.values import codes_numbers, entries_of

_KEPT_ANSWERS = 8
"""Pages of one answer are asked for one after another."""


class Index:
    """All records of a source, made column by column when a query first needs the column."""

    def __init__(self, source: Source, lexicon: Lexicon) -> None:
        self.source = source
        self.lexicon = lexicon
        self.indexed = indexed(source)
        self._columns: dict[str, Column | CodeColumn] = {}
        self._answers: OrderedDict[Query, Rows] = OrderedDict()

    def column(self, name: str) -> Column | CodeColumn:
        if name not in self._columns:
            self._columns[name] = self._made(name)
        return self._columns[name]

    def matches(self, query: Query) -> Rows:
        """Numbers of the records that fulfil every condition, rising: the static ranking."""
        if query not in self._answers:
            self._answers[query] = np.flatnonzero(self._mask(query)).astype(np.int32)
        self._answers.move_to_end(query)
        if len(self._answers) > _KEPT_ANSWERS:
            self._answers.popitem(last=False)
        return self._answers[query]

    def searched(self, target: str) -> list[Column | CodeColumn]:
        """The columns that a condition on words looks into."""
        return [self.column(name) for name in (self.indexed if target == EVERYWHERE else (target,))]

    def holding(self, target: str, word: str) -> Mask:
        """Records that hold a word where a condition looks for it."""
        found = np.zeros(self.source.size, np.bool_)
        for column in self.searched(target):
            found[column.occurrences(word)] = True
        return found

    def _made(self, name: str) -> Column | CodeColumn:
        attribute = self.source.schema.attribute(name)
        if attribute.kind == "code":
            every = np.arange(self.source.size, dtype=np.int64)
            return CodeColumn(name, codes_numbers(self.source, attribute, every))
        return Column(entries_of(self.source, attribute, self.lexicon), self.source.size)

    def _mask(self, query: Query) -> Mask:
        found = np.ones(self.source.size, np.bool_)
        for target, words in query.words:
            found &= self._with_words(target, words)
        for name, value in query.equals:
            found &= self._equal(name, value)
        for name, low, high in query.ranges:
            column = self.column(name)
            found &= isinstance(column, Column) and column.between(low, high)
        return found

    def _with_words(self, target: str, words: Sequence[str]) -> Mask:
        behaviour = self.source.behaviour
        told = [word for word in words if word not in behaviour.stop_words]
        found = np.zeros(self.source.size, np.bool_)
        if not told:
            return found
        if behaviour.semantics in ("and", "or"):
            masks = [self.holding(target, word) for word in dict.fromkeys(told)]
            join = np.logical_and if behaviour.semantics == "and" else np.logical_or
            joined: Mask = join.reduce(masks)
            return joined
        for column in self.searched(target):
            found |= column.holding(words, behaviour.semantics == "substring")
        return found

    def _equal(self, name: str, value: str) -> Mask:
        column = self.column(name)
        if isinstance(column, CodeColumn):
            return column.holding(("".join(filter(str.isalnum, value)),))
        code = column.code_of(value)
        if not code:
            return np.zeros(self.source.size, np.bool_)
        found: Mask = (column.codes == code).any(axis=1)
        return found


class Indexes:
    """Indexes in use, those asked for last; together they hold at most `max_records` records,
    or one source that is larger."""

    def __init__(self, max_records: int = 2_000_000) -> None:
        self._max_records = max_records
        self._held: OrderedDict[tuple[object, ...], Index] = OrderedDict()

    def of(self, source: Source, lexicon: Lexicon) -> Index:
        key = source.key, source.size, source.schema.domain, source.behaviour, id(lexicon)
        if key not in self._held:
            self._held[key] = Index(source, lexicon)
        self._held.move_to_end(key)
        while self.records > self._max_records and len(self._held) > 1:
            self._held.popitem(last=False)
        return self._held[key]

    @property
    def records(self) -> int:
        return sum(index.source.size for index in self._held.values())
