"""Forms of which the critic is unsure are asked, once, within their share of the requests."""

from collections.abc import Callable, Iterator

from msgspec import structs

from leadline.core.crawl import Budget
from leadline.core.http import Request, Response
from leadline.core.url import DEFAULT_RULES, Site, Url, path_of
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.evidence import QuestionTerms
from leadline.crawler.links import LinkRules, Scope, make_seed
from leadline.crawler.reading import InlineReader
from leadline.page.parse import PageLimits
from leadline.store.memory import MemoryStore
from leadline.strategies import make_strategy
from leadline.topics import TopicCritic, open_topic

TEXT = (
    "Books, novels and poetry: paperback and hardcover, by author and ISBN, from every publisher. "
)
BOX = "<form action=/find role=search><input type=search name=q><button>Search</button></form>"
PAGES = 200
Answer = Callable[[str], str]


class BookShop:
    """A site about books whose box says nothing; `answer` tells what it finds."""

    def __init__(self, answer: Answer) -> None:
        self.asked: list[Url] = []
        self._answer = answer

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        path = path_of(request.url)
        body = f"{BOX}<p>{TEXT}</p>" + "".join(self._links(path))
        if path.startswith("/find"):
            body = BOX + self._answer(path.partition("q=")[2])
        html = f"<html lang=en><title>Books {path}</title><p>{path}</p>{body}"
        headers = (("content-type", "text/html"),)
        return Response(request.url, 200, headers, html.encode(), 0.0)

    def _links(self, path: str) -> Iterator[str]:
        if path == "/":
            yield from (f"<a href=/book/{number}>book {number}</a>" for number in range(PAGES))

    def ready_at(self, site: Site) -> float:  # noqa: ARG002
        return 0.0

    def delay_of(self, site: Site) -> float:  # noqa: ARG002
        return 0.0

    async def close(self) -> None:
        """Nothing to close."""

    @property
    def questions(self) -> list[Url]:
        return [url for url in self.asked if "/find" in url]


def find_books(word: str) -> str:
    if not set(word) & set("aeiou"):
        return "<p>Sorry, nothing was found.</p>"
    names = "sea hill harbour winter garden letter river night road island tower field".split()
    row = "<li><a href=/item/{n}>The {name} novel</a> <i>paperback</i> <b>{n} EUR</b></li>"
    rows = (row.format(n=n, name=name) for n, name in enumerate(names))
    return f"<ul>{''.join(rows)}</ul>"


def ignore_query(word: str) -> str:  # noqa: ARG001
    return "<p>Welcome to our shop</p>"


class Directory(BookShop):
    """A page about books that links to a site that says nothing but what it finds."""

    def __init__(self, answer: Answer, link: str) -> None:
        super().__init__(answer)
        self._link = link

    async def fetch(self, request: Request) -> Response:
        if "//books.test" not in request.url:
            response = await super().fetch(request)
            return structs.replace(response, body=response.body.replace(TEXT.encode(), b""))
        self.asked.append(request.url)
        html = f"<html lang=en><title>Books</title><p>{TEXT}</p>{self._link}"
        return Response(request.url, 200, (("content-type", "text/html"),), html.encode(), 0.0)


async def crawl(web: BookShop, store: MemoryStore, pages: int, *, ask: bool = True) -> None:
    critic = TopicCritic(open_topic("book"))
    reader = InlineReader(critic, DEFAULT_RULES, PageLimits())
    store.links.put([make_seed(Url("http://books.test/"))])
    rules = LinkRules(Scope().why_not)
    budget = Budget(pages=pages)
    plan = CrawlPlan("forms", budget, rules, width=1, leave_traps=False, ask_forms=ask)
    strategy, terms = make_strategy("breadth_first"), QuestionTerms(pages=pages)
    await Crawl(CrawlParts(store, web, reader, strategy, questions=terms), plan).run()


async def test_a_silent_box_that_finds_books_is_accepted_after_it_was_asked() -> None:
    web, store = BookShop(find_books), MemoryStore()
    await crawl(web, store, 150)
    assert len(web.questions) == 2
    assert len(web.questions) <= 0.05 * len(web.asked)
    (stored,) = store.reader.forms()
    assert stored.judged.relevant >= 0.5
    assert "its answers" in dict(stored.judged.parts)
    kinds = [event.kind for event in store.reader.events()]
    assert (kinds.count("submission"), kinds.count("question")) == (2, 1)
    assert store.reader.counts().forms == 1


async def test_a_box_that_ignores_what_is_asked_is_not_accepted() -> None:
    web, store = BookShop(ignore_query), MemoryStore()
    await crawl(web, store, 150)
    # Two words that get the same need no nonsense.
    assert len(web.questions) == 2
    (stored,) = store.reader.forms()
    assert stored.judged.relevant < 0.4


async def test_a_silent_site_is_asked_if_the_link_to_it_speaks_of_the_topic() -> None:
    link = "<p><a href=http://find.test/shop>Find</a>: books, novels and paperbacks by author</p>"
    web, store = Directory(find_books, link), MemoryStore()
    await crawl(web, store, 40)
    assert web.questions
    (stored,) = store.reader.forms()
    assert "link to its site" in dict(stored.judged.parts)
    assert stored.judged.relevant >= 0.5


async def test_a_small_crawl_may_ask_one_form_and_a_tiny_one_none() -> None:
    for pages, asked in ((29, 0), (30, 2), (45, 2)):
        web = BookShop(find_books)
        await crawl(web, MemoryStore(), pages)
        assert len(web.questions) == asked


async def test_a_form_is_not_asked_again_by_a_later_run() -> None:
    web, store = BookShop(find_books), MemoryStore()
    await crawl(web, store, 120)
    await crawl(web, store, 190)
    assert len(web.questions) == 2


async def test_one_setting_switches_questions_off() -> None:
    web, store = BookShop(find_books), MemoryStore()
    await crawl(web, store, 150, ask=False)
    assert not web.questions
