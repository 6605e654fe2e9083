"""What labels change: scores of forms and pages of a store, before and after learning from them.

Pure and quick: learning from 200 labels takes some 50 ms, a form's score 0.1 ms. Whoever reads the
store makes a `FormSeen` of each form and a `PageSeen` of each page.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from leadline.core.crawl import Candidate, StoredForm, Visit
from leadline.core.desk import FORM, NONE, PAGE, RIGHT, Label
from leadline.core.page import Form
from leadline.core.url import Url, host_of, registered_domain, site_of
from leadline.forms.corrected import columns_of
from leadline.forms.joining import log_odds, shifted
from leadline.forms.searchable import Reason, Searchable, searchable_judge
from leadline.learn.folds import grouped_folds
from leadline.page.words import (
    WordIds,
    Words,
    form_text,
    form_vocabulary,
    form_words,
    split_words,
    vocabulary,
)
from leadline.topics.bayes import TITLE_TIMES
from leadline.topics.cases import Case, Corrections, joined_cases, learn_cases, word_traits
from leadline.topics.corrected import CorrectedTopic
from leadline.topics.critic import Topic

_FOLDS = 10
_PAIR = 2
"""Sites that it takes to have others."""


class FormSeen(Struct, frozen=True):
    """A form as a store keeps it, with what is known of the page that it was met on."""

    form: Form
    subject: str
    """Its signature."""
    score: float
    """What the critic of the crawl said: the score before."""
    page_chance: float
    """Of its page being about the topic."""
    language: str = ""

    @staticmethod
    def of(stored: StoredForm, visit: Visit | None) -> "FormSeen":
        """`visit` is the one that first met it."""
        judged = stored.judged
        chance, language = (visit.relevance, visit.language) if visit else (0.5, "")
        return FormSeen(judged.form, judged.signature, judged.relevant, chance, language)


class PageSeen(Struct, frozen=True, eq=False):
    """A page as a store keeps it: by its title and the link to it; or by all its words."""

    subject: str
    """Its URL."""
    score: float
    words: WordIds
    """Those it is judged by, as far as they are known."""
    spelled: dict[int, str] = {}

    @staticmethod
    def of(visit: Visit, candidate: Candidate | None) -> "PageSeen":
        """Without its text, which a store does not keep."""
        link = f"{candidate.anchor} {candidate.around}" if candidate else ""
        texts = [*[visit.title] * TITLE_TIMES, link]
        words = Words(texts, vocabulary(visit.language)).ids
        return PageSeen(visit.url, visit.relevance, words, _spelled(texts, visit.language))


Labelled = tuple[Label, FormSeen | PageSeen]


class Relabelled:
    """The critic after learning from labels. Picklable, without memory."""

    def __init__(self, topic: CorrectedTopic, judge: Searchable) -> None:
        self.topic = topic
        self._searchable = topic.searchable(judge)

    @staticmethod
    def untaught(base: Topic, judge: Searchable) -> "Relabelled":
        """The critic as it is without any label."""
        return Relabelled(CorrectedTopic(base, Corrections(), {}), judge)

    def form(self, seen: FormSeen) -> float:
        """The form's score now: that it is searchable and about the topic."""
        of_topic = self.topic.of_form(form_words(seen.form, seen.language), seen.page_chance)
        return self._searchable.chance(seen.form) * of_topic

    def page(self, seen: PageSeen) -> float:
        """The page's relevance now, as far as its known words tell."""
        return shifted(seen.score, self.topic.learned.page.of(word_traits(seen.words)))

    def reasons(self, seen: FormSeen) -> list[Reason]:
        """The words of a form that count now, strongest first."""
        return self.topic.form_reasons(form_words(seen.form, seen.language))


def relabelled(
    topic: Topic, labels: Iterable[Labelled], judge: Searchable | None = None
) -> Relabelled:
    """The topic's critic, corrected by these labels and by those that it was taught by before."""
    judge = judge or searchable_judge()
    base = topic.base if isinstance(topic, CorrectedTopic) else topic
    earlier = topic.cases if isinstance(topic, CorrectedTopic) else ()
    spelled = dict(topic.spelled) if isinstance(topic, CorrectedTopic) else {}
    given = [(label, seen) for label, seen in labels if label.verdict != NONE]
    for _, seen in given:
        spelled |= seen.spelled if isinstance(seen, PageSeen) else spelled_in(seen)
    cases = joined_cases(earlier, cases_of(base, judge, given))
    return Relabelled(CorrectedTopic(base, learn_cases(cases), spelled, cases), judge)


def crossed(
    topic: Topic, labels: Sequence[Labelled], judge: Searchable | None = None
) -> list[float]:
    """The score of each label's subject after learning from the labels of other sites alone.

    What was learned from a form says little about how well that form is judged, so figures are
    made of these. What the topic was taught by before is left out: it may hold the same sites.
    """
    judge = judge or searchable_judge()
    base = topic.base if isinstance(topic, CorrectedTopic) else topic
    owners = [owner_of(seen) for _, seen in labels]
    folds = min(_FOLDS, len(set(owners)))
    if folds < _PAIR:
        return [_score(Relabelled.untaught(base, judge), seen) for _, seen in labels]
    fold_of = grouped_folds(owners, folds).tolist()
    taught = [
        relabelled(base, [one for one, own in zip(labels, fold_of, strict=True) if own != fold])
        for fold in range(folds)
    ]
    return [_score(taught[own], seen) for (_, seen), own in zip(labels, fold_of, strict=True)]


def owner_of(seen: FormSeen | PageSeen) -> str:
    """Its site's registered domain."""
    url = seen.form.page if isinstance(seen, FormSeen) else Url(seen.subject)
    return registered_domain(host_of(site_of(url)))


def _score(critic: Relabelled, seen: FormSeen | PageSeen) -> float:
    return critic.form(seen) if isinstance(seen, FormSeen) else critic.page(seen)


def cases_of(base: Topic, judge: Searchable, labels: Sequence[Labelled]) -> list[Case]:
    """What the labels teach, by the judges as they are without any."""
    return [
        _form_case(base, judge, seen, is_right=label.verdict == RIGHT)
        if isinstance(seen, FormSeen)
        else Case(PAGE, seen.subject, label.verdict == RIGHT, seen.words, (log_odds(seen.score),))
        for label, seen in labels
    ]


def _form_case(base: Topic, judge: Searchable, seen: FormSeen, *, is_right: bool) -> Case:
    words = form_words(seen.form, seen.language)
    chances = judge.chance(seen.form), base.of_form(words, seen.page_chance)
    before = log_odds(chances[0]), log_odds(chances[1])
    return Case(FORM, seen.subject, is_right, words, before, columns_of(seen.form))


def spelled_in(seen: FormSeen) -> dict[int, str]:
    """The words of a form by their ids."""
    number = form_vocabulary(seen.language).word
    return {number(word): word for word in split_words(form_text(seen.form))}


def _spelled(texts: Sequence[str], language: str) -> dict[int, str]:
    number = vocabulary(language).word
    return {number(word): word for text in texts for word in split_words(text)}
