"""The directory in memory: a narrow row for each form, and what is searched by."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.catalogue import Catalogue, FormEntry
from leadline.core.page import Form
from leadline.forms.signature import control_names, target_site
from leadline.ui.rows import field_rows, own_words
from leadline.ui.web.seen.column import Codes, Column

BATCH = 1_000
"""Forms read at a time: some are a hundred kilobytes."""
STUDIED = 25
"""Forms whose fields are looked at in one go: ten milliseconds."""
_WORDS_CHARS = 800
"""Of a form's own words, what can be searched for."""
_NAMES = 40
"""Of a form's controls, those by which similar ones are found."""


class FormLine(Struct, frozen=True):
    """What the directory shows of a form, but for what changes."""

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


class Forms:
    """All forms so far, in order of first sight."""

    def __init__(self) -> None:
        self.mark = 0
        self.lines: list[FormLine] = []
        self.scores = Column("f8")
        self.searchable = Column("f8")
        self.sites = Column("i4")
        self.ats = Column("f8")
        self.visits = Column("i8")
        self.languages = Codes()
        self.language_codes = Column("i2")
        self.by_signature: dict[str, int] = {}
        self.meanings: list[tuple[str, ...]] = []
        """Of the fields of each form that was studied; the first ones are."""
        self._by_target: dict[str, list[int]] = defaultdict(list)
        self._by_name: dict[str, list[int]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def unstudied(self) -> int:
        return len(self.lines) - len(self.meanings)

    def catch_up(self, catalogue: Catalogue) -> None:
        while found := catalogue.forms(self.mark, BATCH):
            self._take(found)

    def study(self, catalogue: Catalogue, most: int = STUDIED) -> int:
        """Find out what the fields of the next forms ask for; how many forms are left.

        Takes 0.2 ms a form, too long for all of them before anything is shown.
        """
        done = len(self.meanings)
        marks = [line.mark for line in self.lines[done : done + most]]
        entries = catalogue.forms_numbered(marks)
        self.meanings += [meanings_of(entry.form.judged.form) for entry in entries]
        return self.unstudied

    def with_beginning(self, signature: str) -> int | None:
        """The first form whose signature begins so; quick for a whole one."""
        if signature in self.by_signature:
            return self.by_signature[signature]
        found = (at for name, at in self.by_signature.items() if name.startswith(signature))
        return next(found, None)

    def of_visit(self, visit: int) -> list[int]:
        found: list[int] = np.flatnonzero(self.visits.cells == visit).tolist()
        return found

    def of_site(self, site: int) -> list[int]:
        found: list[int] = np.flatnonzero(self.sites.cells == site).tolist()
        return found

    def sent_alike(self, form: Form, most: int) -> list[int]:
        """The first forms that are sent to the same site."""
        return self._by_target.get(target_site(form), [])[:most]

    def kindred(self, form: Form, most: int) -> list[int]:
        """Forms that may be like one: sent to the same site, or with the rarest of its controls."""
        found: dict[int, None] = dict.fromkeys(self.sent_alike(form, most // 2))
        held = [self._by_name[name] for name in _names(form) if name in self._by_name]
        for having in sorted(held, key=len):
            found.update(dict.fromkeys(having[: most - len(found)]))
            if len(found) >= most:
                break
        return list(found)

    def containing(self, words: Sequence[str], at: NDArray[np.int64]) -> Iterator[int]:
        """Those among `at` in which all the words stand, parts of words too."""
        lines = self.lines
        for number in at.tolist():
            text = lines[number].words
            if all(word in text for word in words):
                yield number

    def _take(self, found: list[FormEntry]) -> None:
        self.mark = found[-1].mark
        self.scores.extend([entry.form.judged.relevant for entry in found])
        self.searchable.extend([entry.form.judged.searchable for entry in found])
        self.sites.extend([entry.site for entry in found])
        self.ats.extend([entry.form.at for entry in found])
        self.visits.extend([entry.form.visit for entry in found])
        self.language_codes.extend([self.languages[entry.language] for entry in found])
        for entry in found:
            self._index(entry, len(self.lines))
            self.lines.append(_line(entry))

    def _index(self, entry: FormEntry, at: int) -> None:
        form = entry.form.judged.form
        self.by_signature[entry.form.judged.signature] = at
        self._by_target[target_site(form)].append(at)
        for name in _names(form):
            self._by_name[name].append(at)


def meanings_of(form: Form) -> tuple[str, ...]:
    """What its fields ask for, each once, in their order."""
    return tuple(dict.fromkeys(field.meaning for field in field_rows(form) if field.meaning))


def _names(form: Form) -> list[str]:
    return sorted(control_names(form))[:_NAMES]


def _line(entry: FormEntry) -> FormLine:
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
        words[:_WORDS_CHARS].lower(),
    )
