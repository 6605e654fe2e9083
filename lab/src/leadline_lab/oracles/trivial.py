"""The trivial bound: every page can be fetched at once, and the best are.

No crawl can find more forms with as many pages: links, robots.txt and failures
do not exist here, only how many forms stand on a page.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from leadline.core.url import Url
from leadline_lab.oracles.wanted import Wanted, wanted_sites
from leadline_lab.world import World


def best_pages(world: World, domain: str, pages: int, seeds: Sequence[Url]) -> Iterator[Url]:
    """Pages by the number of relevant forms that none before them showed, most first."""
    del seeds
    steps = [
        (-gain, site, page)
        for site, wanted in wanted_sites(world, domain).items()
        for gain, page in _steps(wanted)
    ]
    for _, site, page in islice(sorted(steps), pages):
        estate = world.estate(site)
        yield Url(estate.root + estate.paths.page(estate.plan.place(page)))


def _steps(wanted: Wanted) -> list[tuple[int, int]]:
    """The best order inside one site: what each page adds, and its number.

    Whichever page comes first also brings the forms that stand on all pages, so
    the richest one does.
    """
    order = sorted((-forms, page) for page, forms in wanted.at.items()) or [(0, 0)]
    steps = [(-forms, page) for forms, page in order]
    gain, page = steps[0]
    return [(gain + wanted.everywhere, page), *steps[1:]]
