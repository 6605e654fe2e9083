"""Stores opened for reading, and the settings they keep. Works while a crawl is writing."""

from pydantic import ValidationError

from leadline.config import Config, explain
from leadline.config.runs import check_store, open_to_read, saved_settings
from leadline.core.store import StoreView
from leadline.errors import ConfigError

__all__ = ["check_store", "open_to_read", "saved_config", "saved_settings", "topic_of"]


def saved_config(store: StoreView) -> Config:
    """The settings of the store's last run, checked. Raises ConfigError when they name a topic or
    part that is gone."""
    try:
        return Config.model_validate(saved_settings(store))
    except ValidationError as error:
        raise ConfigError(explain(error)) from None


def topic_of(store: StoreView) -> str:
    """The topic of the store's last run, or ''."""
    name: str = saved_settings(store).get("topic", {}).get("name", "")
    return name
