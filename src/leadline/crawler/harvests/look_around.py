"""Finds the search of a site from any of its pages, without a topic: a home page, a result page, a
page that only links to its search.

A person who is given a page of a library looks for its search; so does this, with a dozen requests
at most. In order: the page's own forms; what OpenSearch descriptions tell; the address of the page
itself, if that looks like an answer; then the links that speak of searching, those with a query in
their address, and the home page.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import Struct

from leadline.config import Config
from leadline.core.harvest import HarvestSource
from leadline.core.http import Request, Response
from leadline.core.page import LISTING, TEMPLATE, Field, Form, Link, Page
from leadline.core.ports import Fetcher
from leadline.core.state_change import find_state_change
from leadline.core.text import fold
from leadline.core.url import AS_IT_IS, Url, UrlJoiner, canonical, is_home_page, site_of, url_words
from leadline.crawler.search_descriptions import fetch_doors
from leadline.errors import FetchError, RobotsDeniedError
from leadline.forms import word_patterns
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.signature import signature
from leadline.forms.submit import order_forms, why_refused
from leadline.harvester.paging.page_urls import is_position_name
from leadline.harvester.single_page import read_answer_page
from leadline.page import parse_page
from leadline.page.templates import build_template_door

MOST_REQUESTS = 12
"""Requests of a look around, at most."""
_MOST_LINKS = 300
_GUESSED = 0.75
"""How surely an address with a query searches: asked, and believed once it is answered."""
_FORBIDDEN = "robots.txt forbids"
_LEAST_LISTED = 5
"""Things on a page that is taken for a list of them: fewer are teasers."""
_FEW_WORDS = 40
"""Words of a page that a script has to fill, at most: a frame and a hint."""
_TYPED = re.compile(
    r"^(?:q|s|k|w|kw|text|what|words?|terms?|keys?|find|phrase|mots?|suchwort|suchbegriff|busca|"
    r"buscar|recherche|cerca|zoek|.*(?:search|quer|keyword|suche).*)$",
    re.I,
).match
_SEARCHED = re.compile(
    r"^(?:search|searches|find|found|q|query|queries|suche|suchen|recherche|rechercher|buscar|busca|"
    r"busqueda|cerca|ricerca|zoeken|sok|szukaj|hledat|poisk|results?)$",
    re.I,
).match

_digits = re.compile(r"\d+")
_PAGES = frozenset("advanced help tips options about all new index results simple".split())
"""Pieces of paths below a search that are pages of it and no words."""


class LookResult(Struct, frozen=True):
    """What a look around found."""

    doors: tuple[HarvestSource, ...] = ()
    """That may be asked, the most promising first."""
    refused: tuple[str, ...] = ()
    """Why other forms may not be."""
    tried: tuple[Url, ...] = ()
    needs_script: bool = False
    """A search that only a script reads was met, or pages that a script has to fill."""

    def explain(self, wanted: Url) -> str:
        """Why there is nothing to harvest, for people."""
        looked = f"looked at {len(self.tried)} pages: {', '.join(self.tried[:6])}"
        forbidden = next((why for why in self.refused if why.startswith(_FORBIDDEN)), "")
        if self.needs_script and not forbidden:
            return f"the search of {wanted} needs a script, which no harvest runs; {looked}"
        first = forbidden or next(iter(self.refused), "")
        why = f" ({first})" if first else ""
        return f"no search that may be asked was found from {wanted}{why}; {looked}"


async def look_around(response: Response, fetcher: Fetcher, config: Config) -> LookResult:
    """Looks for a search from a page that was fetched already; stops at the first page that has
    one. Pages that cannot be fetched are passed over. Where there is none, the list of things with
    most on a page, of those met that go on on a next page, is taken as it is."""
    page, listings = _parse(response, config), [_read_listing(response)]
    tried, refused, needs_script = [page.url], list[str](), False
    waiting: dict[Url, float] = {}
    looks = Counter([_kind_of(page.url)])
    spent = 1
    while True:
        doors = find_doors(page, config, refused)
        if not doors and page.search_descriptions and spent < MOST_REQUESTS:
            fetched = await fetch_doors(page.search_descriptions[:2], page.url, fetcher)
            spent += len(page.search_descriptions[:2])
            doors = find_doors_among(fetched.doors, config, refused)
        needs_script |= is_for_scripts(page)
        doors = await _leave_forbidden(doors, fetcher, refused)
        if doors:
            return LookResult(tuple(doors), tuple(refused), tuple(tried), needs_script)
        for url, score in rank_links(page, tried[0]):
            waiting[url] = max(score, waiting.get(url, 0.0))
        following = None
        while waiting and spent < MOST_REQUESTS and following is None:
            # Pages of one kind show the same frame: orders and filters of one list most of all.
            best = max(waiting, key=lambda url: waiting[url] / (1 + looks[_kind_of(url)]))
            del waiting[best]
            if best in tried or await _is_forbidden(best, fetcher):
                continue
            tried.append(best)
            looks[_kind_of(best)] += 1
            spent += 1
            following = await _fetch_page(best, fetcher)
        if following is None:
            doors = _choose_listing(listings, config, refused)
            return LookResult(tuple(doors), tuple(refused), tuple(tried), needs_script)
        page = _parse(following, config)
        listings.append(_read_listing(following))


def _parse(response: Response, config: Config) -> Page:
    kind = response.header("content-type")
    return parse_page(response.body, response.url, kind, rules=config.urls.rules)


def _read_listing(response: Response) -> tuple[int, Url]:
    """How many things a page lists that goes on on a next page; 0 for any other page."""
    kind = response.header("content-type")
    answer = read_answer_page(response.body, response.url, kind)
    return len(answer.records) if answer.next_page else 0, response.url


def _choose_listing(
    listings: Sequence[tuple[int, Url]], config: Config, refused: list[str]
) -> list[HarvestSource]:
    """The page that a person named if it is a list, else the one with most on it."""
    count, url = listings[0] if listings[0][0] >= _LEAST_LISTED else max(listings)
    if count < _LEAST_LISTED:
        return []
    pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    fixed = tuple(Field(name, "hidden", value=_begin_anew(name, value)) for name, value in pairs)
    form = Form(url, Url(url.partition("?")[0]), "get", fixed, source=LISTING)
    return _admit(form, 1.0, config, refused)


async def _leave_forbidden(
    doors: list[HarvestSource], fetcher: Fetcher, refused: list[str]
) -> list[HarvestSource]:
    """Without those whose answers robots.txt forbids: the same site often has another search that
    it allows, such as that of one collection beside that of the whole site."""
    left = []
    for door in doors:
        form = door.form
        named = [(field.name, field.value) for field in form.fields if field.name]
        address = (form.action or form.page).partition("?")[0]
        if form.method == "get" and named:
            address = f"{address}?{urlencode(named)}"
        if await _is_forbidden(Url(address), fetcher):
            refused.append(f"{_FORBIDDEN} {form.action or form.page}")
        else:
            left.append(door)
    return left


async def _is_forbidden(url: Url, fetcher: Fetcher) -> bool:
    """Whether robots.txt is known to forbid it; nothing is sent to learn that."""
    try:
        await fetcher.fetch(Request(url, max_requests=0))
    except RobotsDeniedError:
        return True
    except FetchError:
        # It may cost nothing, so it is not fetched.
        return False
    return False


def _kind_of(url: Url) -> str:
    return _digits.sub("#", url.partition("?")[0])


async def _fetch_page(url: Url, fetcher: Fetcher) -> Response | None:
    try:
        response = await fetcher.fetch(Request(url))
    except FetchError:
        return None
    if not 200 <= response.status < 300:
        return None
    return response


def find_doors(page: Page, config: Config, refused: list[str]) -> list[HarvestSource]:
    """The page's forms that may be asked, else the search that its own address is an answer of."""
    found = find_doors_among(page.forms, config, refused)
    return found or find_answer_door(page.url, config, refused)


