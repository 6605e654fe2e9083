"""A response with its page parsed once, for all who read it: forms, records, next page."""

from msgspec import Struct

from leadline.core.http import Response
from leadline.core.page import Page
from leadline.core.url import AS_IT_IS
from leadline.page.html_tree import parse_html
from leadline.page.outline import Outline, outline_from
from leadline.page.parse import PageLimits, page_from

_WHOLE = PageLimits(value_chars=500_000)
"""Hidden state goes back as it came. Pages of ASP.NET commonly carry ten thousands of characters;
ten times as much is no page to search with."""


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
