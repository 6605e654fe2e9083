"""The forms of a store in memory: a narrow row each, and the indexes by which they are found."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.core.change_feed import ChangeFeed, FormEntry
from leadline.core.page import Form
from leadline.forms.signature import control_names, target_site
from leadline.views.forms import LEAST_SIGNATURE, FormRow, field_meanings, form_row, own_words
from leadline.views.mirror.crawl import NumberColumn, WordCodes

BATCH = 1_000
"""Forms read at a time: some are a hundred kilobytes."""
STUDIED = 25
"""Forms whose fields are interpreted in one go: ten milliseconds."""
_SEARCHED_CHARS = 800
"""How much of a form's text can be searched for."""
_MOST_ROWS = 2_000
_NAMES = 40
"""Controls of a form by which similar ones are found, at most."""


class FormLine(Struct, frozen=True):
    """What the directory needs of a form to filter and sort it."""

    mark: int
    signature: str
    site: int
    visit: int
    at: float
    score: float
    searchable: float
    what: str
    page: str
    language: str
    words: str
    """In lower case, for searching."""


class FormTable:
    """All forms so far, in order of first appearance."""

    def __init__(self) -> None:
        self.mark = 0
        self.lines: list[FormLine] = []
        self.scores = NumberColumn("f8")
        self.searchable = NumberColumn("f8")
        self.sites = NumberColumn("i4")
        self.ats = NumberColumn("f8")
        self.visits = NumberColumn("i8")
        self.languages = WordCodes()
        self.language_codes = NumberColumn("i2")
        self.topics = WordCodes()
        self.topic_codes = NumberColumn("i2")
        self.by_signature: dict[str, int] = {}
        self.meanings: list[tuple[str, ...]] = []
        """What the fields of each studied form ask for; forms are studied in order."""
        self.rows: dict[int, FormRow] = {}
        """Some that were shown lately, by number: interpreting a form takes 0.2 ms."""
        self._by_target: dict[str, list[int]] = defaultdict(list)
        self._by_name: dict[str, list[int]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self.lines)

    def catch_up(self, feed: ChangeFeed) -> None:
        while found := feed.forms(self.mark, BATCH):
            self._append(found)

    def study(self, feed: ChangeFeed, most: int = STUDIED) -> int:
        """Interprets the fields of the next forms; returns how many forms are left.

        This takes 0.2 ms a form, too long to do it for all of them before anything is shown.
        """
        done = len(self.meanings)
        marks = [line.mark for line in self.lines[done : done + most]]
        entries = feed.forms_numbered(marks)
        self.meanings += [field_meanings(entry.form.judged.form) for entry in entries]
        return len(self.lines) - len(self.meanings)

    def row(self, at: int, entry: FormEntry) -> FormRow:
        """The row of the form of that number, as `entry` has it now."""
        known = self.rows.get(at)
        if known is None:
            # Readers page through a list: what was shown long ago is rarely asked for again.
            if len(self.rows) >= _MOST_ROWS:
                self.rows.clear()
            known = self.rows[at] = form_row(entry.form, entry)
        return structs.replace(known, sightings=entry.form.sightings)

    def find(self, signature: str) -> int | None:
        """The first form whose signature begins so; quick for a whole signature."""
        if signature in self.by_signature:
            return self.by_signature[signature]
        if len(signature) < LEAST_SIGNATURE:
            return None
        found = (at for name, at in self.by_signature.items() if name.startswith(signature))
        return next(found, None)

    def find_by_visit(self, visit: int) -> list[int]:
        found: list[int] = np.flatnonzero(self.visits.cells == visit).tolist()
        return found

    def find_by_site(self, site: int) -> list[int]:
        found: list[int] = np.flatnonzero(self.sites.cells == site).tolist()
        return found

    def find_same_target(self, form: Form, most: int) -> list[int]:
        """The first forms that are sent to the same site."""
        return self._by_target.get(target_site(form), [])[:most]

    def find_similar(self, form: Form, most: int) -> list[int]:
        """Forms that may be like one: sent to the same site, or with the rarest of its controls."""
        found: dict[int, None] = dict.fromkeys(self.find_same_target(form, most // 2))
        held = [self._by_name[name] for name in _control_names(form) if name in self._by_name]
        # Rare names tell more: `isbn` is in few forms, `q` in half of them.
        for having in sorted(held, key=len):
            found.update(dict.fromkeys(having[: most - len(found)]))
            if len(found) >= most:
                break
        return list(found)

    def search(self, words: Sequence[str], at: NDArray[np.int64]) -> Iterator[int]:
        """Those among `at` that contain all the words, also as parts of words."""
        lines = self.lines
        for number in at.tolist():
            text = lines[number].words
            if all(word in text for word in words):
                yield number

    def _append(self, found: list[FormEntry]) -> None:
        self.mark = found[-1].mark
        self.scores.extend([entry.form.judged.relevant for entry in found])
        self.searchable.extend([entry.form.judged.searchable for entry in found])
        self.sites.extend([entry.site for entry in found])
        self.ats.extend([entry.form.at for entry in found])
        self.visits.extend([entry.form.visit for entry in found])
        self.language_codes.extend([self.languages[entry.language] for entry in found])
        self.topic_codes.extend([self.topics[entry.form.topic] for entry in found])
        for entry in found:
            at, form = len(self.lines), entry.form.judged.form
            self.by_signature[entry.form.judged.signature] = at
            self._by_target[target_site(form)].append(at)
            for name in _control_names(form):
                self._by_name[name].append(at)
            self.lines.append(_make_line(entry))


def _control_names(form: Form) -> list[str]:
    return sorted(control_names(form))[:_NAMES]


def _make_line(entry: FormEntry) -> FormLine:
    stored, judged = entry.form, entry.form.judged
    form = judged.form
    labels = " ".join(f"{field.label} {field.name}" for field in form.fields[:_NAMES])
    words = f"{stored.site} {entry.title} {form.page} {form.text} {labels}"
    return FormLine(
        *(entry.mark, judged.signature, entry.site, stored.visit, stored.at),
        *(judged.relevant, judged.searchable),
        entry.title or own_words(form),
        form.page,
        entry.language,
        words[:_SEARCHED_CHARS].lower(),
    )
