"""The next page of an answer: the link or button that leads to it, or that there is none.

Candidates are scored by what they say (words, arrows, numbers, relations), by how their address
differs from the page's own, and by what stands around them. The scores were set by hand on one half
of the sites in the autopager set; `tools/paging_evaluation.py` measures the other half.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote_plus

from msgspec import structs

from leadline.core.harvest import NextPage, Query, Trail
from leadline.core.http import Request
from leadline.core.text import fold
from leadline.core.url import Url
from leadline.harvester.paging.page_forms import find_next_button
from leadline.harvester.paging.page_links import (
    FIRST,
    LAST,
    MORE,
    NEWER,
    NEXT,
    NUMBER,
    OLDER,
    ONE_ARROW,
    OTHER,
    PREVIOUS,
    TWO_ARROWS,
    PagerLink,
    find_links,
    links_around,
    links_between,
)
from leadline.harvester.paging.page_numbers import NEAR_ROWS, PageNumbers, find_page_numbers
from leadline.harvester.paging.page_urls import (
    BACKWARD,
    ONWARD,
    SAME_PAGE,
    UNRELATED,
    PageUrlPattern,
    UrlStep,
    compare_urls,
    fit_url_pattern,
    is_clearly_onward,
    is_cursor_name,
    is_same_site,
)
from leadline.harvester.reply import Reply

LINK = "link"
BY_NUMBER = "number"
OFFSET = "offset"
KEYSET = "keyset"
POST = "post"
BUTTON = "button"
"""Ways to the next page, for people."""

_SPOKEN = 3.0
_RELATED = 3.0
_NUMBERED = 2.5
_ARROW = 2.0
_HINTED = 1.0
"""Scores of what a link says: in words, by a relation, a number, an arrow, a class name."""
_OF_PAGES = 0.5
_IN_PAGER = 1.0
_BESIDE = 0.75
_COUNTED = 0.5
"""Added for naming pages, for a pager around it, for other pager links beside it, and for numbers
whose addresses count."""
_NUMBERS_LEAD = 1.0
"""A number is trusted over a label by this much: it says exactly which page it leads to."""
_MAX_NUMBERED = 100
"""Rows of numbers that are looked at: forums have one for each of their threads."""
_MAX_LABELLED = 200
"""Links that say that they lead onward: pages have a few, forums one for each of their threads."""
_PAGER_KINDS = frozenset({NUMBER, PREVIOUS, FIRST, LAST})
_link_header = re.compile(r"<([^<>]{1,2000})>\s*;[^<>,]*rel=\"?next\b", re.IGNORECASE).finditer


class PagedAnswer(NamedTuple):
    """One page of an answer, as far as its links go."""

    reply: Reply
    query: Query
    here: tuple[Url, ...]
    """The page's own addresses: as asked for, and where the answer came from."""
    links: Sequence[PagerLink]
    numbers: Sequence[PageNumbers]
    following: Sequence[Url | None]
    """Of each of the numbers, the address of the page after the present one."""
    shown: int = 0
    """Records on the page; 0 if that is not known."""


class NextLink(NamedTuple):
    """A link that may lead to the next page."""

    url: Url
    score: float
    step: UrlStep
    page: int = 0
    """Its number, if it is known."""
    is_number: bool = False
    row: int = 0


def find_next_page(
    reply: Reply, query: Query, asked: Request, trail: Trail, shown: int = 0
) -> NextPage | None:
    """The page after the one in `reply`, the answer to `asked`; None at the end.

    `trail` holds the pages of this answer so far; with this page in it (`Trail.after`) the number
    of the next one is known. It is never a page that was asked for before. `shown`: the records on
    this page.
    """
    if not trail.was_asked(asked):
        joined = trail.after(asked)
        # The number of this page stays unknown if that of the page before is.
        trail = joined if trail.number else Trail(joined.asked, joined.shown)
    number = trail.number + 1 if trail.number else 0
    found = _best_link(_view(reply, query, asked, trail)._replace(shown=shown))
    if found is not None:
        request = Request(found.url, referrer=reply.response.url)
        turn = NextPage(request, _way(found), found.page or number, trail)
    else:
        pressed = find_next_button(reply, query, asked, trail)
        if pressed is None:
            return None
        turn = NextPage(pressed, POST if pressed.method == "POST" else BUTTON, number, trail)
    return None if trail.was_asked(turn.request) else turn


def _way(found: NextLink) -> str:
    step = found.step
    if step.relation == ONWARD and (step.change > 1 or (not step.change and (step.value or 0) > 2)):
        return OFFSET
    if step.value is None and is_cursor_name(step.name):
        return KEYSET
    return BY_NUMBER if found.is_number else LINK


