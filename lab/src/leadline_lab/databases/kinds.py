"""How a database behaves towards those who search it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from leadline_lab.draw import Draw, key_of
from leadline_lab.schema import Attribute, Schema

T = TypeVar("T")

INDEXES = ("full", "limited")
SEMANTICS = ("and", "or", "phrase", "substring")
CAPS = (0, 1000, 100, 20)
RANKINGS = ("static", "relevance", "random")
PAGE_SIZES = (10, 20, 25, 50)
LAYOUTS = ("table", "list", "cards", "definitions", "preformatted")
PAGINGS = ("links", "numbered", "offset", "keyset", "post", "button")
PAST_ENDS = ("empty", "last", "first")
TOTALS = ("exact", "estimated", "absent")
EMPTY_ANSWERS = ("sentence", "missing", "suggestions")
EMPTY_QUERIES = ("all", "nothing", "error")
REFUSALS = ("forbidden", "form")
STOP_WORDS = tuple(
    "a about an and are as at be but by for from has in is it not of on or our that the this to "
    "was we will with you your".split()
)
"""Short words no English text does without."""
_WISHES = frozenset(("adults", "children", "guests", "rooms", "nights", "radius"))


class Behaviour(Struct, frozen=True):
    """What a source does with a query. The defaults are the kindest source there is."""

    index: str = "full"
    """`full`: the keyword box searches every attribute; `limited`: only `indexed`."""
    indexed: tuple[str, ...] = ()
    """Of a limited index: names of attributes; () for some that the source's key decides."""
    semantics: str = "and"
    """`and`, `or`: of words; `phrase`: the words in a row within one attribute; `substring`: the
    query anywhere within one attribute, even inside words."""
    stop_words: tuple[str, ...] = ()
    """Dropped from `and` and `or` queries. A query of nothing else finds nothing."""
    min_length: int = 0
    """Letters and digits a keyword query needs, else it is refused."""
    cap: int = 0
    """Results shown at most, whatever the number of matches; 0 for all."""
    ranking: str = "static"
    """`random` changes from one moment to the next."""
    page_size: int = 20
    is_size_choosable: bool = False
    layout: str = "list"
    paging: str = "links"
    past_end: str = "empty"
    """What a page after the last one shows."""
    total: str = "exact"
    """Whether the number of matches is told."""
    empty_answer: str = "sentence"
    """`missing`: status 404; `suggestions`: records that do not match."""
    empty_query: str = "all"
    redirects_single: bool = False
    """A query that matches one record is sent on to its page."""
    has_details: bool = True
    """Records have pages of their own."""
    mixes_types: bool = False
    islands: int = 0
    """Clusters of records with words, people and places of their own; 0 for none."""
    bridge_per_mille: int = 10
    """Of the words of an island, those that come from anywhere."""
    needs_state: bool = False
    """A hidden value of the form must come back, else the form is shown again."""
    token_s: int = 0
    """How long a token of the form is good for; 0 for no token."""
    refusal: str = "form"
    """Of a token too old: `forbidden`, status 403, or the form once more."""
    refuses_unknown: bool = False
    """A parameter the form does not have is answered with status 400."""
    has_facets: bool = False
    """Result pages offer sorting and narrowing."""


class Source(Struct, frozen=True):
    """All that defines a database."""

    key: int
    schema: Schema
    size: int
    """Records, from 1,000 to 1,000,000 in worlds."""
    behaviour: Behaviour = Behaviour()
    language: str = "en"
    """Of its sentences and labels."""


