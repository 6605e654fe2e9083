"""A web of stored pages, as experiments want it: answers, seeds and the truth."""

from collections.abc import Iterable, Sequence

import xxhash
from msgspec import Struct

from leadline.core.http import Request
from leadline.core.page import Form
from leadline.core.url import Url
from leadline.page.parse import parse_page
from leadline_lab.replay.collections import StoredPage
from leadline_lab.reply import Reply

HTML = (("content-type", "text/html; charset=utf-8"),)


class StoredTruth(Struct, frozen=True):
    """What people said of one page; implements PageTruth."""

    topics: frozenset[str] = frozenset()
    kind: str = "page"
    site: int = 0
    interfaces: tuple[int, ...] = ()
    trap: str = ""


_MISSING = StoredTruth(kind="missing")


class StoredWeb:
    """Answers for the pages of one part; any other URL is a miss, a 404 at the price of a page.

    Implements World and its Truth. Forms are of no interest here.
    """

    def __init__(self, pages: Iterable[StoredPage], beside: Iterable[StoredPage] = ()) -> None:
        """`beside` are the pages of other parts, which are no part of this web."""
        self._pages = {page.url: page for page in pages}
        self._beside = {page.url for page in beside}

    def __len__(self) -> int:
        return len(self._pages)

    @property
    def truth(self) -> "StoredWeb":
        return self

    def answer(self, request: Request, now: float) -> Reply:  # noqa: ARG002 (the port's signature)
        page = self._pages.get(request.url)
        return Reply(404) if page is None else Reply(200, HTML, page.body)

    def seeds(self, domain: str, n: int) -> list[Url]:
        """Pages about it that link into the web, in an order without meaning."""
        about = sorted(self.about(domain), key=_shuffled)
        return [url for url in about if self._has_links(url)][:n]

    def about(self, topic: str) -> Sequence[Url]:
        """The pages about a topic."""
        return [url for url, page in self._pages.items() if topic in page.topics]

    def page(self, url: Url) -> StoredTruth:
        found = self._pages.get(url)
        return _MISSING if found is None else StoredTruth(found.topics)

    def is_relevant(self, page: StoredTruth, domain: str) -> bool:
        return domain in page.topics

    def domains_of(self, interface: int) -> frozenset[str]:  # noqa: ARG002 (the port's signature)
        return frozenset()

    def form(self, form: Form) -> None:  # noqa: ARG002 (the port's signature)
        return None

    def why_not(self, url: Url) -> str:
        """Pages of other parts are out of scope; what nobody collected may be asked for."""
        return "in another part of the collection" if url in self._beside else ""

    def why_not_held(self, url: Url) -> str:
        """Only what is there may be asked for."""
        return "" if url in self._pages else "not in the collection"

    def _has_links(self, url: Url) -> bool:
        page = parse_page(self._pages[url].body, url, HTML[0][1])
        return any(link.target in self._pages and link.target != url for link in page.links)


def _shuffled(url: Url) -> int:
    return xxhash.xxh3_64_intdigest(url.encode())
