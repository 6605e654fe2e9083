"""URLs by the WHATWG rules, in one canonical form, and the sites they belong to."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NewType

import ada_url
from msgspec import Struct
from publicsuffixlist import PublicSuffixList

Url = NewType("Url", str)
"""A canonical absolute http(s) URL without fragment. Only this module makes one."""

Site = NewType("Site", str)
"""The unit of politeness: the host, with its port where that is not the default."""

MAX_URL_CHARS = 2_000
"""Longer ones are refused: browsers' common limit, and traps grow URLs without end."""

TRACKING = frozenset(
    {"utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "utm_id", "_ga", "_gl"}
    | {"gclid", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid", "ttclid"}
    | {"igshid", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok", "vero_id", "oly_anon_id"}
)
SESSION = frozenset(
    {"phpsessid", "jsessionid", "aspsessionid", "asp.net_sessionid", "sid", "sessionid"}
    | {"session_id", "cfid", "cftoken"}
)


class UrlRules(Struct, frozen=True):
    """Which query parameters say nothing about the page and are cut from every URL."""

    drop: frozenset[str] = TRACKING | SESSION
    """Parameter names, in lower case."""
    drop_path_session: bool = True
    """Cut `;jsessionid=...` from paths."""


DEFAULT_RULES = UrlRules()
AS_IT_IS = UrlRules(frozenset(), drop_path_session=False)
"""For what is sent: parameters that crawls cut from links may carry a search's state."""

# Paths made only of these characters, with no dot segments, come out of the
# WHATWG rules unchanged: joined to their origin, which is brought into form
# once, they are canonical. That covers nine links in ten at a fifth of the cost.
_PLAIN = r"(/[A-Za-z0-9_~.,+@:/-]*)(\?[A-Za-z0-9_~.,+@:/=&-]*)?\Z"
_plain_relative = re.compile("(?!//)" + _PLAIN).match
_plain_path = re.compile(r"/(?!/)[A-Za-z0-9_~.,+@:/-]*+\Z").match
_plain_origin = re.compile(r"https?://[A-Za-z0-9:-][A-Za-z0-9.:-]*\Z").match
_plain_absolute = re.compile(r"(https?://[A-Za-z0-9.:-]+)" + _PLAIN).match
_split = re.compile(r"(https?)://([^/?#]*)([^?#]*)(\?[^#]*)?").match
_parted_pairs = re.compile(r"[^&;]*[&;]?").findall
_path_session = re.compile(r";(?:jsessionid|sid|phpsessid)=[^/?;]*", re.IGNORECASE)


def canonical(href: str, base: str = "", rules: UrlRules = DEFAULT_RULES) -> Url | None:
    """The one form of `href` as seen from the page `base`; None if it is no usable http(s) URL.

    >>> canonical("../b?utm_source=x&q=1#top", "http://Example.com:80/a/c")
    'http://example.com/b?q=1'
    """
    return UrlJoiner(base, rules)(href)


class UrlJoiner:
    """`canonical` for many hrefs of one page."""

    __slots__ = ("_base", "_origin", "_rules")

    def __init__(self, base: str, rules: UrlRules = DEFAULT_RULES) -> None:
        self._base = base
        self._origin = _origin_by_rule(origin_of(base)) if _split(base) else None
        self._rules = rules

    def __call__(self, href: str) -> Url | None:
        origin: str | None = self._origin
        # The first sign tells which form it may have, and saves a search that must fail.
        if href[:1] == "/":
            plain = _plain_relative(href) if origin else None
        elif plain := _plain_absolute(href):
            origin = _origin_by_rule(plain[1])
        if not plain or "/." in href:
            return _canonical_by_rule(href, self._base, self._rules)
        if origin is None:
            return None
        if "?" in href:
            path, query = plain.groups()[-2:]
            href = path + (_without(query, self._rules.drop) if query else "")
        elif href[0] != "/":
            href = plain[2]
        # Not by `Url(...)`, a call that takes a tenth of the time.
        url: Any = origin + href
        return url if len(url) <= MAX_URL_CHARS else None

    def join_each(self, hrefs: Iterable[str]) -> Iterator[Url | None]:
        """The same for one after the other. Nine in ten are a plain path, with or without an
        origin, and are joined here without a call for each."""
        own = self._origin or ""
        for href in hrefs:
            if href[:1] == "/":
                origin, path = own, href
            else:
                start = href.find("/", 8)
                origin, path = _find_origin(href[:start]), href[start:]
            if origin and _plain_path(path) and "/." not in path:
                url: Any = origin + path
                yield url if len(url) <= MAX_URL_CHARS else None
            else:
                yield self(href)


@lru_cache(maxsize=50_000)
def _origin_by_rule(origin: str) -> str | None:
    url = _canonical_by_rule(origin + "/", "", DEFAULT_RULES)
    return None if url is None else url[:-1]


@lru_cache(maxsize=50_000)
def _find_origin(origin: str) -> str:
    """The canonical form of an origin as pages write it; '' for what is none or needs a look."""
    return _origin_by_rule(origin) or "" if _plain_origin(origin) else ""


def _canonical_by_rule(href: str, base: str, rules: UrlRules) -> Url | None:
    if len(href) > MAX_URL_CHARS:
        return None
    try:
        joined = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except (ValueError, UnicodeError):
        return None
    parts = _split(joined)
    if parts is None or not parts[2]:
        return None
    scheme, authority, path, query = parts.groups()
    if rules.drop_path_session and _path_session.search(path):
        # What is left may be a dot segment, so the rules are applied again.
        return _canonical_by_rule(joined.replace(path, _path_session.sub("", path), 1), "", rules)
    if query:
        query = _without(query, rules.drop)
    url = f"{scheme}://{authority.rpartition('@')[2]}{path or '/'}{query or ''}"
    return Url(url) if len(url) <= MAX_URL_CHARS else None


def _without(query: str, drop: frozenset[str]) -> str:
    if ";" in query:
        return _without_either(query, drop)
    kept = [pair for pair in query[1:].split("&") if pair.partition("=")[0].lower() not in drop]
    return "?" + "&".join(kept) if any(kept) else ""


def _without_either(query: str, drop: frozenset[str]) -> str:
    """Of a query whose pairs are parted by `;`, as HTML 4 advised, or by both."""
    pairs = [pair for pair in _parted_pairs(query[1:]) if pair]
    kept = [pair for pair in pairs if pair.partition("=")[0].strip("&;").lower() not in drop]
    if len(kept) == len(pairs):
        return query
    rest = "".join(kept).rstrip("&;")
    return "?" + rest if rest else ""


def origin_of(url: str) -> str:
    """Scheme, host and port: `https://example.com`."""
    return url[: url.find("/", 8)]


def site_of(url: Url) -> Site:
    """The politeness unit of a canonical URL: default ports are already gone from it."""
    start = url.find("//") + 2
    return Site(url[start : url.find("/", start)])


def path_of(url: Url) -> str:
    """Path and query, from the first slash on."""
    return url[url.find("/", 8) :]


def is_home_page(url: Url) -> bool:
    """Whether it is the root of its site."""
    return path_of(url) == "/"


def host_of(site: Site) -> str:
    """The host name without port; IPv6 addresses without brackets."""
    if site.startswith("["):
        return site[1 : site.find("]")]
    return site.partition(":")[0]


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


@lru_cache(maxsize=100_000)
def registered_domain(host: str) -> str:
    """`www.shop.co.uk` -> `shop.co.uk`; addresses and bare suffixes come back unchanged."""
    if host.replace(".", "").isdigit() or ":" in host:
        return host
    return _suffixes().privatesuffix(host) or host


_words = re.compile(r"[^\W_]+").findall


def url_words(url: str) -> list[str]:
    """Words of host, path and query in lower case, `www` and the scheme left out."""
    found: list[str] = _words(url[url.find("//") + 2 :].lower())
    return [word for word in found if word != "www"]