class Habits(Struct, frozen=True):
    """How common each behaviour is: weights in the order of the constants above, or per mille."""

    index: tuple[int, ...] = (6, 4)
    semantics: tuple[int, ...] = (55, 20, 10, 15)
    cap: tuple[int, ...] = (45, 20, 20, 15)
    ranking: tuple[int, ...] = (45, 45, 10)
    page_size: tuple[int, ...] = (4, 3, 1, 2)
    layout: tuple[int, ...] = (3, 3, 2, 1, 1)
    paging: tuple[int, ...] = (25, 30, 20, 8, 9, 8)
    past_end: tuple[int, ...] = (7, 2, 1)
    total: tuple[int, ...] = (6, 2, 2)
    empty_answer: tuple[int, ...] = (7, 1, 2)
    empty_query: tuple[int, ...] = (4, 3, 3)
    refusal: tuple[int, ...] = (1, 1)
    min_length: tuple[int, ...] = (7, 1, 2)
    """Of 0, 2 and 3."""
    stop_words: int = 400
    choosable: int = 250
    single: int = 200
    details: int = 850
    mixed: int = 100
    clustered: int = 250
    state: int = 120
    token: int = 60
    facets: int = 350


def behaviour(key: int, habits: Habits | None = None) -> Behaviour:
    """The behaviour that a key draws."""
    habits = habits or Habits()
    draw = Draw(key_of(key, "behaviour"))
    has_details = draw.chance(habits.details)
    return Behaviour(
        index=_choice(draw, INDEXES, habits.index),
        semantics=_choice(draw, SEMANTICS, habits.semantics),
        stop_words=STOP_WORDS if draw.chance(habits.stop_words) else (),
        min_length=_choice(draw, (0, 2, 3), habits.min_length),
        cap=_choice(draw, CAPS, habits.cap),
        ranking=_choice(draw, RANKINGS, habits.ranking),
        page_size=_choice(draw, PAGE_SIZES, habits.page_size),
        is_size_choosable=draw.chance(habits.choosable),
        layout=_choice(draw, LAYOUTS, habits.layout),
        paging=_choice(draw, PAGINGS, habits.paging),
        past_end=_choice(draw, PAST_ENDS, habits.past_end),
        total=_choice(draw, TOTALS, habits.total),
        empty_answer=_choice(draw, EMPTY_ANSWERS, habits.empty_answer),
        empty_query=_choice(draw, EMPTY_QUERIES, habits.empty_query),
        redirects_single=draw.chance(habits.single) and has_details,
        has_details=has_details,
        mixes_types=draw.chance(habits.mixed),
        islands=draw.between(4, 12) if draw.chance(habits.clustered) else 0,
        needs_state=draw.chance(habits.state),
        token_s=draw.pick((300, 900, 1800)) if draw.chance(habits.token) else 0,
        refusal=_choice(draw, REFUSALS, habits.refusal),
        has_facets=draw.chance(habits.facets),
    )


def grid(start: Behaviour | None = None, **axes: Iterable[Any]) -> Iterator[Behaviour]:
    """Every combination of the named fields' values, the last field changing first."""
    start = start or Behaviour()
    for values in product(*axes.values()):
        yield replace(start, **dict(zip(axes, values, strict=True)))


def held(schema: Schema) -> tuple[Attribute, ...]:
    """The attributes that records have. Forms also ask for what only the asker has: how many
    travel, how far away it may be, between which days."""
    dates = sum(a.kind == "date" for a in schema.attributes)
    kept = (
        a
        for a in schema.attributes
        if a.name not in _WISHES and not (a.kind == "date" and dates > 1)
    )
    return tuple(kept) or schema.attributes


def indexed(source: Source) -> tuple[str, ...]:
    """The attributes that the keyword box searches, in the schema's order."""
    attributes = held(source.schema)
    names = tuple(a.name for a in attributes)
    if source.behaviour.index == "full":
        return names
    if source.behaviour.indexed:
        return tuple(name for name in names if name in source.behaviour.indexed)
    draw = Draw(key_of(source.key, "indexed"))
    rest = [
        a.name
        for a in attributes[1:]
        if draw.chance(350) and a.kind in ("title", "person", "place", "category")
    ]
    return (names[0], *rest)


def _choice(draw: Draw, things: Sequence[T], weights: Sequence[int]) -> T:
    return draw.pick([thing for thing, n in zip(things, weights, strict=True) for _ in range(n)])
