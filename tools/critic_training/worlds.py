"""Forms of lab worlds with the truth about them, spread evenly over the domains."""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.forms.domain import DOMAINS
from leadline.forms.searchable import SearchableJudge
from leadline.page.words import PageWords, form_words
from leadline.topics.critic import Topic
from leadline_lab.examples import Examples, FormExample
from leadline_lab.profile import profile_named
from leadline_lab.world import World
from tools.critic_training.material import Example, distinct

TAUGHT = (("dev", 1), ("dev", 2), ("dev", 3), ("dev-vague", 1), ("dev-loose", 1))
"""Worlds that may be learned from: profiles and seeds."""
TESTED = (("dev", 301), ("dev", 302), ("dev", 303), ("dev-vague", 301), ("dev-loose", 301))
"""Worlds that never are."""


class SeenForm(Struct, frozen=True, eq=False):
    """A form of a world, and what is made of it and its page."""

    example: Example
    searchable: float
    """Chance by its structure."""
    pages: NDArray[np.float64]
    """Chances of its page being about each of the domains."""
    site_domains: frozenset[str]
    """Of the databases of its site."""


_DEEP_SITES, _OTHER_SITES, _SHALLOW_SITES = 16, 60, 100
"""Of each domain; with databases of no domain; without any."""


def world_forms(profile: str, seed: int) -> Iterator[FormExample]:
    """Forms of sites of each domain in turn, of sites with other databases, and of the rest."""
    examples = Examples(World(profile_named(profile), seed))
    for site in _sites(examples):
        yield from examples.forms_of(site)


def _sites(examples: Examples) -> dict[int, None]:
    """Each once."""
    populations = examples.world.census.populations
    kinds = [
        *((f"deep {d}", [p for p in populations if d in p.domains], _DEEP_SITES) for d in DOMAINS),
        ("other", [p for p in populations if p.schemas and not p.domains], _OTHER_SITES),
        ("shallow", [p for p in populations if not p.schemas], _SHALLOW_SITES),
    ]
    drawn = (site for name, some, n in kinds for site in examples.sites(some, n, name))
    return dict.fromkeys(drawn)


def world_examples(worlds: Sequence[tuple[str, int]]) -> Iterator[Example]:
    """The forms of these worlds by their words."""
    for profile, seed in worlds:
        for found in world_forms(profile, seed):
            yield example_of(found, f"{profile} {seed} {found.site}")


def example_of(found: FormExample, owner: str) -> Example:
    words = distinct(form_words(found.form, found.page.language))
    return Example(words, found.domains, "lab", owner, is_searchable=found.is_searchable)


def seen_forms(
    worlds: Sequence[tuple[str, int]], searchable: SearchableJudge, topics: Sequence[Topic]
) -> Iterator[SeenForm]:
    """Forms of these worlds as these judges see them; topics in the order of DOMAINS."""
    for profile, seed in worlds:
        for found in world_forms(profile, seed):
            words = PageWords(found.page)
            yield SeenForm(
                example_of(found, f"{profile} {seed} {found.site}"),
                searchable.chance(found.form),
                np.array([topic.relevance(words) for topic in topics]),
                found.site_domains,
            )
