"""Sources that keep their records in memory, well behaved or not, and policies that ask them."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from leadline.core.harvest import (
    BLOCKED,
    NOTHING,
    RECORD,
    REFUSED,
    RESULTS,
    Answer,
    Cell,
    Choice,
    NextPage,
    Outcome,
    Query,
    Reading,
    Record,
)
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.errors import FetchError, SiteBusyError

WORDS = tuple("alder birch cedar date elm fig grape hazel ivy juniper".split())


def record(number: int) -> Record:
    """Its words are a function of its number: each record has one word in two."""
    words = [word for at, word in enumerate(WORDS) if (number >> at) & 1]
    url = Url(f"http://shelf.test/r/{number}")
    return Record(url, f"record {number}", (Cell("words", " ".join(words)),), url)


def matching(word: str, records: Iterable[Record]) -> list[Record]:
    return [found for found in records if word in found.cells[0].text.split()]


@dataclass
class Shelf:
    """Answers with the records that have the word, some a page. `log` holds every request."""

    records: Sequence[Record] = tuple(record(number) for number in range(200))
    page_size: int = 10
    cap: int | None = None
    """Records of one answer that are shown at most."""
    log: list[str] = field(default_factory=list)

    async def ask(self, query: Query) -> Answer:
        return self._page(query, 1)

    async def fetch_next_page(self, query: Query, page: NextPage) -> Answer:
        return self._page(query, page.number)

    def found(self, query: Query) -> list[Record]:
        return matching(query.text, self.records)

    def total(self, found: list[Record]) -> int | None:
        return len(found)

    def _page(self, query: Query, number: int) -> Answer:
        url = Url(f"http://shelf.test/?q={query.text}&page={number}")
        self.log.append(url)
        found = self.found(query)
        if not found:
            return Answer(NOTHING, url=url, why="nothing found")
        shown = found[: self.cap]
        start = (number - 1) * self.page_size
        page = shown[start : start + self.page_size]
        has_more = start + self.page_size < len(shown)
        request = Request(Url(f"http://shelf.test/?q={query.text}&page={number + 1}"))
        turn = NextPage(request, "number", number + 1) if has_more else None
        return Answer(RESULTS, tuple(page), self.total(found), True, turn, url=url)


@dataclass
class IgnoringShelf(Shelf):
    """Shows everything, whatever is asked."""

    tells_total: bool = True

    def found(self, query: Query) -> list[Record]:  # noqa: ARG002
        return list(self.records)

    def total(self, found: list[Record]) -> int | None:
        return len(found) if self.tells_total else None


@dataclass
class ShufflingShelf(Shelf):
    """The order is another one for each page, and so is the total."""

    chance: random.Random = field(default_factory=lambda: random.Random(3))

    def found(self, query: Query) -> list[Record]:
        found = super().found(query)
        return self.chance.sample(found, len(found))

    def total(self, found: list[Record]) -> int | None:
        return len(found) + self.chance.randrange(100)


class LoopingShelf(Shelf):
    """The last page leads to the first one."""

    def _page(self, query: Query, number: int) -> Answer:
        pages = -(-len(self.found(query)) // self.page_size)
        answer = super()._page(query, (number - 1) % max(1, pages) + 1)
        self.log[-1] = f"{self.log[-1]} as {number}"
        request = Request(Url(f"http://shelf.test/?q={query.text}&page={number + 1}"))
        turn = NextPage(request, "link", number + 1)
        return Answer(answer.kind, answer.records, next_page=turn, url=answer.url)


@dataclass
class TroubledShelf(Shelf):
    """Meets each request whose number is in `troubles` with that trouble."""

    troubles: dict[int, FetchError | Answer] = field(default_factory=dict)

    def _page(self, query: Query, number: int) -> Answer:
        trouble = self.troubles.get(len(self.log) + 1)
        if trouble is None:
            return super()._page(query, number)
        self.log.append(f"trouble with {query.text}")
        if isinstance(trouble, FetchError):
            raise trouble
        return trouble


class CutShelf(Shelf):
    """Every page breaks off in the middle, and its way to the next one with it."""

    def _page(self, query: Query, number: int) -> Answer:
        answer = super()._page(query, number)
        half = answer.records[: len(answer.records) // 2]
        return Answer(answer.kind, half, answer.total, True, url=answer.url, why="cut off")


def blocked(why: str = "a login") -> Answer:
    return Answer(BLOCKED, why=why)


def refused(why: str = "too short") -> Answer:
    return Answer(REFUSED, why=why)


def straight_to(number: int) -> Answer:
    return Answer(RECORD, (record(number),))


def busy(retry_after_s: float | None = None) -> SiteBusyError:
    return SiteBusyError("http://shelf.test/", "status 429", retry_after_s)


class Held:
    """Holdings that know keys only, in the order of arrival."""

    def __init__(self) -> None:
        self.keys: dict[str, None] = {}

    def add_all(self, records: Iterable[Record]) -> int:
        before = len(self.keys)
        self.keys.update(dict.fromkeys(record.key for record in records))
        return len(self.keys) - before


class InOrder:
    """Asks the words in their order, expecting a fixed yield, and leaves an answer after a page
    with fewer new records than `least`."""

    name = "in order"

    def __init__(self, words: Sequence[str] = WORDS, fresh: float = 1.0, least: int = 0) -> None:
        self._least = least
        self.learned: list[Outcome] = []
        self._words = words
        self._fresh = fresh

    def choose(self) -> Choice | None:
        asked = {outcome.query.text for outcome in self.learned}
        word = next((word for word in self._words if word not in asked), None)
        return None if word is None else Choice(Query.of(q=word), self._fresh, 1.0, "the next")

    def goes_on(self, reading: Reading) -> bool:
        return reading.latest >= self._least

    def learn(self, outcome: Outcome) -> None:
        self.learned.append(outcome)


class Inventor:
    """A source that makes up records for whatever is asked, page after page without end."""

    def __init__(
        self, *, is_random_text: bool = False, is_fixed: bool = False, total: int | None = None
    ) -> None:
        """Of words that do not exist or of ordinary ones; the same for the same query or not;
        with a total printed or none."""
        self.requests = 0
        self._is_random_text = is_random_text
        self._is_fixed = is_fixed
        self._total = total

    async def ask(self, query: Query) -> Answer:
        return self._invent(query, 1)

    async def fetch_next_page(self, query: Query, page: NextPage) -> Answer:
        return self._invent(query, page.number)

    def _invent(self, query: Query, number: int) -> Answer:
        self.requests += 1
        moment = "" if self._is_fixed else self.requests
        draw = random.Random(f"{query.text} {number} {moment}")
        records = tuple(self._make_record(draw, query) for _ in range(10))
        request = Request(Url(f"http://shelf.test/?q={query.text}&page={number + 1}"))
        turn = NextPage(request, "number", number + 1)
        return Answer(RESULTS, records, self._total, self._total is not None, turn)

    def _make_record(self, draw: random.Random, query: Query) -> Record:
        if self._is_random_text:
            words = ["".join(draw.choices("abcdefghijklmnop", k=8)) for _ in range(12)]
        else:
            words = [*draw.choices(_PLAUSIBLE, k=11), query.text]
        url = Url(f"http://shelf.test/r/{draw.getrandbits(60)}")
        title, text = " ".join(words[:4]), " ".join(words[4:])
        return Record(url, title, (Cell("title", title), Cell("text", text)), url)


_PLAUSIBLE = tuple(f"{first}{second}" for first in WORDS for second in ("", "wood", "land", "er"))
INVENTORS: dict[str, Callable[[], Inventor]] = {
    "random words": lambda: Inventor(is_random_text=True),
    "random words, fixed by the query": lambda: Inventor(is_random_text=True, is_fixed=True),
    "ordinary words": Inventor,
    "ordinary words, fixed by the query": lambda: Inventor(is_fixed=True),
    "ordinary words, a total that is exceeded": lambda: Inventor(is_fixed=True, total=25),
    "random words, a large total": lambda: Inventor(is_random_text=True, total=1_000_000),
}
