"""Scrapy's settings that begin with LEADLINE_, as leadline's."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from scrapy.settings import BaseSettings

from leadline.config import Config, load_config
from leadline.crawler.reading import InlineReader
from leadline.errors import ConfigError
from leadline.scrapy.pilot import Pilot
from leadline.store import IN_MEMORY, open_store
from leadline.strategies import make_strategy
from leadline.topics import KEYWORDS, make_critic, open_topic

TOPIC = "LEADLINE_TOPIC"
STRATEGY = "LEADLINE_STRATEGY"
STORE = "LEADLINE_STORE"
SETTINGS = "LEADLINE_SETTINGS"
EMIT_FORMS = "LEADLINE_EMIT_FORMS"
DROP_SKIPPED = "LEADLINE_DROP_SKIPPED"
ENTER_SITES = "LEADLINE_ENTER_SITES"
ALL = (TOPIC, STRATEGY, STORE, SETTINGS, EMIT_FORMS, DROP_SKIPPED, ENTER_SITES)


class Options(Struct, frozen=True):
    """What the bridge is to do."""

    config: Config
    emits_forms: bool = False
    drops_skipped: bool = False
    enters_sites: bool = False


def read_options(settings: BaseSettings) -> Options:
    """Raises ConfigError for what leadline cannot do, and for a setting that there is not."""
    unknown = [name for name in settings if name.startswith("LEADLINE_") and name not in ALL]
    if unknown:
        raise ConfigError(f"unknown setting {unknown[0]}; there are: {', '.join(ALL)}")
    more: Mapping[str, Any] = settings.getdict(SETTINGS)
    chosen: dict[str, object] = {
        "topic.name": settings.get(TOPIC),
        "strategy.name": settings.get(STRATEGY),
        "store.path": settings.get(STORE, IN_MEMORY),
    }
    said = {name: value for name, value in chosen.items() if value is not None}
    config, _ = load_config(settings={**more, **said}, source="Scrapy setting")
    if not config.topic.name and not config.topic.words:
        raise ConfigError(
            f"no topic: set {TOPIC} to one of {', '.join(sorted(KEYWORDS))}, or to a topic's "
            f"folder, or topic.words in {SETTINGS}"
        )
    switches = (settings.getbool(name) for name in (EMIT_FORMS, DROP_SKIPPED, ENTER_SITES))
    return Options(config, *switches)


def open_pilot(config: Config) -> Pilot:
    """With its store, which is made if it is not there. Raises ConfigError or StoreError."""
    strategy = make_strategy(config.strategy.name, config.strategy.own)
    topic = open_topic(config.topic.name, config.topic.words)
    critic = make_critic(config.topic.critic, topic, config.topic.own)
    reader = InlineReader(critic, config.urls.rules, config.page.limits)
    return Pilot(config, open_store(config.store.path), strategy, reader)
