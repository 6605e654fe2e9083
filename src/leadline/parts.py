"""The single parts of leadline, for programs that want one: no store, no loop, no network.

Every function takes a page as `str` or `bytes` with the URL it came from, and returns plain frozen
values. None raises on any page, however broken; a URL that is no http(s) address only means that
relative links on the page lead nowhere. `docs/guides/parts.md` has an example of each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from msgspec import structs

from leadline.core.crawl import LIKELY, LinkFeatures
from leadline.core.harvest import NextPage, Query, Record
from leadline.core.page import Field, Form, Option, Page
from leadline.core.url import AS_IT_IS, DEFAULT_RULES, Url, UrlRules, canonical
from leadline.forms.domain import SECOND_STAGE_FROM, doubt_hazards, find_door_evidence
from leadline.forms.evidence import judge_evidence
from leadline.forms.field_roles import find_roles
from leadline.forms.holdings import weigh_holdings
from leadline.forms.searchable import SearchableJudge, open_searchable_judge
from leadline.forms.submit import choose_button, press_button, why_refused
from leadline.harvester.single_page import read_answer_page, read_next_page
from leadline.learn.link_features import link_rows
from leadline.learn.link_levels import LinkLevels
from leadline.page import PageLimits, parse_page
from leadline.page.words import PageWords
from leadline.strategies.ffc import guess_levels_by_words, guess_link_levels
from leadline.topics import open_topic
from leadline.topics.critic import Topic
from leadline.topics.judges import load_pack
from leadline.topics.vocabulary import DOMAINS

__all__ = [
    "FormField",
    "LinkRank",
    "NextUrl",
    "PageTopics",
    "ResultRecord",
    "SearchResults",
    "WebForm",
    "classify_page",
    "find_forms",
    "next_page",
    "rank_links",
    "read_results",
]

UNREAD = "unread"
"""The kind of an answer in a format that is not read: images, archives, documents."""
_TEXT = "text/html; charset=utf-8"
_PAGES = frozenset({"", "text/html", "application/xhtml+xml", "text/plain"})
_DATA = ("json", "xml", "javascript", "ndjson", "jsonlines", "jsonl", "csv", "separated-values")
"""How the media types of data that is read end."""
_WHOLE = PageLimits(value_chars=500_000)
"""Hidden state is read whole: a form that carries half of its own must not be sent."""
_HEAD_BYTES = 1_000
"""Of a body, looked at to tell pages from data."""
_OWN_WORDS = 50
"""Of a topic that knows no words of links: its strongest words are looked for at links instead."""
_LINK_WORDS = LinkFeatures()
_WORDS = 3
"""Named as the reason in one line."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One control of a form; radio buttons of one name are one field."""

    name: str
    label: str
    """What stands at it; '' if nothing does."""
    kind: str
    """The input type in lower case, or `select`, `textarea`, `button`."""
    role: str
    """What it asks for: `keyword`, `title`, `person`, `place`, `date`, `year`, `price`, `category`,
    `sort`, `password` ...; more exactly `place:zip`; for one end of a range `price from`."""
    options: tuple[Option, ...] = ()
    """Of a select or radio buttons, each with `value` and `text`."""


@dataclass(frozen=True, slots=True)
class WebForm:
    """A form or a search box, and what it is for."""

    action: str | None
    """Where the button to press sends it; None for what only a script reads."""
    method: str
    """`get` or `post`."""
    fields: tuple[FormField, ...]
    searchable: float
    """Probability that it searches a database."""
    topics: dict[str, float]
    """By name of the topic, the best first: probability that it searches a database about it."""
    is_safe_to_submit: bool
    """Whether leadline would fill and send it: it surely searches, and asks for nothing private."""
    why: str
    """What speaks for or against it, for people."""
    source: str = "form"
    """What kind of door it is: `form`, `box` (in no form), `region` (of a form around the page),
    `search-action`, or `link` (made of a link to results)."""


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """One result of a list."""

    title: str
    url: str | None
    """Its own page."""
    links: tuple[str, ...]
    """All addresses in it."""
    text: str
    """All that stands in it."""
    fields: dict[str, str]
    """Its parts by label or column where the page names one, else by tag path."""


class NextUrl(str):
    """The address of the next page: a string that knows how to ask for it.

    Most next pages are links. For one behind a button of a form sent by POST, send `body` as
    `content_type` to it.

    >>> NextUrl("https://example.org/?page=2").method
    'GET'
    """

    __slots__ = ("body", "content_type", "method")
    method: str
    body: bytes
    content_type: str

    def __new__(
        cls, url: str, method: str = "GET", body: bytes = b"", content_type: str | None = ""
    ) -> "NextUrl":
        self = super().__new__(cls, url)
        object.__setattr__(self, "method", method)
        object.__setattr__(self, "body", body)
        object.__setattr__(self, "content_type", content_type)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name!r} of an address cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return NextUrl, (str(self), self.method, self.body, self.content_type)


