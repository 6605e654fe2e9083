"""HIFI: whether a form is searchable, by its structure; then whose domain it is, by its words.

Barbosa and Freire, "Combining classifiers to identify online databases" (WWW 2007). The second
stage sees only what the first lets pass. Departures: both stages give chances instead of yes and
no, and where the form says little the page around it is heard as well.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from leadline.core.page import Form
from leadline.forms.searchable import Reason, Searchable
from leadline.page.words import PageWords, WordIds

LET_PASS = 0.1
"""Chance of being searchable below which the words are not read: no domain makes up for it."""
_LIKELY = 0.5
_WORDS = 3
"""Named in one line."""


class FormTopic(Protocol):
    """The second stage: knows by its words what a form searches."""

    @property
    def name(self) -> str: ...

    def of_form(self, ids: WordIds, page_chance: float | None) -> float:
        """Chance that a search form of these words, on such a page, is of the topic."""
        ...

    def form_reasons(self, ids: WordIds) -> list[Reason]:
        """The words that say most for (above 0) and against it, the strongest first."""
        ...


class Verdict(Struct, frozen=True):
    """What HIFI says of a form."""

    searchable: float
    """Chance that it opens onto a database."""
    of_domain: float
    """Chance that the database is one of the domain, if there is one; 0 where nobody looked."""
    why: str

    @property
    def chance(self) -> float:
        """That it opens onto a database of the domain."""
        return self.searchable * self.of_domain


class Hifi:
    """Both stages, one after the other. Picklable, without memory."""

    def __init__(self, searchable: Searchable, topic: FormTopic) -> None:
        self._searchable = searchable
        self._topic = topic

    def judge(
        self, forms: Sequence[Form], words: PageWords, page_chance: float | None = None
    ) -> list[Verdict]:
        """One verdict per form of the page of these words, in its order.

        `page_chance` is that of the page being about the topic; without it the words of the
        forms decide alone.
        """
        first = self._searchable.judge_all(forms)
        return [
            self._look(number, chance, why, words, page_chance)
            for number, (chance, why) in enumerate(first)
        ]

    def _look(
        self, number: int, searchable: float, why: str, words: PageWords, page: float | None
    ) -> Verdict:
        if searchable < LET_PASS:
            return Verdict(searchable, 0.0, why)
        ids = words.form(number)
        chance = self._topic.of_form(ids, page)
        name, is_likely = self._topic.name, chance >= _LIKELY
        said = [word for word, by in self._topic.form_reasons(ids) if (by > 0) == is_likely]
        return Verdict(searchable, chance, f"{why}; {_spoken(name, said, is_likely=is_likely)}")


def _spoken(name: str, said: Sequence[str], *, is_likely: bool) -> str:
    words = ", ".join(said[:_WORDS])
    if is_likely:
        return f"{name}: {words or 'by its page'}"
    return f"not {name}: {words or 'it says nothing'}"