def find_url_pattern(
    reply: Reply, query: Query, asked: Request, trail: Trail
) -> PageUrlPattern | None:
    """The addresses of this answer's pages; None if they are not counted, or too few are seen.

    Learned from the pager's numbered links, else from the present page and the next one.
    """
    answer = _view(reply, query, asked, trail)
    found = _best_link(answer)
    for numbers in answer.numbers:
        pattern, following = numbers.pattern, numbers.present + 1
        if pattern is None or not numbers.present:
            continue
        # A pager belongs to the answer if the next page is one of its pages, or its addresses
        # are related to the page's own.
        if found is None:
            step = compare_urls(answer.here[-1], pattern.url(following))
            is_own = step.relation >= SAME_PAGE
        else:
            is_own = pattern.page_of(found.url) == following
        if is_own:
            return pattern
    if found is None or not trail.number:
        return None
    pattern = fit_url_pattern([(trail.number, answer.here[0]), (trail.number + 1, found.url)])
    return structs.replace(pattern, referrer=answer.here[0]) if pattern is not None else None


def _view(reply: Reply, query: Query, asked: Request, trail: Trail) -> PagedAnswer:
    here = tuple(dict.fromkeys((asked.url, reply.response.url)))
    links = find_links(reply.outline)
    numbers = list(islice(find_page_numbers(links, reply.outline, here, trail), _MAX_NUMBERED))
    following = [_find_following(links, one) if one.present else None for one in numbers]
    return PagedAnswer(reply, query, here, links, numbers, following)


def _best_link(answer: PagedAnswer) -> NextLink | None:
    """The best link onward; None if there is none."""
    numbered = _by_number(answer)
    labelled = _highest(_by_label(answer))
    if numbered is None or labelled is None:
        return numbered or labelled
    if labelled.url == numbered.url:
        return numbered._replace(is_number=False)
    # Arrows may leap over a row of numbers, and words elsewhere be about something else.
    return numbered if numbered.score + _NUMBERS_LEAD >= labelled.score else labelled


def _highest(found: Iterable[NextLink]) -> NextLink | None:
    """The first of those with the highest score."""
    return max(found, key=lambda one: (one.score, -one.row), default=None)


def _by_number(answer: PagedAnswer) -> NextLink | None:
    """The link to the number after the present one."""
    found = []
    for numbers, url in zip(answer.numbers, answer.following, strict=True):
        page = numbers.present + 1
        if url is None or url in answer.here or not is_same_site(url, answer.here[0]):
            continue
        step = _step_to(answer, url)
        is_pager = any(link.is_in_pager for link in numbers.links)
        # Numbers that lead to unrelated addresses are chapters, years, ratings.
        if step.relation == BACKWARD or (step.relation == UNRELATED and not is_pager):
            continue
        score = _NUMBERED + _relation_score(step) + is_pager * _IN_PAGER
        score += bool(numbers.pattern) * _COUNTED
        found.append(NextLink(url, score, step, page, is_number=True, row=numbers.first_row))
    for relation in (ONWARD, SAME_PAGE, UNRELATED):
        near = [one for one in found if one.step.relation == relation]
        # Items have pagers of their own, but then several lead to different pages.
        if len({one.url for one in near}) == 1:
            return _highest(near)
    return None


def _find_following(links: Sequence[PagerLink], numbers: PageNumbers) -> Url | None:
    page = numbers.present + 1
    shown = numbers.url(page)
    if shown is not None or numbers.pattern is None:
        return shown
    # Dots, or a word, may lead to the first number that is not shown.
    near = _links_near(links, numbers.first_row, numbers.last_row)
    urls = (link.url for link in near if link.url is not None and not link.is_disabled)
    return next((url for url in urls if numbers.pattern.page_of(url) == page), None)


def _links_near(links: Sequence[PagerLink], first: int, last: int) -> Sequence[PagerLink]:
    """Those about as near to these rows as the parts of one pager are."""
    return links_between(links, first - NEAR_ROWS, last + NEAR_ROWS)


def _by_label(answer: PagedAnswer) -> Iterator[NextLink]:
    """Links that say that they lead onward, and seem to."""
    yield from _by_relation(answer)
    single_arrows = [
        link
        for link in answer.links
        if link.label.kind == NEXT and link.label.sign == ONE_ARROW and link.url is not None
    ]
    strong = ((link, _strength(link)) for link in answer.links)
    usable = (
        (link, strength)
        for link, strength in strong
        if strength and link.url is not None and not link.is_disabled
    )
    for link, strength in islice(usable, _MAX_LABELLED):
        if link.url is None or link.url in answer.here:
            continue
        # A double arrow leads to the end if a single one beside it leads onward.
        is_double = not link.label.has_words and link.label.sign == TWO_ARROWS
        if is_double and _links_near(single_arrows, link.row, link.row):
            continue
        step = _step_to(answer, link.url)
        if not is_same_site(link.url, answer.here[0]) or _is_denied(answer, link.url, step):
            continue
        if link.label.kind == OLDER and not _repeats_query(answer.query, link.url):
            continue
        context = _context_score(answer, link)
        if _is_believable(link, strength, step, context) or _asks_for_more(answer, step):
            score = strength + _relation_score(step) + context
            yield NextLink(link.url, score, step, _page_of(answer, link.url), row=link.row)


