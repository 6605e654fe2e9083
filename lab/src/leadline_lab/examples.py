"""Forms and pages of a world as a crawler reads them, each with what it really is."""

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from leadline.core.http import Request
from leadline.core.page import Form, Page
from leadline.core.url import Url
from leadline.forms.signature import signature
from leadline.page import parse_page
from leadline_lab.draw import Draw, key_of
from leadline_lab.sites.census import Population
from leadline_lab.sites.plan import Plan
from leadline_lab.truth import PageTruth, Truth
from leadline_lab.world import World

_TRIED = 20
"""Draws for each site or page that is wanted: dead and failing sites give none."""


_KNOWN_SITES = 60
"""From which those that a user knows are drawn."""


class FormExample(Struct, frozen=True):
    """A form and the truth about it."""

    form: Form
    page: Page
    number: int
    """Among the forms of its page."""
    site: int
    interface: int | None
    """None for a form that searches nothing."""
    database: int
    """Among those of its site; -1 for a search over the site's own pages and for no search."""
    schema: str
    """What is searched; '' for the site's own pages and for no search."""
    domains: frozenset[str]
    site_domains: frozenset[str] = frozenset()
    """Of the databases of its site."""

    @property
    def is_searchable(self) -> bool:
        return self.interface is not None


class PageExample(Struct, frozen=True):
    """A page and the truth about it."""

    page: Page
    truth: PageTruth


class Examples:
    """Labelled forms and pages of one world. The same world and names, the same examples."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.truth = Truth(world)

    def fetch(self, url: Url) -> Page | None:
        """None for whatever is no page: errors, redirects, silence."""
        reply = self.world.answer(Request(url))
        if reply.fault or reply.status != 200:
            return None
        return parse_page(reply.body, url, reply.header("content-type"))

    def known(self, domain: str, n: int) -> list[Page]:
        """Home pages of `n` sites of a domain, among those that a user might know of."""
        urls = self.world.seeds(domain, _KNOWN_SITES)
        shuffled = Draw(key_of(self.world.key, "known", domain)).some(urls, len(urls))
        fetched = (self.fetch(url) for url in shuffled)
        return list(islice((page for page in fetched if page is not None), n))

    def with_forms(self, domain: str, n: int) -> list[Page]:
        """Pages of `n` sites with a form that searches a database of the domain, one of each."""
        populations = [p for p in self.world.census.populations if domain in p.domains]
        found = (
            self._first_with_form(site, domain) for site in self.sites(populations, 3 * n, "f")
        )
        return list(islice((page for page in found if page is not None), n))

    def _first_with_form(self, site: int, domain: str) -> Page | None:
        forms = (example for example in self.forms_of(site) if domain in example.domains)
        return next((example.page for example in forms), None)

    def sites(self, populations: Sequence[Population], n: int, name: str) -> list[int]:
        """Up to `n` sites that answer, each of the populations as likely as its share of sites."""
        draw = Draw(key_of(self.world.key, "examples", name))
        room = sum(population.sites for population in populations)
        found: dict[int, None] = {}
        for _ in range(_TRIED * n if room else 0):
            if len(found) == n:
                break
            site = _site_at(populations, draw.below(room))
            if "dead" not in self.world.estate(site).plan.traps:
                found.setdefault(site)
        return list(found)

    def forms_of(self, site: int) -> Iterator[FormExample]:
        """Every form once, on the first of the pages made for forms where it stands."""
        known: set[int | str] = set()
        for page in self._form_pages(self.world.estate(site).plan):
            for number, form in enumerate(page.forms):
                found = self.truth.form(form)
                name = signature(form) if found is None else found
                if name not in known:
                    known.add(name)
                    yield self.form(page, number, site)

    def form(self, page: Page, number: int, site: int) -> FormExample:
        """The form of that number on a page."""
        form = page.forms[number]
        found = self.truth.form(form)
        of_site = self.world.census.population(site).domains
        if found is None:
            return FormExample(form, page, number, site, None, -1, "", frozenset(), of_site)
        interface = self.truth.interface(found)
        return FormExample(
            form,
            page,
            number,
            site,
            found,
            interface.database,
            interface.schema,
            self.truth.domains_of(found),
            of_site,
        )

    def _form_pages(self, plan: Plan) -> Iterator[Page]:
        """Home, the fixed pages and those made for a form."""
        estate = self.world.estate(plan.site)
        for number in (*range(1 + len(plan.fixed)), *sorted(plan.page_of.values())):
            page = self.fetch(Url(estate.root + estate.paths.page(plan.place(number))))
            if page is not None:
                yield page

    def pages(self, populations: Sequence[Population], n: int, name: str) -> Iterator[PageExample]:
        """`n` pages of sites of these populations, each site as likely as any other."""
        draw = Draw(key_of(self.world.key, "example pages", name))
        sites = self.sites(populations, n, name)
        for _ in range(_TRIED * n if sites else 0):
            if n == 0:
                break
            estate = self.world.estate(draw.pick(sites))
            place = estate.plan.place(draw.below(estate.plan.pages))
            page = self.fetch(Url(estate.root + estate.paths.page(place)))
            if page is not None:
                n -= 1
                yield PageExample(page, self.truth.page(page.url))


def _site_at(populations: Sequence[Population], place: int) -> int:
    for population in populations:
        if place < population.sites:
            return population.first + place
        place -= population.sites
    raise IndexError(f"place {place} is beyond the sites of {len(populations)} populations")
