"""The judge of pages and forms, whose word every strategy learns from."""

from typing import Protocol, runtime_checkable

from leadline.core.crawl import JudgedForm, Judgement
from leadline.core.page import Page
from leadline.forms.hifi import FormTopic, Hifi
from leadline.forms.searchable import Reason, Searchable, searchable_judge
from leadline.forms.signature import signature
from leadline.page.words import PageWords


class Topic(FormTopic, Protocol):
    """Knows how far words are about something."""

    def relevance(self, words: PageWords) -> float:
        """Probability that the page of these words is about the topic."""
        ...

    def page_reasons(self, words: PageWords, most: int = 8) -> list[Reason]:
        """The words that decided, strongest first."""
        ...


@runtime_checkable
class SearchableCorrector(Protocol):
    """A topic that people's labels have corrected, also on what is searchable at all."""

    def searchable(self, judge: Searchable) -> Searchable:
        """The judge with what was learned on top of it."""
        ...


class TopicCritic:
    """Judges a page by a topic, and its forms by HIFI. Picklable; has no memory."""

    def __init__(self, topic: Topic, searchable: Searchable | None = None) -> None:
        self.topic = topic
        judge = searchable or searchable_judge()
        self.searchable = (
            topic.searchable(judge) if isinstance(topic, SearchableCorrector) else judge
        )
        self._hifi = Hifi(self.searchable, topic)

    def judge(self, page: Page, words: PageWords) -> Judgement:
        relevance = self.topic.relevance(words)
        if not page.forms:
            return Judgement(relevance)
        verdicts = self._hifi.judge(page.forms, words, relevance)
        judged = {
            sign: JudgedForm(form, sign, verdict.searchable, verdict.chance, verdict.why)
            for form, verdict in zip(page.forms, verdicts, strict=True)
            for sign in [signature(form)]
        }
        return Judgement(relevance, tuple(judged.values()))
