"""One site made ready to be shown: plan, URLs, voice, template, and the frame of its pages."""

from functools import cached_property

from msgspec import structs

from leadline_lab.databases.gate import hidden_controls
from leadline_lab.databases.kinds import Source, behaviour
from leadline_lab.draw import Draw, Shuffle, key_of
from leadline_lab.interfaces import (
    OTHER_FORMS,
    OTHER_KINDS,
    SearchForm,
    search_form,
    site_search,
)
from leadline_lab.language import Voice
from leadline_lab.markup import FAMILIES, Template
from leadline_lab.markup.model import FormModel
from leadline_lab.markup.shells import ShellTemplate, shells
from leadline_lab.profile import Profile
from leadline_lab.schemas import SCHEMAS
from leadline_lab.sites.naming import title_words
from leadline_lab.sites.paths import Paths
from leadline_lab.sites.plan import Plan

_OTHER_KINDS = {
    "shop": ("login", "newsletter", "order", "contact", "quote"),
    "library": ("login", "contact", "newsletter"),
    "portal": ("login", "registration", "newsletter", "poll", "quote"),
    "classifieds": ("login", "registration", "contact", "quote"),
    "blog": ("comment", "newsletter", "contact"),
    "news": ("newsletter", "login", "comment", "poll"),
    "forum": ("login", "registration", "comment"),
    "corporate": ("contact", "newsletter", "quote", "login"),
    "government": ("contact", "newsletter", "language_chooser"),
    "campus": ("login", "contact", "language_chooser"),
    "hub": ("contact", "newsletter"),
    "directory": ("contact", "registration"),
    "guide": ("registration", "newsletter"),
    "spam": ("newsletter", "quote", "calculator"),
}
"""Forms that are no searches and go with an archetype."""
_BY_KIND = 350
"""Per mille of a site's other forms that go with its archetype; the rest is drawn from the mix
counted on real pages."""
_ON_ALL_PAGES = frozenset({"newsletter", "poll", "language_chooser", "login"})
ON_ITEMS = frozenset({"comment", "order"})
_ON_PAGE = {"contact": "contact", "login": "login", "register": "registration", "help": "quote"}
"""Which form stands on which fixed page, where the site has both."""

_DATABASE_SIZES = (
    1_000, 1_200, 1_500, 1_900, 2_400, 3_000, 3_800, 5_000, 6_500, 9_000, 13_000, 20_000, 32_000,
    60_000, 130_000, 350_000, 1_000_000,
)  # fmt: skip
"""Quantiles of records at equal steps."""


