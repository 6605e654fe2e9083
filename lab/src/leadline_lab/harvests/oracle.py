"""A harvest that knows every answer beforehand: what choosing well could bring.

Greedy: of all queries it may ask the one with the most new reachable records per request, again
and again. It asks for single words, values and steps of ranges, and for two menus at once; that
is no bound for policies that join words, and a greedy choice need not be the best one. Random
rankings are dealt once for each query.
"""

import heapq
from collections.abc import Iterator
from itertools import combinations, islice, product

import numpy as np
from numpy.typing import NDArray

from leadline.core.harvest import Query
from leadline_lab.databases import EVERYWHERE, Postings, read_query, values_of
from leadline_lab.databases.column import Rows
from leadline_lab.databases.ranking import ranked
from leadline_lab.harvests.cases import Setting
from leadline_lab.harvests.running import Curve

_MOST_WORDS = 3_000
"""Of one box, those of the most records: the others bring a record or two each."""
_MOST_PAIRS = 3_000
_FEWEST = 2
_WORDED = ("", "title", "text", "person", "place")


def best_harvest(setting: Setting, budget: int) -> Curve:
    """The oracle's curve."""
    answers = [rows for rows in _answers(setting) if len(rows)]
    page = setting.index.source.behaviour.page_size
    is_wanted = setting.is_reachable.copy()
    by_request: list[int] = []
    by_query: list[int] = []
    found = 0
    for rows in _greedy(answers, is_wanted, page):
        for first in range(0, len(rows), page):
            shown = rows[first : first + page]
            found += int(is_wanted[shown].sum())
            is_wanted[shown] = False
            by_request.append(found)
        by_query.append(found)
        if len(by_request) >= budget:
            break
    spent = min(len(by_request), budget)
    by_request = (by_request + [found] * budget)[:budget]
    return Curve(int(setting.is_reachable.sum()), tuple(by_request), tuple(by_query), spent)


def _greedy(answers: list[Rows], is_wanted: NDArray[np.bool_], page: int) -> Iterator[Rows]:
    """Answers by what is new in them per request; looked at again only when they lead, because
    what is new can only have become less (M. Minoux, 1978)."""
    waiting = [(-_worth(rows, is_wanted, page), n) for n, rows in enumerate(answers)]
    heapq.heapify(waiting)
    while waiting:
        _, number = heapq.heappop(waiting)
        worth = _worth(answers[number], is_wanted, page)
        if waiting and -worth > waiting[0][0]:
            heapq.heappush(waiting, (-worth, number))
        elif worth > 0:
            yield answers[number]
        else:
            return


def _worth(rows: Rows, is_wanted: NDArray[np.bool_], page: int) -> float:
    return float(is_wanted[rows].sum()) / -(-len(rows) // page)


def _answers(setting: Setting) -> Iterator[Rows]:
    """What every single query shows, and every two menus."""
    source = setting.index.source
    for number, query in enumerate(_queries(setting)):
        wanted = read_query(source, setting.form.bound, dict(query.values))
        is_short = wanted.has_keywords and wanted.keyword_letters < source.behaviour.min_length
        if not wanted.is_empty and not is_short:
            yield ranked(setting.index, wanted, float(number))
    if source.behaviour.empty_query == "all":
        yield ranked(setting.index, read_query(source, {}, {}), 0.0)


def _queries(setting: Setting) -> Iterator[Query]:
    interface = setting.interface
    for box in interface.boxes:
        for word in _words(setting, setting.form.bound[box.name]):
            yield Query(((box.name, word),))
    menus = [[(menu.name, choice.value) for choice in menu.choices] for menu in interface.menus]
    menus += [[(span.low, value) for value in span.lows] for span in interface.spans]
    for menu in menus:
        yield from (Query((condition,)) for condition in menu)
    yield from islice(_pairs(menus), _MOST_PAIRS)


def _pairs(menus: list[list[tuple[str, str]]]) -> Iterator[Query]:
    for first, second in combinations(menus, 2):
        for both in product(first, second):
            yield Query(tuple(sorted(both)))


def _words(setting: Setting, target: str) -> list[str]:
    """What a box may be asked for, the most frequent first."""
    name = target.partition(":")[0]
    attributes = {a.name: a.kind for a in setting.index.source.schema.attributes}
    if name not in (*setting.index.indexed, EVERYWHERE) and name not in attributes:
        return []
    if attributes.get(name, "") in _WORDED:
        counts: dict[str, int] = dict(Postings(setting.index, name))
    else:
        counts = values_of(setting.index, name)
    often = [word for word, count in counts.items() if count >= _FEWEST]
    return sorted(often, key=lambda word: -counts[word])[:_MOST_WORDS]
