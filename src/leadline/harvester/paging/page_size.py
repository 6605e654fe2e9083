"""The largest page size that a source offers: fewer requests for the same records."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from msgspec import Struct

from leadline.core.harvest import Query
from leadline.core.http import Request
from leadline.core.page import Field, Form, Option
from leadline.core.text import fold
from leadline.core.url import Url
from leadline.forms.form_data import CHOSEN
from leadline.forms.hazards import own_text, split_name
from leadline.forms.submit import build_request, choose_button, press_button
from leadline.harvester.paging.page_forms import why_unsafe, with_whole_values
from leadline.harvester.paging.page_links import NUMBER, PagerLink, find_links, read_label
from leadline.harvester.paging.page_urls import UNRELATED, compare_urls, is_same_site, split_url
from leadline.harvester.paging.words import (
    ALL_RESULTS,
    NOT_SIZE,
    PERHAPS_SIZE_NAME,
    SIZE_LABEL,
    SIZE_NAME,
    pieces_of,
)
from leadline.harvester.reply import Reply
from leadline.page.outline import TEXT, Outline

MAX_SIZE = 1_000
"""Larger pages are slow to make, may be refused, and are cut by whoever reads them."""
_MIN_LARGEST = 20
"""Of the largest number: smaller ones count rooms and travellers, and bring little."""
_MAX_OFFERED = 15
"""Numbers offered together: menus with more are years, prices or distances."""
_MAX_CHARS = 80
"""Of each text beside a row of sizes that is read."""
_ROWS_BEFORE = 14
_ROWS_AFTER = 8
"""Rows around the links that may hold their caption: it mostly stands before them."""
_UNITS = (5, 6, 8, 9)
"""Sizes are multiples of one of these: 10, 25, 100; 12, 24, 48; 16, 32, 64; 9, 18, 36."""


class PageSize(Struct, frozen=True):
    """A page size that a source offers."""

    number: int
    """Results on a page; 0 for all of them."""
    values: tuple[tuple[str, str], ...] = ()
    """What to put into the search form's controls."""
    request: Request | None = None
    """What to send instead, if the answer page offers it: the first page, larger."""


def find_largest_size(form: Form) -> PageSize | None:
    """The largest page size that a search form offers; None if it offers none, or none larger
    than it is set to."""
    for field in form.fields:
        offer = _largest_of_field(field)
        if offer is not None:
            return PageSize(offer[0], ((field.name, offer[1]),))
    return None


def find_larger_size(reply: Reply, query: Query, asked: Request) -> PageSize | None:
    """The largest page size that an answer page offers, with the request for it; None if it
    offers none, or none larger than the present one."""
    offers = chain(_by_links(reply, asked), _by_forms(reply, query, asked), _by_all_link(reply))
    return next(offers, None)


def _largest_of_field(field: Field) -> tuple[int, str] | None:
    """The largest number and its value."""
    if field.kind not in CHOSEN or field.kind == "checkbox" or field.is_disabled or not field.name:
        return None
    if not _holds_sizes(field):
        return None
    options = [option for option in field.options if not option.is_disabled]
    sizes = [(_size_of_option(option), option.value) for option in options]
    best = _largest((size, value) for size, value in sizes if size is not None)
    chosen = next((o.value for o in options if o.is_selected), options[0].value if options else "")
    return best if best is not None and best[1] != chosen else None


def _holds_sizes(field: Field) -> bool:
    said = f"{own_text(field)} | {fold(field.label)[:_MAX_CHARS]}"
    texts = fold(" | ".join(option.text for option in field.options[:_MAX_OFFERED])[:400])
    if NOT_SIZE(said) or NOT_SIZE(texts) or len(field.options) > _MAX_OFFERED:
        return False
    numbers = [size for size in map(_size_of_option, field.options) if size is not None]
    if not _are_sizes([number for number in numbers if number]):
        return False
    name = split_name(field.name)
    is_said = SIZE_LABEL(said) or SIZE_LABEL(texts) or SIZE_NAME(name)
    return bool(is_said or SIZE_NAME(fold(field.name))) or _is_perhaps_size(name)


def _is_perhaps_size(name: str) -> bool:
    return PERHAPS_SIZE_NAME(name.split()[-1] if name else "") is not None


def _size_of_option(option: Option) -> int | None:
    """The number an option stands for; 0 for all results, None for anything else."""
    pieces = pieces_of(option.text or option.value)
    numbers = [piece for piece in pieces if piece.isdecimal() and len(piece) < 7]
    if len(numbers) == 1:
        return int(numbers[0])
    return 0 if not numbers and ALL_RESULTS.intersection(pieces) and len(pieces) < 4 else None


def _are_sizes(numbers: Sequence[int]) -> bool:
    """Whether numbers could be page sizes: several, round, none next to another, no years."""
    if len(numbers) < 2 or max(numbers) < _MIN_LARGEST or min(numbers) < 1:
        return False
    distinct = sorted(set(numbers))
    is_spread = all(high - low > 1 for low, high in pairwise(distinct))
    is_round = any(all(n % unit == 0 or n < unit for n in distinct) for unit in _UNITS)
    return is_spread and is_round and not all(1800 <= n <= 2100 for n in distinct)


def _largest(offers: Iterable[tuple[int, str]]) -> tuple[int, str] | None:
    """The largest number up to the limit; all results only if there are no numbers."""
    known = list(offers)
    numbers = [offer for offer in known if 0 < offer[0] <= MAX_SIZE]
    everything = [offer for offer in known if not offer[0]]
    return max(numbers, default=None) or next(iter(everything), None)


