"""A back-link service that answers in JSON, as the lab's does.

Asked for `ADDRESS?url=<URL>&limit=20`, it answers `{"links": [{"url": ...}, ...]}`; whatever
else the answer holds is ignored.
"""

from urllib.parse import urlencode

from msgspec import Struct

from leadline.backlinks.answers import ask_json, kept, question_url
from leadline.core.http import Request
from leadline.core.ports import BacklinkAnswer, Fetcher
from leadline.core.url import Url


class Link(Struct, frozen=True):
    """A page that links to what was asked about."""

    url: str | None = None


class Links(Struct, frozen=True):
    """The answer."""

    links: tuple[Link, ...]


class ServiceLinks:
    """Asks a service, one request a question and that for its robots.txt."""

    def __init__(self, fetcher: Fetcher, address: str) -> None:
        self._fetcher = fetcher
        self._address = address + ("&" if "?" in address else "?")

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        question = question_url(self._address + urlencode({"url": url, "limit": limit}))
        answer, requests = await ask_json(self._fetcher, Request(question), Links)
        return BacklinkAnswer(kept((link.url for link in answer.links), url, limit), requests)
