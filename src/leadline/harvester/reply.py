"""A response with its page read, once for all who look at it."""

from msgspec import Struct

from leadline.core.http import Response
from leadline.core.page import Page
from leadline.core.url import AS_IT_IS
from leadline.page.outline import Outline, outline_of
from leadline.page.parse import PageLimits, parse_page

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
    kind = response.header("content-type")
    page = parse_page(response.body, response.url, kind, rules=AS_IT_IS, limits=_WHOLE)
    outline = outline_of(response.body, response.url, kind, rules=AS_IT_IS)
    return Reply(response, page, outline)