@dataclass(frozen=True, slots=True)
class SearchResults:
    """One page of an answer to a query."""

    records: tuple[ResultRecord, ...]
    total: int | None
    """Matches as printed on the page."""
    next_url: NextUrl | None
    """The next page; None on the last one."""
    kind: str
    """`results`, `record` (one record's own page), `nothing`, `refused` (the query), `blocked` (the
    visitor), `unclear`, or `unread` for formats that are not read."""
    why: str


@dataclass(frozen=True, slots=True)
class PageTopics:
    """What a page is about."""

    topics: dict[str, float]
    """By name of the topic, the best first: probability that the page is about it. Topics are
    judged each for itself: a page may be about several, or none."""
    language: str
    """Two letters; '' when unknown."""
    why: str
    """The words that decided for the best topic, or against it."""


@dataclass(frozen=True, slots=True)
class LinkRank:
    """A link of a page, and how likely it leads to a search form about a topic."""

    url: str
    anchor: str
    score: float
    """Between 0 and 1; comparable between pages."""
    why: str


def find_forms(html: str | bytes, url: str, *, content_type: str | None = "") -> list[WebForm]:
    """Every form and search box of a page, in its order, then the searches it declares.

    >>> page = '<form action="/find"><input name="q"><button>Search books</button></form>'
    >>> (form,) = find_forms(page, "https://example.org/")
    >>> form.action, form.method, form.fields[0].role, form.is_safe_to_submit
    ('https://example.org/find', 'get', 'keyword', True)
    """
    page = _parse(html, url, content_type, AS_IT_IS)
    if not page.forms:
        return []
    words = PageWords(page)
    records = weigh_holdings(page)
    about = {name: topic.relevance(words) for name, topic in _topics().items()}
    found = []
    for number, (form, judged) in enumerate(
        zip(page.forms, _searchable().judge_all(page.forms), strict=True)
    ):
        searchable, why = doubt_hazards(*judged, form)
        topics = dict.fromkeys(DOMAINS, 0.0)
        # As HIFI does in a crawl: the words of a form that surely searches nothing are not read.
        if searchable >= SECOND_STAGE_FROM:
            ids = words.form(number)
            for name, topic in _topics().items():
                evidence = find_door_evidence(topic, form, ids, about[name], records)
                topics[name] = searchable * judge_evidence(evidence)
        found.append(_web_form(form, searchable, why, topics))
    return found


def _web_form(form: Form, searchable: float, why: str, topics: Mapping[str, float]) -> WebForm:
    if not form.action:
        # On a page without an address of its own, a form without an action leads nowhere.
        form = structs.replace(form, action=None)
    refused = why_refused(form, searchable)
    sent = press_button(form, choose_button(form))
    return WebForm(
        action=sent.action,
        method=sent.method,
        fields=tuple(map(_field, form.fields, (one.text for one in find_roles(form)))),
        searchable=searchable,
        topics=_best_first(topics),
        is_safe_to_submit=not refused,
        why=f"{why}; not to be sent: {refused}" if refused else why,
        source=form.source,
    )


def _field(field: Field, role: str) -> FormField:
    return FormField(field.name, field.label, field.kind, role, field.options)


def classify_page(html: str | bytes, url: str, *, content_type: str | None = "") -> PageTopics:
    """What a page is about, by the topics that ship with leadline, and its language.

    >>> page = classify_page("<title>Cheap flights and airfares</title>", "https://example.org/")
    >>> next(iter(page.topics))
    'airfare'
    """
    page = _parse(html, url, content_type)
    words = PageWords(page)
    topics = _best_first({name: topic.relevance(words) for name, topic in _topics().items()})
    best, chance = next(iter(topics.items()))
    is_about = chance >= LIKELY
    reasons = [word for word, by in _topics()[best].page_reasons(words) if (by > 0) == is_about]
    told = ", ".join(reasons[:_WORDS]) or "no word of it"
    return PageTopics(topics, page.language, f"{'' if is_about else 'not '}{best}: {told}")


def rank_links(
    html: str | bytes, url: str, topic: str | Sequence[str], *, content_type: str | None = ""
) -> list[LinkRank]:
    """The links of a page, those first that most likely lead to search forms about the topic.

    `topic` is the name of a shipped topic, the folder of one of your own, or a list of words.
    A name that is no topic raises ConfigError. Links to the page itself are left out, and of
    several links to one address the best is taken.

    >>> page = '<a href="/imprint">Imprint</a> <a href="/search">Search for used books</a>'
    >>> [link.anchor for link in rank_links(page, "https://example.org/", "book")]
    ['Search for used books', 'Imprint']
    """
    levels = _link_levels(topic if isinstance(topic, str) else tuple(topic))
    page = _parse(html, url, content_type)
    rows = link_rows(_LINK_WORDS, PageWords(page), page.links)
    leads = levels.classes.index(1)
    chances = levels.judge(rows)[1][:, leads].tolist()
    # A menu and the text link to the same page: the best of them speaks for it.
    best: dict[Url, tuple[float, int]] = {}
    for number, (link, chance) in enumerate(zip(page.links, chances, strict=True)):
        if link.target != page.url and chance > best.get(link.target, (-1.0, 0))[0]:
            best[link.target] = chance, number
    ordered = sorted(best.values(), key=lambda pair: (-pair[0], pair[1]))
    return [
        LinkRank(page.links[number].target, page.links[number].anchor, chance, _why(levels, row))
        for chance, number in ordered
        for row in [rows[number]]
    ]