def _by_relation(answer: PagedAnswer) -> Iterator[NextLink]:
    """What the head of the page, or of the response, says is next."""
    outline, header = answer.reply.outline, answer.reply.response.header("link")
    in_header = next((match[1] for match in _link_header(header[:8_000])), "")
    given = (outline.relations.get("next", ""), in_header)
    for url in (outline.join(href.strip()) for href in given if href):
        if url is None or url in answer.here or not is_same_site(url, answer.here[0]):
            continue
        step = _step_to(answer, url)
        if step.relation >= SAME_PAGE and not _is_denied(answer, url, step):
            score = _RELATED + _relation_score(step)
            yield NextLink(url, score, step, _page_of(answer, url), row=-1)


def _strength(link: PagerLink) -> float:
    """How clearly a link says `next`; 0 if it does not."""
    label = link.label
    if label.kind in (PREVIOUS, FIRST, LAST, NUMBER, NEWER) or link.hint in (PREVIOUS, LAST):
        return 0.0
    if label.kind == NEXT:
        own = (_SPOKEN + _OF_PAGES * label.is_of_pages) if label.has_words else _ARROW
        return own + (_OF_PAGES if label.sign == ONE_ARROW or link.is_rel_next else 0.0)
    if link.is_rel_next:
        return _RELATED
    if label.kind in (MORE, OLDER):
        return _HINTED + _OF_PAGES * label.is_of_pages
    is_hinted = link.hint == NEXT or (label.kind == OTHER and bool(label.sign))
    return _HINTED if is_hinted else 0.0


def _is_believable(link: PagerLink, strength: float, step: UrlStep, context: float) -> bool:
    """Whether what it says and where it leads agree: the weaker the label, the more the address
    and the context must say."""
    label, relation = link.label, step.relation
    is_position = is_clearly_onward(step) or (relation == UNRELATED and bool(step.name))
    if label.kind == OLDER:
        return is_position or relation >= SAME_PAGE
    if label.kind == NEXT and label.has_words:
        return relation >= SAME_PAGE or is_position or bool(context) or label.is_of_pages
    if strength >= _ARROW:
        return is_position or (bool(context) and (relation >= SAME_PAGE or context > _IN_PAGER))
    return relation >= SAME_PAGE and (is_position or bool(context) or is_cursor_name(step.name))


def _asks_for_more(answer: PagedAnswer, step: UrlStep) -> bool:
    """Whether the number that becomes larger is how many records the page shows: the answer grows,
    and its next page has all of this one."""
    return step.relation == ONWARD and 0 < answer.shown == (step.value or 0) - step.change


def _is_denied(answer: PagedAnswer, url: Url, step: UrlStep) -> bool:
    """Whether the address says that it leads back, or further than to the next page."""
    if step.relation == BACKWARD:
        return True
    for numbers, onward in zip(answer.numbers, answer.following, strict=True):
        page = numbers.pattern.page_of(url) if numbers.pattern and numbers.present else 0
        following = numbers.present + 1
        if page and page < following:
            return True
        # Leaping over a page is right only if the page between cannot be had.
        if page > following and onward is not None:
            return True
    return False


def _step_to(answer: PagedAnswer, url: Url) -> UrlStep:
    return max((compare_urls(here, url) for here in answer.here), key=lambda step: step.relation)


def _relation_score(step: UrlStep) -> float:
    if is_clearly_onward(step):
        return 1.5 if step.relation == ONWARD else 1.0
    scores = {ONWARD: 0.75, SAME_PAGE: 0.5, UNRELATED: 0.25 * bool(step.name)}
    return scores.get(step.relation, 0.0)


def _context_score(answer: PagedAnswer, link: PagerLink) -> float:
    around = links_around(answer.links, answer.reply.outline, link.row)
    is_beside = any(other.label.kind in _PAGER_KINDS or other.hint == PREVIOUS for other in around)
    return _IN_PAGER * link.is_in_pager + _BESIDE * is_beside


def _page_of(answer: PagedAnswer, url: Url) -> int:
    counted = (n.pattern.page_of(url) for n in answer.numbers if n.pattern is not None)
    shown = (n.present + 1 for n in answer.numbers if n.present)
    return next(filter(None, counted), 0) or next(shown, 0)


def _repeats_query(query: Query, url: Url) -> bool:
    """Whether the address repeats what was asked: what is older than an answer's newest results is
    its next page, but what is older than a site's newest texts is not."""
    said = fold(unquote_plus(url.partition("?")[2]))
    asked = [value for _, value in query.values if value.strip()]
    return bool(query.values) and all(fold(value.strip()) in said for value in asked)