def _by_links(reply: Reply, asked: Request) -> Iterator[PageSize]:
    outline, here = reply.outline, reply.response.url
    for run in _runs_of_numbers(outline, here):
        if len(run) > _MAX_OFFERED:
            continue
        name = _changing_parameter(run, asked.url)
        shown = [link.label.number for link in run if link.label.kind == NUMBER]
        present = _unlinked_numbers(run, outline)
        if not _are_sizes([*shown, *present]) and not (
            len(shown) > 1 and SIZE_NAME(split_name(name))
        ):
            continue
        if not _is_said_near(run, name, outline):
            continue
        possible = (link for link in run if 0 < link.label.number <= MAX_SIZE)
        best = max(possible, key=lambda link: link.label.number, default=None)
        # The present size is shown without a link, and may be the largest.
        if best is not None and best.url and best.label.number > max(present, default=0):
            yield PageSize(best.label.number, request=Request(best.url, referrer=here))


def _runs_of_numbers(outline: Outline, here: Url) -> Iterator[list[PagerLink]]:
    """Numbers beside one another that lead to the same page with another parameter: links, and
    choices of menus whose values are addresses."""
    choices = [
        PagerLink(row, outline.join(value.strip()), read_label(outline.text(row)[:_MAX_CHARS]))
        for row, tag in enumerate(outline.tags)
        if tag == "option"
        and (value := outline.attributes[row].get("value", "")).startswith(
            ("http://", "https://", "/", "?")
        )
    ]
    run: list[PagerLink] = []
    for link in sorted((*find_links(outline), *choices), key=lambda link: link.row):
        is_size = link.label.kind == NUMBER and not link.label.end and _is_related(link, here)
        if run and (not is_size or link.row - outline.ends[run[-1].row] > _ROWS_BEFORE):
            yield run
            run = []
        if is_size:
            run.append(link)
    if run:
        yield run


def _is_related(link: PagerLink, here: Url) -> bool:
    url = link.url
    if url is None or url == here or not is_same_site(url, here):
        return False
    is_step = compare_urls(here, url).relation != UNRELATED
    return is_step or split_url(url).path == split_url(here).path


def _changing_parameter(run: Sequence[PagerLink], asked: Url) -> str:
    """The parameter that holds the number each link shows; '' if there is none."""
    found = [
        {n for n, value in split_url(a.url).parameters.items() if value == str(a.label.number)}
        for a in run
        if a.url
    ]
    known = split_url(asked).parameters
    names = set.intersection(*found) if found else set()
    return min(names, key=lambda name: (name in known, name), default="")


def _unlinked_numbers(run: Sequence[PagerLink], outline: Outline) -> list[int]:
    """Numbers among the links that are no links: the present size."""
    inside = [range(link.row, outline.ends[link.row]) for link in run]
    found = []
    for row in _rows_of(run, outline):
        if outline.tags[row] == TEXT and not any(row in rows for rows in inside):
            label = read_label(outline.texts[row])
            if label.kind == NUMBER and not label.end and not label.has_words:
                found.append(label.number)
    return found


def _rows_of(run: Sequence[PagerLink], outline: Outline) -> range:
    """The smallest part of the page that holds the links, but not far beyond them."""
    end = outline.ends[run[-1].row]
    above = outline.parents[run[0].row]
    while above > 0 and outline.ends[above] < end:
        above = outline.parents[above]
    low, high = max(above, run[0].row - _ROWS_AFTER), min(outline.ends[above], end + _ROWS_AFTER)
    return range(max(0, low), high)


def _is_said_near(run: Sequence[PagerLink], name: str, outline: Outline) -> bool:
    """Whether the numbers are said to be page sizes: by their parameter, or the text around."""
    if not name:
        return False
    words = split_name(name)
    if SIZE_NAME(words) or SIZE_NAME(fold(name)) or SIZE_LABEL(_text_around(run, outline)):
        return True
    if not _is_perhaps_size(words):
        return False
    # The last text before the links, and what follows them in the same part of the page.
    start, end = run[0].row, outline.ends[run[-1].row]
    before = [text for text in outline.texts[max(0, start - _ROWS_BEFORE) : start] if text]
    after = [text for text in outline.texts[end : _rows_of(run, outline).stop] if text]
    beside = " ".join(text[:_MAX_CHARS] for text in (*before[-1:], *after[:1]))
    return not NOT_SIZE(fold(beside))


def _text_around(run: Sequence[PagerLink], outline: Outline) -> str:
    """The short texts around some links."""
    low, high = run[0].row - _ROWS_BEFORE, outline.ends[run[-1].row] + _ROWS_AFTER
    texts = outline.texts[max(0, low) : high]
    return fold(" ".join(text for text in texts if text and len(text) <= _MAX_CHARS))


def _by_all_link(reply: Reply) -> Iterator[PageSize]:
    """A link to all results at once."""
    outline, here = reply.outline, reply.response.url
    for link in find_links(outline):
        url = link.url if _is_related(link, here) else None
        if url is None or not ALL_RESULTS.intersection(pieces_of(outline.text(link.row)[:20])):
            continue
        name = compare_urls(here, url).name
        is_size_name = SIZE_NAME(split_name(name)) or _is_perhaps_size(split_name(name))
        if name and is_size_name and SIZE_LABEL(_text_around([link], outline)):
            yield PageSize(0, request=Request(url, referrer=here))


def _by_forms(reply: Reply, query: Query, asked: Request) -> Iterator[PageSize]:
    for form in reply.page.forms:
        for field in form.fields:
            offer = _largest_of_field(field)
            if offer is None:
                continue
            button = choose_button(form)
            whole = press_button(with_whole_values(form, reply.outline), button)
            if not why_unsafe(whole, button, query, asked):
                request = build_request(whole, {field.name: offer[1]}, button)
                if request is not None:
                    yield PageSize(offer[0], request=request)