def _why(levels: LinkLevels, row: Any) -> str:
    words = sorted(levels.evidence(row), key=lambda pair: -abs(pair[1]))
    return "; ".join(feature.name for feature, _ in words[:_WORDS]) or "no word of the topic at it"


@lru_cache(maxsize=16)
def _link_levels(topic: str | tuple[str, ...]) -> LinkLevels:
    """The words of links that lead to forms of the topic; of topics without, their own words."""
    if not isinstance(topic, str):
        return guess_levels_by_words(topic)
    pack = load_pack(topic)
    if pack.links:
        return guess_link_levels(topic)
    return guess_levels_by_words(pack.queries or [word for word, _ in pack.strongest[:_OWN_WORDS]])


def read_results(
    body: str | bytes,
    url: str,
    content_type: str | None = "",
    query: str | Mapping[str, str] | None = None,
) -> SearchResults:
    """The records of a page of search results, their total, and the next page.

    `query` is what was asked for, as text or as values by control name; it helps to tell what the
    page repeats of it. Without it, it is guessed from the URL. `kind` says what the page is if it
    is no list of results, and `unread` if its format is not read.

    >>> rows = "".join(f'<li><a href="/b/{n}">Book {n}</a> by A. Uthor {n}</li>' for n in range(9))
    >>> found = read_results(f"<p>9 books<ul>{rows}</ul>", "https://example.org/find?q=book")
    >>> found.kind, len(found.records), found.total, found.records[0].title
    ('results', 9, 9, 'Book 0')
    """
    unread = _why_unread(body, content_type or "")
    if unread:
        return SearchResults((), None, None, UNREAD, unread)
    asked = Query(tuple(sorted(query.items()))) if isinstance(query, Mapping) else query
    answer = read_answer_page(body, url, content_type or "", asked)
    records = tuple(map(_record, answer.records))
    following = _next_url(answer.next_page)
    return SearchResults(records, answer.total, following, answer.kind, answer.why)


def _record(record: Record) -> ResultRecord:
    fields: dict[str, str] = {}
    for cell in record.cells:
        before = f"{fields[cell.place]}\n" if cell.place in fields else ""
        fields[cell.place] = before + cell.text
    text = "\n".join(cell.text for cell in record.cells)
    links = (record.url, *record.links) if record.url else record.links
    return ResultRecord(record.title, record.url, tuple(dict.fromkeys(links)), text, fields)


def next_page(html: str | bytes, url: str, *, content_type: str | None = "") -> NextUrl | None:
    """The next page of a list that goes over several; None where there is none.

    >>> next_page('<a href="?page=2">Next</a>', "https://example.org/list")
    'https://example.org/list?page=2'
    """
    return _next_url(read_next_page(html, url, content_type or ""))


def _next_url(page: NextPage | None) -> NextUrl | None:
    if page is None:
        return None
    request = page.request
    return NextUrl(request.url, request.method, request.body, request.content_type)


def _parse(
    html: str | bytes, url: str, content_type: str | None, rules: UrlRules = DEFAULT_RULES
) -> Page:
    body, content_type = _as_bytes(html, content_type)
    return parse_page(body, _address(url, rules), content_type, rules=rules, limits=_WHOLE)


def _as_bytes(html: str | bytes, content_type: str | None) -> tuple[bytes, str]:
    """With the content type to read them by: text has its characters, whatever it declares."""
    if isinstance(html, str):
        return html.encode("utf-8", "replace"), _TEXT
    return html, content_type or ""


def _address(url: str, rules: UrlRules) -> Url:
    """'' for what is no address: then only absolute links on the page lead anywhere."""
    return canonical(url, rules=rules) or Url("")


def _why_unread(body: str | bytes, content_type: str) -> str:
    """Why an answer is not read as a page or as data; '' if it is."""
    kind = content_type.partition(";")[0].strip().lower()
    start = body[:_HEAD_BYTES]
    head = (start.encode("utf-8", "replace") if isinstance(start, str) else start).strip()
    is_text = head.startswith((b"<", b"{", b"["))
    if kind in _PAGES or is_text or kind.endswith(_DATA):
        return ""
    return f"{kind} is not read"


def _best_first(scores: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))


@cache
def _searchable() -> SearchableJudge:
    return open_searchable_judge()


@cache
def _topics() -> dict[str, Topic]:
    """The shipped topics: read once, in a fifth of a second."""
    return {name: open_topic(name) for name in DOMAINS}
