"""Made-up people and places. No person is meant; a few of the places exist."""

from functools import lru_cache

from leadline_lab.draw import Draw, key_of

_STARTS = "b br c cl d dr f g gr h j k kl l m n p pr r s sh st t tr v w y".split()
_VOWELS = "a a e e i o u ai ea ie ou".split()
_STOPS = "l m n r s t d k ll nn nd rt lm rk st".split()
_ENDS = {
    "given": "a o e ia in on el is us ine ard ette ric na la".split(),
    "family": "son er man sen ez ski ton ley berg ini ard ford well ov sky ell ner".split(),
    "place": "ton ville burg ford field stad haven mouth wick by dale port bridge mond".split(),
}
_BEFORE = ("New", "North", "South", "Saint", "Port", "Upper", "East", "Mount")
COMMON_PLACES = (
    "London", "Paris", "New York", "Berlin", "Madrid", "Rome", "Chicago", "Boston", "Toronto",
    "Sydney", "Vienna", "Lisbon", "Dublin", "Oslo", "Prague", "Denver", "Austin", "Seattle",
    "Miami", "Milan", "Munich", "Lyon", "Zurich", "Brussels", "Athens", "Warsaw", "Tokyo",
    "San Diego", "Los Angeles", "Mexico City", "Cape Town", "Hong Kong",
)  # fmt: skip


@lru_cache(maxsize=8)
def names(kind: str, count: int) -> tuple[str, ...]:
    """`count` different names of a kind: `given`, `family`, `place`."""
    draw = Draw(key_of(0, "names", kind))
    found: dict[str, None] = {}
    while len(found) < count:
        middle = draw.pick(_STOPS)[0] + draw.pick(_VOWELS) if draw.chance(300) else ""
        word = draw.pick(_STARTS) + draw.pick(_VOWELS) + middle + draw.pick(_STOPS)
        found[(word + draw.pick(_ENDS[kind])).capitalize()] = None
    return tuple(found)


@lru_cache(maxsize=1)
def places() -> tuple[str, ...]:
    """Common ones and made-up ones, some of two words."""
    draw = Draw(key_of(0, "places"))
    made = [
        f"{draw.pick(_BEFORE)} {name}" if draw.chance(150) else name for name in names("place", 700)
    ]
    return (*COMMON_PLACES, *dict.fromkeys(made))