def find_answer_door(
    url: Url, config: Config, refused: list[str] | None = None
) -> list[HarvestSource]:
    """The search that an address is an answer of, if it looks like one and may be asked."""
    door = read_answer_address(url)
    found = refused if refused is not None else []
    return [] if door is None else _admit(door, _GUESSED, config, found)


def find_doors_among(
    forms: Sequence[Form], config: Config, refused: list[str]
) -> list[HarvestSource]:
    """Forms that may be asked, best first; why others may not is added to `refused`."""
    judge = open_searchable_judge()
    found: list[HarvestSource] = []
    for form in order_forms(forms, judge.chance):
        found += _admit(form, judge.chance(form), config, refused)
    return found


def _admit(form: Form, chance: float, config: Config, refused: list[str]) -> list[HarvestSource]:
    if why := why_refused(form, chance, config.submit):
        refused.append(why)
        return []
    return [HarvestSource(signature(form), site_of(form.action or form.page), form, chance)]


def read_answer_address(url: Url) -> Form | None:
    """The search whose answer has this address: its parameter that is called like a query, with a
    place for other words, or the piece of its path after one that speaks of searching. Positions
    in the answer begin anew.

    >>> read_answer_address(Url("http://a.test/list?page=2")) is None
    True
    >>> str(read_answer_address(Url("http://a.test/search/oak/")).action)
    'http://a.test/search/%7Bquery%7D/'
    """
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query)
    name = next((name for name, value in pairs if _TYPED(name) and value), "")
    path = parts.path if name else _open_path(parts.path)
    if not name and path == parts.path:
        return None
    places = "&".join(
        "=".join((key, "{query}" if key == name else _begin_anew(key, value)))
        for key, value in pairs
    )
    template = f"{parts.scheme}://{parts.netloc}{path}{'?' if places else ''}{places}"
    home = canonical("/", url)
    return (
        build_template_door(template, home, UrlJoiner(home, AS_IT_IS), TEMPLATE) if home else None
    )


