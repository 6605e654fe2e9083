"""The critic and the strategy of a store's crawl, made again from its saved settings: as they
were, and the critic as labels have corrected it since."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from leadline.core.crawl import Candidate, StoredForm
from leadline.core.inbox import FORM, Label
from leadline.core.knowledge import Knowledge
from leadline.core.page import Form, Page
from leadline.core.ports import Strategy
from leadline.core.store import StoreView
from leadline.core.url import canonical
from leadline.errors import ConfigError
from leadline.forms.searchable import Reason
from leadline.page.words import PageWords, form_words
from leadline.strategies import make_strategy
from leadline.topics import TopicCritic, open_topic
from leadline.topics.labels import (
    CorrectedCritic,
    FormSubject,
    LabelledSubject,
    PageSubject,
    correct_critic,
)
from leadline.topics.translation import is_language_known
from leadline.views.mirror.store import StoreMirror
from leadline.views.stores import saved_config

Facts = dict[str, Any]
"""What is shown, in its order; values are texts, numbers, lists or more facts."""
_MOST_REASONS = 8
_LEAST_WEIGHT = 0.005
"""Weights below this would be shown as 0.00."""


class StoreCritic:
    """Judges pages and forms again, in words: each feature and what it adds."""

    def __init__(self, critic: TopicCritic) -> None:
        self.critic = critic

    @staticmethod
    def open(store: StoreView) -> "StoreCritic":
        """Raises ConfigError when the topic of the store's crawl is gone."""
        topic = saved_config(store).topic
        return StoreCritic(TopicCritic(open_topic(topic.name, topic.words)))

    def explain_form(self, form: Form, language: str) -> Facts:
        """What speaks for and against a form, whatever its page says."""
        topic = self.critic.topic
        ids = form_words(form, language)
        name = topic.name or "the topic"
        return {
            "searchable by": reason_words(self.critic.searchable.reasons(form)),
            f"of {name} by": reason_words(topic.form_reasons(ids)),
        }

    def explain_page(self, page: Page) -> Facts:
        """The page's verdict, the words that decided, and its forms."""
        words = PageWords(page)
        judgement = self.critic.judge(page, words)
        topic = self.critic.topic
        return {
            "title": page.title,
            "language": _language_words(words.language),
            f"about {topic.name or 'the topic'}": f"{judgement.relevance:.2f}",
            "by its words": reason_words(topic.page_reasons(words, _MOST_REASONS)),
            "forms": [
                {
                    "form": judged.signature,
                    "verdict": verdict_words(judged.relevant, judged.searchable, judged.why),
                    **self.explain_form(judged.form, page.language),
                }
                for judged in judgement.forms
            ],
        }


def _language_words(language: str) -> str:
    """The language, and whether topics have words of it: a low relevance means little if not."""
    if is_language_known(language):
        return language
    return f"{language}: no topic has words of it, so its relevance is a guess"


class StoreRanking:
    """Why a link or site has its rank, by what the crawl's strategy has learned so far."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    @staticmethod
    def open(store: StoreView) -> "StoreRanking":
        """Raises ConfigError when a model that the strategy was given is gone."""
        settings = saved_config(store).strategy
        strategy = make_strategy(settings.name, settings.own)
        state = store.load(f"strategy:{strategy.name}")
        if state is not None:
            strategy.restore(state)
        return StoreRanking(strategy)

    def knowledge(self) -> Knowledge:
        """What it knows, for people."""
        return msgspec.convert(self._strategy.describe_knowledge(), Knowledge)

    def explain(self, candidate: Candidate) -> list[str]:
        """Features in words and what each adds, as in `+1.20 anchor: search`."""
        return reason_words(self._strategy.explain_rank(candidate))


def verdict_words(relevant: float, searchable: float, why: str) -> str:
    """Both probabilities of a form in a line."""
    return f"relevant {relevant:.2f}, searchable {searchable:.2f}: {why}"


def reason_words(reasons: Sequence[Reason], most: int = _MOST_REASONS) -> list[str]:
    """The first of them, as in `+2.10 words of searching in its boxes`."""
    return [
        f"{weight:+.2f} {what}" for what, weight in reasons[:most] if abs(weight) >= _LEAST_WEIGHT
    ]


def find_critic(mirror: StoreMirror) -> StoreCritic | None:
    """The critic by the settings that the store keeps; None when its topic is gone."""

    def make() -> StoreCritic | None:
        try:
            return StoreCritic.open(mirror.store)
        except ConfigError:
            return None

    return mirror.remember("critic", mirror.store.load("config"), make)


def find_ranking(mirror: StoreMirror) -> StoreRanking | None:
    """The strategy as the store keeps it; None when it cannot be made again."""

    def make() -> StoreRanking | None:
        try:
            return StoreRanking.open(mirror.store)
        except ConfigError:
            return None

    name = mirror.settings.get("strategy", {}).get("name", "")
    # A running crawl saves what its strategy learned now and then: a new state makes it again.
    key = mirror.store.load("config"), mirror.store.load(f"strategy:{name}")
    return mirror.remember("ranking", key, make)


def find_corrected_critic(mirror: StoreMirror) -> CorrectedCritic | None:
    """The critic after learning from the labels in force; None without any."""
    labels, critic = tuple(mirror.store.inbox.labels()), find_critic(mirror)
    if not labels or critic is None:
        return None
    topic = critic.critic.topic
    # Learning from 200 labels takes 0.1 s: not for every request.
    key = labels, mirror.store.load("config")
    return mirror.remember(
        "corrected critic", key, lambda: correct_critic(topic, _pair_subjects(mirror, labels))
    )


def _pair_subjects(mirror: StoreMirror, labels: Sequence[Label]) -> Iterator[LabelledSubject]:
    """The labels whose subjects the store has."""
    for label in labels:
        subject = find_labelled(mirror, label)
        if subject is not None:
            yield label, subject


def find_labelled(mirror: StoreMirror, label: Label) -> FormSubject | PageSubject | None:
    """What a label is about; None when the store does not have it."""
    store = mirror.store
    if label.what == FORM:
        at = mirror.forms.by_signature.get(label.subject)
        if at is None:
            return None
        (entry,) = mirror.feed.forms_numbered([mirror.forms.lines[at].mark])
        return find_form_page(mirror, entry.form)
    url = canonical(label.subject)
    known = None if url is None else store.reader.candidate(url)
    visit = store.reader.visit(known[0]) if known else None
    return PageSubject.of(visit, known[1]) if visit is not None and known else None


def find_form_page(mirror: StoreMirror, stored: StoredForm) -> FormSubject:
    """A form with what its page said."""
    return FormSubject.of(stored, mirror.store.reader.visit(stored.visit))
