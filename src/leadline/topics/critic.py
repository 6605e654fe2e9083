"""The judge of pages and forms, whose word every strategy learns from."""

from typing import Protocol

from leadline.core.crawl import JudgedForm, Judgement
from leadline.core.page import Form, Page
from leadline.forms.rule import searchable
from leadline.forms.signature import signature
from leadline.page.words import PageWords, WordIds


class Topic(Protocol):
    """Knows how far words are about something."""

    @property
    def name(self) -> str: ...

    def relevance(self, words: PageWords) -> float: ...

    def form_relevance(self, ids: WordIds) -> float: ...


class Critic:
    """Judges a page and its forms by a topic. Picklable; has no memory."""

    def __init__(self, topic: Topic) -> None:
        self.topic = topic

    def judge(self, page: Page, words: PageWords) -> Judgement:
        relevance = self.topic.relevance(words)
        numbers = {signature(form): number for number, form in enumerate(page.forms)}
        forms = (
            self._judge_form(page.forms[number], sign, relevance, words.form(number))
            for sign, number in numbers.items()
        )
        return Judgement(relevance, tuple(forms))

    def _judge_form(self, form: Form, sign: str, page_relevance: float, ids: WordIds) -> JudgedForm:
        chance, why = searchable(form)
        about = max(self.topic.form_relevance(ids), page_relevance)
        return JudgedForm(form, sign, chance, chance * about, why)