def _open_path(path: str) -> str:
    """The path with a place for the words that were searched for, if it names them."""
    pieces = path.split("/")
    for at, piece in enumerate(pieces[:-1]):
        words = pieces[at + 1]
        is_page = words.isdigit() or "." in words or words.lower() in _PAGES
        if _SEARCHED(piece) and words and not is_page:
            # What follows is a position in the answer.
            return "/".join([*pieces[: at + 1], "{query}", *([""] if path.endswith("/") else [])])
    return path


def _begin_anew(name: str, value: str) -> str:
    """The value of a parameter on the first page of an answer."""
    if not value.isdigit() or not is_position_name(name):
        return value
    # Counted from one where it says so: a first page of ten ends before the eleventh record.
    return "0" if value == "0" or (int(value) > 1 and not int(value) % 5) else "1"


def rank_links(page: Page, start: Url) -> Iterator[tuple[Url, float]]:
    """Links of the site by how much they look like the way to its search, none that would change
    anything."""
    site = site_of(page.url)
    home = canonical("/", page.url)
    if home is not None and not is_home_page(start):
        yield home, 0.5
    for link in page.links[:_MOST_LINKS]:
        if site_of(link.target) == site and not _is_left_alone(page, link):
            score = _score(link)
            if score > 0:
                yield link.target, score


def _score(link: Link) -> float:
    said = fold(f"{link.anchor} {link.title}")
    if word_patterns.SEARCH(said):
        # `Advanced search` is one; a headline that happens to speak of a search is longer.
        return 3.0 if len(said.split()) <= 4 else 1.5
    if word_patterns.SEARCH(fold(" ".join(url_words(link.target)))):
        return 2.0
    return 1.0 if read_answer_address(link.target) is not None else 0.1 / (1 + link.position)


def _is_left_alone(page: Page, link: Link) -> bool:
    said = fold(f"{link.anchor} {link.title}")
    return bool(
        find_state_change(link.target, link.anchor, link.title, page.text_before(link))
        or word_patterns.ACCOUNT(said)
        or word_patterns.DANGER(said)
    )


def is_for_scripts(page: Page) -> bool:
    """Whether its search, or all of it, exists for scripts alone."""
    is_box = any("only a script reads" in why for why in map(_why_unasked, page.forms))
    words = sum(len(leaf.split()) for leaf in page.leaves)
    return is_box or (words <= _FEW_WORDS and not page.links and not page.forms)


def _why_unasked(form: Form) -> str:
    return why_refused(form, 1.0)
