"""The twelve target domains: who offers their databases, and which topics stand near."""

from msgspec import Struct


class Deep(Struct, frozen=True):
    """A population of sites with databases."""

    name: str
    kind: str
    """Its archetype."""
    schemas: tuple[str, ...]
    """What its databases hold; the first one most of all."""
    sites: int
    """In a world of scale 1,000."""
    is_seeded: bool = True
    """Whether a user's seeds may come from it."""
    host_words: tuple[str, ...] = ()


class Domain(Struct, frozen=True):
    """A target domain."""

    name: str
    deep: tuple[Deep, ...]
    shallow: int
    """Sites about the topic that have no database of it, in a world of scale 1,000."""
    kin: tuple[str, ...]
    """Topics that its pages speak of and link to more than chance would have it."""
    host_words: tuple[str, ...]
    locality: int
    """Per mille of its sites' outward links that stay on the topic."""
    prominence: int
    """Per mille by which sites with its databases are linked to less than others of the topic."""
    own_search: int
    """Per mille by which its sites more often have a search box over their own pages."""


DOMAINS: dict[str, Domain] = {
    domain.name: domain
    for domain in (
        Domain(
            "airfare",
            (Deep("airfare", "shop", ("airfare",), 1_700, host_words=("fares", "flights", "air")),),
            5_000,
            ("hotel", "rental", "route"),
            ("travel", "fly", "trips"),
            620,
            170,
            2_500,
        ),
        Domain(
            "auto",
            (
                Deep("used cars", "classifieds", ("auto",), 1_500, host_words=("cars", "autos")),
                Deep(
                    "car dealers", "shop", ("auto_parts",), 1_200, is_seeded=False,
                    host_words=("motors", "parts"),
                ),
            ),
            5_000,
            ("rental", "route", "product"),
            ("motor", "wheels", "drive"),
            700,
            190,
            4_500,
        ),
        Domain(
            "book",
            (
                Deep("bookstores", "shop", ("book",), 900, host_words=("books", "bookshop")),
                Deep(
                    "libraries", "library", ("book_library",), 1_900, is_seeded=False,
                    host_words=("library", "lib"),
                ),
            ),
            16_000,
            ("movie", "music", "people"),
            ("reads", "pages", "literary"),
            560,
            55,
            1_300,
        ),
        Domain(
            "hotel",
            (Deep("hotels", "shop", ("hotel",), 2_000, host_words=("hotels", "inns", "stay")),),
            4_000,
            ("airfare", "rental", "route"),
            ("travel", "resort", "visit"),
            720,
            285,
            4_200,
        ),
        Domain(
            "job",
            (
                Deep("job boards", "portal", ("job",), 1_300, host_words=("jobs", "careers")),
                Deep(
                    "career pages", "corporate", ("job_careers",), 900, is_seeded=False,
                    host_words=("group", "corp"),
                ),
            ),
            9_000,
            ("people", "apartment", "product"),
            ("work", "career", "talent"),
            600,
            108,
            2_500,
        ),
        Domain(
            "movie",
            (
                Deep("film databases", "portal", ("movie",), 2_400, host_words=("films", "movies")),
                Deep(
                    "video shops", "shop", ("movie_rental",), 1_400, is_seeded=False,
                    host_words=("video", "dvd"),
                ),
            ),
            22_000,
            ("music", "book", "people"),
            ("cinema", "screen", "reel"),
            640,
            16,
            150,
        ),
        Domain(
            "music",
            (Deep("music shops", "shop", ("music",), 2_200, host_words=("music", "records")),),
            14_000,
            ("movie", "book", "people"),
            ("songs", "bands", "sound"),
            640,
            150,
            1_300,
        ),
        Domain(
            "rental",
            (Deep("car hire", "shop", ("rental",), 2_300, host_words=("rental", "hire")),),
            16_000,
            ("auto", "airfare", "hotel"),
            ("cars", "drive", "travel"),
            500,
            47,
            300,
        ),
        Domain(
            "apartment",
            (
                Deep(
                    "lettings", "classifieds", ("apartment",), 1_900,
                    host_words=("homes", "flats"),
                ),
            ),
            6_000,
            ("job", "hotel", "route"),
            ("living", "property", "estate"),
            650,
            290,
            2_800,
        ),
        Domain(
            "route",
            (Deep("route planners", "portal", ("route",), 3_700, host_words=("maps", "routes")),),
            8_000,
            ("auto", "hotel", "airfare"),
            ("roads", "travel", "guide"),
            560,
            73,
            2_000,
        ),
        Domain(
            "product",
            (Deep("shops", "shop", ("product",), 4_200, host_words=("shop", "store", "deals")),),
            14_000,
            ("auto", "music", "movie"),
            ("reviews", "gear", "goods"),
            450,
            48,
            800,
        ),
        Domain(
            "people",
            (
                Deep("staff lists", "campus", ("people",), 2_800, host_words=("college", "univ")),
                Deep(
                    "white pages", "portal", ("people_whitepages",), 2_000, is_seeded=False,
                    host_words=("phone", "finder"),
                ),
            ),
            18_000,
            ("job", "book", "music"),
            ("folks", "society", "names"),
            480,
            40,
            150,
        ),
    )
}  # fmt: skip
"""Prominence and own searches were fitted on two development worlds, so that a best-first crawl
finds relevant forms as densely as L. Barbosa and J. Freire report (WWW 2007, Table 1) and, for the
last four domains, in the order that F. Zhao et al. report (IEEE TSC 2015, Table 2)."""

TOGETHER: tuple[Deep, ...] = (
    Deep("travel portals", "portal", ("airfare", "hotel", "rental"), 1_100, host_words=("travel",)),
    Deep("media shops", "shop", ("product", "book", "music", "movie"), 700, host_words=("media",)),
    Deep("classifieds", "classifieds", ("job", "apartment", "auto"), 700, host_words=("ads",)),
)
"""Sites that hold several domains at once."""

SHALLOW_KINDS: tuple[tuple[str, int], ...] = (
    ("blog", 382),
    ("news", 110),
    ("corporate", 220),
    ("forum", 130),
    ("government", 50),
    ("spam", 80),
    ("hub", 12),
    ("directory", 16),
)
"""Archetypes of sites without a database of their topic, per mille."""

BACKGROUND_SITES = 700
"""Of each background topic, in a world of scale 1,000."""
BACKGROUND_DEEP = 160
"""Per mille of them with a database that belongs to no target domain."""
