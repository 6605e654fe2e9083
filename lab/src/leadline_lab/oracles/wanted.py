"""The search forms that an oracle is after."""

from msgspec import Struct

from leadline_lab.schemas import DOMAIN_OF
from leadline_lab.sites.plan import Plan
from leadline_lab.world import World

EVERYWHERE = -1
"""In the place of a page's number: on every page of the site."""


class Wanted(Struct, frozen=True):
    """The relevant forms of one site that are there without scripts."""

    everywhere: int
    """How many stand on every page."""
    at: dict[int, int]
    """How many stand on one page only, by its number."""

    @property
    def forms(self) -> int:
        return self.everywhere + sum(self.at.values())


def wanted_of(plan: Plan, domain: str) -> Wanted:
    """What a site has for a domain."""
    everywhere, at = 0, dict[int, int]()
    for interface in plan.interfaces:
        if DOMAIN_OF.get(interface.schema) != domain or interface.is_scripted:
            continue
        if interface.is_everywhere:
            everywhere += 1
        else:
            page = plan.page_of[interface.number] if interface.depth else 0
            at[page] = at.get(page, 0) + 1
    return Wanted(everywhere, at)


def wanted_sites(world: World, domain: str) -> dict[int, Wanted]:
    """Every living site that has something for a domain."""
    found = {}
    for population in world.census.populations:
        if domain not in population.domains:
            continue
        for site in range(population.first, population.first + population.sites):
            if not world.census.dead[site]:
                wanted = wanted_of(world.estate(site).plan, domain)
                if wanted.forms:
                    found[site] = wanted
    return found
