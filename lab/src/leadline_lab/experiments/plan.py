"""Which trials an experiment consists of, and the experiments there are."""

from collections.abc import Iterator
from itertools import product

from msgspec import Struct

from leadline.errors import ConfigError
from leadline.topics.judges import KEYWORDS
from leadline_lab.experiments.trial import Contender, Trial
from leadline_lab.profile import DRAWN, profile_named

JUDGING = "judging"
DOMAINS = tuple(KEYWORDS)


class Experiment(Struct, frozen=True):
    """Strategies x worlds x domains x seeds, all else equal: every comparison is a paired one."""

    name: str
    about: str
    """What it is to show, in a sentence."""
    contenders: tuple[Contender, ...]
    """The first is what the others are compared with."""
    profiles: tuple[str, ...]
    world_seeds: tuple[int, ...]
    domains: tuple[str, ...] = DOMAINS
    budget_pages: int = 10_000
    seeds: tuple[int, ...] = (1, 2, 3)
    """Of the algorithms; a strategy without chance runs with the first one only."""
    critics: tuple[str, ...] = ("keywords",)
    """With several, each contender runs with each."""
    goals: tuple[str, ...] = ("forms",)
    """Likewise."""
    seed_urls: int = 10
    publishes: bool = False
    """Whether it makes a published table: only then it may use judging profiles."""


def trials_of(experiment: Experiment) -> list[Trial]:
    """All trials, those of one world after each other. Raises ConfigError for a plan that may
    not be run."""
    check(experiment)
    trials = [
        trial
        for profile in experiment.profiles
        for world_seed in experiment.world_seeds
        for domain in experiment.domains
        for trial in _of_unit(experiment, profile, world_seed, domain)
    ]
    if len({trial.key for trial in trials}) < len(trials):
        raise ConfigError(f"experiment {experiment.name}: a trial is planned twice")
    return trials


def _of_unit(experiment: Experiment, profile: str, world_seed: int, domain: str) -> Iterator[Trial]:
    for contender in experiment.contenders:
        # An oracle needs nobody to judge for it.
        critics = ("oracle",) if contender.is_oracle else experiment.critics
        for critic, goal in product(critics, experiment.goals):
            by_chance = contender.is_random or critic.startswith("noisy")
            for seed in experiment.seeds if by_chance else experiment.seeds[:1]:
                yield Trial(
                    contender,
                    profile,
                    world_seed,
                    domain,
                    experiment.budget_pages,
                    seed,
                    critic,
                    experiment.seed_urls,
                    goal=goal,
                    label=_label(experiment, contender, critic, goal),
                )


def _label(experiment: Experiment, contender: Contender, critic: str, goal: str) -> str:
    """The contender's name, and what its trials differ by."""
    words = [contender.name]
    if len(experiment.critics) > 1 and not contender.is_oracle:
        words.append(critic)
    if len(experiment.goals) > 1:
        words.append(goal)
    return ", ".join(words)


def check(experiment: Experiment) -> None:
    """Raise ConfigError for profiles that do not exist or are not for this experiment."""
    kept_back = [name for name in experiment.profiles if profile_named(name).role == JUDGING]
    if kept_back and not experiment.publishes:
        raise ConfigError(
            f"experiment {experiment.name} may not use the judging profile {kept_back[0]!r}: "
            "it makes no published table"
        )
    names = [contender.name for contender in experiment.contenders]
    if len(set(names)) < len(names):
        raise ConfigError(f"experiment {experiment.name}: give contenders different labels")


_ALL = tuple(
    Contender(name)
    for name in ("baseline", "baseline_sc", "fixed_depth", "breadth_first", "random")
)

_ONLINE = Contender("ache", {"mode": "online"}, "ache, online")
_BOTH = Contender("ache", {"mode": "offline-online"}, "ache, offline-online")
_THREE_LEVELS = Contender("ffc", {"levels": 3}, "ffc, 3 levels")
_PAPERS = (
    Contender("baseline_sc"),
    Contender("baseline"),
    Contender("apprentice"),
    _THREE_LEVELS,
    _ONLINE,
    _BOTH,
    Contender("scdi"),
    Contender("smartcrawler"),
)
"""Each system of the papers, under the names that claims are made of."""

