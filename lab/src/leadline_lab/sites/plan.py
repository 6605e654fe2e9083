"""The plan of one site: its pages by number, what each is, and which forms it has where.

Pages are numbered: home, fixed pages, special pages (search forms and the
pages that lead to them), lists of sections, items. Everything else about a
page follows from its number.
"""

from bisect import bisect_right
from operator import attrgetter

from msgspec import Struct

from leadline_lab.draw import Draw
from leadline_lab.profile import Profile, Traps
from leadline_lab.sites.census import FIRST_OF_GUIDE, Census, Population, guide_topic
from leadline_lab.sites.domains import DOMAINS
from leadline_lab.sites.doors import Interface, Special, doors

_FOCUS = {
    "shop": 930, "library": 900, "classifieds": 880, "portal": 800, "blog": 720, "forum": 760,
    "corporate": 820, "government": 700, "campus": 550, "news": 420, "hub": 800,
    "directory": 850, "spam": 500, "guide": 1000,
}  # fmt: skip
"""Per mille of sections that keep to the site's topic, by archetype."""
_FIXED = ("about", "contact", "login", "register", "help", "terms", "privacy", "sitemap", "cart",
          "faq", "press", "partners")  # fmt: skip
_LANGUAGES = ("de", "fr", "es")
CAMPUS = ("campus", "course", "department", "faculty", "project", "staff", "student")
"""Topics that share their sites, as the seven classes of WebKB do."""


class Section(Struct, frozen=True):
    """A branch of a site: lists of items."""

    topic: str
    items: int
    first_item: int
    """Its first item, counted from the site's first."""
    lists: int
    """How many list pages."""
    first_list: int


_first_item, _first_list = attrgetter("first_item"), attrgetter("first_list")


class Place(Struct, frozen=True):
    """What a page is."""

    number: int
    role: str
    """home, fixed, form, gate, list, item"""
    section: int = 0
    index: int = 0
    """Of a fixed page its place in `fixed`, of a special one in `specials`, of a list or item
    its number inside its section."""


class Plan(Struct, frozen=True):
    """One site, laid out."""

    site: int
    key: int
    population: Population
    language: str
    per_list: int
    fixed: tuple[str, ...]
    specials: tuple[Special, ...]
    sections: tuple[Section, ...]
    interfaces: tuple[Interface, ...]
    traps: frozenset[str]
    first_special: int
    first_list: int
    first_item: int
    pages: int
    attached: dict[int, list[int]] = {}
    """Special pages linked from a page: numbers by number."""
    in_menu: list[int] = []
    """Special pages linked from every page."""
    page_of: dict[int, int] = {}
    """The own page of each interface that is not on the home page."""

    @property
    def is_single(self) -> bool:
        """Whether the home page is all there is."""
        return self.pages == 1

    def place(self, number: int) -> Place:
        """What the page of that number is."""
        if number == 0:
            return Place(0, "home")
        if number < self.first_special:
            return Place(number, "fixed", index=number - 1)
        if number < self.first_list:
            special = self.specials[number - self.first_special]
            role = "gate" if special.level else "form"
            return Place(number, role, index=number - self.first_special)
        if number < self.first_item:
            at = number - self.first_list
            section = bisect_right(self.sections, at, key=_first_list) - 1
            return Place(number, "list", section, at - self.sections[section].first_list)
        at = number - self.first_item
        section = bisect_right(self.sections, at, key=_first_item) - 1
        return Place(number, "item", section, at - self.sections[section].first_item)

    def list_page(self, section: int, index: int = 0) -> int:
        return self.first_list + self.sections[section].first_list + index

    def item_page(self, section: int, index: int) -> int:
        return self.first_item + self.sections[section].first_item + index

    def special_page(self, index: int) -> int:
        return self.first_special + index

    def topic(self, place: Place) -> str:
        """What a page speaks of."""
        if place.role in {"list", "item"}:
            return self.sections[place.section].topic
        return self.population.topic


