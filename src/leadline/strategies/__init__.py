"""Which links to follow: one file, or folder, per strategy. `STRATEGIES` names them all."""

from collections.abc import Mapping

from leadline.core.ports import Strategy
from leadline.plugins import Part, Registry, make_part, part_reader
from leadline.strategies.ache import Ache, AcheSettings
from leadline.strategies.anthelion import Anthelion, AnthelionSettings
from leadline.strategies.apprentice import Apprentice
from leadline.strategies.apprentice_features import ApprenticeSettings
from leadline.strategies.baseline import Baseline, BaselineSC, BaselineSCSettings, BaselineSettings
from leadline.strategies.deepdeep import DeepDeep, DeepDeepSettings
from leadline.strategies.disco import Disco, DiscoSettings
from leadline.strategies.ffc import Ffc, FfcSettings
from leadline.strategies.gain import ExpectedGainSettings, ExpectedGainStrategy
from leadline.strategies.sb import SBClassifier, SBSettings
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
from leadline.strategies.tres import Tres, TresSettings

_OURS = {
    "ache": Part(Ache, AcheSettings),
    "anthelion": Part(Anthelion, AnthelionSettings),
    "apprentice": Part(Apprentice, ApprenticeSettings),
    "baseline": Part(Baseline, BaselineSettings),
    "baseline_sc": Part(BaselineSC, BaselineSCSettings),
    "breadth_first": Part(BreadthFirst, BreadthFirstSettings),
    "deepdeep": Part(DeepDeep, DeepDeepSettings),
    "disco": Part(Disco, DiscoSettings),
    "expected_gain": Part(ExpectedGainStrategy, ExpectedGainSettings),
    "ffc": Part(Ffc, FfcSettings),
    "fixed_depth": Part(FixedDepth, FixedDepthSettings),
    "random": Part(RandomOrder, RandomOrderSettings),
    "sb": Part(SBClassifier, SBSettings),
    "scdi": Part(SCDI, SCDISettings),
    "sitewise": Part(Sitewise, SitewiseSettings),
    "smartcrawler": Part(SmartCrawler, SmartCrawlerSettings),
    "tres": Part(Tres, TresSettings),
}


STRATEGIES: Registry[Part] = Registry(
    "strategy",
    "leadline.strategies",
    _OURS,
    part_reader(Strategy, "build it on leadline.strategies.base.BaseStrategy"),
)
"""All of them by name, those of other distributions too."""


def make_strategy(name: str, settings: Mapping[str, object] | None = None) -> Strategy:
    """The strategy of that name; KeyError and pydantic errors are the caller's to explain."""
    strategy: Strategy = make_part(STRATEGIES, name, settings)
    return strategy
