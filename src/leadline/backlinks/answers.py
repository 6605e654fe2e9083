"""What all providers do with what they are told: ask for JSON, keep what the port promises."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from leadline.core.http import Request
from leadline.core.ports import Fetcher
from leadline.core.url import Url, UrlRules, canonical, is_home_page, site_of
from leadline.errors import BadResponseError, FetchError

JSON = "application/json"
_WHOLE = UrlRules(frozenset(), drop_path_session=False)
"""Nothing is cut from a question."""
_OK = 200

Answer = TypeVar("Answer")


def kept(urls: Iterable[str | None], target: Url, limit: int) -> tuple[Url, ...]:
    """Those that are URLs, each once, without the page itself; without its site for a home page."""
    is_home, site = is_home_page(target), site_of(target)
    found: dict[Url, None] = {}
    for text in urls:
        url = canonical(text) if text else None
        if url is None or url == target or (is_home and site_of(url) == site):
            continue
        found.setdefault(url)
    return tuple(found)[:limit]


def question_url(address: str) -> Url:
    """The URL of a question; raises FetchError for one that cannot be put."""
    url = canonical(address, rules=_WHOLE)
    if url is None:
        raise unasked(address, "too long to be asked about")
    return url


def unasked(url: str, reason: str) -> FetchError:
    """A failure before any request was made."""
    error = FetchError(url, reason)
    error.requests = 0
    return error


async def ask_json(fetcher: Fetcher, request: Request, kind: type[Answer]) -> tuple[Answer, int]:
    """The answer and the requests it cost; raises FetchError, also for one that is no `kind`."""
    request = msgspec.structs.replace(request, accept=(JSON,))
    response = await fetcher.fetch(request)
    try:
        if response.status != _OK:
            raise BadResponseError(request.url, f"status {response.status} instead of an answer")
        return _decoded(response.body, request.url, kind), response.requests
    except FetchError as error:
        error.requests = response.requests
        raise


def _decoded(body: bytes, url: Url, kind: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadResponseError(url, f"the answer is not as expected: {error}") from error
