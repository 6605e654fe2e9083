"""A lab database as a source, asked without pages of HTML: the same answers, already read.

What reading a page may get wrong is left out, so that policies are compared and nothing else.
One page of results is one request.
"""

from collections import OrderedDict

from leadline.core.harvest import (
    NOTHING,
    RECORD,
    REFUSED,
    RESULTS,
    Answer,
    Cell,
    NextPage,
    Query,
    Record,
)
from leadline.core.http import Request
from leadline.core.url import Url
from leadline_lab.databases import Index, held, key_of_record, read_query
from leadline_lab.databases.column import Rows
from leadline_lab.databases.pages import estimate, listing_of
from leadline_lab.databases.query import Query as Wanted
from leadline_lab.databases.ranking import ranked
from leadline_lab.databases.records import record
from leadline_lab.markup.model import Item
from leadline_lab.schema import said

_TITLE, _TEXT = "title", "text"
_KEPT = 10_000
"""Records read once and kept."""


class LabSource:
    """A `Source`; every request is a moment of its own, which only random rankings notice."""

    def __init__(self, index: Index, bound: dict[str, str]) -> None:
        self.index = index
        self.requests = 0
        self._bound = bound
        self._asked: tuple[Wanted, Rows] | None = None
        self._read: OrderedDict[int, Record] = OrderedDict()

    async def ask(self, query: Query) -> Answer:
        return self.answer(query, 1)

    async def fetch_next_page(self, query: Query, page: NextPage) -> Answer:
        return self.answer(query, page.number)

    def read_ahead(self) -> None:
        """Read as many records as are kept, all at once: ten times quicker than page by page."""
        self._listed(tuple(range(min(self.index.source.size, _KEPT))))

    def answer(self, query: Query, page: int) -> Answer:
        """A page of the answer, from 1 on."""
        self.requests += 1
        behaviour = self.index.source.behaviour
        wanted = read_query(self.index.source, self._bound, dict(query.values))
        if wanted.has_keywords and wanted.keyword_letters < behaviour.min_length:
            return Answer(REFUSED, why="too short")
        if wanted.is_empty and behaviour.empty_query != "all":
            kind = REFUSED if behaviour.empty_query == "error" else NOTHING
            return Answer(kind, why="an empty query")
        matched = len(self.index.matches(wanted))
        rows = self._ranked(wanted)
        shown = tuple(rows[(page - 1) * behaviour.page_size : page * behaviour.page_size].tolist())
        if not shown:
            return Answer(NOTHING, why="nothing matches")
        if matched == 1 and behaviour.redirects_single and behaviour.has_details:
            return Answer(RECORD, (self._own_page(shown[0]),), 1, is_total_exact=True)
        return Answer(
            RESULTS,
            tuple(self._listed(shown)),
            self._total(wanted, matched),
            behaviour.total == "exact",
            _turn(page + 1) if page * behaviour.page_size < len(rows) else None,
        )

    def _ranked(self, wanted: Wanted) -> Rows:
        if self.index.source.behaviour.ranking == "random":
            return ranked(self.index, wanted, float(self.requests))
        if self._asked is None or self._asked[0] != wanted:
            self._asked = wanted, ranked(self.index, wanted, 0.0)
        return self._asked[1]

    def _total(self, wanted: Wanted, matched: int) -> int | None:
        told = self.index.source.behaviour.total
        if told == "absent":
            return None
        return matched if told == "exact" else estimate(self.index.source, wanted, matched)

    def _listed(self, shown: tuple[int, ...]) -> list[Record]:
        missing = tuple(number for number in shown if number not in self._read)
        listing = listing_of(self.index.source, self.index.lexicon, missing, str)
        for number, item in zip(missing, listing.items, strict=True):
            self._read[number] = self._record(number, item)
        found = [self._read[number] for number in shown]
        while len(self._read) > _KEPT:
            self._read.popitem(last=False)
        return found

    def _record(self, number: int, item: Item) -> Record:
        cells = [Cell(_TITLE, item.anchor.text), *(Cell(*fact) for fact in item.facts)]
        cells += [Cell(_TEXT, text) for text in item.text if isinstance(text, str)]
        return Record(key_of_record(self.index.source, number), item.anchor.text, tuple(cells))

    def _own_page(self, number: int) -> Record:
        """All that a record's own page says."""
        source = self.index.source
        found = record(source, self.index.lexicon, number)
        places = {a.name: said(a.labels, source.language)[0] for a in held(source.schema)}
        places |= {a.name: _TEXT for a in held(source.schema) if a.kind == "text"}
        first, *others = found.values.items()
        cells = (Cell(_TITLE, first[1]), *(Cell(places[name], text) for name, text in others))
        return Record(key_of_record(source, number), found.title, cells)


def _turn(page: int) -> NextPage:
    return NextPage(Request(Url(f"http://lab.test/?page={page}")), "number", page)
