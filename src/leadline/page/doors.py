"""Doors of a page that are no form: what it declares as a SearchAction, and links to results.

`page.parse` collects the markup in its walk and calls `find_doors`; OpenSearch descriptions stand
in files of their own (`page.opensearch`).
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import unquote_plus

import msgspec

from leadline.core.page import LINK, SEARCH_ACTION, Form, Link
from leadline.core.url import Url, UrlJoiner, host_of, registered_domain, site_of
from leadline.page.templates import build_template_door, is_template

_MAX_DOORS = 10
"""Of one page. Sites declare one search, or one for each of a few collections."""
_MAX_DATA_CHARS = 500_000
_MAX_DATA_NODES = 20_000
"""Objects and lists looked at in the structured data of a page; real ones have some hundreds."""
_MAX_TEXT_CHARS = 300
"""Of a name or a description in structured data."""
_MAX_LINKS = 1_000
"""Looked at for addresses of results."""
LEAST_LINK_WEIGHT = 3.0
"""Log-odds that a parameter, or the path word before the query, is one of a search, from which a
link makes a candidate: twenty times as frequent in 3,900 search addresses as in links of pages."""

_target_text = re.compile(r'"(?:urlTemplate|target)"\s*:\s*"([^"\\]*(?:\\.[^"\\]*)*)"').findall
_input_name = re.compile(r"name\s*=\s*['\"]?([\w.:-]+)").search
_has_letters = re.compile(r"[^\W\d_]{2}").search
_is_mixed = re.compile(r"[A-Za-z]\d|\d[A-Za-z]").search
_TOKEN_CHARS = 12
"""Longer words in which letters and digits alternate are tokens."""
_parameters = re.compile(r"[?&]([^=&]+)=([^&]*)").findall
_parameter_names = re.compile(r"[?&]([^=&?]+)=").findall


class SearchMarkup:
    """What a walk over a page met of declared searches: scripts of JSON-LD that speak of a
    SearchAction, and templates in microdata or RDFa."""

    def __init__(self) -> None:
        self.scripts: list[str] = []
        self.templates: list[str] = []

    def add_script(self, text: str) -> None:
        if "SearchAction" in text and len(text) <= _MAX_DATA_CHARS:
            self.scripts.append(text)

    def add_property(self, attributes: dict[str, str | None]) -> None:
        """Of a `meta` or `link` element inside the page."""
        name = (attributes.get("itemprop") or attributes.get("property") or "").lower()
        if name.rpartition(":")[2] in ("target", "urltemplate"):
            template = attributes.get("content") or attributes.get("href") or ""
            if is_template(template):
                self.templates.append(template)


def find_doors(
    page: Url, join: UrlJoiner, markup: SearchMarkup, links: Sequence[Link], forms: Sequence[Form]
) -> list[Form]:
    """The doors of a page besides its forms, each once. A form says more than a template to the
    same address, and wins."""
    declared = (
        build_template_door(
            one.template, page, join, SEARCH_ACTION, query_names=one.names, text=one.text
        )
        for one in _declared_templates(markup)
    )
    doors = [door for door in (*declared, _find_link_door(page, links)) if door is not None]
    return select_new_doors(forms, doors) if doors else []


def select_new_doors(forms: Iterable[Form], doors: Iterable[Form]) -> list[Form]:
    """The doors that lead elsewhere than any of the forms, each once."""
    known = {key for form in forms for key in _keys(form)}
    found: list[Form] = []
    for door in islice(doors, _MAX_DOORS):
        if known.isdisjoint(keys := _keys(door)):
            known.update(keys)
            found.append(door)
    return found


def _keys(form: Form) -> list[tuple[str, str]]:
    """Where a query is sent, and under which name: equal for the ways to write one address."""
    if form.action is None or form.method != "get":
        return []
    host, _, path = form.action.partition("://")[2].partition("?")[0].partition("/")
    place = f"{host.removeprefix('www.')}/{path.rstrip('/')}"
    return [(place, f.name) for f in form.fields if f.kind not in ("hidden", "submit", "button")]


class _Declared(NamedTuple):
    template: str
    names: tuple[str, ...] = ()
    """What its query goes by."""
    text: str = ""
    """What the data say of the site that is searched."""


def _declared_templates(markup: SearchMarkup) -> Iterator[_Declared]:
    for script in markup.scripts:
        try:
            data = msgspec.json.decode(script)
        except msgspec.DecodeError:
            # Broken data is common: line breaks inside strings, comments, commas too many.
            targets = (target.replace("\\/", "/") for target in _target_text(script))
            yield from (_Declared(target) for target in targets if is_template(target))
        else:
            yield from _read_actions(data)
    yield from map(_Declared, markup.templates)


def _read_actions(data: Any) -> Iterator[_Declared]:
    # A stack instead of recursion, and a limit: data may nest as deep as the page is long.
    waiting: list[tuple[Any, str]] = [(data, "")]
    left = _MAX_DATA_NODES
    while waiting and left:
        node, text = waiting.pop()
        left -= 1
        if isinstance(node, list):
            waiting += [(one, text) for one in reversed(node[:left])]
        elif isinstance(node, dict):
            if _is_search_action(node):
                names = tuple(_input_names(node))
                yield from (_Declared(one, names, text) for one in _targets(node.get("target")))
            elif "potentialAction" in node:
                told = (node.get(name) for name in ("name", "alternateName", "description"))
                text = " ".join(one[:_MAX_TEXT_CHARS] for one in told if isinstance(one, str))
            inner = [one for one in node.values() if isinstance(one, dict | list)]
            waiting += [(one, text) for one in reversed(inner)]


def _is_search_action(node: dict[str, Any]) -> bool:
    kinds = node.get("@type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return any(isinstance(kind, str) and kind.endswith("SearchAction") for kind in kinds)


def _targets(target: Any) -> Iterator[str]:
    """A template, an EntryPoint that holds one, or several of them."""
    for one in target[:_MAX_DOORS] if isinstance(target, list) else [target]:
        if isinstance(one, dict):
            one = one.get("urlTemplate") or one.get("url") or one.get("@id")
        for text in one[:_MAX_DOORS] if isinstance(one, list) else [one]:
            if isinstance(text, str):
                yield text


def _input_names(node: dict[str, Any]) -> Iterator[str]:
    """What the query is called: `required name=q`, or a PropertyValueSpecification."""
    for key, value in node.items():
        if not key.startswith("query"):
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict) and isinstance(name := one.get("valueName"), str):
                yield name
            elif isinstance(one, str) and (found := _input_name(one)):
                yield found[1]


# Links to pages of results. Their address tells the template of the search that made them.


def _find_link_door(page: Url, links: Sequence[Link]) -> Form | None:
    """The template behind the link of the page's own site that most looks like results."""
    best, chosen = 0.0, ("", Url(""))
    for target in _list_search_shapes([link.target for link in links[:_MAX_LINKS]]):
        weight, template = _weigh_address(target)
        if weight > best and _domain(target) == _domain(page):
            best, chosen = weight, (template, target)
    if best < LEAST_LINK_WEIGHT:
        return None
    template, target = chosen
    return build_template_door(template, page, UrlJoiner(target), LINK)


