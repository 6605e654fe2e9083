"""A response with its page parsed once, for all who read it: forms, records, next page."""

from msgspec import Struct

from leadline.core.http import Response
from leadline.core.page import Page
from leadline.core.url import AS_IT_IS, Url, canonical
from leadline.page.html_tree import parse_html
from leadline.page.outline import Outline, outline_from
from leadline.page.parse import PageLimits, page_from

_WHOLE = PageLimits(value_chars=500_000)
"""Hidden state goes back as it came. Pages of ASP.NET commonly carry ten thousands of characters;
ten times as much is no page to search with."""
_UNKNOWN = Url("http://unknown.invalid/")
"""Stands for an address that is none, so that a page read by itself never fails for its URL."""


class Reply(Struct, frozen=True, eq=False):
    """What a source sent, whatever its status."""

    response: Response
    page: Page
    outline: Outline


def reply_of(response: Response) -> Reply:
    """Any bytes give a reply."""
    html = parse_html(response.body, response.header("content-type"))
    page = page_from(html, response.url, rules=AS_IT_IS, limits=_WHOLE)
    return Reply(response, page, outline_from(html, response.url, rules=AS_IT_IS))


def reply_from(body: bytes | str, url: str, content_type: str = "") -> Reply:
    """A page that was not fetched here, as the reply with status 200 of its address."""
    if isinstance(body, str):
        body = body.encode("utf-8", "replace")
        # Whatever the page says of its charset was true of the bytes that it was decoded from.
        content_type = f"{content_type.partition(';')[0]}; charset=utf-8"
    headers = (("content-type", content_type),)
    address = canonical(url, rules=AS_IT_IS) or _UNKNOWN
    return reply_of(Response(address, 200, headers, body, 0.0))
