"""The link that leads to the next page of an answer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote_plus

from leadline.core.harvest import Query, Trail
from leadline.core.http import Request
from leadline.core.url import Url, host_of, registered_domain, site_of
from leadline.forms.hazard_words import fold
from leadline.harvester.paging.address import (
    BACK,
    ONWARD,
    SAME,
    STRANGE,
    Step,
    is_key,
    is_surely_onward,
    step_between,
)
from leadline.harvester.paging.anchors import Anchor, anchors_of, between, neighbours
from leadline.harvester.paging.label import (
    FIRST,
    LAST,
    MORE,
    NEWER,
    NEXT,
    NUMBER,
    OLDER,
    OTHER,
    PREVIOUS,
    SIGN_NEXT,
    SIGN_NEXT_TWICE,
)
from leadline.harvester.paging.numbering import Numbering, numberings
from leadline.harvester.reply import Reply

SPOKEN = 3.0
RELATED = 3.0
NUMBERED = 2.5
ARROW = 2.0
HINTED = 1.0
"""What a link says weighs so much: in words, by a relation, a number, an arrow, a class name."""
OF_PAGES = 0.5
IN_PAGER = 1.0
BESIDE = 0.75
COUNTED = 0.5
_NUMBERS_WEIGH = 1.0
"""A number is trusted over a label by this much: it says exactly which page it leads to."""
_MAX_NUMBERINGS = 100
"""Rows of numbers that are looked at: forums have one for each of their threads."""
_NEAR_ROWS = 60
"""Rows around a pager's numbers in which its arrows stand."""
_link_header = re.compile(r"<([^<>]{1,2000})>\s*;[^<>,]*rel=\"?next\b", re.IGNORECASE).finditer
_PAGER_KINDS = frozenset({NUMBER, PREVIOUS, FIRST, LAST})


class Sight(NamedTuple):
    """One page of an answer, as far as its links go."""

    reply: Reply
    query: Query
    here: tuple[Url, ...]
    """The page's own addresses: as asked for, and where the answer came from."""
    anchors: Sequence[Anchor]
    numberings: Sequence[Numbering]

    @property
    def is_posted(self) -> bool:
        """Whether its address says nothing of the query."""
        return not any("?" in url for url in self.here)


class Found(NamedTuple):
    """A link that may lead onward."""

    url: Url
    score: float
    step: Step
    page: int = 0
    """Its number, where it is known."""
    is_number: bool = False
    row: int = 0


def sight_of(reply: Reply, query: Query, asked: Request, trail: Trail) -> Sight:
    here = tuple(dict.fromkeys((asked.url, reply.response.url)))
    anchors = anchors_of(reply.outline)
    numbered = list(islice(numberings(anchors, reply.outline, here, trail), _MAX_NUMBERINGS))
    return Sight(reply, query, here, anchors, numbered)


def next_link(sight: Sight) -> Found | None:
    """The best link onward; None when there is none."""
    numbered = _by_number(sight)
    spoken = _best(_by_label(sight))
    if numbered is None or spoken is None:
        return numbered or spoken
    if spoken.url == numbered.url:
        return numbered._replace(is_number=False)
    # Arrows may leap over a row of numbers, and words elsewhere be about something else.
    return numbered if numbered.score + _NUMBERS_WEIGH >= spoken.score else spoken


def _best(found: Iterable[Found]) -> Found | None:
    """The first of those with the highest score."""
    return max(found, key=lambda one: (one.score, -one.row), default=None)


def _by_number(sight: Sight) -> Found | None:
    """The link to the number after the present one."""
    found = [one for numbering in sight.numberings for one in _after_present(sight, numbering)]
    for kin in (ONWARD, SAME, STRANGE):
        near = [one for one in found if one.step.kin == kin]
        # Items have pagers of their own, but then several lead to different places.
        if len({one.url for one in near}) == 1:
            return _best(near)
    return None


def _after_present(sight: Sight, numbering: Numbering) -> Iterator[Found]:
    page = numbering.present + 1
    url = _url_of(sight, numbering, page) if numbering.present else None
    if url is None or url in sight.here or not is_same_site(url, sight.here[0]):
        return
    step = _step(sight, url)
    is_pager = any(anchor.is_in_pager for anchor in numbering.links)
    if step.kin == BACK or (step.kin == STRANGE and not is_pager):
        return
    score = NUMBERED + _kinship(step) + is_pager * IN_PAGER + bool(numbering.jump) * COUNTED
    yield Found(url, score, step, page, is_number=True, row=numbering.first_row)


def _url_of(sight: Sight, numbering: Numbering, page: int) -> Url | None:
    shown = numbering.url(page)
    if shown is not None or numbering.jump is None:
        return shown
    # Dots, or a word, may lead to the first number that is not shown.
    near = _near(sight.anchors, numbering.first_row, numbering.last_row)
    urls = (anchor.url for anchor in near if anchor.url is not None and not anchor.is_off)
    return next((url for url in urls if numbering.jump.page_of(url) == page), None)


def _by_label(sight: Sight) -> Iterator[Found]:
    """Links that say that they lead onward, and seem to."""
    yield from _by_relation(sight)
    singles = [a for a in sight.anchors if _is_single_arrow(a)]
    for anchor in sight.anchors:
        strength = _strength(anchor)
        if not strength or anchor.url is None or anchor.is_off or anchor.url in sight.here:
            continue
        if _is_double_arrow(anchor) and _near(singles, anchor.row, anchor.row):
            continue
        found = _found(sight, anchor, anchor.url, strength)
        if found is not None:
            yield found


