"""The largest page size a source offers: fewer requests for the same records."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from msgspec import Struct

from leadline.core.harvest import Query
from leadline.core.http import Request
from leadline.core.page import Field, Form, Option
from leadline.core.url import Url
from leadline.forms.entries import CHOSEN
from leadline.forms.hazard_words import fold
from leadline.forms.hazards import own_text, spoken
from leadline.forms.submit import as_pressed, chosen_button, request_of
from leadline.harvester.paging.address import STRANGE, parts_of, step_between
from leadline.harvester.paging.anchors import Anchor, anchors_of
from leadline.harvester.paging.buttons import why_unsafe, with_whole_values
from leadline.harvester.paging.label import NUMBER, label_of
from leadline.harvester.paging.links import is_same_site
from leadline.harvester.paging.size_words import ALL, NOT_SIZE, PERHAPS_SIZE_NAME, SIZE, SIZE_NAME
from leadline.harvester.paging.words import pieces_of
from leadline.harvester.reply import Reply
from leadline.page.outline import TEXT, Outline

MAX_SIZE = 1_000
"""Larger pages are slow to make, may be refused, and are cut by whoever reads them."""
_LEAST_LARGEST = 20
"""Of the largest number: smaller ones count rooms and travellers, and bring little."""
_MAX_OFFERED = 15
_MAX_CHARS = 80
"""Of the text beside a row of sizes that is read."""
_ROWS_BEFORE = 14
_ROWS_AFTER = 8
_ROUND = (5, 6, 8, 9)
"""Sizes are multiples of one of these: 10, 25, 100; 12, 24, 48; 16, 32, 64; 9, 18, 36."""


class Size(Struct, frozen=True):
    """A page size that can be had."""

    number: int
    """Results on a page; 0 for all of them."""
    values: tuple[tuple[str, str], ...] = ()
    """What to put into the search form's controls."""
    request: Request | None = None
    """What to send instead, where the answer page offers it: the first page, larger."""


def largest_size(form: Form) -> Size | None:
    """The largest page size that a search form offers; None when it offers none, or none larger
    than it is set to."""
    for field in form.fields:
        offer = _of_field(field)
        if offer is not None:
            return Size(offer[0], ((field.name, offer[1]),))
    return None


def larger_size(reply: Reply, query: Query, asked: Request) -> Size | None:
    """The largest page size that an answer page offers, with the request for it; None when it
    offers none, or none larger than the present one."""
    offers = chain(_by_links(reply, asked), _by_forms(reply, query, asked), _of_all(reply))
    return next(offers, None)


def _of_field(field: Field) -> tuple[int, str] | None:
    """The largest number and its value."""
    if field.kind not in CHOSEN or field.kind == "checkbox" or field.is_disabled or not field.name:
        return None
    if not _speaks_of_size(field):
        return None
    options = [option for option in field.options if not option.is_disabled]
    sizes = [(_size_said(option), option.value) for option in options]
    best = _largest((size, value) for size, value in sizes if size is not None)
    chosen = next((o.value for o in options if o.is_selected), options[0].value if options else "")
    return best if best is not None and best[1] != chosen else None


def _speaks_of_size(field: Field) -> bool:
    said = f"{own_text(field)} | {fold(field.label)[:_MAX_CHARS]}"
    texts = fold(" | ".join(option.text for option in field.options[:_MAX_OFFERED])[:400])
    if NOT_SIZE(said) or NOT_SIZE(texts) or len(field.options) > _MAX_OFFERED:
        return False
    numbers = [size for size in map(_size_said, field.options) if size is not None]
    if not _are_sizes([number for number in numbers if number]):
        return False
    name = spoken(field.name)
    is_said = SIZE(said) or SIZE(texts) or SIZE_NAME(name) or SIZE_NAME(fold(field.name))
    return is_said is not None or _is_perhaps(name)


def _is_perhaps(name: str) -> bool:
    return PERHAPS_SIZE_NAME(name.split()[-1] if name else "") is not None


def _size_said(option: Option) -> int | None:
    """The number an option stands for; 0 for all results, None for anything else."""
    pieces = pieces_of(option.text or option.value)
    numbers = [piece for piece in pieces if piece.isdecimal() and len(piece) < 7]
    if len(numbers) == 1:
        return int(numbers[0])
    return 0 if not numbers and ALL.intersection(pieces) and len(pieces) < 4 else None


def _are_sizes(numbers: Sequence[int]) -> bool:
    """Whether numbers could be page sizes: few, rising, round, none like another's neighbour."""
    if len(numbers) < 2 or max(numbers) < _LEAST_LARGEST or min(numbers) < 1:
        return False
    distinct = sorted(set(numbers))
    is_spread = all(high - low > 1 for low, high in pairwise(distinct))
    is_round = any(all(n % unit == 0 or n < unit for n in distinct) for unit in _ROUND)
    return is_spread and is_round and not all(1800 <= n <= 2100 for n in distinct)


def _largest(offers: Iterable[tuple[int, str]]) -> tuple[int, str] | None:
    """The largest number up to the limit; all results only where there are no numbers."""
    known = list(offers)
    numbers = [offer for offer in known if 0 < offer[0] <= MAX_SIZE]
    everything = [offer for offer in known if not offer[0]]
    return max(numbers, default=None) or next(iter(everything), None)


