"""Profiles drawn by lot from a declared space: webs of many makers, none of them tuned.

Whoever builds a web for experiments chooses how large it is, where search forms stand, what links
say, and a few dozen other things; a strategy that wins under one such choice has won under that
choice. Here each choice is a draw from a range, and `draw_profile(seed)` is one point of the space.
The ranges say where they come from; none was set or changed by looking at what a strategy does.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import structs

from leadline_lab.draw import Draw, key_of
from leadline_lab.profile import DRAWN, PROFILES, Profile, Traps
from leadline_lab.sites.census import count_sites
from leadline_lab.sites.domains import DOMAINS

_KEY = 0x6472_6177_6E31
"""Any number; this one spells `drawn1`."""
TRIED = ("airfare", "auto", "book", "hotel", "job", "movie")
"""Domains that every drawn world has, so that experiments can compare them."""


class Range(NamedTuple):
    """What one choice is drawn from: quantiles at equal steps, straight lines between."""

    quantiles: Sequence[int]
    source: str
    """Where it comes from."""


_WORLDS = "wide around what two webs by other makers have (docs/worlds.md), and the old profile"
_TODAY = "counted on 237 real pages of 2025 (statistics/today.json): "
_FREE = "no count at hand: from hardly any to most"

SPACE: dict[str, Range] = {
    "informative": Range(
        (250, 500, 700, 950), "what is neither generic nor wrong; wrong ones cannot be counted"
    ),
    "generic": Range(
        (300, 600, 900), "of the other anchors; " + _TODAY + "0 to 33 % of all, in the middle 6 %"
    ),
    "opaque": Range(
        (0, 100, 300, 600), _TODAY + "10 % of paths have no word, on some sites a third"
    ),
    "locality": Range((500, 900, 1_300), "per mille of 45 to 72 % links to the same topic"),
    "prominence": Range(
        (1_000, 2_500, 6_000, 20_000),
        "from the old profile, in which few know of databases, to webs in which they are linked "
        "to like other sites: " + _WORLDS,
    ),
    "focus": Range((600, 900, 1_070), _FREE),
    "topic_strength": Range((600, 900, 1_150), "the old profile's, fitted on real text, and less"),
    "inner_links": Range((50, 250, 600), _FREE),
    "scripted": Range((0, 60, 200), _FREE),
    "english": Range((100, 600, 900, 1_000), _WORLDS),
    "deep": Range((500, 1_000, 2_000, 4_000), "2 to 10 % of sites for a topic: " + _WORLDS),
    "single_page": Range((0, 0, 80, 350), _FREE),
    "menus": Range((300, 800, 1_000, 1_000), _TODAY + "95 % have one; on sites of 1997 few do"),
    "mega_menus": Range((0, 500, 900), _TODAY + "51 % link 60 pages or more from their frame"),
    "on_all_pages": Range((0, 500, 900), _TODAY + "54 % of inner pages have a search form"),
    "in_menu": Range((0, 400, 900), _FREE),
    "odd_words": Range((0, 200, 800), _WORLDS),
    "own_search": Range(
        (300, 1_500, 8_000), "6 to 15 % of sites in the old profile; " + _TODAY + "54 % of pages"
    ),
    "says_search": Range((0, 350, 600), _FREE),
    "doors_linked": Range((0, 120, 400), _FREE),
    "families": Range((80, 300, 1_000), "4 to 49 kinds of template: one maker has few"),
    "outward": Range(
        (300, 1_000, 4_000),
        "2 to 12 % of links lead outside (SmartCrawler's authors); "
        + _TODAY
        + "2 to 50 %, in the middle 13",
    ),
}
"""Fields of a profile, each drawn alone."""

SITES = (Range((260, 340), "worlds that drain"), Range((800, 1_500), "worlds of a day's crawl"),
         Range((12_000, 20_000), "worlds that do not run out"))  # fmt: skip
"""How many sites there are; seeds take turns."""
SIZE = Range((150, 500, 1_000, 2_000), "per mille of the old profile's median of 50 pages a site")
DEPTH = Range((10, 100, 300), "weight of each depth from 0 to 5; FFC's authors cite 110 to 210")
DOORS = Range((0, 400, 700, 800), "per mille of sites with k forms that have k + 1: 1 to 5 a site")
PLACE = Range((5, 50, 100), "weight of home page, lists, fixed pages and items as ways in")
TRAP = Range((0, 700, 1_500, 4_000), "per mille of each trap's share in the old profile")
GUIDES = Range((0, 3, 12, 30), "per mille of sites that are directories of all topics")
TOPICS = Range((70, 150, 400, 1_000), "per mille of 54 background topics")


@lru_cache(maxsize=64)
def draw_profile(seed: int) -> Profile:
    """The point of the space with that seed, always the same one."""
    key = key_of(_KEY, seed)

    def drawn(name: str, space: Range, place: int = 0) -> int:
        return Draw(key_of(key, name, place)).quantile(space.quantiles)

    chosen = {name: drawn(name, space) for name, space in SPACE.items()}
    chosen["generic"] = (1_000 - chosen["informative"]) * chosen["generic"] // 1_000
    size, more = drawn("size", SIZE), drawn("doors", DOORS)
    sites = drawn("sites", SITES[seed % len(SITES)])
    is_small = sites < 5_000
    old = PROFILES["dev"]
    traps = {
        name: getattr(old.traps, name) * drawn(name, TRAP) // 1_000
        for name in Traps.__struct_fields__
    }
    place = [drawn("place", PLACE, number) for number in range(4)]
    bare = structs.replace(
        old,
        name=f"{DRAWN}-{seed}",
        **chosen,
        sizes=tuple(max(2, quantile * size // 1_000) for quantile in old.sizes),
        large_sizes=tuple(max(2, quantile * size // 1_000) for quantile in old.large_sizes),
        traps=Traps(**traps),
        targets=TRIED if is_small else tuple(DOMAINS),
        background=min(drawn("topics", TOPICS), 120 if sites < 500 else 1_000),
        fewest=1,
        guides=max(1, sites * drawn("guides", GUIDES) // 1_000),
        depths=tuple(drawn("depth", DEPTH, depth) for depth in range(6)),
        doors_per_site=tuple(1_000 * more**k // 1_000**k for k in range(10)),
        placement=(place[0], place[1], place[2], place[3]),
    )
    return structs.replace(bare, scale=_scale_for(bare, sites))


def _scale_for(profile: Profile, sites: int) -> int:
    """The scale at which a world of the profile has about so many sites."""
    low, high = 1, 1_000
    while low < high:
        middle = (low + high) // 2
        if count_sites(structs.replace(profile, scale=middle)) < sites:
            low = middle + 1
        else:
            high = middle
    return low