def _found(sight: Sight, anchor: Anchor, url: Url, strength: float) -> Found | None:
    """The link, if what it says and where it leads agree."""
    step = _step(sight, url)
    if not is_same_site(url, sight.here[0]) or _is_denied(sight, url, step):
        return None
    if anchor.label.kind == OLDER and not keeps(sight.query, url):
        return None
    context = _context(sight, anchor)
    if not _is_believed(anchor, strength, step, context):
        return None
    score = strength + _kinship(step) + context
    return Found(url, score, step, _page(sight, url), row=anchor.row)


def _near(anchors: Sequence[Anchor], first: int, last: int) -> Sequence[Anchor]:
    """Those that stand about as near to these rows as the parts of one pager do."""
    return between(anchors, first - _NEAR_ROWS, last + _NEAR_ROWS)


def _by_relation(sight: Sight) -> Iterator[Found]:
    """What the head of the page, or of the response, says is next."""
    outline = sight.reply.outline
    given = (outline.relations.get("next", ""), _header_next(sight.reply))
    for url in (outline.join(href.strip()) for href in given if href):
        if url is None or url in sight.here or not is_same_site(url, sight.here[0]):
            continue
        step = _step(sight, url)
        if step.kin >= SAME and not _is_denied(sight, url, step):
            yield Found(url, RELATED + _kinship(step), step, _page(sight, url), row=-1)


def _header_next(reply: Reply) -> str:
    return next((m[1] for m in _link_header(reply.response.header("link")[:8_000])), "")


def _strength(anchor: Anchor) -> float:
    """How clearly a link says `next`; 0 when it does not."""
    label = anchor.label
    if label.kind in (PREVIOUS, FIRST, LAST, NUMBER, NEWER) or anchor.hint in (PREVIOUS, LAST):
        return 0.0
    if label.kind == NEXT:
        own = (SPOKEN + OF_PAGES * label.is_of_pages) if label.has_words else ARROW
        return own + (OF_PAGES if label.sign == SIGN_NEXT or anchor.is_rel_next else 0.0)
    if anchor.is_rel_next:
        return RELATED
    if label.kind in (MORE, OLDER):
        return HINTED + OF_PAGES * label.is_of_pages
    is_hinted = anchor.hint == NEXT or (label.kind == OTHER and bool(label.sign))
    return HINTED if is_hinted else 0.0


def _is_single_arrow(anchor: Anchor) -> bool:
    label = anchor.label
    return label.kind == NEXT and label.sign == SIGN_NEXT and anchor.url is not None


def _is_double_arrow(anchor: Anchor) -> bool:
    """Nothing but an arrow that leads to the end where a single one leads onward."""
    return not anchor.label.has_words and anchor.label.sign == SIGN_NEXT_TWICE


def _is_believed(anchor: Anchor, strength: float, step: Step, context: float) -> bool:
    """Whether what it says and where it leads agree."""
    label = anchor.label
    is_place = is_surely_onward(step) or (step.kin == STRANGE and bool(step.name))
    if label.kind == OLDER:
        return is_place or step.kin >= SAME
    if label.kind == NEXT and label.has_words:
        return step.kin >= SAME or is_place or bool(context) or label.is_of_pages
    if strength >= ARROW:
        return is_place or (bool(context) and (step.kin >= SAME or context > IN_PAGER))
    is_kept = step.kin >= SAME and (bool(context) or is_key(step.name))
    return (is_place and step.kin >= SAME) or is_kept


def _is_denied(sight: Sight, url: Url, step: Step) -> bool:
    """Whether the address says that it leads back, or further than to the next page."""
    if step.kin == BACK:
        return True
    for numbering in sight.numberings:
        page = numbering.jump.page_of(url) if numbering.jump and numbering.present else 0
        if page and (page <= numbering.present or _leaps(sight, numbering, page)):
            return True
    return False


def _leaps(sight: Sight, numbering: Numbering, page: int) -> bool:
    following = numbering.present + 1
    return page > following and _url_of(sight, numbering, following) is not None


def _step(sight: Sight, url: Url) -> Step:
    return max((step_between(here, url) for here in sight.here), key=lambda step: step.kin)


def _kinship(step: Step) -> float:
    if is_surely_onward(step):
        return 1.5 if step.kin == ONWARD else 1.0
    return {ONWARD: 0.75, SAME: 0.5, STRANGE: 0.25 * bool(step.name)}.get(step.kin, 0.0)


def _context(sight: Sight, anchor: Anchor) -> float:
    around = neighbours(sight.anchors, sight.reply.outline, anchor.row)
    beside = any(other.label.kind in _PAGER_KINDS or other.hint == PREVIOUS for other in around)
    return IN_PAGER * anchor.is_in_pager + BESIDE * beside


def _page(sight: Sight, url: Url) -> int:
    counted = (n.jump.page_of(url) for n in sight.numberings if n.jump is not None)
    shown = (n.present + 1 for n in sight.numberings if n.present)
    return next(filter(None, counted), 0) or next(shown, 0)


def keeps(query: Query, url: Url) -> bool:
    """Whether the address says again what was asked: what is older than an answer's newest
    results is its next page, but what is older than a site's newest texts is not."""
    said = fold(unquote_plus(url.partition("?")[2]))
    asked = [value for _, value in query.values if value.strip()]
    return bool(query.values) and all(fold(value.strip()) in said for value in asked)


def is_same_site(one: Url, other: Url) -> bool:
    return registered_domain(host_of(site_of(one))) == registered_domain(host_of(site_of(other)))
