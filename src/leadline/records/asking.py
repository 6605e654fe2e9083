"""Answers to a question as one typed table: `ask_store` is `leadline ask`, wherever it is called.

The databases are asked by `crawler.asking`. What they answer becomes a table as harvests do:
columns are matched to the topic's schema, with what harvests of the same source taught; values are
typed; records that contradict a condition which their source could not be asked are left out; and
those that are one thing are one row, with where it comes from.
"""

import time
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Protocol

from msgspec import Struct, to_builtins

from leadline.config import Config
from leadline.config.runs import open_to_read
from leadline.core.harvest import Query, ResultPage, StoredQuery
from leadline.core.store import StoreView
from leadline.core.table import Column, TopicSchema, TypedRow
from leadline.crawler.asking import AskLimits, SourceAnswer, ask_databases
from leadline.harvester.question import (
    DatabaseQuestion,
    is_said_in,
    judge_condition,
    read_question,
)
from leadline.harvester.question_translation import PlacedCondition
from leadline.records.dataset import DataColumn, Origin, link_table
from leadline.records.match_evidence import ColumnSample
from leadline.records.matching import induce_fields, make_columns, match_columns
from leadline.records.table import TopicTable, build_table, find_lists, sample_columns
from leadline.store import IN_MEMORY, open_store

_DEFAULTS = AskLimits()


class AskedSource(Struct, frozen=True):
    """How a question was put to one source, and what came of it."""

    site: str
    form: str
    page: str
    """That the form stands on."""
    outcome: str
    """`results`, `record`, `nothing`, `refused`, `blocked`, `unclear`, `not asked` or `failed`."""
    url: str = ""
    """Of the answer."""
    placed: tuple[PlacedCondition, ...] = ()
    """Which control got what."""
    checked: tuple[str, ...] = ()
    """Conditions that the form was not asked, or only roughly, and that its records were checked
    for."""
    unchecked: tuple[str, ...] = ()
    """Of these, the ones that no record of the answer tells: all were kept."""
    notes: tuple[str, ...] = ()
    """What stands against asking the rest."""
    records: int = 0
    dropped: int = 0
    """Records that contradict the question, left out of the table."""
    total: int | None = None
    """Matches as the source prints them."""
    is_cut: bool = False
    """The source has more than was fetched."""
    requests: int = 0
    seconds: float = 0.0
    why: str = ""


class AnswerTable(Struct, frozen=True):
    """What all sources say to a question."""

    question: str
    topic: str
    columns: tuple[DataColumn, ...]
    things: tuple[Mapping[str, Any], ...]
    """One a thing, the cells by the names of the columns; `id`, `sources` and `conflicts` besides.
    """
    origins: tuple[Origin, ...]
    """One a record that tells of a thing."""
    sources: tuple[AskedSource, ...]

    def to_builtins(self) -> dict[str, Any]:
        """As JSON has it: each thing with its origins."""
        origins: dict[int, list[object]] = {}
        for origin in self.origins:
            origins.setdefault(origin.thing, []).append(to_builtins(origin))
        plain: dict[str, Any] = to_builtins(self)
        del plain["origins"]
        for thing in plain["things"]:
            thing["origins"] = origins.get(thing["id"], [])
        return plain

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.things)

    def __len__(self) -> int:
        return len(self.things)


class Asker(Protocol):
    """Puts questions to the databases of the store in the settings, as `ask_store` does."""

    def __call__(
        self,
        config: Config,
        texts: Iterable[str],
        fields: Mapping[str, object] | None,
        limits: AskLimits,
    ) -> Coroutine[Any, Any, AnswerTable]: ...


async def ask_store(
    config: Config,
    texts: Iterable[str],
    fields: Mapping[str, object] | None = None,
    limits: AskLimits = _DEFAULTS,
) -> AnswerTable:
    """Asks all databases of the store in the settings, and makes one table of the answers.

    Raises ConfigError for a question that cannot be read and a store without databases, StoreError
    for a store that cannot be opened.
    """
    topic = config.topic.name
    with open_to_read(config.store.path) as store:
        stored = build_table(store, topic)
    question = read_question(texts, stored.schema, fields)
    answers = await ask_databases(config, question, stored.schema, limits)
    return make_answer_table(question, topic, answers, stored.schema, stored.columns, time.time())


