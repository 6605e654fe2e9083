"""Makes the strategy of a crawl; one that asks for words gets those of the crawl's topic, one that
asks for the goal that of the crawl."""

from collections.abc import Mapping

from leadline.config.models import Config
from leadline.core.ports import Strategy
from leadline.errors import ConfigError
from leadline.strategies import STRATEGIES, make_strategy
from leadline.topics.judges import find_topic
from leadline.topics.pack import read_pack

_WORDS, _GOAL = "words", "goal"


def make_crawl_strategy(config: Config, name: str) -> Strategy:
    """The strategy of that name, with its settings if it is the one that `config` names."""
    own: dict[str, object] = dict(config.strategy.own if name == config.strategy.name else {})
    if _GOAL in STRATEGIES[name].settings.model_fields:
        own[_GOAL] = config.strategy.goal
    strategy = make_strategy(name, add_topic_words(config, name, own))
    needs_lessons = getattr(getattr(strategy, "settings", None), "needs_lessons", False)
    if needs_lessons and not config.strategy.learn_from:
        raise ConfigError(
            f"strategy {name} with these settings learns nothing by itself: set strategy.model to "
            f"a folder made by 'leadline train {name}', or strategy.learn_from to the store of an "
            "earlier crawl"
        )
    return strategy


def find_fallback(config: Config) -> str:
    """The name of the strategy that continues with what the first one passed over; '' for none."""
    first, second = config.strategy.name, config.strategy.fallback
    keeps_all = getattr(STRATEGIES[first].make, "keeps_all_links", False)
    return "" if keeps_all or second == first else second


def add_topic_words(config: Config, name: str, own: Mapping[str, object]) -> dict[str, object]:
    """The settings, with the topic's words if the strategy takes some and none are given."""
    takes_words = _WORDS in STRATEGIES[name].settings.model_fields
    if not takes_words or own.get(_WORDS):
        return dict(own)
    return {**own, _WORDS: read_topic_words(config)}


def read_topic_words(config: Config) -> tuple[str, ...]:
    """Words that a person has for the topic: given, written for a shipped one, or kept in its
    folder. None for a topic of which only pages are known."""
    if config.topic.keywords:
        return config.topic.keywords
    folder = find_topic(config.topic.name)
    return read_pack(folder)[0].queries if folder is not None else ()
