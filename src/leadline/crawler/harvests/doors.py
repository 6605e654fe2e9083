"""Several forms may open onto one database: which of them is its door, and which are more of the
same. `harvest all` asks through one door; the others cost a request or two to be known.

Forms that are sent to one address with the same fixed values are one search, shown on many pages:
nothing needs to be asked. Other forms of a site are asked for something that the first door's
harvest found. If most of what comes is held already, it is the same database.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from leadline.core.harvest import Answer, HarvestId, HarvestSource, Query
from leadline.core.page import Form
from leadline.core.store import SessionStore
from leadline.forms.form_data import is_typed
from leadline.forms.query import find_query_field
from leadline.frontier.seen_urls import text_hashes
from leadline.harvester.interface import Interface

MOST_WORDS = 2
"""Words that another form is asked for before it is taken for a database of its own."""
_HELD = 0.5
"""Share of an answer's records that are held already, from which on it is the same database. Two
databases of one site may share a few records; the same words through another form of one database
bring mostly what words brought before."""
_LEAST_RECORDS = 10
"""Records of the first harvest below which nothing is concluded from it."""


def group_doors(sources: Iterable[HarvestSource]) -> list[list[HarvestSource]]:
    """By site, forms that ask the same left out, the best door first."""
    sites: dict[str, list[HarvestSource]] = {}
    for source in sources:
        sites.setdefault(source.site, []).append(source)
    return [_unlike(sorted(found, key=_rank, reverse=True)) for found in sites.values()]


def _unlike(sources: Sequence[HarvestSource]) -> list[HarvestSource]:
    """Without forms that send the same as an earlier one."""
    found: dict[object, HarvestSource] = {}
    for source in sources:
        found.setdefault(_target(source.form), source)
    return list(found.values())


def _target(form: Form) -> object:
    """The same for forms that ask one search: where it is sent, the box that is typed into, and
    what is fixed. Hidden values that look like tokens differ from page to page and say nothing."""
    box = find_query_field(form)
    fixed = {
        (field.name, field.value)
        for field in form.fields
        if field.kind == "hidden" and field.name and not _is_token(field.value)
    }
    address = str(form.action or form.page).partition("?")[0]
    return form.method, address, box.name if box else "", frozenset(fixed)


def _is_token(value: str) -> bool:
    return len(value) >= 16 and any(map(str.isdigit, value))


def _rank(source: HarvestSource) -> tuple[bool, float, int]:
    """A box for words first: it reaches what menus leave out. Then the most surely searchable, then
    the one with the most controls to narrow answers by."""
    form = source.form
    narrowing = sum(bool(field.options) or is_typed(field) for field in form.fields)
    return find_query_field(form) is not None, round(source.searchable, 1), narrowing


def choose_words(store: SessionStore, harvest: HarvestId) -> list[str]:
    """Words that the harvest asked for and found some records by, the fewest first: their answers
    fit a page."""
    found = [
        (asked.outcome.returned, asked.query.values[-1][1])
        for asked in store.harvests.queries(harvest)
        if asked.outcome is not None
        and asked.outcome.returned
        and len([value for _, value in asked.query.values if value]) == 1
    ]
    words = [word for _, word in sorted(found) if word.replace("-", "").isalnum()]
    return list(dict.fromkeys(words))[:MOST_WORDS]


def list_keys(store: SessionStore, harvest: HarvestId) -> set[int]:
    """Hashes of the keys of all records that a harvest holds."""
    found: set[int] = set()
    records = iter(store.harvests.records(harvest))
    while batch := [kept.record.key for kept in islice(records, 1_000)]:
        found.update(map(int, text_hashes(batch)))
    return found


def make_peeks(interface: Interface, words: Sequence[str]) -> Iterator[Query]:
    """What another form is asked, to compare it."""
    if interface.boxes:
        yield from (interface.make_text_query(word) for word in words)
    elif interface.menus:
        menu = interface.menus[0]
        chosen = [{menu.name: choice.value} for choice in menu.choices[:MOST_WORDS]]
        fixed = dict(interface.fixed)
        yield from (Query(tuple(sorted({**fixed, **values}.items()))) for values in chosen)


def is_same_database(answers: Iterable[Answer], held: set[int]) -> bool:
    """Whether most of the records of some answer are held already."""
    if len(held) < _LEAST_RECORDS:
        return False
    for answer in answers:
        keys = set(map(int, text_hashes([record.key for record in answer.records])))
        if keys and len(keys & held) >= _HELD * len(keys):
            return True
    return False
