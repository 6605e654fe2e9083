"""What a written source consists of."""

from typing import NamedTuple
from urllib.parse import quote_plus

from leadline.core.harvest import RESULTS, Query
from leadline.core.http import Hop, Response
from leadline.core.page import Field, Form
from leadline.core.url import Url
from leadline.harvester.reply import Reply, reply_of


class Said(NamedTuple):
    """One answer and what must be read in it."""

    query: str
    body: str
    titles: tuple[str, ...] = ()
    """Of the records, in order."""
    total: int | None = None
    is_exact: bool = True
    kind: str = RESULTS
    status: int = 200
    url: str = ""
    """Where the answer came from, if not from the search's address."""
    hops: int = 0


class Source(NamedTuple):
    """A source whose pages share a frame around `@@`; `nothing` answers a query `{q}`."""

    name: str
    frame: str
    nothing: str
    answers: tuple[Said, ...]
    control: str = "q"
    address: str = "http://written.test/search?q={q}"
    status: int = 200
    """Of the answer to nonsense."""
    encoding: str = "utf-8"

    @property
    def form(self) -> Form:
        action = Url(self.address.partition("?")[0])
        return Form(Url("http://written.test/"), action, "get", (Field(self.control, "text"),))

    def asks(self, text: str) -> Query:
        return Query(((self.control, text),))

    def nonsense(self, text: str) -> Reply:
        body = self.nothing.replace("{q}", text)
        return self._reply(text, body, self.status)

    def reply(self, said: Said) -> Reply:
        return self._reply(said.query, said.body, said.status, said.url, said.hops)

    def _reply(self, query: str, body: str, status: int, url: str = "", hops: int = 0) -> Reply:
        page = self.frame.replace("@@", body).replace("{q}", query)
        given = self.address.replace("{q}", quote_plus(query))
        headers = (("content-type", f"text/html; charset={self.encoding}"),)
        way = tuple(Hop(Url(given), 302, url) for _ in range(hops))
        whole = page.encode(self.encoding, "xmlcharrefreplace")
        return reply_of(Response(Url(url or given), status, headers, whole, 0.0, hops=way))