class Estate:
    """A site and all that its pages are written with."""

    def __init__(self, plan: Plan, host: str, name: str, profile: Profile) -> None:
        self.plan = plan
        self.host = host
        self.root = f"http://{host}"
        self.profile = profile
        self.name = name
        self._sources: dict[int, Source] = {}
        draw = Draw(key_of(plan.key, "estate"))
        self._family = _family(draw, profile)
        self.other_forms = _other_forms(draw, plan.population.kind)
        framed = _ON_ALL_PAGES.intersection(self.other_forms)
        self.framed = frozenset(kind for kind in sorted(framed) if draw.chance(600))
        """Forms that stand on every page."""
        self.menu_items = draw.between(10, 70) if draw.chance(profile.mega_menus) else 0
        """Items that a mega menu shows besides the sections."""
        self.tags = draw.between(8, 40) if draw.chance(300) else 0
        self.has_crumbs = draw.chance(550)
        self.has_menu = Draw(key_of(plan.key, "menu")).chance(profile.menus)
        """Whether its sections are linked from every page, or from the home page only."""
        self.topic_share = draw.between(650, 1_250) * profile.topic_strength // 1000
        """Per mille by which this site's pages speak more or less of their topic than others."""

    @cached_property
    def template(self) -> Template | ShellTemplate:
        inner = Template(self._family, key_of(self.plan.key, "template"))
        if not self.profile.real_pages:
            return inner
        worn = shells()
        return ShellTemplate(inner, Draw(key_of(self.plan.key, "shell")).pick(worn))

    @cached_property
    def paths(self) -> Paths:
        return Paths(self.plan, self.profile.opaque)

    @cached_property
    def voice(self) -> Voice:
        return Voice(self.plan.language, key_of(self.plan.key, "voice"))

    def words(self, topic: str) -> tuple[str, ...]:
        """For titles."""
        return title_words(topic, self.plan.language)

    @cached_property
    def search_forms(self) -> tuple[SearchForm, ...]:
        """The form of each interface that opens a database, by its number."""
        plan = self.plan
        return tuple(
            search_form(
                SCHEMAS[interface.schema],
                key_of(plan.key, "form", interface.number),
                language=plan.language,
                action=self.paths.action(interface.number),
                style=interface.style,
            )
            if interface.schema
            else _own_search(self, interface.number)
            for interface in plan.interfaces
        )

    def shown(self, number: int, now: float = 0.0) -> FormModel:
        """The form of an interface as its page has it at this moment."""
        model = self.search_forms[number].model
        interface = self.plan.interfaces[number]
        controls = model.controls
        if interface.schema:
            hidden = hidden_controls(self.source(interface.database), now)
            taken = {control.name for control in hidden}
            controls = (*(c for c in controls if c.name not in taken), *hidden)
        return structs.replace(model, controls=controls, is_scripted=interface.is_scripted)

    def forms_on(self, fixed: int) -> frozenset[str]:
        """The kinds of other forms on a fixed page: those that belong there, and on the first
        one those that have no place elsewhere."""
        names = self.plan.fixed
        homes = {_ON_PAGE[name] for name in names if name in _ON_PAGE} | self.framed | ON_ITEMS
        found = {_ON_PAGE.get(names[fixed], "")} if fixed < len(names) else set()
        if fixed == 0:
            found |= {kind for kind in self.other_forms if kind not in homes}
        return frozenset(found) - self.framed

    @property
    def databases(self) -> int:
        return 1 + max((interface.database for interface in self.plan.interfaces), default=-1)

    def schema_of(self, database: int) -> str:
        """What one of the site's databases holds."""
        found = (i.schema for i in self.plan.interfaces if i.database == database)
        return next(found)

    def source(self, database: int) -> Source:
        """One of the site's databases."""
        if database not in self._sources:
            self._sources[database] = self._new_source(database)
        return self._sources[database]

    def _new_source(self, database: int) -> Source:
        key = key_of(self.plan.key, "database", database)
        habits = behaviour(key)
        if any(i.is_everywhere for i in self.plan.interfaces if i.database == database):
            # A form that stands on every page is written once, so it holds no token.
            habits = structs.replace(habits, token_s=0)
        size = Draw(key).quantile(_DATABASE_SIZES)
        schema = SCHEMAS[self.schema_of(database)]
        return Source(key, schema, size, habits, self.plan.language)


def _family(draw: Draw, profile: Profile) -> int:
    """A template family, of those that sites of this profile are built with."""
    if profile.families >= 1000:
        return draw.below(FAMILIES)
    own = Shuffle(key_of(0, "families", profile.name), FAMILIES)
    return own.at(draw.below(max(1, FAMILIES * profile.families // 1000)))


def _other_forms(draw: Draw, kind: str) -> tuple[str, ...]:
    """One to three kinds."""
    found: dict[str, None] = {}
    for _ in range(draw.between(1, 3)):
        is_typical = draw.chance(_BY_KIND)
        common = OTHER_KINDS[draw.weighted(OTHER_FORMS)]
        found.setdefault(draw.pick(_OTHER_KINDS[kind]) if is_typical else common)
    return tuple(found)


def _own_search(estate: Estate, number: int) -> SearchForm:
    key = key_of(estate.plan.key, "form", number)
    model = site_search(key, estate.plan.language, estate.paths.action(number))
    text = next(control.name for control in model.controls if control.kind in {"text", "search"})
    return SearchForm(model=model, bound={text: "*"}, style="keyword")
