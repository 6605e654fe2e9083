"""Which links to follow: one file, or folder, per strategy. `STRATEGIES` names them all."""

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import BaseModel

from leadline.core.ports import Strategy
from leadline.plugins import Registry, checked_class, settings_of
from leadline.strategies.ache import Ache, AcheSettings
from leadline.strategies.apprentice import Apprentice
from leadline.strategies.apprentice_features import ApprenticeSettings
from leadline.strategies.baseline import Baseline, BaselineSC, BaselineSCSettings, BaselineSettings
from leadline.strategies.ffc import Ffc, FfcSettings
from leadline.strategies.simple import (
    BreadthFirst,
    BreadthFirstSettings,
    FixedDepth,
    FixedDepthSettings,
    RandomOrder,
    RandomOrderSettings,
)
from leadline.strategies.smart import (
    SCDI,
    SCDISettings,
    Sitewise,
    SitewiseSettings,
    SmartCrawler,
    SmartCrawlerSettings,
)


class StrategyKind(NamedTuple):
    """A strategy's class and the model of its settings."""

    make: type
    settings: type[BaseModel]


_OURS = {
    "ache": StrategyKind(Ache, AcheSettings),
    "apprentice": StrategyKind(Apprentice, ApprenticeSettings),
    "baseline": StrategyKind(Baseline, BaselineSettings),
    "baseline_sc": StrategyKind(BaselineSC, BaselineSCSettings),
    "breadth_first": StrategyKind(BreadthFirst, BreadthFirstSettings),
    "ffc": StrategyKind(Ffc, FfcSettings),
    "fixed_depth": StrategyKind(FixedDepth, FixedDepthSettings),
    "random": StrategyKind(RandomOrder, RandomOrderSettings),
    "scdi": StrategyKind(SCDI, SCDISettings),
    "sitewise": StrategyKind(Sitewise, SitewiseSettings),
    "smartcrawler": StrategyKind(SmartCrawler, SmartCrawlerSettings),
}


def _kind_of(made: object) -> StrategyKind:
    """From what a plug-in's entry point leads to: its class, or a StrategyKind."""
    given = made if isinstance(made, StrategyKind) else None
    advice = "build it on leadline.strategies.base.BaseStrategy"
    strategy = checked_class(given.make if given else made, Strategy, advice)
    return given or StrategyKind(strategy, settings_of(strategy))


STRATEGIES = Registry("strategy", "leadline.strategies", _OURS, _kind_of)
"""All of them by name, those of other distributions too."""


def make_strategy(name: str, settings: Mapping[str, object] | None = None) -> Strategy:
    """The strategy of that name; KeyError and pydantic errors are the caller's to explain."""
    kind = STRATEGIES[name]
    strategy: Strategy = kind.make(kind.settings.model_validate(dict(settings or {})))
    return strategy
