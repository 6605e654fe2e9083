"""Link classifiers for trials, trained as a user would: by a backward crawl from known forms.

They are trained in another world of the same profile, from pages with forms of some sites that a
user might know, through a back-link service that knows 30-50 % of the links and is out of date in
places. What that costs is reported beside a trial, not charged to it.
"""

from pathlib import Path

from msgspec import Struct

from leadline.core.ports import BacklinkAnswer
from leadline.core.url import Url
from leadline.crawler.backward import BackwardPlan, BackwardResult, crawl_backward
from leadline.errors import ConfigError
from leadline.learn.link_levels import (
    LINK_MODEL,
    LinkModel,
    learn_levels,
    read_link_model,
    write_link_model,
)
from leadline.learn.link_selection import OFFLINE
from leadline.learn.model_files import MANIFEST, Manifest, digest_of
from leadline.strategies.ffc import FEATURES
from leadline_lab.examples import Examples
from leadline_lab.experiments.critics import ELSEWHERE
from leadline_lab.experiments.lab_web import LabWorld, fetcher_at_rest
from leadline_lab.experiments.worlds import World
from leadline_lab.lookup import Lookup
from leadline_lab.server.services import WithServices
from leadline_lab.world import World as Whole

SITES = 40
"""Whose forms a user knows: UIUC's list had 50-80 sources of a domain."""
LEVELS = 4
"""As many as a strategy may use; fewer are a part of them."""


class Trained(Struct, frozen=True, eq=False):
    """A classifier and what it cost."""

    taught: LinkModel
    requests: int


class ServiceBackLinks:
    """The lab's back-link service, asked without a wire in between."""

    def __init__(self, services: WithServices) -> None:
        self._services = services

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        hits = self._services.links_to(url).hits
        urls = dict.fromkeys(hit.url for hit in hits if hit.url != url)
        return BacklinkAnswer(tuple(urls)[:limit], 1)


class LinkModels:
    """Trained link classifiers by world and domain: each is trained once.

    With a folder they are kept there as well, for other processes and later runs.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._trained: dict[tuple[str | int, ...], Trained] = {}

    async def get(self, world: World, domain: str, *, is_biased: bool = False) -> Trained:
        """Trained in another world of the same profile. Raises ConfigError where there is none.

        `is_biased`: by sites of the domain's rarest kind only.
        """
        if not isinstance(world, LabWorld):
            raise ConfigError("links can be learned in worlds of the lab only: others have no like")
        profile, seed = world.inside.profile, world.inside.seed + ELSEWHERE
        bias = ["biased"] if is_biased else []
        key: tuple[str | int, ...] = (profile.name, seed, domain, *bias)
        if key not in self._trained:
            folder = self._folder and self._folder / "-".join(map(str, key))
            if folder is None or not (folder / MANIFEST).is_file():
                trained, manifest = await train(Whole(profile, seed), domain, is_biased=is_biased)
                if folder is not None:
                    write_link_model(folder, trained.taught, manifest)
            else:
                trained = _read(folder)
            self._trained[key] = trained
        return self._trained[key]


def _read(folder: Path) -> Trained:
    taught, manifest = read_link_model(folder)
    return Trained(taught, manifest.counts["requests"])


async def train(world: Whole, domain: str, *, is_biased: bool = False) -> tuple[Trained, Manifest]:
    """A link classifier of a domain from a world."""
    forms = known_forms(world, domain, is_biased=is_biased)
    gathered = await _gather(world, forms)
    taught = LinkModel(learn_levels(gathered.lesson, OFFLINE), gathered.lesson)
    counts = {
        "forms": len(forms),
        "requests": gathered.requests,
        **{f"pages of level {level}": pages for level, pages in sorted(gathered.pages.items())},
    }
    source = f"{world.profile.name} {world.seed} {domain}"
    manifest = Manifest(LINK_MODEL, (source,), digest_of(*(url.encode() for url in forms)), counts)
    return Trained(taught, gathered.requests), manifest


def known_forms(world: Whole, domain: str, *, is_biased: bool = False) -> list[Url]:
    """Pages with forms of the domain, of sites drawn by lot: from all, or from its rarest kind."""
    examples = Examples(world)
    populations = [p for p in world.census.populations if domain in p.domains]
    if is_biased:
        populations = [min(populations, key=lambda population: population.sites)]
    sites = examples.sites(populations, SITES, f"links {domain}")
    found = (form for site in sites for form in examples.forms_of(site))
    return list(dict.fromkeys(form.page.url for form in found if domain in form.domains))


async def _gather(world: Whole, forms: list[Url]) -> BackwardResult:
    fetcher = fetcher_at_rest(world)
    backlinks = ServiceBackLinks(WithServices(world, Lookup(world)))
    try:
        return await crawl_backward(
            forms, backlinks, fetcher, BackwardPlan(levels=LEVELS), FEATURES
        )
    finally:
        await fetcher.close()
