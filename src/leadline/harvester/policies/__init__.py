"""What to ask next: one file, or folder, per policy. `POLICIES` names them all."""

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import BaseModel

from leadline.core.ports import QueryPolicy
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.policies.base import WithGeneralWords
from leadline.harvester.policies.enumerate_menus import EnumerateMenus, EnumerateSettings
from leadline.harvester.policies.gf import Gf, GfSettings
from leadline.harvester.policies.random_words import RandomSettings, RandomWords
from leadline.harvester.policies.rl import Rl, RlSettings
from leadline.harvester.policies.yield_per_cost import YieldPerCost, YieldPerCostSettings
from leadline.harvester.policies.zipf import Zipf, ZipfSettings
from leadline.plugins import Registry, check_class, find_settings


class PolicyKind(NamedTuple):
    """A policy's class and the model of its settings."""

    make: type
    settings: type[BaseModel]
    types_words: bool = True
    """It can go on from records that a typed word brought."""


_OURS = {
    "enumerate": PolicyKind(EnumerateMenus, EnumerateSettings, types_words=False),
    "gf": PolicyKind(Gf, GfSettings),
    "random": PolicyKind(RandomWords, RandomSettings),
    "rl": PolicyKind(Rl, RlSettings),
    "yield_per_cost": PolicyKind(YieldPerCost, YieldPerCostSettings),
    "zipf": PolicyKind(Zipf, ZipfSettings),
}


def _kind_of(made: object) -> PolicyKind:
    """From what a plug-in's entry point leads to: its class, or a PolicyKind."""
    given = made if isinstance(made, PolicyKind) else None
    advice = "build it on leadline.harvester.policies.base.WordPolicy"
    policy = check_class(given.make if given else made, QueryPolicy, advice)
    types_words = getattr(policy, "types_words", True)
    return given or PolicyKind(policy, find_settings(policy), types_words)


POLICIES = Registry("policy", "leadline.policies", _OURS, _kind_of)
"""All of them by name, those of other distributions too."""


def make_policy(
    name: str,
    interface: Interface,
    holdings: Holdings,
    settings: Mapping[str, object] | None = None,
    seed: int = 0,
) -> QueryPolicy:
    """The policy of that name, helped while it finds nothing; KeyError and pydantic errors are the
    caller's to explain."""
    kind = POLICIES[name]
    own = kind.settings.model_validate(dict(settings or {}))
    policy: QueryPolicy = kind.make(own, interface, holdings, seed)
    return WithGeneralWords(policy, interface, holdings) if kind.types_words else policy
