"""A topic that labels have corrected: another topic's judge, and what was learned on top of it."""

from collections.abc import Mapping

from leadline.forms.corrected import corrected_judge
from leadline.forms.joining import shifted
from leadline.forms.searchable import Reason, Searchable
from leadline.learn.correction import Correction
from leadline.page.words import PageWords, WordIds
from leadline.topics.bayes import page_ids
from leadline.topics.cases import Case, Corrections, word_traits
from leadline.topics.critic import Topic


class CorrectedTopic:
    """Judges like `base`, except where people said otherwise of something like it. Picklable."""

    def __init__(
        self,
        base: Topic,
        learned: Corrections,
        spelled: Mapping[int, str],
        cases: tuple[Case, ...] = (),
    ) -> None:
        self.base = base
        self.learned = learned
        self.spelled = spelled
        """The words that labels made count, by their ids."""
        self.cases = cases
        """What taught it."""

    @property
    def name(self) -> str:
        return self.base.name

    def relevance(self, words: PageWords) -> float:
        added = self.learned.page.of(word_traits(page_ids(words)))
        return shifted(self.base.relevance(words), added)

    def of_form(self, ids: WordIds, page_chance: float | None) -> float:
        added = self.learned.form.of(word_traits(ids))
        return shifted(self.base.of_form(ids, page_chance), added)

    def page_reasons(self, words: PageWords, most: int = 8) -> list[Reason]:
        told = self._told(self.learned.page, page_ids(words))
        return _strongest([*self.base.page_reasons(words, most), *told])[:most]

    def form_reasons(self, ids: WordIds, most: int = 5) -> list[Reason]:
        told = self._told(self.learned.form, ids)
        return _strongest([*self.base.form_reasons(ids), *told])[:most]

    def searchable(self, judge: Searchable) -> Searchable:
        """The judge of searchable forms, corrected as well."""
        return corrected_judge(judge, self.learned.searchable)

    def _told(self, correction: Correction, ids: WordIds) -> list[Reason]:
        parts = correction.parts(word_traits(ids))
        return [(self.spelled.get(number, "?"), part) for number, part in parts]


def _strongest(reasons: list[Reason]) -> list[Reason]:
    """A word of which both the judge and labels speak has the sum of both."""
    sums: dict[str, float] = {}
    for word, weight in reasons:
        sums[word] = sums.get(word, 0.0) + weight
    return sorted(sums.items(), key=lambda reason: (-abs(reason[1]), reason[0]))
