"""Critics, which judge pages and forms; every strategy learns from their judgements.

`CRITICS` has all of them by name. `hifi` is ours: a topic's classifier for pages, HIFI for forms.
"""

from collections.abc import Mapping
from functools import partial
from typing import Protocol, runtime_checkable

from pydantic import BaseModel

from leadline.core.crawl import JudgedForm, Judgement
from leadline.core.page import Form, Page
from leadline.core.ports import Critic
from leadline.core.url import host_of, is_home_page, site_of
from leadline.forms.domain import FormTopic, Hifi
from leadline.forms.evidence import measure_silence
from leadline.forms.holdings import weigh_holdings
from leadline.forms.searchable import Reason, SearchableJudge, open_searchable_judge
from leadline.forms.signature import signature
from leadline.learn.linear import logit
from leadline.page.words import PageWords
from leadline.plugins import NoSettings, Part, Registry, make_part, part_reader


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
    """A topic that labels have corrected, also in what is searchable at all."""

    def searchable(self, judge: SearchableJudge) -> SearchableJudge:
        """The judge with what was learned on top of it."""
        ...


@runtime_checkable
class SiteTopic(Protocol):
    """A topic that also judges whole sites."""

    def site_relevance(self, words: PageWords, host: str) -> float:
        """Probability that the site with this host and home page is about the topic."""
        ...


class TopicCritic:
    """Judges a page by a topic, and its forms by HIFI. Picklable; has no memory."""

    name = "hifi"

    def __init__(self, topic: Topic, searchable: SearchableJudge | None = None) -> None:
        self.topic = topic
        judge = searchable or open_searchable_judge()
        self.searchable = (
            topic.searchable(judge) if isinstance(topic, SearchableCorrector) else judge
        )
        self._hifi = Hifi(self.searchable, topic)

    def judge(
        self,
        page: Page,
        words: PageWords,
        relevance: float | None = None,
        *,
        weighs_records: bool = True,
    ) -> Judgement:
        """`relevance` is that of the page, if it is known. Without `weighs_records` nobody looks
        whether the page shows records or articles: for whoever knows enough pages of its site,
        because that takes as long as all the rest."""
        if relevance is None:
            relevance = self.topic.relevance(words)
        site = self._judge_site(page, words)
        silence = measure_silence(len(words.body) + len(words.title))
        if not page.forms:
            return Judgement(relevance, site=site, silence=silence)
        weigh = partial(weigh_holdings, page) if weighs_records else None
        verdicts = self._hifi.judge(page.forms, words, relevance, weigh, silence)
        judged = {
            sign: JudgedForm(
                form, sign, found.searchable, found.chance, found.why, found.evidence, found.parts
            )
            for form, found in zip(page.forms, verdicts, strict=True)
            for sign in [signature(form)]
        }
        records = None
        if weighs_records:
            records = next((found.evidence.records for found in verdicts if found.evidence), None)
        return Judgement(relevance, tuple(judged.values()), site, records, silence)

    def _judge_site(self, page: Page, words: PageWords) -> float | None:
        """Of a home page, the log-odds of its site; None for others and for topics that only know
        pages."""
        if not is_home_page(page.url) or not isinstance(self.topic, SiteTopic):
            return None
        return logit(self.topic.site_relevance(words, host_of(site_of(page.url))))


class BaseCritic:
    """Build a critic of your own on this: it knows which forms are searchable.

    Two questions are left, each with a default: how relevant a page is (`judge_page`: by the
    topic of the crawl), and how relevant a searchable form is (`judge_form`: as its page is).
    """

    name = ""

    def __init__(self, settings: BaseModel, topic: Topic) -> None:
        """`settings` are of the class's own `Settings`, `topic` is the topic of the crawl."""
        self.settings = settings
        self.topic = topic
        self.searchable = open_searchable_judge()

    def judge_page(self, page: Page, words: PageWords) -> float:  # noqa: ARG002
        """The probability that the page is about what is wanted."""
        return self.topic.relevance(words)

    def judge_form(self, form: Form, page: Page, relevance: float) -> tuple[float, str]:  # noqa: ARG002
        """The probability that a form is about what is wanted if it is searchable, and why.
        `relevance` is that of its page."""
        return relevance, "as its page"

    def judge(self, page: Page, words: PageWords) -> Judgement:
        relevance = self.judge_page(page, words)
        # One form may stand twice on a page, at its head and at its foot: it is judged once.
        forms = {signature(form): form for form in page.forms}
        searchable = self.searchable.judge_all(list(forms.values()))
        judged = []
        for (sign, form), (chance, how) in zip(forms.items(), searchable, strict=True):
            relevant, why = self.judge_form(form, page, relevance)
            judged.append(JudgedForm(form, sign, chance, chance * relevant, f"{why}; {how}"))
        return Judgement(relevance, tuple(judged))


def _make_hifi(_settings: BaseModel, topic: Topic) -> TopicCritic:
    """The topic's classifier for pages; for forms their structure, then the words of the topic."""
    return TopicCritic(topic)


CRITICS: Registry[Part] = Registry(
    "critic",
    "leadline.critics",
    {TopicCritic.name: Part(_make_hifi, NoSettings)},
    part_reader(Critic, "build it on leadline.topics.critic.BaseCritic"),
)
"""All of them by name, those of other distributions too."""


def make_critic(name: str, topic: Topic, settings: Mapping[str, object] | None = None) -> Critic:
    """The critic of that name; KeyError and pydantic errors are the caller's to explain."""
    critic: Critic = make_part(CRITICS, name, settings, topic)
    return critic
