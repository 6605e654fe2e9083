"""Labels that people give while a crawl runs: they correct its critic, and it learns from that.

Pages read from then on are judged by the corrected critic. The last pages with forms are judged
once more; where that changes what they brought, the strategy learns them again, and what waits is
ranked anew. Each worker of a team reads the labels for itself.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct, structs

from leadline.core.crawl import LIKELY, Event, JudgedForm, Judgement, PageView, Visit
from leadline.core.inbox import FORM, NONE, PAGE, RIGHT, Label
from leadline.core.page import Page
from leadline.core.ports import Critic
from leadline.core.store import Store, StoreReader
from leadline.core.url import Url
from leadline.crawler.decisions import Decider, VisitDecision, count_gain, reward_visit
from leadline.crawler.reading import PageReader
from leadline.crawler.store_calls import StoreCalls
from leadline.page.words import PageWords
from leadline.topics.critic import TopicCritic
from leadline.topics.labels import FormSubject, LabelledSubject, PageSubject, correct_critic

POLL_S = 2.0
"""Between two looks at the labels, at least."""
MOST_PAGES = 200
"""Pages with forms that are judged again: a fifth of a second of work, some 20 MB."""


class LabelledCritic:
    """Judges like `inner`, except what people have labelled: theirs is the last word. Picklable."""

    def __init__(self, inner: Critic, labels: Iterable[Label]) -> None:
        given = list(labels)
        self._inner = inner
        self._forms = {one.subject: one.verdict == RIGHT for one in given if one.what == FORM}
        self._pages = {one.subject: one.verdict == RIGHT for one in given if one.what == PAGE}

    @property
    def name(self) -> str:
        return self._inner.name

    def judge(self, page: Page, words: PageWords) -> Judgement:
        judgement = self._inner.judge(page, words)
        if self._pages.keys().isdisjoint((page.url,)) and not self._forms:
            return judgement
        relevance = judgement.relevance
        if page.url in self._pages:
            relevance = float(self._pages[page.url])
        forms = tuple(
            structs.replace(
                form,
                relevant=float(is_right),
                why=_explain_label(is_right=is_right),
                evidence=None,
                parts=(),
            )
            if (is_right := self._forms.get(form.signature)) is not None
            else form
            for form in judgement.forms
        )
        silence = 0.0 if page.url in self._pages else judgement.silence
        return structs.replace(judgement, relevance=relevance, forms=forms, silence=silence)


def _explain_label(*, is_right: bool) -> str:
    return f"labelled {'right' if is_right else 'wrong'} by a person"


def apply_labels(
    critic: Critic, labelled: Sequence[LabelledSubject], labels: Sequence[Label]
) -> Critic:
    """The critic of the crawl's settings, corrected by all labels in force.

    A critic of another kind than ours learns nothing from labels, but they override it.
    """
    if labelled and isinstance(critic, TopicCritic):
        critic = TopicCritic(correct_critic(critic.topic, labelled).topic)
    return LabelledCritic(critic, labels) if labels else critic


def find_subjects(reader: StoreReader, labels: Sequence[Label]) -> list[LabelledSubject]:
    """Each label with the form or page it is on, as the store has it; without text of pages."""
    of_form = {label.subject: label for label in labels if label.what == FORM}
    found: list[LabelledSubject] = []
    if of_form:
        found += [
            (of_form[stored.judged.signature], FormSubject.of(stored, reader.visit(stored.visit)))
            for stored in reader.forms()
            if stored.judged.signature in of_form
        ]
    for label in labels:
        known = reader.candidate(Url(label.subject)) if label.what == PAGE else None
        visit = reader.visit(known[0]) if known else None
        if known and visit:
            found.append((label, PageSubject.of(visit, known[1])))
    return found


@runtime_checkable
class CorrectableReader(PageReader, Protocol):
    """A reader whose critic can be replaced while it reads."""

    @property
    def critic(self) -> Critic: ...

    def use_critic(self, critic: Critic) -> None:
        """Judge by this one from the next page on."""
        ...


class LabelLearning(Protocol):
    """What learns from corrected pages."""

    def learn_again(self, view: PageView, visit: Visit) -> None:
        """Learn a page once more, as it is judged by now."""
        ...

    def rank_again(self) -> None:
        """Have what waits ranked anew."""
        ...


class _JudgedPage(Struct, frozen=True):
    """A page with forms that was visited lately."""

    view: PageView
    visit: Visit
    fresh: tuple[str, ...]
    """Signatures of the forms that it was the first to show."""


class LabelUpdates:
    """Looks for labels now and then, and has the critic and the strategy follow them."""

    def __init__(
        self,
        store: Store,
        calls: StoreCalls,
        reader: CorrectableReader,
        decider: Decider,
        learning: LabelLearning,
        topic: str,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        """Labels that were given under another topic than `topic` are not for this crawl."""
        self._store = store
        self._calls = calls
        self._reader = reader
        self._critic = reader.critic
        self._decider = decider
        self._learning = learning
        self._topic = topic
        self._tick = tick
        self._next_look = 0.0
        self._labels: list[Label] = []
        self._recent: deque[_JudgedPage] = deque(maxlen=MOST_PAGES)

    def remember(self, decision: VisitDecision) -> None:
        """Keep a page that is the first to show a form, for the case that it is judged again."""
        if decision.view is not None and decision.fresh:
            page = _JudgedPage(decision.view, decision.visit, decision.fresh)
            self._recent.append(page)

    async def look(self) -> bool:
        """Whether there were other labels than before, which count from here on."""
        if self._tick() < self._next_look:
            return False
        given = await self._calls(self._store.inbox.labels)
        self._next_look = self._tick() + POLL_S
        labels = [one for one in given if one.verdict != NONE and one.topic in ("", self._topic)]
        if labels == self._labels:
            return False
        self._labels = labels
        subjects = await self._calls(lambda: find_subjects(self._store.reader, labels))
        critic = apply_labels(self._critic, subjects, labels)
        self._reader.use_critic(critic)
        self._recent = deque((self._judge_again(one, critic) for one in self._recent), MOST_PAGES)
        self._learning.rank_again()
        return True

    def is_labelled(self, signature: str) -> bool:
        """Whether a person has judged the form: nothing else does then."""
        return any(one.what == FORM and one.subject == signature for one in self._labels)

    def learn_revised(self, revised: Mapping[str, JudgedForm]) -> None:
        """Have pages that brought forms learned again, now that their sites are better known."""
        for at, page in enumerate(self._recent):
            if revised.keys().isdisjoint(page.fresh):
                continue
            forms = tuple(revised.get(one.signature, one) for one in page.view.judgement.forms)
            judgement = structs.replace(page.view.judgement, forms=forms)
            self._recent[at] = self._learn_judgement(page, judgement)

    def describe(self, at: float) -> Event:
        """The event that tells of the labels in force."""
        return Event(at, "labels", detail=f"{len(self._labels)} labels correct the critic")

    def _judge_again(self, page: _JudgedPage, critic: Critic) -> _JudgedPage:
        """The page as it is judged now."""
        return self._learn_judgement(page, critic.judge(page.view.page, PageWords(page.view.page)))

    def _learn_judgement(self, page: _JudgedPage, judgement: Judgement) -> _JudgedPage:
        """The page with that judgement; learned again if that makes another gain or reward."""
        view, goal = page.view, self._decider.plan.goal
        relevant = {form.signature for form in judgement.forms if form.relevant >= LIKELY}
        new_forms = sum(signature in relevant for signature in page.fresh)
        gain = count_gain(goal, judgement, new_forms, view.site.forms - view.new_forms)
        reward = reward_visit(goal, judgement, gain)
        again = structs.replace(view, judgement=judgement, new_forms=new_forms, gain=gain)
        visit = structs.replace(
            page.visit, relevance=judgement.relevance, reward=reward, forms=new_forms
        )
        if (gain, reward) != (view.gain, page.visit.reward):
            self._learning.learn_again(again, visit)
        return _JudgedPage(again, visit, page.fresh)