_LEVELS = (
    Contender("baseline_sc"),
    Contender("baseline"),
    Contender("fixed_depth"),
    Contender("ffc", {"levels": 1}, "ffc, 1 level"),
    Contender("ffc", {"levels": 2}, "ffc, 2 levels"),
    _THREE_LEVELS,
)

_COMMON = (
    _BOTH,
    Contender("apprentice"),
    Contender("common:apprentice", label="apprentice, common stops"),
    Contender("scdi"),
    Contender("common:scdi", label="scdi, common stops"),
    Contender("smartcrawler"),
    Contender("common:smartcrawler", label="smartcrawler, common stops"),
)
"""FFC and ACHE have the common criteria for their own."""

_PARTS = tuple(
    Contender("smartcrawler", {part: False}, f"without {part.replace('_', ' ')}")
    for part in (
        "reverse_search", "site_ranking", "prioritising", "adaptive_learning", "link_ranking",
        "link_tree", "url_splitting",
    )
)  # fmt: skip

_MAKERS = (
    Contender("baseline_sc"),
    Contender("baseline"),
    Contender("fixed_depth"),
    Contender("ffc", {"levels": 1, "strict": True}, "ffc, 1 level"),
    _THREE_LEVELS,
    Contender("ffc", {"levels": 1, "reading": "literal"}, "ffc, 1 level, literal"),
    Contender("ffc", {"levels": 3, "reading": "literal"}, "ffc, 3 levels, literal"),
    _ONLINE,
    Contender("ache", {"mode": "online", "reading": "literal"}, "ache, online, literal"),
    _BOTH,
    Contender("scdi"),
    Contender("smartcrawler"),
    Contender("smartcrawler", {"reverse_search": False}, "without reverse search"),
    Contender("taught:apprentice", {"mode": "offline"}, "apprentice"),
)
"""The systems of the papers, literal and corrected; the apprentice as its claim has it."""

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        Experiment(
            "smoke",
            "Whether everything from the world to the report works; says nothing of strategies.",
            (Contender("baseline"), Contender("baseline_sc"), Contender("random")),
            profiles=("small",),
            world_seeds=(1, 2),
            domains=("book", "hotel"),
            budget_pages=300,
            seeds=(1, 2),
        ),
        Experiment(
            "density",
            "Relevant forms per page of best-first crawling in each domain, at 30,000 pages.",
            (Contender("baseline_sc"),),
            profiles=("dev",),
            world_seeds=(3, 4),
            budget_pages=30_000,
        ),
        Experiment(
            "trapped",
            "What best-first crawling without stopping criteria, or a fixed depth, comes to.",
            (Contender("baseline_sc"), Contender("baseline"), Contender("fixed_depth")),
            profiles=("dev",),
            world_seeds=(3,),
            domains=("auto", "book", "job"),
            budget_pages=30_000,
        ),
        Experiment(
            "baselines",
            "How far the strategies without learning are apart.",
            _ALL,
            profiles=("dev",),
            world_seeds=(1, 2, 3, 4, 5),
        ),
        Experiment(
            "critics",
            "What the errors of the critic cost, and what a perfect one would bring.",
            (Contender("baseline_sc"),),
            profiles=("dev",),
            world_seeds=(1, 2, 3),
            domains=("airfare", "book", "job", "movie"),
            critics=("keywords", "oracle", "noisy:0.05", "noisy:0.1", "noisy:0.2"),
        ),
        Experiment(
            "taught",
            "What a topic taught by ten pages finds, beside the shipped one and a list of words.",
            (Contender("baseline_sc"),),
            profiles=("judge-a",),
            world_seeds=(101,),
            critics=("pack", "taught:10", "keywords"),
            publishes=True,
        ),
        Experiment(
            "oracles",
            "How much room the truth leaves above strategies without learning.",
            (
                Contender("baseline_sc"),
                Contender("fixed_depth"),
                Contender("oracle:greedy"),
                Contender("oracle:sees_target"),
                Contender("oracle:trivial"),
            ),
            profiles=("dev",),
            world_seeds=(1, 2, 3),
            domains=("airfare", "book", "job", "movie"),
            critics=("keywords", "oracle"),
        ),
        Experiment(
            "reproduction",
            "The systems of the papers on worlds nothing was tuned on.",
            _PAPERS,
            profiles=("judge-a", "judge-b", "judge-c"),
            world_seeds=(201,),
            budget_pages=20_000,
            critics=("pack",),
            publishes=True,
        ),
        Experiment(
            "reproduction-long",
            "The same over 100,000 pages, in three domains of one world.",
            _PAPERS,
            profiles=("judge-a",),
            world_seeds=(201,),
            domains=("auto", "book", "movie"),
            budget_pages=100_000,
            critics=("pack",),
            publishes=True,
        ),
        Experiment(
            "reproduction-levels",
            "FFC's own comparison: levels of links against crawls without, at 30,000 pages.",
            _LEVELS,
            profiles=("judge-a",),
            world_seeds=(201,),
            domains=("auto", "book", "job"),
            budget_pages=30_000,
            critics=("pack",),
            publishes=True,
        ),
        Experiment(
            "reproduction-stops",
            "The systems with one set of stopping criteria, that of FFC, beside their own.",
            _COMMON,
            profiles=("judge-a",),
            world_seeds=(201,),
            domains=("airfare", "auto", "book", "hotel", "job", "movie"),
            budget_pages=20_000,
            critics=("pack",),
            publishes=True,
        ),
        Experiment(
            "reproduction-prior",
            "ACHE with a link classifier that was taught by one kind of sites only.",
            (
                _ONLINE,
                _BOTH,
                Contender("biased:ffc", {"levels": 3}, "ffc, biased"),
                Contender(
                    "biased:ache", {"mode": "offline-online"}, "ache, offline-online, biased"
                ),
            ),
            profiles=("judge-a",),
            world_seeds=(201,),
            domains=("auto", "book", "hotel", "movie", "rental"),
            budget_pages=20_000,
            critics=("pack",),
            publishes=True,
        ),
        Experiment(
            "reproduction-parts",
            "SmartCrawler with each of its parts switched off.",
            (Contender("smartcrawler"), Contender("scdi"), *_PARTS),
            profiles=("judge-a",),
            world_seeds=(201,),
            domains=("auto", "book", "hotel"),
            budget_pages=20_000,
            critics=("pack",),
            publishes=True,
        ),
        Experiment(
            "reproduction-makers",
            "The papers' claims on webs of nine makers, literal and corrected.",
            _MAKERS,
            profiles=("dev-mid", *(f"{DRAWN}-{seed}" for seed in range(1, 9))),
            world_seeds=(1,),
            domains=("book", "job"),
            budget_pages=2_000,
            critics=("pack",),
        ),
        Experiment(
            "default",
            "Which strategy is the default, of those that need nothing but a topic and seeds.",
            (
                Contender("baseline_sc"),
                _ONLINE,
                Contender("scdi"),
                Contender("smartcrawler"),
                Contender("sitewise"),
            ),
            profiles=("dev",),
            world_seeds=(43, 46),
            budget_pages=5_000,
            critics=("pack",),
        ),
        Experiment(
            "goals",
            "What the strategies bring for each goal: forms, deep sites, topic pages.",
            (*(one for one in _PAPERS if one.strategy != "baseline"), Contender("sitewise")),
            profiles=("dev",),
            world_seeds=(45,),
            domains=("hotel", "job"),
            budget_pages=3_000,
            critics=("pack",),
            goals=("forms", "sites", "pages"),
        ),
        Experiment(
            "published-baselines",
            "The strategies without learning on worlds nothing was tuned on.",
            _ALL,
            profiles=("judge-a", "judge-b", "judge-c"),
            world_seeds=(101, 102, 103, 104, 105, 106, 107),
            budget_pages=20_000,
            seeds=(1, 2, 3, 4, 5),
            publishes=True,
        ),
    )
}


def experiment_named(name: str) -> Experiment:
    """Raises ConfigError with the names there are."""
    if name not in EXPERIMENTS:
        raise ConfigError(f"no experiment {name!r}; there are: {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name]
