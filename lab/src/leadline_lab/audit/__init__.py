"""The leak audit: whether a learner could find forms by what carries no meaning.

A world is honest if what only its maker knows cannot be read from numbers and
made-up names. `opaque` are channels that must be at chance. `page` are those
that tell something on the real Web too: they are reported, not judged, except
`template family` and `class names outside forms`, which must be at chance for
topics. `leadline lab audit` prints all as one line of JSON.
"""

from collections.abc import Iterable

from msgspec import structs

from leadline_lab.audit import channels
from leadline_lab.audit.learner import tell_apart
from leadline_lab.audit.samples import Sample
from leadline_lab.profile import profile_named
from leadline_lab.sites.estate import Estate
from leadline_lab.world import World

SITES = 2_600
DOMAINS_TRIED = ("airfare", "book", "product")

Figures = dict[str, object]
Verdicts = dict[str, dict[str, Figures]]
"""By question and channel."""


def run_audit(profile: str, seed: int, sites: int = SITES, pages: int = 800) -> Figures:
    """Everything, on `sites` sites of each kind by their URLs and `pages` of each by pages.

    With 2,600 sites an area under the curve has a standard deviation of about
    0.011 under chance.
    """
    world = World(profile_named(profile), seed)
    return {
        "profile": profile,
        "seed": seed,
        "opaque": opaque(world, sites),
        "page": on_pages(world, pages),
    }


def opaque(world: World, sites: int) -> Verdicts:
    """How much ids and opaque parts of URLs give away."""
    sample = Sample(world)
    verdicts = {
        f"on topic: {domain}": _told(channels.hosts(world, sample.of_domain(domain, sites)))
        for domain in DOMAINS_TRIED
    }
    corners = list(sample.corners(sites // 2))
    rows = channels.site_numbers(world, [(site, is_target) for site, is_target, _ in corners])
    verdicts["on a target domain"] = _told(rows)
    rows = channels.relabelled(rows, {site: is_deep for site, _, is_deep in corners})
    verdicts["deep site"] = _told(channels.hosts(world, sample.deep(sites)) | rows)
    estates = _estates(world, sample, sites * 5 // 6)
    verdicts["search page"] = _told(channels.form_pages(estates))
    verdicts["relevant interface"] = _told(channels.interfaces(estates))
    return verdicts


def on_pages(world: World, pages: int) -> Verdicts:
    """How much pages give away besides what they say."""
    sample = Sample(world)
    corners = list(sample.corners(pages // 2))
    rows = channels.pages_of_sites(world, [(site, is_target) for site, is_target, _ in corners])
    is_deep = {site: is_deep for site, _, is_deep in corners}
    robots = channels.robots_lines(world, sample.deep(2 * pages))
    estates = _estates(world, sample, pages)
    return {
        "on a target domain": _told(rows),
        "deep site": _told(channels.relabelled(rows, is_deep) | robots),
        "search page": _told(
            channels.pages_with_forms(world, estates[:pages]) | channels.repeated_names(estates)
        ),
        "search form": _told(channels.search_or_other(estates)),
        "relevant interface": _told(channels.repeated_actions(estates)),
    }


def _estates(world: World, sample: Sample, n: int) -> list[Estate]:
    return [world.estate(site) for site, _ in sample.targets(n)]


def _told(rows: channels.Rows) -> dict[str, Figures]:
    return {name: structs.asdict(tell_apart(row)) for name, row in rows.items()}


def suspicious(verdicts: Verdicts, low: float = 0.46, high: float = 0.54) -> Iterable[str]:
    """Channels that are outside these bounds, in words."""
    for question, told in verdicts.items():
        for channel, verdict in told.items():
            auc = float(str(verdict["auc"]))
            if not low <= auc <= high:
                yield f"{question} by {channel}: AUC {auc} (p {verdict['p']})"