def _by_links(reply: Reply, asked: Request) -> Iterator[Size]:
    outline = reply.outline
    here = reply.response.url
    for run in _runs(_offers(outline), outline, here):
        if len(run) > _MAX_OFFERED:
            continue
        name = _moving(run, asked.url)
        shown = [anchor.label.number for anchor in run if anchor.label.kind == NUMBER]
        present = _unlinked(run, outline)
        if not _are_sizes([*shown, *present]) and not (len(shown) > 1 and SIZE_NAME(spoken(name))):
            continue
        if not _is_said_near(run, name, outline):
            continue
        best = max((a for a in run if 0 < a.label.number <= MAX_SIZE), key=_number, default=None)
        if best is not None and best.url and best.label.number > max(present, default=0):
            yield Size(best.label.number, request=Request(best.url, referrer=here))


def _offers(outline: Outline) -> list[Anchor]:
    """Links, and choices of menus whose values are addresses, in the page's order."""
    choices = [
        Anchor(row, outline.join(value.strip()), label_of(outline.text(row)[:_MAX_CHARS]))
        for row, tag in enumerate(outline.tags)
        if tag == "option" and _is_address(value := outline.attributes[row].get("value", ""))
    ]
    return sorted((*anchors_of(outline), *choices), key=lambda anchor: anchor.row)


def _is_address(value: str) -> bool:
    return value.startswith(("http://", "https://", "/", "?"))


def _runs(anchors: Sequence[Anchor], outline: Outline, here: Url) -> Iterator[list[Anchor]]:
    """Numbers beside one another that lead to the same page, larger."""
    run: list[Anchor] = []
    for anchor in anchors:
        is_size = anchor.label.kind == NUMBER and not anchor.label.end and _is_kin(anchor, here)
        if run and (not is_size or anchor.row - outline.ends[run[-1].row] > _ROWS_BEFORE):
            yield run
            run = []
        if is_size:
            run.append(anchor)
    if run:
        yield run


def _is_kin(anchor: Anchor, here: Url) -> bool:
    url = anchor.url
    if url is None or url == here or not is_same_site(url, here):
        return False
    return step_between(here, url).kin != STRANGE or parts_of(url).path == parts_of(here).path


def _number(anchor: Anchor) -> int:
    return anchor.label.number


def _moving(run: Sequence[Anchor], asked: Url) -> str:
    """The parameter that holds the number each link shows; '' when there is none."""
    found = [
        {name for name, value in parts_of(a.url).parameters.items() if value == str(_number(a))}
        for a in run
        if a.url
    ]
    known = parts_of(asked).parameters
    names = set.intersection(*found) if found else set()
    return next((name for name in sorted(names, key=lambda name: (name in known, name))), "")


def _unlinked(run: Sequence[Anchor], outline: Outline) -> list[int]:
    """Numbers among the links that are no links: the present size."""
    inside = [range(anchor.row, outline.ends[anchor.row]) for anchor in run]
    found = []
    for row in _rows_of(run, outline):
        if outline.tags[row] == TEXT and not any(row in rows for rows in inside):
            label = label_of(outline.texts[row])
            if label.kind == NUMBER and not label.end and not label.has_words:
                found.append(label.number)
    return found


def _rows_of(run: Sequence[Anchor], outline: Outline) -> range:
    """The smallest part of the page that holds the links, as far as it is a row of links."""
    end = outline.ends[run[-1].row]
    above = outline.parents[run[0].row]
    while above > 0 and outline.ends[above] < end:
        above = outline.parents[above]
    low, high = max(above, run[0].row - _ROWS_AFTER), min(outline.ends[above], end + _ROWS_AFTER)
    return range(max(0, low), high)


def _is_said_near(run: Sequence[Anchor], name: str, outline: Outline) -> bool:
    """Whether the numbers are said to be page sizes: by their parameter, or the text around."""
    if not name:
        return False
    called = spoken(name)
    if SIZE_NAME(called) or SIZE_NAME(fold(name)):
        return True
    if SIZE(_around(run, outline)):
        return True
    return _is_perhaps(called) and not NOT_SIZE(_beside(run, outline))


def _of_all(reply: Reply) -> Iterator[Size]:
    """A link to all results at once."""
    outline, here = reply.outline, reply.response.url
    for anchor in anchors_of(outline):
        url = anchor.url if _is_kin(anchor, here) else None
        if url is None or not ALL.intersection(pieces_of(outline.text(anchor.row)[:20])):
            continue
        step = step_between(here, url)
        is_named = SIZE_NAME(spoken(step.name)) or _is_perhaps(spoken(step.name))
        if step.name and is_named and SIZE(_around([anchor], outline)):
            yield Size(0, request=Request(url, referrer=here))


def _around(run: Sequence[Anchor], outline: Outline) -> str:
    """The short texts around some links."""
    low, high = run[0].row - _ROWS_BEFORE, outline.ends[run[-1].row] + _ROWS_AFTER
    texts = outline.texts[max(0, low) : high]
    return fold(" ".join(text for text in texts if text and len(text) <= _MAX_CHARS))


def _beside(run: Sequence[Anchor], outline: Outline) -> str:
    """The last text before some links, and what follows them in the same part of the page."""
    end = outline.ends[run[-1].row]
    start = run[0].row
    before = [text for text in outline.texts[max(0, start - _ROWS_BEFORE) : start] if text]
    after = [text for text in outline.texts[end : _rows_of(run, outline).stop] if text]
    return fold(" ".join(text[:_MAX_CHARS] for text in (*before[-1:], *after[:1])))


def _by_forms(reply: Reply, query: Query, asked: Request) -> Iterator[Size]:
    for form in reply.page.forms:
        for field in form.fields:
            offer = _of_field(field)
            if offer is None:
                continue
            button = chosen_button(form)
            whole = as_pressed(with_whole_values(form, reply.outline), button)
            if not why_unsafe(whole, button, query, asked):
                request = request_of(whole, {field.name: offer[1]}, button)
                if request is not None:
                    yield Size(offer[0], request=request)
