"""What decided about a page or form, in words: each feature and what it adds."""

from collections.abc import Mapping, Sequence
from typing import Any

from leadline.config import Config
from leadline.core.page import Form, Page
from leadline.core.url import Url
from leadline.forms.searchable import Reason
from leadline.page.words import PageWords, form_words
from leadline.topics import TopicCritic, open_topic
from leadline.ui.samples import read_samples
from leadline.ui.settings import resolve, settings_file

Facts = dict[str, Any]
_SHOWN = 8
"""Of the features that decided."""


class Deciding:
    """Looks again, with the critic of a crawl's settings."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._critic = TopicCritic(open_topic(config.topic.name, config.topic.words))

    @staticmethod
    def of(settings: Mapping[str, Any]) -> "Deciding":
        """By the settings a store keeps. Raises ConfigError when their topic is gone."""
        return Deciding(resolve(settings_file(None), {}, settings)[0])

    @property
    def critic(self) -> TopicCritic:
        return self._critic

    def about_form(self, form: Form, language: str) -> Facts:
        """What speaks for and against a form, whatever its page says."""
        topic = self._critic.topic
        ids = form_words(form, language)
        name = topic.name or "the topic"
        return {
            "searchable by": shown(self._critic.searchable.reasons(form)),
            f"of {name} by": shown(topic.form_reasons(ids)),
        }

    def about_page(self, page: Page) -> Facts:
        """The page's verdict, its telling words, and its forms."""
        words = PageWords(page)
        judgement = self._critic.judge(page, words)
        topic = self._critic.topic
        return {
            "title": page.title,
            "language": page.language,
            f"about {topic.name or 'the topic'}": f"{judgement.relevance:.2f}",
            "by its words": shown(topic.page_reasons(words, _SHOWN)),
            "forms": [
                {
                    "form": judged.signature,
                    "verdict": verdict(judged.relevant, judged.searchable, judged.why),
                    **self.about_form(judged.form, page.language),
                }
                for judged in judgement.forms
            ],
        }

    def fetched(self, url: Url) -> Page | None:
        """The page as it is now, had politely; None, and a word why, when it cannot be had."""
        found = read_samples([url], self._config)
        return found[0].page if found else None


def verdict(relevant: float, searchable: float, why: str) -> str:
    """Both chances of a form in a line."""
    return f"relevant {relevant:.2f}, searchable {searchable:.2f}: {why}"


def shown(reasons: Sequence[Reason]) -> list[str]:
    """The strongest of them, as in `+2.10 words of searching in its boxes`."""
    return [f"{weight:+.2f} {what}" for what, weight in reasons[:_SHOWN] if abs(weight) >= 0.005]
