"""A URL template with a place for the query becomes a door: a `Form` that is sent by GET.

Parameters that hold nothing but the query are text fields and fixed ones hidden fields, so that a
template and the form that it describes look alike. Wherever else the query stands, in the path or
beside other text, the action keeps `{name}`, and `forms.form_data` puts the query there.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from html import unescape
from urllib.parse import unquote_plus

from leadline.core.page import LINK, Field, Form
from leadline.core.url import MAX_URL_CHARS, Url, UrlJoiner, origin_of

_MAX_PARAMETERS = 50
"""Of a template: real ones have fewer than twenty."""
_place = re.compile(r"\{([^{}]*)\}")
_many_braces = re.compile(r"\{{2,}([^{}]*)\}{2,}").sub
_expression = re.compile(r"\{([?&])([\w.,:%*-]+)\}").sub
"""`{?q,page}`: parameters as RFC 6570 writes them."""
_names_query = re.compile(
    r"search|quer|term|keyword|phrase|such|recherch|busc|cerca|zoek|^(?:q|s|k|w|kw|text|what|string)$",
    re.IGNORECASE,
).search
_names_page = re.compile(
    r"page|start|offset|index|count|limit|rows|size|lang|locale|encoding|sort|order|callback"
    r"|referrer|source$|client$",
    re.IGNORECASE,
).search
_DEFAULTS = {
    "language": "*",
    "inputencoding": "UTF-8",
    "outputencoding": "UTF-8",
    "startindex": "1",
    "startpage": "1",
    "count": "20",
}
"""What the places of OpenSearch 1.1 hold when nothing else is wanted; of a page, its first."""


def is_template(text: str) -> bool:
    """Whether a text that a person wrote has a place for the query: `{...}` or `%s`.

    >>> is_template("https://a.test/find?q={query}"), is_template("https://a.test/find?q=x")
    (True, False)
    """
    return _place.search(_unify(text)) is not None


def build_template_door(
    template: str,
    page: Url,
    join: UrlJoiner,
    source: str,
    *,
    query_names: Collection[str] = (),
    text: str = "",
    attributes: str = "",
) -> Form | None:
    """The door of a template met on `page`; None if it holds no place for a query, or leads
    nowhere by HTTP. `query_names` are the places that the template's author calls queries."""
    if len(template) > MAX_URL_CHARS:
        return None
    address, _, fragment = _unify(template).partition("#")
    places = [name.rstrip("?") for name in _place.findall(address)]
    query = _choose_query(places, query_names)
    # What stands behind the # is never sent: a script reads it.
    if not query or f"{{{query}" in fragment:
        return None
    reader = _TemplateReader(query, Counter(places))
    base, _, parameters = address.partition("?")
    base = reader.fill_places(base)
    kept = "&".join(reader.read_parameters(parameters))
    action = join(f"{base}?{kept}" if kept else base)
    # A place in the host is another site for every query.
    if action is None or "{" in origin_of(action):
        return None
    return Form(
        page,
        action,
        "get",
        tuple(reader.fields(kind="text" if source == LINK else "search")),
        charset="utf-8",
        text=text,
        attributes=attributes,
        # Whoever declares a template says that it searches; an address in a link does not.
        has_search_role=source != LINK,
        source=source,
    )


def _unify(template: str) -> str:
    """With every place written as `{name}`."""
    text = unescape(template.strip()) if "&" in template else template.strip()
    text = re.sub("%7B", "{", re.sub("%7D", "}", text, flags=re.IGNORECASE), flags=re.IGNORECASE)
    text = _many_braces(r"{\1}", text).replace("%s", "{query}")
    return _expression(_expand, text)


def _expand(found: re.Match[str]) -> str:
    names = [name.rstrip("*") for name in found[2].split(",")]
    return found[1] + "&".join(f"{name}={{{name}}}" for name in names)


def _choose_query(places: list[str], named: Collection[str]) -> str:
    """The place of the query: one that its author calls so, else by its name, else the first."""
    return (
        next((place for place in places if place in named), "")
        or next((place for place in places if _names_query(place)), "")
        or next((place for place in places if not _names_page(place)), "")
    )


class _TemplateReader:
    """Sorts what a template holds into fields and what stays in its address."""

    def __init__(self, query: str, counts: Counter[str]) -> None:
        self._query = query
        self._counts = counts
        self._typed: dict[str, bool] = {}
        """Names of fields to type into; whether it is the query."""
        self._hidden: list[tuple[str, str]] = []

    def read_parameters(self, text: str) -> Iterator[str]:
        """The parameters that stay in the address."""
        for pair in text.split("&")[:_MAX_PARAMETERS]:
            name, _, value = pair.partition("=")
            whole = _place.fullmatch(value)
            if not _place.search(pair):
                if pair:
                    self._hidden.append((unquote_plus(name), unquote_plus(value)))
            elif whole is None or _place.search(name) or self._counts[whole[1]] > 1:
                yield self.fill_places(pair)
            else:
                self._take_place(unquote_plus(name), whole[1])

    def _take_place(self, parameter: str, place: str) -> None:
        """A parameter that holds one place and nothing else."""
        is_optional, place = place.endswith("?"), place.rstrip("?")
        if place == self._query:
            self._typed[parameter] = True
        elif place.lower() in _DEFAULTS:
            # Left out where it may be: then the site decides.
            if not is_optional:
                self._hidden.append((parameter, _DEFAULTS[place.lower()]))
        elif not is_optional and not _names_page(place):
            self._typed[parameter] = False

    def fill_places(self, text: str) -> str:
        """The text with places named as fields are, and those filled that are no query."""

        def fill(found: re.Match[str]) -> str:
            place = found[1].rstrip("?")
            if place == self._query:
                self._typed["query"] = True
                return "{query}"
            return _DEFAULTS.get(place.lower(), "")

        return _place.sub(fill, text)

    def fields(self, kind: str) -> Iterator[Field]:
        """The query first: names tell of a template, not of an order."""
        ordered = sorted(self._typed.items(), key=lambda item: not item[1])
        for position, (name, is_query) in enumerate(ordered):
            yield Field(name, kind if is_query else "text", position=position)
        for position, (name, value) in enumerate(self._hidden, start=len(ordered)):
            yield Field(name, "hidden", value=value, position=position)
