"""What the papers claim of their crawlers, each claim as a comparison of two of ours."""

from collections.abc import Sequence

from msgspec import Struct

MAIN, LEVELS, STOPS, PRIOR, PARTS, MAKERS = (
    "reproduction",
    "reproduction-levels",
    "reproduction-stops",
    "reproduction-prior",
    "reproduction-parts",
    "reproduction-makers",
)
"""Experiments of lab.experiments.plan."""
FFC, ACHE, SMART, APPRENTICE = "FFC 2005", "ACHE 2007", "SmartCrawler 2015", "apprentice 2002"


class Claim(Struct, frozen=True):
    """That one strategy brings so many times as much as another."""

    paper: str
    says: str
    printed: str
    """Its figure, as the paper has it."""
    one: str
    other: str
    least: float
    """The smallest ratio that agrees with the paper."""
    most: float | None = None
    """The largest; None for any."""
    metric: str = "forms"
    domains: tuple[str, ...] = ()
    """Those the claim is about; all without any."""
    experiment: str = MAIN
    """Whose trials it is held against; those of MAKERS are held against every claim."""


CLAIMS: tuple[Claim, ...] = (
    Claim(
        FFC,
        "three levels of links find more forms than one",
        "+20 to +110 %",
        "ffc, 3 levels",
        "ffc, 1 level",
        1.2,
        domains=("auto", "book", "job"),
        experiment=LEVELS,
    ),
    Claim(
        FFC,
        "several levels against a fixed depth: cars and books",
        "more than 10 times",
        "ffc, 3 levels",
        "fixed_depth",
        10.0,
        domains=("auto", "book"),
        experiment=LEVELS,
    ),
    Claim(
        FFC,
        "several levels against a fixed depth: jobs",
        "5 times",
        "ffc, 3 levels",
        "fixed_depth",
        5.0,
        domains=("job",),
        experiment=LEVELS,
    ),
    Claim(
        FFC,
        "best-first without stopping criteria is trapped",
        "far behind with them",
        "baseline_sc",
        "baseline",
        1.0,
        domains=("auto", "book", "job"),
        experiment=LEVELS,
    ),
    Claim(
        FFC,
        "a fixed depth is about as good as best-first without stopping criteria",
        "about equal",
        "fixed_depth",
        "baseline",
        0.67,
        1.5,
        domains=("auto", "book", "job"),
        experiment=LEVELS,
    ),
    Claim(
        FFC,
        "several levels against best-first with stopping criteria",
        "more in all three domains",
        "ffc, 3 levels",
        "baseline_sc",
        1.0,
        domains=("auto", "book", "job"),
        experiment=LEVELS,
    ),
    Claim(
        ACHE,
        "learning online against best-first with stopping criteria",
        "+34 to +585 %, but for movie",
        "ache, online",
        "baseline_sc",
        1.34,
    ),
    Claim(
        ACHE,
        "learning on top of an offline model",
        "+4 to +245 %",
        "ache, offline-online",
        "ffc, 3 levels",
        1.04,
    ),
    Claim(
        ACHE,
        "online beats offline in airfare, auto, book and rental",
        "up to +275 %",
        "ache, online",
        "ffc, 3 levels",
        1.0,
        domains=("airfare", "auto", "book", "rental"),
    ),
    Claim(
        ACHE,
        "book: relevant forms against best-first",
        "about 9 times",
        "ache, offline-online",
        "baseline_sc",
        3.0,
        domains=("book",),
    ),
    Claim(
        ACHE,
        "book: searchable forms of any topic against best-first",
        "+10 %",
        "ache, offline-online",
        "baseline_sc",
        0.8,
        1.5,
        metric="searchable",
        domains=("book",),
    ),
    Claim(
        SMART,
        "SmartCrawler against ACHE, forms",
        "1.48 to 4.74 times, geometric mean 2.42",
        "smartcrawler",
        "ache, offline-online",
        1.48,
    ),
    Claim(
        SMART,
        "SmartCrawler against ACHE, deep sites",
        "more in all twelve domains",
        "smartcrawler",
        "ache, offline-online",
        1.0,
        metric="sites",
    ),
    Claim(
        SMART,
        "SCDI, two stages alone, against ACHE",
        "more",
        "scdi",
        "ache, offline-online",
        1.0,
    ),
    Claim(
        SMART,
        "SmartCrawler against SCDI: what its parts add",
        "more",
        "smartcrawler",
        "scdi",
        1.0,
    ),
    Claim(
        APPRENTICE,
        "the apprentice's loss rate against best-first",
        "30 to 90 % less",
        "apprentice",
        "baseline",
        0.1,
        0.7,
        metric="loss",
    ),
    Claim(
        ACHE,
        "a link classifier taught by one kind of sites slows learning down",
        "rental: online best, offline-online behind it",
        "ache, offline-online, biased",
        "ache, offline-online",
        0.0,
        1.0,
        experiment=PRIOR,
    ),
    Claim(
        ACHE,
        "learning makes up for a biased classifier",
        "book, airfare: the bias is gone after some learning",
        "ache, offline-online, biased",
        "ffc, biased",
        1.04,
        experiment=PRIOR,
    ),
    Claim(
        SMART,
        "with one set of stopping criteria: SmartCrawler against ACHE",
        "not tried; its ACHE has fewer criteria",
        "smartcrawler, common stops",
        "ache, offline-online",
        1.0,
        experiment=STOPS,
    ),
    Claim(
        SMART,
        "with one set of stopping criteria: SCDI against ACHE",
        "not tried",
        "scdi, common stops",
        "ache, offline-online",
        1.0,
        experiment=STOPS,
    ),
    Claim(
        SMART,
        "what SmartCrawler's own criteria add to FFC's",
        "not tried",
        "smartcrawler",
        "smartcrawler, common stops",
        1.0,
        experiment=STOPS,
    ),
    Claim(
        SMART,
        "reverse searching finds what links do not",
        "more",
        "smartcrawler",
        "without reverse search",
        1.0,
        experiment=MAKERS,
    ),
    Claim(
        FFC,
        "three levels find more forms than one, read literally",
        "+20 to +110 %",
        "ffc, 3 levels, literal",
        "ffc, 1 level, literal",
        1.2,
        experiment=MAKERS,
    ),
    Claim(
        ACHE,
        "learning online against best-first with stopping criteria, read literally",
        "+34 to +585 %, but for movie",
        "ache, online, literal",
        "baseline_sc",
        1.34,
        experiment=MAKERS,
    ),
)


def names_of(claims: Sequence[Claim]) -> list[str]:
    """All strategies that are spoken of, in the order of their first claim."""
    return list(dict.fromkeys(name for claim in claims for name in (claim.one, claim.other)))
