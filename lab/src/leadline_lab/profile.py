"""The settings of a world. Shares are per mille, so that worlds are made of whole numbers only."""

from msgspec import Struct, structs

from leadline.errors import ConfigError

DRAWN, REAL = "drawn", "real"
"""Profiles drawn by lot are named `drawn-SEED`; those whose sites wear real pages `real-SEED`."""

_SIZES = (
    3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19,
    21, 22, 24, 25, 26, 28, 30, 31, 33, 35, 37, 39, 41, 43, 45, 48,
    50, 53, 55, 58, 61, 65, 68, 72, 76, 80, 84, 89, 94, 100, 106, 113,
    120, 128, 137, 147, 158, 171, 186, 203, 223, 247, 277, 316, 367, 442, 563, 822,
)  # fmt: skip
_LARGE = (
    822, 881, 952, 1041, 1158, 1324, 1588, 2129, 12000,
)  # fmt: skip
"""Sizes of sites: quantiles at equal steps of a lognormal with median 50 and sigma 1.3; the last
step, one site in 64, has quantiles of its own up to the largest site."""
DEPTHS = (130, 210, 200, 180, 170, 110)
"""Per mille of search forms 0 to 5 links below the home page, as FFC's authors cite them from a
survey."""
_DOORS_PER_SITE = (140, 175, 165, 140, 110, 85, 60, 45, 30, 20, 15, 10, 5)
"""Weights of 1, 2, 3 ... search forms at a site with databases: 4.2 in the mean, from the same."""


class Traps(Struct, frozen=True):
    """Per mille of sites that have each of them."""

    calendar: int = 30
    sessions: int = 25
    facets: int = 35
    endless: int = 30
    mirror: int = 30
    soft_404: int = 100
    loops: int = 25
    slow: int = 40
    failing: int = 25
    dead: int = 12
    robots: int = 80


class Profile(Struct, frozen=True):
    """What kind of world. With a seed it is one world."""

    name: str
    role: str = "development"
    """`development`, or `judging`: used only by the commands that make published tables."""
    scale: int = 1_000
    """Per mille of the full number of sites."""
    sizes: tuple[int, ...] = _SIZES
    large_sizes: tuple[int, ...] = _LARGE
    max_size: int = 12_000
    informative: int = 600
    """Anchors that say what is behind them."""
    generic: int = 280
    """Anchors that say nothing: click here, an image. The rest says something wrong."""
    opaque: int = 300
    """Sites whose URLs are numbers only."""
    locality: int = 1_000
    """Of each domain's own locality."""
    prominence: int = 1_000
    """Of how much sites with databases are linked to: how dense relevant forms are."""
    focus: int = 1_000
    """Of how far the sections of a site keep to its topic."""
    topic_strength: int = 1_000
    """Of the share of topic words in a page."""
    inner_links: int = 250
    """Links between sites that lead past the home page."""
    scripted: int = 60
    """Search forms that exist only after a script has run."""
    english: int = 860
    """Sites in English."""
    traps: Traps = Traps()
    targets: tuple[str, ...] = ()
    """The target domains that live here; () for all twelve."""
    background: int = 1_000
    """Per mille of the background topics that live here."""
    fewest: int = 2
    """Sites of a population, at least."""
    deep: int = 1_000
    """Of the usual number of sites with databases of target domains."""
    single_page: int = 0
    """Sites that are one page, with whatever search they have on it."""
    guides: int = 0
    """Directories of all topics, a section for each: how many there are, not per mille."""
    menus: int = 1_000
    """Sites whose menu stands on every page; the others list their sections on the home page."""
    mega_menus: int = 600
    """Sites whose menu shows items besides sections."""
    depths: tuple[int, ...] = DEPTHS
    """Weights of search forms 0 to 5 links below the home page."""
    doors_per_site: tuple[int, ...] = _DOORS_PER_SITE
    """Weights of 1, 2, 3 ... search forms at a site with databases."""
    placement: tuple[int, int, int, int] | None = None
    """Weights of home page, lists, fixed pages and items as where the way to a form two or more
    links deep begins; None: by depth."""
    on_all_pages: int = 600
    """Search forms of home pages that stand on every page."""
    in_menu: int = 500
    """Search pages one link away from home that every page links to."""
    odd_words: int = 0
    """Telling links to search forms that name what is there and never say search."""
    own_search: int = 1_000
    """Of how often sites have a search box over their own pages."""
    says_search: int = 350
    """Links to sites with databases beside which searching is spoken of."""
    doors_linked: int = 120
    """Links past a home page that lead to a search form or near it."""
    families: int = 1_000
    """Per mille of the template families that sites here are built with."""
    real_pages: bool = False
    """Sites wear real pages: needs the folder of LEADLINE_DATA."""
    outward: int = 1_000
    """Of how many links to other sites a page has."""

    @property
    def deceptive(self) -> int:
        return 1_000 - self.informative - self.generic


_FULL = Profile("dev")

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        _FULL,
        structs.replace(_FULL, name="dev-vague", informative=500, generic=320, opaque=400),
        structs.replace(_FULL, name="dev-loose", locality=750, focus=850, inner_links=350),
        structs.replace(_FULL, name="dev-mid", scale=100),
        structs.replace(_FULL, name="small", scale=10, max_size=400),
        structs.replace(_FULL, name="demo", scale=60, max_size=1_500, prominence=5_000),
        structs.replace(
            _FULL, name="judge-a", role="judging", informative=620, generic=250, opaque=280
        ),
        structs.replace(
            _FULL, name="judge-b", role="judging", informative=530, generic=330, locality=880,
            topic_strength=920,
        ),
        structs.replace(
            _FULL, name="judge-c", role="judging", informative=560, generic=300, opaque=360,
            focus=900, inner_links=300, english=780,
        ),
    )
}  # fmt: skip
"""The judging profiles differ from the development ones in numbers that were set before any
strategy was run on them, and stay as they are."""


def profile_named(name: str) -> Profile:
    """Raises ConfigError with the names there are."""
    if name in PROFILES:
        return PROFILES[name]
    from leadline_lab.drawn import draw_profile

    kind, _, seed = name.partition("-")
    if kind in (DRAWN, REAL) and seed.isdecimal():
        drawn = draw_profile(int(seed))
        return structs.replace(drawn, name=name, real_pages=True) if kind == REAL else drawn
    names = ", ".join(PROFILES)
    raise ConfigError(
        f"no lab profile {name!r}; there are: {names}, {DRAWN}-1, {DRAWN}-2 ... and {REAL}-1 ..."
    )
