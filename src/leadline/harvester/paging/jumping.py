"""Which addresses the pages of an answer have, as one page of it tells."""

from collections.abc import Iterator

from msgspec import structs

from leadline.core.harvest import Query, Trail
from leadline.core.http import Request
from leadline.harvester.paging.address import SAME, step_between
from leadline.harvester.paging.jump import Jump, fitted
from leadline.harvester.paging.links import Found, Sight, next_link, sight_of
from leadline.harvester.reply import Reply


def jump_of(reply: Reply, query: Query, asked: Request, trail: Trail) -> Jump | None:
    """The addresses of this answer's pages; None where they are not counted, or too few are seen.

    Learned from the pager's numbered links, else from the present page and the next one.
    """
    sight = sight_of(reply, query, asked, trail)
    found = next_link(sight)
    return next(_by_numbers(sight, found), None) or _by_steps(sight, found, trail)


def _by_numbers(sight: Sight, found: Found | None) -> Iterator[Jump]:
    """Of pagers that belong to the answer: the next page is one of theirs, or they are kin."""
    for numbering in sight.numberings:
        jump, following = numbering.jump, numbering.present + 1
        if jump is None or not numbering.present:
            continue
        if found is None:
            is_own = step_between(sight.here[-1], jump.url(following)).kin >= SAME
        else:
            is_own = jump.page_of(found.url) == following
        if is_own:
            yield jump


def _by_steps(sight: Sight, found: Found | None, trail: Trail) -> Jump | None:
    if found is None or not trail.number:
        return None
    jump = fitted([(trail.number, sight.here[0]), (trail.number + 1, found.url)])
    return structs.replace(jump, referrer=sight.here[0]) if jump is not None else None
