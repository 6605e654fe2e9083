"""Sources that invent records: when a harvest doubts its source, and how it makes sure. No I/O.

A source that makes up records never runs out of them. Two things tell it from a large honest one: a
record it showed cannot be found by its own title, and words that nobody ever wrote find as much as
any. A harvest asks for both only when it has cause: hundreds of records and hardly one seen twice,
or answers that hold more than the source says. An honest source is asked a handful of requests
more, at most.
"""

import random
from collections.abc import Iterable, Sequence

from msgspec import Struct

from leadline.core.harvest import NOTHING, Answer, Record

SUSPECTED = "suspected"
"""Stop reasons of harvests whose source seems to invent its records begin so."""
_FIRST_DOUBT = 300
"""Records held before their never being seen twice means something; doubled after each
examination that found nothing wrong."""
_SEEN_TWICE = 0.005
"""Share of sightings that are repeats, below which that is so. Overlapping answers of sources with
tens of thousands of records repeat several in a hundred."""
_TITLES, _NONSENSE = 5, 2
"""Queries of an examination, at most."""
_LEAST_ANSWERED = 3
"""Titles that must be answered with records before anything is concluded."""
_EXAMINATIONS = 4
"""After so many that found nothing wrong a source is trusted."""
_KEPT_TITLES = 60
_MOST_KEYS = 200_000
_EXCEEDED, _EXCEEDED_BY = 3, 1.5
"""Answers that held so many times the matches printed, before that is a cause for doubt."""
_LETTERS = "bcdfghjklmnpqrstvwxz"


class ControlAnswer(Struct, frozen=True):
    """What came to a query that was asked to learn about the source, not for its records."""

    key: str
    """Of the record whose title was typed; '' for nonsense."""
    answer: Answer


class Suspicion:
    """Takes in every page of results and, during an examination, every control answer.

    States: trusting; in doubt (`is_due`); sure (`verdict` says why), which it stays.
    """

    def __init__(self) -> None:
        self.verdict = ""
        self._keys: set[int] = set()
        self._titles: dict[str, str] = {}
        self._next_doubt = _FIRST_DOUBT
        self._examinations = 0
        self._exceeded = 0

    def note_records(self, records: Iterable[Record]) -> None:
        """Takes in the records of a page."""
        for record in records:
            if len(self._keys) < _MOST_KEYS:
                self._keys.add(hash(record.key))
            words = record.title.split()
            if 2 <= len(words) <= 12:
                # The latest ones, moved to the end: what was shown just now must be there still.
                self._titles.pop(record.key, None)
                self._titles[record.key] = " ".join(words)
        while len(self._titles) > _KEPT_TITLES:
            del self._titles[next(iter(self._titles))]

    def note_answer(self, returned: int, total: int | None, *, is_exact: bool) -> None:
        """Takes in how an answer ended."""
        is_more = is_exact and total is not None and returned > _EXCEEDED_BY * total + 1
        self._exceeded += is_more

    def is_due(self, records: int, sightings: int) -> bool:
        """Whether there is cause to examine the source now."""
        if self.verdict or self._examinations >= _EXAMINATIONS or len(self._keys) >= _MOST_KEYS:
            return False
        if self._exceeded >= _EXCEEDED:
            return True
        is_never_twice = sightings - records <= _SEEN_TWICE * sightings
        return records >= self._next_doubt and is_never_twice

    def make_controls(self, records: int) -> list[tuple[str, str]]:
        """What to type: nonsense, and titles of records shown lately with the keys of these.
        `records` are held."""
        self._next_doubt = max(2 * records, _FIRST_DOUBT)
        self._examinations += 1
        self._exceeded = 0
        draw = random.Random(records)
        nonsense = ["".join(draw.choices(_LETTERS, k=11)) for _ in range(_NONSENSE)]
        titles = list(self._titles.items())[:: max(1, len(self._titles) // _TITLES)][:_TITLES]
        return [*((word, "") for word in nonsense), *((text, key) for key, text in titles)]

    def judge(self, controls: Sequence[ControlAnswer]) -> str:
        """The verdict after an examination; '' if the source may be honest."""
        nonsense = [control.answer for control in controls if not control.key]
        shown = [{record.key for record in answer.records} for answer in nonsense]
        is_nonsense_found = len(nonsense) == _NONSENSE and all(
            answer.kind != NOTHING and answer.records and not self._is_any_held(answer)
            for answer in nonsense
        )
        # A search that shows the nearest records, whatever is typed, shows some of them twice.
        if not is_nonsense_found or set.intersection(*shown):
            return ""
        titles = [control for control in controls if control.key and control.answer.records]
        is_found = any(self._is_any_held(control.answer) for control in titles)
        if is_found or len(titles) < _LEAST_ANSWERED:
            return ""
        self.verdict = (
            f"{SUSPECTED}: the source seems to invent its records; words that do not exist find "
            f"{min(map(len, shown))} records and more, and none of {len(titles)} records is "
            "found by its own title"
        )
        return self.verdict

    def _is_any_held(self, answer: Answer) -> bool:
        return any(hash(record.key) in self._keys for record in answer.records)
