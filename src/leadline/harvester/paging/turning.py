"""The next page of an answer: how it is had, or that there is none."""

from leadline.core.harvest import Query, Trail, Turn
from leadline.core.http import Request
from leadline.harvester.paging.address import ONWARD, is_key
from leadline.harvester.paging.buttons import next_press
from leadline.harvester.paging.links import Found, Sight, next_link, sight_of
from leadline.harvester.reply import Reply, reply_from

LINK = "link"
BY_NUMBER = "number"
OFFSET = "offset"
KEYSET = "keyset"
POST = "post"
BUTTON = "button"
_NOTHING_ASKED = Query(())


def next_turn(reply: Reply, query: Query, asked: Request, trail: Trail) -> Turn | None:
    """The turn that leads on from the page in `reply`, the answer to `asked`; None at the end.

    `trail` holds the pages of this answer so far; with this page in it (`Trail.after`) the
    turn knows its number. A turn never leads to a page that was asked for before.
    """
    trail = trail if trail.was_asked(asked) else _joined(trail, asked)
    sight = sight_of(reply, query, asked, trail)
    turn = _by_link(sight, trail) or _by_button(sight, asked, trail)
    return None if turn is None or trail.was_asked(turn.request) else turn


def read_next_page(
    html: bytes | str, url: str, content_type: str = "", query: Query = _NOTHING_ASKED
) -> Turn | None:
    """The next page of a page that nobody came to by a query; None when it has none.

    Any bytes, any URL and any content type are read; nothing is raised. The request of the turn
    is a link, or what a button of the page sends; it never leaves the page's site.
    """
    reply = reply_from(html, url, content_type)
    return next_turn(reply, query, Request(reply.response.url), Trail())


def _joined(trail: Trail, asked: Request) -> Trail:
    """With this page; its number stays unknown when that of the page before is."""
    joined = trail.after(asked)
    return joined if trail.number else Trail(joined.asked, joined.shown)


def _by_link(sight: Sight, trail: Trail) -> Turn | None:
    found = next_link(sight)
    if found is None:
        return None
    request = Request(found.url, referrer=sight.reply.response.url)
    return Turn(request, _way(found), found.page or _following(trail), trail)


def _by_button(sight: Sight, asked: Request, trail: Trail) -> Turn | None:
    request = next_press(sight.reply, sight.query, asked, trail)
    if request is None:
        return None
    way = POST if request.method == "POST" else BUTTON
    return Turn(request, way, _following(trail), trail)


def _following(trail: Trail) -> int:
    return trail.number + 1 if trail.number else 0


def _way(found: Found) -> str:
    step = found.step
    if step.kin == ONWARD and (step.by > 1 or (not step.by and (step.value or 0) > 2)):
        return OFFSET
    if step.value is None and is_key(step.name):
        return KEYSET
    return BY_NUMBER if found.is_number else LINK
