"""What worlds of each profile come to, beside what today's pages count: one row for each profile.

A profile says what was drawn; this says what a crawler meets. `leadline lab profiles` prints it.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from leadline.core.http import Request
from leadline.core.url import Url, site_of
from leadline.page.parse import parse_page
from leadline_lab.draw import Draw, key_of
from leadline_lab.drawn import TRIED
from leadline_lab.oracles.wanted import wanted_sites
from leadline_lab.phrases import phrases
from leadline_lab.profile import profile_named
from leadline_lab.statistics import load
from leadline_lab.truth import Truth
from leadline_lab.world import World

SAMPLE = 40
"""Pages read of a world, each of another site."""
_ROOM = 2_000
"""Places looked at for them at most: many sites are dead or say 404 there."""


class ProfileFigures(Struct, frozen=True):
    """Of one world."""

    profile: str
    sites: int
    pages: int
    """Those of endless traps left out."""
    topics: int
    deep_sites: int
    """With databases of a domain, in the mean of the domains tried."""
    reachable_forms: int
    """Of a domain, in the mean of the domains tried; scripted ones left out."""
    forms_at_depth: tuple[int, ...]
    """Per mille of the sampled sites' search forms by depth, 0 to 5."""
    links: int
    """Of a page, median; likewise below."""
    outward_per_mille: int
    generic_per_mille: int
    opaque_per_mille: int
    """Of the sampled sites."""
    menu_per_mille: int
    search_form_per_mille: int
    """Of the sampled pages."""
    english_per_mille: int
    trapped_per_mille: int
    bytes: int


def measure_profile(name: str, seed: int) -> ProfileFigures:
    """Build a world of the profile and look at it as a crawler would."""
    world = World(profile_named(name), seed)
    truth = Truth(world)
    deep, forms, depths = [], [], np.zeros(6, np.int64)
    for domain in TRIED:
        wanted = wanted_sites(world, domain)
        is_reached = truth.reachable(world.seeds(domain, 10))
        deep.append(len(wanted))
        forms.append(sum(one.forms for site, one in wanted.items() if is_reached[site]))
        for site in list(wanted)[:200]:
            for interface in world.estate(site).plan.interfaces:
                depths[interface.depth] += bool(interface.schema)
    rows = [row for row in _sample(world, key_of(world.key, "figures")) if row]
    return ProfileFigures(
        profile=name,
        sites=world.census.sites,
        pages=world.pages,
        topics=len(world.census.topics),
        deep_sites=round(float(np.mean(deep))),
        reachable_forms=round(float(np.mean(forms))),
        forms_at_depth=tuple((1000 * depths // max(1, depths.sum())).tolist()),
        **{field: _middle(rows, field) for field in ("links", "outward_per_mille", "bytes")},
        generic_per_mille=_mean(rows, "generic_per_mille"),
        **{
            field: 1000 * sum(row[field] for row in rows) // max(1, len(rows))
            for field in (
                "opaque_per_mille",
                "menu_per_mille",
                "search_form_per_mille",
                "english_per_mille",
                "trapped_per_mille",
            )
        },
    )


def _middle(rows: Sequence[dict[str, int]], field: str) -> int:
    return int(np.median([row[field] for row in rows])) if rows else 0


def _mean(rows: Sequence[dict[str, int]], field: str) -> int:
    return round(float(np.mean([row[field] for row in rows]))) if rows else 0


def _sample(world: World, key: int) -> list[dict[str, int]]:
    """Pages drawn by lot: a site, then one of its pages."""
    draw, truth, found = Draw(key), Truth(world), list[dict[str, int]]()
    generic = {
        text.lower() for code in ("en", "de", "fr", "es") for text in phrases("generic", code)
    }
    for _ in range(_ROOM):
        if len(found) == SAMPLE:
            break
        site = draw.below(world.census.sites)
        estate = world.estate(site)
        plan = estate.plan
        place = plan.place(draw.below(plan.pages))
        url = Url(estate.root + estate.paths.page(place))
        reply = world.answer(Request(url))
        if reply.status != 200 or reply.fault:
            continue
        page = parse_page(reply.body, url, "text/html")
        inside = [link for link in page.links if site_of(link.target) == site_of(url)]
        says_nothing = [link for link in inside if link.anchor.lower() in ("", "image", *generic)]
        found.append(
            {
                "links": len(page.links),
                "outward_per_mille": 1000
                * (len(page.links) - len(inside))
                // max(1, len(page.links)),
                "generic_per_mille": 1000 * len(says_nothing) // max(1, len(inside)),
                "opaque_per_mille": estate.paths.is_opaque,
                "menu_per_mille": estate.has_menu and not plan.is_single,
                "search_form_per_mille": any(truth.form(form) is not None for form in page.forms),
                "english_per_mille": plan.language == "en",
                "trapped_per_mille": bool(plan.traps),
                "bytes": len(reply.body),
            }
        )
    return found


def as_markdown(rows: Sequence[ProfileFigures]) -> str:
    """A table with a column for each profile, today's pages last."""
    today = load("today")
    middle = {name: row[len(row) // 2] for name, row in today["page"].items()}
    real = {
        "links": middle["links"],
        "outward_per_mille": middle["outward_per_mille"],
        "generic_per_mille": middle["generic_per_mille"],
        "opaque_per_mille": middle["opaque_per_mille"],
        "menu_per_mille": today["per_mille"]["has_menu"],
        "search_form_per_mille": today["per_mille"]["has_search_form"],
        "bytes": middle["bytes"],
    }
    lines = [
        "| | " + " | ".join(row.profile for row in rows) + " | pages of 2025 |",
        "|---|" + "---|" * (len(rows) + 1),
    ]
    for field in ProfileFigures.__struct_fields__[1:]:
        cells = [_cell(getattr(row, field)) for row in rows]
        label = field.replace("_per_mille", " ‰").replace("_", " ")
        lines.append(f"| {label} | {' | '.join(cells)} | {_cell(real.get(field, ''))} |")
    return "\n".join(lines)


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else str(value)
