"""Words of a form's site, where those of its own page found nothing: which pages to read for them,
and what they say that the frame of every page does not."""

import re
from collections.abc import Sequence
from itertools import chain, zip_longest
from urllib.parse import parse_qsl, urlsplit

from msgspec import structs

from leadline.core.page import Form, Link, Page
from leadline.core.state_change import find_state_change
from leadline.core.text import fold
from leadline.core.url import Url, is_home_page, origin_of, site_of, url_words
from leadline.forms import word_patterns
from leadline.forms.query import pick_topical_words

MOST_PAGES = 4
_WORDS_OF_A_PAGE = 10
_MOST_LINKS = 500
"""Of a page that are looked at."""
_LEFT_ALONE = (
    word_patterns.ACCOUNT,
    word_patterns.DANGER,
    word_patterns.MAILING,
    word_patterns.ORDER,
    word_patterns.WRITING,
)
"""Links that may do something, and lead to nothing that is searched."""
_is_file = re.compile(
    r"\.(?:pdf|docx?|xlsx?|zip|gz|jpe?g|png|gif|svg|css|js|xml|rss|atom|ics|mp[34]|csv|json)$", re.I
).search
Shape = tuple[str, tuple[str, ...]]


def choose_page_to_read(form: Form, pages: Sequence[Page], known: Sequence[Url]) -> Url | None:
    """The next of the site to read, after `pages`, of which the form's own is the first: its home
    page, then one of each kind that is linked to, the kind with the most links first. `known` were
    asked for. None when there is none."""
    home = Url(f"{origin_of(form.page)}/")
    if not any(is_home_page(url) for url in (form.page, *known)):
        return home
    done = {_page_shape(url) for url in (form.page, *known)}
    kinds: dict[Shape, dict[Url, Link]] = {}
    offered = ((page, link) for page in pages for link in page.links[:_MOST_LINKS])
    for page, link in offered:
        shape = _page_shape(link.target)
        if shape not in done and _is_offered(link, form) and not _changes(page, link):
            kinds.setdefault(shape, {}).setdefault(link.target, link)
    most = max(kinds.values(), key=len, default={})
    # Titles of records are longer than names of menus.
    return max(most, key=lambda url: len(most[url].anchor), default=None)


def collect_site_words(form: Form, pages: Sequence[Page]) -> tuple[str, ...]:
    """Of the pages by turns, the form's own left out with all that it says too."""
    if not pages:
        return ()
    frame = set(pages[0].leaves)
    own = (
        pick_topical_words(_without_frame(page, frame), form, (), _WORDS_OF_A_PAGE)
        for page in pages[1:]
    )
    return tuple(dict.fromkeys(filter(None, chain.from_iterable(zip_longest(*own)))))


def interleave_words(own: Sequence[str], further: Sequence[str]) -> tuple[str, ...]:
    """By turns: of those of the form's page that were tried none was found."""
    both = chain.from_iterable(zip_longest(further, own))
    return tuple(dict.fromkeys(filter(None, both)))


def _without_frame(page: Page, frame: set[str]) -> Page:
    return structs.replace(page, leaves=tuple(leaf for leaf in page.leaves if leaf not in frame))


def _changes(page: Page, link: Link) -> bool:
    before = page.text_before(link)
    return bool(find_state_change(link.target, link.anchor, link.title, before))


def _is_offered(link: Link, form: Form) -> bool:
    """Whether it leads to a page of the site and asks for nothing to be done."""
    url = link.target
    if link.nofollow or site_of(url) != site_of(form.page) or _is_file(urlsplit(url).path):
        return False
    if urlsplit(url).path == urlsplit(form.action or form.page).path:
        return False
    said = fold(" ".join((link.anchor, link.title, *url_words(url))))
    return not any(matches(said) for matches in _LEFT_ALONE)


def _page_shape(url: Url) -> Shape:
    """The same for pages of one kind: their folder, and the names of what is asked for."""
    parts = urlsplit(url)
    names = tuple(sorted({name for name, _ in parse_qsl(parts.query)}))
    path = parts.path if names else parts.path.rpartition("/")[0]
    return re.sub(r"\d+", "0", path), names
