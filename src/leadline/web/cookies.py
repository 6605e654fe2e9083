"""A small cookie jar: each site gets back what it set, and nothing else."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from leadline.core.url import Site

MAX_SITES = 10_000
MAX_PER_SITE = 50
"""RFC 6265 asks for at least this many."""
MAX_COOKIE_CHARS = 4_096
MAX_HEADER_CHARS = 8_000
"""Servers commonly refuse longer header lines."""


class Cookie(NamedTuple):
    """A cookie as a site set it; one that is over deletes its predecessor."""

    name: str
    value: str
    expires_at: float | None
    """Wall-clock second; None: with the session."""
    is_secure: bool


def parse_cookie(header: str, now: float) -> Cookie | None:
    """The cookie of one Set-Cookie header; None when it is unusable."""
    pair, *attributes = header.split(";")
    name, equals, value = pair.partition("=")
    name, value = name.strip(), value.strip()
    is_plain = name.isascii() and value.isascii() and name.isprintable() and value.isprintable()
    if not (equals and name and is_plain) or " " in name or len(pair) > MAX_COOKIE_CHARS:
        return None
    said: dict[str, str] = {}
    for attribute in attributes[:20]:
        key, _, text = attribute.partition("=")
        said[key.strip().lower()] = text.strip()
    return Cookie(name, value, _find_expiry(said, now), "secure" in said)


def _find_expiry(said: dict[str, str], now: float) -> float | None:
    """Max-Age goes before Expires; what cannot be read is as if unsaid."""
    try:
        return now + int(said.get("max-age", "")[:12])
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(said.get("expires", "")[:64].replace("-", " ")).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


class CookieJar:
    """Cookies by site (host and port). Bounded in sites, cookies and characters.

    Domain and Path are ignored: a cookie goes back to the very host that set
    it, on all its paths, so none reaches another site. Secure is kept.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._sites: OrderedDict[Site, dict[str, Cookie]] = OrderedDict()

    def take(self, site: Site, headers: Iterable[str]) -> None:
        """Keep what the site's Set-Cookie headers say."""
        now = self._now()
        kept = self._sites.setdefault(site, {})
        self._sites.move_to_end(site)
        for header in headers:
            cookie = parse_cookie(header, now)
            if cookie is None:
                continue
            kept.pop(cookie.name, None)
            if cookie.expires_at is None or cookie.expires_at > now:
                kept[cookie.name] = cookie
                if len(kept) > MAX_PER_SITE:
                    del kept[next(iter(kept))]
        if len(self._sites) > MAX_SITES:
            self._sites.popitem(last=False)

    def header(self, site: Site, is_secure: bool) -> str:
        """The Cookie header for a request to the site, or ''."""
        kept = self._sites.get(site)
        if not kept:
            return ""
        now = self._now()
        pairs: list[str] = []
        room = MAX_HEADER_CHARS
        for cookie in kept.values():
            is_over = cookie.expires_at is not None and cookie.expires_at <= now
            room -= len(cookie.name) + len(cookie.value) + 3
            if room >= 0 and not is_over and (is_secure or not cookie.is_secure):
                pairs.append(f"{cookie.name}={cookie.value}")
        return "; ".join(pairs)