def plan_site(census: Census, key: int, site: int) -> Plan:
    """Lay a site out."""
    draw = Draw(key)
    profile = census.profile
    population = census.population(site)
    size = int(census.sizes[site])
    is_single = bool(census.single[site])
    fixed = tuple(draw.some(_FIXED, 3 + draw.below(min(8, 1 + size // 4))))
    sections = _sections(draw, census, population, size)
    if is_single:
        fixed, sections = (), (Section(population.topic, 0, 0, 0, 0),)
    elif population.kind == "guide":
        fixed = fixed[: FIRST_OF_GUIDE - 1]
        sections = _guide_sections(census, site)
    interfaces, specials = doors(
        draw, profile, population, has_items=sections[0].items > 0, is_single=is_single
    )
    first_special = 1 + len(fixed)
    first_list = first_special + len(specials)
    first_item = first_list + sections[-1].first_list + sections[-1].lists
    plan = Plan(
        site=site,
        key=key,
        population=population,
        language="en" if draw.chance(profile.english) else draw.pick(_LANGUAGES),
        per_list=_per_list(size),
        fixed=fixed,
        specials=specials,
        sections=sections,
        interfaces=interfaces,
        traps=_traps(draw, profile, is_dead=bool(census.dead[site])),
        first_special=first_special,
        first_list=first_list,
        first_item=first_item,
        pages=first_item + sections[-1].first_item + sections[-1].items,
    )
    _attach(draw, plan)
    return plan


def _sections(draw: Draw, census: Census, population: Population, size: int) -> tuple[Section, ...]:
    count = 2 + size.bit_length() // 2 + draw.below(3)
    left = max(0, size - count - 4)
    per_list = _per_list(size)
    focus = _FOCUS[population.kind] * census.profile.focus // 1000
    weights = [2 + draw.below(8) for _ in range(count)]
    sections: list[Section] = []
    first_item = first_list = 0
    for place, weight in enumerate(weights):
        items = left * weight // sum(weights)
        lists = max(1, -(-items // per_list))
        topic = _section_topic(draw, census, population, focus, place)
        sections.append(Section(topic, items, first_item, lists, first_list))
        first_item += items
        first_list += lists
    return tuple(sections)


def _guide_sections(census: Census, site: int) -> tuple[Section, ...]:
    """One list for each topic, where the links between sites expect it."""
    count = len(census.topics)
    numbers = (guide_topic(site, FIRST_OF_GUIDE + at, count) for at in range(count))
    return tuple(Section(census.topics[number], 0, 0, 1, at) for at, number in enumerate(numbers))


def _section_topic(
    draw: Draw, census: Census, population: Population, focus: int, place: int
) -> str:
    if population.topic in CAMPUS and draw.chance(800):
        return draw.pick(CAMPUS)
    if draw.chance(focus):
        own = sorted(population.domains)
        return own[place % len(own)] if len(own) > 1 else population.topic
    domain = DOMAINS.get(population.topic)
    if domain and draw.chance(500):
        near = [name for name in domain.kin if name in census.topics]
        return draw.pick(near or [population.topic])
    return draw.pick(census.topics)


def _per_list(size: int) -> int:
    return 8 + size % 5 * 4


def _traps(draw: Draw, profile: Profile, *, is_dead: bool) -> frozenset[str]:
    names = [name for name in Traps.__struct_fields__ if name != "dead"]
    found = {name for name in names if draw.chance(getattr(profile.traps, name))}
    return frozenset(found | {"dead"} if is_dead else found)


def _attach(draw: Draw, plan: Plan) -> None:
    """Link each special page from the page before it on the way."""
    start = 0
    for interface in plan.interfaces:
        if not interface.depth:
            continue
        own = plan.first_special + start
        start += interface.gates + 1
        plan.page_of[interface.number] = own
        for level in range(interface.gates):
            plan.attached.setdefault(own + level + 1, []).append(own + level)
        first = own + interface.gates
        if interface.base == "menu":
            plan.in_menu.append(first)
        else:
            plan.attached.setdefault(_base_page(draw, plan, interface.base), []).append(first)


def _base_page(draw: Draw, plan: Plan, base: str) -> int:
    if base == "home":
        return 0
    if base == "fixed":
        return 1 + draw.below(len(plan.fixed))
    # Not always the first section: the larger ones have more room for a way in.
    section = draw.below(len(plan.sections))
    if base == "item" and plan.sections[section].items:
        shown = min(plan.sections[section].items, plan.per_list)
        return plan.item_page(section, draw.below(shown))
    if base == "item":
        return plan.item_page(0, 0)
    return plan.list_page(section)
