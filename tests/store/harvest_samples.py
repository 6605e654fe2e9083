"""Small made-up harvests for testing stores."""

from leadline.core.harvest import (
    RESULTS,
    Cell,
    HarvestSource,
    NextPage,
    Outcome,
    Query,
    Record,
    ResultPage,
    StoredQuery,
)
from leadline.core.http import Request
from leadline.core.url import Url
from tests.store.samples import judged, site


def subject(signature: str = "form-1") -> HarvestSource:
    form = judged(signature).form
    return HarvestSource(signature, site(0), form, 0.95, "random", 7, b"{}", b"boxes", b"lists")


def record(number: int) -> Record:
    return Record(
        key=f"http://s0.test/r/{number}",
        title=f"record {number}",
        cells=(Cell("title", f"record {number}"), Cell("year", str(1900 + number))),
        url=Url(f"http://s0.test/r/{number}"),
        links=(Url("http://s0.test/more"),),
    )


def asked(number: int, word: str = "") -> StoredQuery:
    query = Query.of(q=word or f"word {number}")
    return StoredQuery(number, query, float(number), 2.5, 1.0, "a frequent word", 3)


def page(query: int, number: int = 1, *, has_more: bool = False) -> ResultPage:
    turn = NextPage(Request(Url(f"http://s0.test/?q={query}&p={number + 1}")), "number", number + 1)
    return ResultPage(
        *(query, number, 10.0 * query + number, RESULTS, Url(f"http://s0.test/?q={query}"), 2),
        *(30, True, "a list of 10", turn if has_more else None),
    )


def outcome(number: int, fresh: int = 2) -> Outcome:
    return Outcome(asked(number).query, RESULTS, 3, fresh, 30, True, 2, 4, True, False, "capped")