def _weigh_address(url: Url) -> tuple[float, str]:
    """The log-odds that a page of results stands at `url`, and the template that it tells."""
    weights = _search_shapes()
    named = (
        (weights["parameter"].get(name.lower(), 0.0), name, value)
        for name, value in _parameters(url)
        if _is_words(unquote_plus(value))
    )
    weight, name, _ = max(named, default=(0.0, "", ""))
    base, _, query = url.partition("?")
    if weight:
        # Other parameters narrow this one answer; the search begins without them.
        return weight, f"{base}?{name}={{query}}"
    before, _, last = base.rstrip("/").rpartition("/")
    word = before.rpartition("/")[2].lower()
    if query or "." in last or not _is_words(last):
        return 0.0, ""
    return weights["path"].get(word, 0.0), f"{before}/{{query}}"


def _is_words(value: str) -> bool:
    """Whether somebody may have typed it: letters, and no token of a session or a campaign."""
    if "{" in value or not _has_letters(value):
        return False
    return len(value) < _TOKEN_CHARS or _is_mixed(value) is None


@cache
def _search_shapes() -> dict[str, dict[str, float]]:
    """By `tools.search_shapes`, from real search addresses and the links of real pages."""
    text = resources.files("leadline.page").joinpath("search_shapes.json").read_text("utf-8")
    weights: dict[str, dict[str, float]] = json.loads(text)
    return weights


@cache
def _query_names() -> frozenset[str]:
    """Parameters of any weight."""
    weights = _search_shapes()["parameter"].items()
    return frozenset(name for name, weight in weights if weight >= LEAST_LINK_WEIGHT)


@cache
def _path_words() -> frozenset[str]:
    """Words of any weight before the last segment of an address, as addresses spell them."""
    weights = _search_shapes()["path"].items()
    words = [word for word, weight in weights if weight >= LEAST_LINK_WEIGHT]
    return frozenset(spell(word) for word in words for spell in (str, str.upper, str.title))


def _list_search_shapes(urls: Sequence[Url]) -> list[Url]:
    """Those addresses that may have any weight: hardly a page has one. All links of all pages pass
    here; splitting takes a fifth of what a search for all the words takes."""
    names, words = _query_names(), _path_words()
    found = []
    for url in urls:
        if "?" in url:
            if not names.isdisjoint(_parameter_names(url.lower())):
                found.append(url)
        elif url.rsplit("/", 3 if url[-1] == "/" else 2)[1] in words:
            found.append(url)
    return found


def _domain(url: Url) -> str:
    return registered_domain(host_of(site_of(url)))
