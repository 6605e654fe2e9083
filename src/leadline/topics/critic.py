"""The judge of pages and forms, whose word every strategy learns from."""

from typing import Protocol

from leadline.core.crawl import JudgedForm, Judgement
from leadline.core.page import Form, Page
from leadline.forms.rule import searchable
from leadline.forms.signature import signature
from leadline.page.words import Words


class Topic(Protocol):
    """Knows how far pages and forms are about something."""

    @property
    def name(self) -> str: ...

    def relevance(self, page: Page, words: Words) -> float: ...

    def form_relevance(self, form: Form) -> float: ...


class Critic:
    """Judges a page and its forms by a topic. Picklable; has no memory."""

    def __init__(self, topic: Topic) -> None:
        self.topic = topic

    def judge(self, page: Page, words: Words) -> Judgement:
        relevance = self.topic.relevance(page, words)
        forms = {signature(form): form for form in page.forms}
        return Judgement(
            relevance, tuple(self._judge_form(f, s, relevance) for s, f in forms.items())
        )

    def _judge_form(self, form: Form, sign: str, page_relevance: float) -> JudgedForm:
        chance, why = searchable(form)
        about = max(self.topic.form_relevance(form), page_relevance)
        return JudgedForm(form, sign, chance, chance * about, why)
