"""The search forms of a site: how many, how deep, and by which pages one gets there."""

from msgspec import Struct, structs

from leadline_lab.draw import Draw, running_sums
from leadline_lab.profile import Profile
from leadline_lab.sites.census import Population
from leadline_lab.sites.domains import DOMAINS

_SITE_SEARCH = {
    "blog": 60, "news": 150, "forum": 140, "corporate": 45, "government": 100, "campus": 110,
    "hub": 90, "directory": 120, "spam": 30, "shop": 60, "library": 100, "portal": 90,
    "classifieds": 60, "guide": 500,
}  # fmt: skip
"""Per mille of sites with a search box over their own pages, by archetype, where the domain does
not have more of them."""
_BACKGROUND_SEARCH = 1_000
_STYLES = ("keyword", "simple", "advanced", "select_only")
_STYLE_SUMS = running_sums((38, 27, 27, 8))
_BASES: dict[int, tuple[tuple[str, int], ...]] = {
    1: (("home", 1),),
    2: (("home", 35), ("list", 50), ("fixed", 15)),
    3: (("home", 20), ("list", 40), ("item", 40)),
    4: (("list", 50), ("item", 50)),
    5: (("list", 50), ("item", 50)),
}
"""Where the way to a form of each depth leaves the site's ordinary pages, with weights."""
_PLACES = ("home", "list", "fixed", "item")
_DEPTH_OF_BASE = {"home": 0, "menu": 0, "list": 1, "fixed": 1, "item": 2}


class Interface(Struct, frozen=True):
    """A form that searches a database, or the site's own pages."""

    number: int
    """Among those of its site."""
    schema: str
    """What its database holds; '' for a search over the site's own pages."""
    database: int
    """Its database's number among those of its site, several forms may open one; -1 for none."""
    style: str
    depth: int
    """Links from the home page to it."""
    is_everywhere: bool = False
    """Stands on every page of the site."""
    is_scripted: bool = False
    base: str = ""
    """From what kind of page the way to it leaves: menu, home, list, fixed, item; '' at depth 0."""

    @property
    def gates(self) -> int:
        """Pages between that one and the form's own."""
        return self.depth - 1 - _DEPTH_OF_BASE[self.base] if self.base else 0


class Special(Struct, frozen=True):
    """A page that exists for a search form: its own, or one on the way to it."""

    interface: int
    level: int
    """Links still to go: 0 is the form's own page."""


def doors(
    draw: Draw, profile: Profile, population: Population, *, has_items: bool, is_single: bool
) -> tuple[tuple[Interface, ...], tuple[Special, ...]]:
    """All search forms of a site and the pages made for them."""
    held = _databases(draw, profile, population)
    depths = _depths(draw, profile, [database for database, _ in held])
    if is_single or population.kind == "guide":
        depths = [0] * len(depths)
    found = [
        _interface(draw, profile, Interface(number, schema, database, "", depth), has_items)
        for number, ((database, schema), depth) in enumerate(zip(held, depths, strict=True))
    ]
    domain = DOMAINS.get(population.topic)
    factor = domain.own_search if domain else _BACKGROUND_SEARCH
    if draw.chance(_SITE_SEARCH[population.kind] * factor // 1000 * profile.own_search // 1000):
        everywhere = draw.chance(850)
        found.append(Interface(len(found), "", -1, "keyword", 0, everywhere))
    specials = [
        Special(interface.number, level)
        for interface in found
        if interface.depth
        for level in range(interface.gates + 1)
    ]
    return tuple(found), tuple(specials)


def _depths(draw: Draw, profile: Profile, databases: list[int]) -> list[int]:
    """A depth for each form. The first form of each database gets one of the least: databases
    are nearer to the home page than their further forms (FFC cites 94 % within three links)."""
    sums = running_sums(profile.depths)
    drawn = sorted(draw.weighted(sums) for _ in databases)
    firsts = [databases.index(database) for database in dict.fromkeys(databases)]
    others = [place for place in range(len(databases)) if place not in firsts]
    places = firsts + draw.some(others, len(others))
    return [drawn[places.index(place)] for place in range(len(databases))]


def _interface(draw: Draw, profile: Profile, bare: Interface, has_items: bool) -> Interface:
    return structs.replace(
        bare,
        style=_STYLES[draw.weighted(_STYLE_SUMS)],
        is_everywhere=bare.depth == 0 and draw.chance(profile.on_all_pages),
        is_scripted=draw.chance(profile.scripted),
        base=_base(draw, profile, bare.depth, has_items),
    )


def _base(draw: Draw, profile: Profile, depth: int, has_items: bool) -> str:
    if not depth:
        return ""
    if depth == 1:
        return "menu" if draw.chance(profile.in_menu) else "home"
    names, weights = zip(*_ways_in(profile, depth), strict=True)
    name: str = names[draw.weighted(running_sums(weights))]
    return name if has_items or name != "item" else "list"


def _ways_in(profile: Profile, depth: int) -> tuple[tuple[str, int], ...]:
    if profile.placement is None:
        return _BASES[depth]
    rows = zip(_PLACES, profile.placement, strict=True)
    # A way of `depth` links cannot begin that deep.
    return tuple((name, weight) for name, weight in rows if _DEPTH_OF_BASE[name] < depth)


def _databases(draw: Draw, profile: Profile, population: Population) -> list[tuple[int, str]]:
    """The database of each interface: its number and what it holds."""
    schemas = population.schemas
    if not schemas:
        return []
    count = 1 + draw.weighted(running_sums(profile.doors_per_site))
    if len(schemas) == 1:
        held = [schemas[0]] * (1 + draw.chance(350))
    else:
        held = draw.some(schemas, 2 + draw.chance(600))
    order = list(range(len(held)))
    while len(order) < count:
        order.append(0 if draw.chance(600) else draw.below(len(held)))
    return [(number, held[number]) for number in order]
