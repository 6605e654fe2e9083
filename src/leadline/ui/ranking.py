"""Why a link or site has its rank, by what the crawl's strategy has learned so far."""

from collections.abc import Mapping
from typing import Any

import msgspec

from leadline.core.crawl import Candidate
from leadline.core.knowledge import Knowledge
from leadline.core.ports import Store, Strategy
from leadline.strategies import make_strategy
from leadline.ui.deciding import shown
from leadline.ui.settings import resolve, settings_file


class Ranking:
    """The strategy of a store's last run, as it was left."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    @staticmethod
    def of(store: Store, settings: Mapping[str, Any]) -> "Ranking":
        """Raises ConfigError when a model that the strategy was given is gone."""
        config = resolve(settings_file(None), {}, settings)[0]
        strategy = make_strategy(config.strategy.name, config.strategy.own)
        learned = store.load(f"strategy:{strategy.name}")
        if learned is not None:
            strategy.restore(learned)
        return Ranking(strategy)

    def learned(self) -> Knowledge:
        """What it knows, for people."""
        return msgspec.convert(self._strategy.describe_knowledge(), Knowledge)

    def why(self, candidate: Candidate) -> list[str]:
        """Features in words and what each adds, as in `+1.20 anchor: search`."""
        return shown(self._strategy.explain_rank(candidate))
