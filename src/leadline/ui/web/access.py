"""Who may ask: names of the server, a token, what browsers say of who sent a request. No I/O."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import urlsplit

from msgspec import Struct

from leadline.errors import ConfigError
from leadline.ui.web.errors import ErrorFacts

MOST_BODY_BYTES = 1_000_000
LEAST_TOKEN_CHARS = 16
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""They change nothing."""
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
_OWN = frozenset({"same-origin", "none"})
"""What browsers call requests of our own pages, and of people who type an address."""
_BEARER = "bearer "


class Access(Struct, frozen=True):
    """Under which names the server answers, and what it wants to be told."""

    names: frozenset[str] = LOOPBACK_NAMES
    """Hosts in lower case, without port; empty: any, which is safe with a token alone: a page
    that points its own name at this server has no cookie of ours."""
    token: str = ""
    """'' where none is needed."""

    @property
    def cookie(self) -> str:
        """Its name: servers on other ports of this machine have cookies of their own."""
        return f"leadline-{hashlib.sha256(self.token.encode()).hexdigest()[:8]}"

    def is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())


class Refusal(Struct, frozen=True):
    """Why a request is not answered."""

    status: int
    facts: ErrorFacts


def access_for(host: str, token: str | None, names: tuple[str, ...] = ()) -> Access:
    """What a server bound to `host`, and reached by other `names` too, wants to be told.

    Beyond this machine it wants a token: the one given, or one made up. Raises ConfigError for a
    token that can be guessed.
    """
    if token is not None and len(token) < LEAST_TOKEN_CHARS:
        raise ConfigError(
            f"the token has {len(token)} characters; take at least {LEAST_TOKEN_CHARS}, "
            "or leave --token away to have one made"
        )
    bare = frozenset(name.lower() for name in names)
    if is_loopback(host) and not bare - LOOPBACK_NAMES:
        return Access(LOOPBACK_NAMES | {_in_url(host)}, token or "")
    made = token or secrets.token_urlsafe(24)
    if _is_any(host):
        return Access(LOOPBACK_NAMES | bare if bare else frozenset(), made)
    return Access(LOOPBACK_NAMES | bare | {_in_url(host)}, made)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    try:
        return host.lower() == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def why_refused(method: str, headers: Mapping[str, str], access: Access) -> Refusal | None:
    """What is wrong with who sends a request, whatever it asks for; None if nothing."""
    host = headers.get("host", "")
    if access.names and _name_of(host) not in access.names:
        return _refusal(
            403,
            "the server is not known by this name",
            host,
            "ask for 127.0.0.1, or name it with: leadline serve --name HOST",
        )
    if method not in SAFE_METHODS:
        return _why_not_change(headers, host)
    is_embedded = headers.get("sec-fetch-mode", "navigate") != "navigate"
    if headers.get("sec-fetch-site", "") == "cross-site" and is_embedded:
        return _refusal(403, "another site's page asked", headers.get("referer", ""))
    return None


def _why_not_change(headers: Mapping[str, str], host: str) -> Refusal | None:
    sent_by = headers.get("sec-fetch-site", "same-origin")
    if sent_by not in _OWN:
        return _refusal(403, "another site's page asked", f"Sec-Fetch-Site: {sent_by}")
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
        return _refusal(403, "another site's page asked", f"Origin: {origin}")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return _refusal(415, "only JSON is taken", kind, "send Content-Type: application/json")
    return None


def token_in(headers: Mapping[str, str], access: Access) -> str:
    """The token that came along in a header or cookie; '' if none did."""
    said = headers.get("authorization", "")
    if said[: len(_BEARER)].lower() == _BEARER:
        return said[len(_BEARER) :].strip()
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(access.cookie)
    except CookieError:
        return ""
    return found.value if found else ""


def _name_of(host: str) -> str:
    """Without its port.

    >>> _name_of("LOCALHOST:8080"), _name_of("[::1]:8080"), _name_of("[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    name = host.lower()
    bracket = name.rfind("]")
    return name[: bracket + 1] if bracket >= 0 else name.partition(":")[0]


def _in_url(host: str) -> str:
    return f"[{host.lower()}]" if ":" in host and not host.startswith("[") else host.lower()


def _is_any(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False


def _refusal(status: int, what: str, which: str, todo: str = "") -> Refusal:
    return Refusal(status, ErrorFacts(what=what, which=which[:200], todo=todo))