def make_answer_table(
    question: DatabaseQuestion,
    topic: str,
    answers: Sequence[SourceAnswer],
    schema: TopicSchema,
    known: Sequence[Column] = (),
    at: float = 0.0,
) -> AnswerTable:
    """The table of these answers, which came `at` that time; `known` are columns that harvests of
    the sources have."""
    store = hold_answers(answers, at)
    harvests = list(store.harvests.all())
    samples = [one for harvest in harvests for one in sample_columns(store, harvest, schema)]
    complete, columns = _match_columns(samples, schema, known)
    complete, separators = find_lists(samples, columns, complete, schema)
    by_form = {answer.source.signature: answer for answer in answers}
    check = _AnswerCheck(question, by_form)
    shown = TopicTable(store, complete, columns, harvests, separators)
    table = _CheckedTable(store, shown, check)
    dataset = link_table(table, topic)
    return AnswerTable(
        question.shown,
        topic,
        dataset.columns,
        tuple(to_builtins(thing) for thing in dataset.things()),
        tuple(dataset.origins()),
        tuple(check.describe(answer) for answer in answers),
    )


def hold_answers(answers: Iterable[SourceAnswer], at: float) -> StoreView:
    """A store in memory, with a harvest for each answer that has records."""
    store = open_store(IN_MEMORY)
    for answer in answers:
        if not answer.records:
            continue
        head = store.harvests.begin(answer.source, at)
        store.harvests.begin_query(head.id, StoredQuery(1, Query(answer.translation.values), at))
        page = ResultPage(1, 1, at, answer.outcome, answer.url)
        store.harvests.add_page(head.id, page, answer.records)
    return store


def _match_columns(
    samples: Sequence[ColumnSample], schema: TopicSchema, known: Sequence[Column]
) -> tuple[TopicSchema, tuple[Column, ...]]:
    """The columns of the answers: those that harvests know, and others by what the answers show."""
    kept = {(column.source, column.place): column for column in known}
    named = {(column.source, column.name) for column in known if column.name}
    samples = [
        sample
        for _, shown in groupby(samples, key=lambda one: one.source)
        for sample in _drop_repeats(list(shown))
        if (sample.source, sample.place) not in kept
    ]
    complete = induce_fields(samples, schema)
    found = make_columns(samples, match_columns(samples, complete.fields))
    further = (one for one in found if (one.source, one.name) not in named)
    return complete, (*known, *further)


def _drop_repeats(samples: Iterable[ColumnSample]) -> Iterator[ColumnSample]:
    """Without columns that only repeat an earlier one, such as the link around a title: of a few
    records nothing else tells that these are no persons or places."""
    seen: dict[tuple[str, ...], bool] = {}
    for sample in samples:
        is_named = any(label[:1] not in "@." for label in sample.labels)
        # What has a name of its own is kept, unless it repeats the name of the records.
        if sample.texts not in seen or (is_named and not seen[sample.texts]):
            yield sample
        seen.setdefault(sample.texts, sample.is_name)


class _AnswerCheck:
    """Which records contradict the question, and what was seen of that."""

    def __init__(self, question: DatabaseQuestion, answers: Mapping[str, SourceAnswer]) -> None:
        self._words = question.words
        self._answers = answers
        self._dropped: dict[str, set[int]] = {}
        self._told: dict[str, set[str]] = {}

    def keeps(self, row: TypedRow) -> bool:
        """Whether nothing in a record contradicts what its source could not be asked."""
        answer = self._answers[row.source]
        is_kept = not answer.is_broader or self._has_words(row)
        for condition in answer.translation.checked:
            names = (condition.field, *condition.also)
            values = next((row.values[name] for name in names if row.values.get(name)), ())
            judged = judge_condition(condition, values)
            if judged is not None:
                self._told.setdefault(row.source, set()).add(condition.shown)
            is_kept &= judged is not False
        if not is_kept:
            self._dropped.setdefault(row.source, set()).add(row.number)
        return is_kept

    def _has_words(self, row: TypedRow) -> bool:
        texts = (
            value.raw for found in (*row.values.values(), *row.rest.values()) for value in found
        )
        return not self._words or is_said_in(self._words, " ".join(texts))

    def describe(self, answer: SourceAnswer) -> AskedSource:
        source, told = answer.source, answer.translation
        seen = self._told.get(source.signature, set())
        checked = [condition.shown for condition in told.checked] if answer.records else []
        return AskedSource(
            *(source.site, source.signature, source.form.page, answer.outcome, answer.url),
            placed=told.placed,
            checked=tuple(one for one in checked if one in seen),
            unchecked=tuple(one for one in checked if one not in seen),
            notes=told.why,
            records=len(answer.records),
            dropped=len(self._dropped.get(source.signature, ())),
            total=answer.total,
            is_cut=answer.is_cut,
            requests=answer.requests,
            seconds=answer.seconds,
            why=answer.why,
        )


class _CheckedTable(TopicTable):
    """The rows that pass a check."""

    def __init__(self, store: StoreView, table: TopicTable, check: _AnswerCheck) -> None:
        super().__init__(store, table.schema, table.columns, table.harvests, table.separators)
        self._check = check

    def rows(self) -> Iterator[TypedRow]:
        return (row for row in super().rows() if self._check.keeps(row))
