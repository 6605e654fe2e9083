"""The databases that policies are compared on: kinds of them, and one of a kind for each seed."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import numpy as np
from msgspec import Struct, convert, structs
from numpy.typing import NDArray

from leadline.errors import ConfigError
from leadline.harvester.interface import Interface
from leadline_lab.databases import Behaviour, Habits, Index, Source, behaviour, reachable
from leadline_lab.draw import Draw, key_of
from leadline_lab.harvests.forms import interface_of
from leadline_lab.interfaces import SearchForm, search_form
from leadline_lab.interfaces.fields import selectable
from leadline_lab.schemas import DOMAIN_OF, SCHEMAS
from leadline_lab.sites.querying import lexicon_of

JUDGING_FROM = 900
"""Seeds from here on are for published tables: nothing is tuned on them."""
_SIZES = (4_000, 6_000, 9_000, 13_000, 20_000)
"""Records, one of them by a seed: the small end of what the paper harvests."""
_FEWEST_MENUS = 3
_REACHED = 8
"""Sources whose reachable records are remembered: policies take turns on one source."""


class Kind(Struct, frozen=True):
    """What the grid varies."""

    index: str = "full"
    cap: int = 0
    ranking: str = "static"
    is_clustered: bool = False
    semantics: str = "and"
    form: str = "keyword"
    is_drawn: bool = False
    """Everything but the form is what worlds draw for their sources."""

    @property
    def name(self) -> str:
        if self.is_drawn:
            return f"drawn {self.form}"
        cap = f"cap {self.cap}" if self.cap else "no cap"
        spread = "clustered" if self.is_clustered else "flat"
        words = (self.form, self.index, cap, self.ranking, spread, self.semantics)
        return " ".join(words)


class Case(Struct, frozen=True):
    """One database behind one form."""

    kind: Kind
    seed: int
    size: int = 0
    """Records; 0: drawn by the seed."""

    @property
    def is_judging(self) -> bool:
        return self.seed >= JUDGING_FROM


class Setting(Struct, frozen=True, eq=False):
    """A case made."""

    index: Index
    form: SearchForm
    interface: Interface
    is_reachable: NDArray[np.bool_]
    """By record number."""


def grid(**axes: tuple[object, ...]) -> Iterator[Kind]:
    """Every kind, or those with the given values only.

    Forms of menus alone take no words: how those are indexed and joined makes no difference.
    """
    values = {
        "form": ("keyword", "advanced", "select_only"),
        "index": ("full", "limited"),
        "cap": (0, 1000, 100, 20),
        "ranking": ("static", "relevance", "random"),
        "is_clustered": (False, True),
        "semantics": ("and", "or"),
    } | axes
    for row in product(*values.values()):
        kind = convert(dict(zip(values, row, strict=True)), Kind)
        is_same = kind.index == "limited" or kind.semantics == "or" or kind.ranking == "relevance"
        if kind.form != "select_only" or not is_same:
            yield kind


def made(case: Case) -> Setting:
    """Raises ConfigError for an unknown form."""
    source, form = _source(case), _form(case)
    index = Index(source, lexicon_of(source.schema.domain))
    return Setting(index, form, interface_of(source, form), _is_reachable(case))


def _source(case: Case) -> Source:
    key = key_of(case.seed, "harvest")
    drawn = behaviour(key_of(key, "behaviour"), Habits())
    if not case.kind.is_drawn:
        drawn = _of_kind(case.kind, drawn, key)
    draw = Draw(key)
    # What is never asked for is not searched either: schemas with three menus suit all forms.
    names = [n for n in sorted(DOMAIN_OF) if len(selectable(SCHEMAS[n])) >= _FEWEST_MENUS]
    schema = SCHEMAS[draw.pick(names)]
    size = draw.pick(_SIZES)
    return Source(key_of(key, "source"), schema, case.size or size, drawn)


def _of_kind(kind: Kind, drawn: Behaviour, key: int) -> Behaviour:
    """The kind's own behaviour, the rest drawn; the empty query is of no use."""
    islands = Draw(key_of(key, "islands")).between(4, 12) if kind.is_clustered else 0
    return structs.replace(
        drawn,
        index=kind.index,
        cap=kind.cap,
        ranking=kind.ranking,
        semantics=kind.semantics,
        islands=islands,
        mixes_types=False,
        empty_query="error" if drawn.empty_query == "error" else "nothing",
    )


def _form(case: Case) -> SearchForm:
    source = _source(case)
    key = key_of(case.seed, "form", case.kind.form)
    try:
        return search_form(
            source.schema, key, language=source.language, action="/search", style=case.kind.form
        )
    except KeyError:
        raise ConfigError(f"no form style {case.kind.form!r}") from None


@lru_cache(maxsize=_REACHED)
def _is_reachable(case: Case) -> NDArray[np.bool_]:
    source = _source(case)
    found = np.zeros(source.size, np.bool_)
    index = Index(source, lexicon_of(source.schema.domain))
    found[reachable(index, _form(case).bound)] = True
    return found
