"""The settings of a world. Shares are per mille, so that worlds are made of whole numbers only."""

from msgspec import Struct, structs

from leadline.errors import ConfigError

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
    if name not in PROFILES:
        raise ConfigError(f"no lab profile {name!r}; there are: {', '.join(PROFILES)}")
    return PROFILES[name]
