"""The links of a page that lead out of its site: each site is entered at its home page."""

from collections.abc import Sequence
from typing import NamedTuple

from leadline.core.crawl import PageView
from leadline.core.page import Page
from leadline.core.url import Site, Url, origin_of, site_of
from leadline.strategies.smart.site_frontier import site_key


class SiteEntry(NamedTuple):
    """How a site is entered from a page."""

    key: int
    site: Site
    home: Url
    number: int
    """Of the link on the page that makes it known."""
    is_home: bool
    """Whether that link leads to the home page itself."""


def find_site_entries(view: PageView) -> list[SiteEntry]:
    """One for each other site, in order of its first link; a link to its home page is preferred."""
    here = site_of(view.page.url)
    found: dict[Site, SiteEntry] = {}
    for number, (link, site) in enumerate(zip(view.links, view.sites, strict=True)):
        if site == here or (site in found and found[site].is_home):
            continue
        home = home_of(link.target)
        is_home = home == link.target
        if site not in found or is_home:
            found[site] = SiteEntry(site_key(site), site, home, number, is_home)
    return list(found.values())


def link_site_keys(view: PageView) -> Sequence[int]:
    """The key of each link's site; 0 for links that stay."""
    here = site_of(view.page.url)
    return [0 if site == here else site_key(site) for site in view.sites]


def other_sites(page: Page) -> list[int]:
    """The keys of all sites a page links to, known links too, but for its own."""
    # Every link of every page passes here, and most stay: `site_of`, written out, for the others.
    here = origin_of(page.url) + "/"
    away = [to for link in page.links if not (to := link.target).startswith(here)]
    sites = dict.fromkeys([target.split("/", 3)[2] for target in away])
    sites.pop(site_of(page.url), None)
    return [site_key(Site(site)) for site in sites]


def home_of(url: Url) -> Url:
    """The home page of a URL's site."""
    return Url(origin_of(url) + "/")
