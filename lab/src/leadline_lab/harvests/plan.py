"""Which harvests an experiment consists of, and the experiments there are."""

from collections.abc import Iterator
from itertools import cycle, islice

import xxhash
from msgspec import Struct, json

from leadline.errors import ConfigError
from leadline.harvester.policies import POLICIES
from leadline_lab.harvests.cases import JUDGING_FROM, Case, Kind, grid

ORACLE = "oracle"
_REACHED = 3.0
"""Times the fewest requests that could show all records: by then all but the worst policies have
flattened out."""


class Asker(Struct, frozen=True):
    """Who harvests: a policy with settings, or `oracle`."""

    policy: str
    settings: dict[str, object] = {}
    label: str = ""

    @property
    def name(self) -> str:
        return self.label or self.policy

    @property
    def is_oracle(self) -> bool:
        return self.policy == ORACLE


class Harvests(Struct, frozen=True):
    """Policies x kinds of sources x seeds, all else equal: every comparison is a paired one."""

    name: str
    about: str
    """What it is to show, in a sentence."""
    askers: tuple[Asker, ...]
    """The first is what the others are compared with."""
    kinds: tuple[Kind, ...]
    seeds: tuple[int, ...]
    size: int = 0
    """Records of each source; 0: drawn, from 4,000 to 20,000."""
    reach: float = _REACHED
    """Requests that may be spent, in times of those that all records take at least."""
    queries: int = 0
    """That may be asked; 0: as many as the requests allow."""
    sources: int = 0
    """Of each kind, with seeds in turn, so that kinds differ in their records too; 0: all seeds."""
    publishes: bool = False
    """Whether it makes a published table: only then it may use judging seeds."""


class HarvestTrial(Struct, frozen=True):
    """One harvest to be run."""

    asker: Asker
    case: Case
    reach: float
    queries: int = 0

    @property
    def key(self) -> str:
        """Names its file; the same for the same trial."""
        return xxhash.xxh3_64_hexdigest(json.encode(self, order="deterministic"))


def trials_of(plan: Harvests) -> Iterator[HarvestTrial]:
    """Those of one source after each other. Raises ConfigError for a plan that may not be run."""
    check(plan)
    turns = cycle(plan.seeds)
    for kind in plan.kinds:
        for seed in islice(turns, plan.sources or len(plan.seeds)):
            for asker in plan.askers:
                yield HarvestTrial(asker, Case(kind, seed, plan.size), plan.reach, plan.queries)


def check(plan: Harvests) -> None:
    kept_back = [seed for seed in plan.seeds if seed >= JUDGING_FROM]
    if kept_back and not plan.publishes:
        raise ConfigError(
            f"experiment {plan.name} may not use the judging seed {kept_back[0]}: "
            "it makes no published table"
        )
    known = (*POLICIES, ORACLE)
    for asker in plan.askers:
        if asker.policy not in known:
            raise ConfigError(f"no policy {asker.policy!r}; there are: {', '.join(known)}")
    names = [asker.name for asker in plan.askers]
    if len(set(names)) < len(names):
        raise ConfigError(f"experiment {plan.name}: give askers different labels")


_EVERYONE = (
    Asker("yield_per_cost"),
    Asker("random"),
    Asker("gf"),
    Asker("zipf"),
    Asker("rl", {"reading": "literal"}, "rl, literal"),
    Asker("rl", {"reading": "corrected"}, "rl, corrected"),
    Asker("enumerate"),
    Asker(ORACLE),
)
_CORNERS = (
    Kind(),
    Kind(semantics="or", cap=100, ranking="relevance"),
    Kind(form="advanced", index="limited", cap=20),
    Kind(form="select_only", cap=100, ranking="random", is_clustered=True),
)
_PAPER = (
    Asker("rl", {"reading": "corrected"}, "rl, corrected"),
    Asker("rl", {"reading": "literal"}, "rl, literal"),
    Asker("zipf"),
    Asker("gf"),
    Asker("random"),
    Asker("yield_per_cost"),
)
"""In the order that the 2010 paper found, the default for comparison."""


def _paper(name: str, size: int, seeds: tuple[int, ...]) -> Harvests:
    """Cost counted as the paper does: one query is one, however many pages its answer has."""
    return Harvests(
        name,
        "The comparison of the 2010 paper: coverage by queries, with one box and no limit.",
        _PAPER,
        (Kind(), Kind(index="limited")),
        seeds,
        size,
        reach=1_000.0,
        queries=500,
        publishes=True,
    )


_FORMS = ("keyword", "simple", "advanced", "select_only")

HARVESTS: dict[str, Harvests] = {
    plan.name: plan
    for plan in (
        Harvests(
            "harvest",
            "Coverage by requests of every query policy on every kind of source.",
            _EVERYONE,
            tuple(grid()),
            seeds=(31, 32, 33),
            size=4_000,
        ),
        Harvests(
            "harvest-smoke",
            "Whether harvests work from the source to the report; says nothing of policies.",
            (Asker("yield_per_cost"), Asker("gf"), Asker("enumerate"), Asker(ORACLE)),
            _CORNERS,
            seeds=(31, 32),
            size=800,
            reach=2.0,
        ),
        Harvests(
            "harvest-drawn",
            "The same on sources as worlds draw them, empty queries and all.",
            _EVERYONE,
            tuple(Kind(form=form, is_drawn=True) for form in _FORMS),
            seeds=tuple(range(31, 51)),
            size=4_000,
        ),
        Harvests(
            "harvest-published",
            "Every query policy on every kind of source, on sources nothing was tuned on.",
            _EVERYONE,
            tuple(grid()),
            seeds=tuple(range(901, 928)),
            size=2_000,
            sources=2,
            publishes=True,
        ),
        _paper("harvest-paper", 0, (911, 912, 913, 914, 915)),
        _paper("harvest-paper-large", 100_000, (911,)),
        _paper("harvest-paper-largest", 1_000_000, (911,)),
    )
}


def harvests_named(name: str) -> Harvests:
    """Raises ConfigError with the names there are."""
    if name not in HARVESTS:
        raise ConfigError(f"no experiment {name!r}; there are: {', '.join(HARVESTS)}")
    return HARVESTS[name]
