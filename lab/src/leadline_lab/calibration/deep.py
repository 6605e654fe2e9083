"""Sites with databases, all of them, by the world's own truth."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline_lab.calibration.view import Findings, View, mean, share
from leadline_lab.profile import DEPTHS
from leadline_lab.schemas import DOMAIN_OF
from leadline_lab.sites.domains import DOMAINS, TOGETHER
from leadline_lab.sites.doors import Interface

_SHALLOW = 3
"""Most databases are to be found within so many links of the home page."""
_OWN = 60
"""Sites of each population looked at for searches over their own pages."""
_SEEDS = 10
_SEEDS_LOOKED_AT = 60
_FEW_LINKS, _MANY_LINKS = 3, 5_000
"""Outward links of a site that are followed; the largest have fewer than 5,000."""
_SOURCES = 4
"""Links to a site that are followed back."""


class Deep(Struct, frozen=True):
    """Counts over the sites with databases."""

    forms: NDArray[np.int32]
    """For each site of the world and each domain, its search forms."""
    sites: int
    databases: int
    depths: NDArray[np.int64]
    """Interfaces at depths 0 to 5."""
    shallow_databases: int
    shallow_sites: int
    scripted: int
    step: int = 1
    """One site in so many was looked at."""

    @property
    def interfaces(self) -> int:
        return int(self.depths.sum())


def count_deep(view: View) -> Deep:
    """Goes through the sites with databases once."""
    place = {name: at for at, name in enumerate(DOMAINS)}
    forms = np.zeros((view.world.census.sites, len(DOMAINS)), np.int32)
    depths = np.zeros(len(DEPTHS), np.int64)
    counts = np.zeros(5, np.int64)
    step = view.effort.deep_step
    for population in view.world.census.populations:
        if not population.schemas:
            continue
        for site in range(population.first, population.first + population.sites, step):
            own = [i for i in view.plan(site).interfaces if i.schema]
            for interface in own:
                depths[interface.depth] += 1
                if interface.schema in DOMAIN_OF:
                    forms[site, place[DOMAIN_OF[interface.schema]]] += 1
            counts += _counts(own)
    sites, databases, shallow, shallow_sites, scripted = counts.tolist()
    return Deep(forms, sites, databases, depths, shallow, shallow_sites, scripted, step)


def _counts(own: list[Interface]) -> NDArray[np.int64]:
    """Of one site: 1, databases, those that are near, whether the site is, scripted forms."""
    least: dict[int, int] = {}
    for interface in own:
        least[interface.database] = min(interface.depth, least.get(interface.database, 9))
    near = sum(depth <= _SHALLOW for depth in least.values())
    return np.array([1, len(least), near, near > 0, sum(i.is_scripted for i in own)])


def measure_deep(view: View, deep: Deep) -> Findings:
    total = deep.interfaces
    pmf = (deep.depths / total).tolist()
    figures = {
        "interfaces_per_deep_site": total / deep.sites,
        "databases_per_deep_site": deep.databases / deep.sites,
        "databases_within_3": deep.shallow_databases / deep.databases,
        "sites_within_3": deep.shallow_sites / deep.sites,
        "scripted_share": deep.scripted / total,
        "deep_sites": float(deep.step * deep.sites),
    }
    figures |= {f"depth_{at}": value for at, value in enumerate(pmf)}
    figures |= _density(view, deep) | _together(deep) | _populations(view)
    return Findings(figures, {"depth_target": [d / 1000 for d in DEPTHS], "depth_planned": pmf})


def _density(view: View, deep: Deep) -> dict[str, float]:
    """How rare search forms are among pages, and those of a domain among them."""
    sample = view.plans
    sizes = view.world.census.sizes
    per_size = sum(plan.pages for plan in sample) / sum(int(sizes[plan.site]) for plan in sample)
    pages = per_size * int(sizes.sum())
    own = mean([sum(not i.schema for i in plan.interfaces) for plan in sample])
    searchable = deep.step * deep.interfaces + own * view.world.census.sites
    shares = [deep.step * float(column) / searchable for column in deep.forms.sum(axis=0)]
    on_topic = [_share_on_topic(view, deep, at, name) for at, name in enumerate(DOMAINS)]
    return {
        "pages": pages,
        "sites": float(view.world.census.sites),
        "searchable_per_page": searchable / pages,
        "relevant_share_min": min(shares),
        "relevant_share_mean": mean(shares),
        "relevant_share_max": max(shares),
        "topic_relevant_share_min": min(on_topic),
        "topic_relevant_share_mean": mean(on_topic),
        "topic_relevant_share_max": max(on_topic),
    }


def _share_on_topic(view: View, deep: Deep, place: int, domain: str) -> float:
    """Of the search forms on sites about a domain, those that are its own."""
    draw = view.draw(f"own searches of {domain}")
    populations = [p for p in view.world.census.populations if p.topic == domain]
    relevant = others = 0.0
    for population in populations:
        rows = deep.forms[population.first : population.first + population.sites]
        relevant += float(rows[:, place].sum())
        others += float(rows.sum() - rows[:, place].sum())
        n = min(_OWN, population.sites)
        some = (population.first + draw.below(population.sites) for _ in range(n))
        own = sum(not i.schema for site in some for i in view.plan(site).interfaces)
        others += own * population.sites / n / deep.step
    return share(relevant, relevant + others)


def _together(deep: Deep) -> dict[str, float]:
    """For each group of domains: sites with one of them that have another one as well."""
    place = {name: at for at, name in enumerate(DOMAINS)}
    found = {}
    for group in TOGETHER:
        columns = deep.forms[:, [place[DOMAIN_OF[schema]] for schema in group.schemas]] > 0
        with_more = columns.sum(axis=1) > 1
        shares = [float(with_more[column].mean()) for column in columns.T]
        found[f"together_{group.name}"] = mean(shares)
    return found


def _populations(view: View) -> dict[str, float]:
    """Seeded and unseeded sites with databases, and whether seeds keep to the former."""
    census = view.world.census
    sizes = {population.name: population.sites for population in census.populations}
    unseeded = [p for p in census.populations if p.schemas and p.domains and not p.is_seeded]
    domains = sorted({domain for population in unseeded for domain in population.domains})
    wrong = 0
    for domain in domains:
        for url in view.world.seeds(domain, _SEEDS_LOOKED_AT):
            wrong += not census.population(view.truth.page(url).site).is_seeded
    return {
        "bookstores": float(sizes["bookstores"]),
        "libraries": float(sizes["libraries"]),
        "libraries_per_bookstore": sizes["libraries"] / sizes["bookstores"],
        "unseeded_populations": float(len(unseeded)),
        "seeds_of_unseeded": float(wrong),
    }


def measure_room(view: View, deep: Deep) -> Findings:
    """Relevant forms and their sites that can be reached from a domain's seeds.

    What the most linked site reaches is worked out once; a domain whose seeds
    reach that site by few links of each site reaches at least as much.
    """
    if not view.effort.has_room:
        return Findings()
    top = _most_linked(view)
    reached = _with_targets(view, deep, view.truth.reachable([view.url(top, 0)], _MANY_LINKS))
    figures: dict[str, float] = {"reachable_sites": float(reached.mean())}
    for place, domain in enumerate(DOMAINS):
        seeds = view.world.seeds(domain, _SEEDS)
        begun = view.truth.reachable(seeds, _FEW_LINKS)
        mine = reached if begun[top] else view.truth.reachable(seeds, _MANY_LINKS)
        forms = deep.forms[mine, place]
        figures[f"room_forms_{domain}"] = float(forms.sum())
        figures[f"room_sites_{domain}"] = float((forms > 0).sum())
    for kind in ("forms", "sites"):
        rows = [figures[f"room_{kind}_{domain}"] for domain in DOMAINS]
        figures[f"room_{kind}_min"] = min(rows)
    return Findings(figures)


def _with_targets(view: View, deep: Deep, reached: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """With the sites of databases added that a reached site links to by a later link of its own:
    hubs have thousands."""
    found = reached.copy()
    is_left = (deep.forms.sum(axis=1) > 0) & ~reached & ~view.world.census.dead
    for site in np.flatnonzero(is_left).tolist():
        sources = [source for source, _ in view.world.graph.sources(site, _SOURCES)]
        found[site] = bool(reached[sources].any())
    return found


def _most_linked(view: View) -> int:
    """The first site of the largest population that is alive."""
    population = max(view.world.census.populations, key=lambda p: p.sites)
    dead = view.world.census.dead
    own = range(population.first, population.first + population.sites)
    return next(site for site in own if not dead[site])
