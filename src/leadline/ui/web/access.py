"""Who may ask the server: names, a token, what browsers say of the sender; and the guard that
refuses others, bounds bodies, and sets the headers that keep what was crawled from acting."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from leadline.errors import ConfigError
from leadline.ui.web.errors import ErrorFacts, error_answer

MOST_BODY_BYTES = 1_000_000
LEAST_TOKEN_CHARS = 16
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""They change nothing."""
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
_OWN = frozenset({"same-origin", "none"})
"""What browsers call requests of our own pages, and of people who type an address."""
_BEARER = "bearer "
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        # Plotly sets the styles of its pictures itself.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_MONTH_S = 30 * 24 * 3600


class ServerAccess(Struct, frozen=True):
    """Under which names the server answers, and the token it needs."""

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


class AccessRefusal(Struct, frozen=True):
    """Why a request is not answered."""

    status: int
    facts: ErrorFacts


def decide_access(host: str, token: str | None, names: tuple[str, ...] = ()) -> ServerAccess:
    """The access to a server bound to `host`, and reached by other `names` too.

    Beyond this machine it needs a token: the one given, or a random one. Raises ConfigError for
    a token that can be guessed.
    """
    if token is not None and len(token) < LEAST_TOKEN_CHARS:
        raise ConfigError(
            f"the token has {len(token)} characters; take at least {LEAST_TOKEN_CHARS}, "
            "or leave --token away to have one made"
        )
    bare = frozenset(name.lower() for name in names)
    if is_loopback(host) and not bare - LOOPBACK_NAMES:
        return ServerAccess(LOOPBACK_NAMES | {_in_url(host)}, token or "")
    made = token or secrets.token_urlsafe(24)
    if _is_any(host):
        return ServerAccess(LOOPBACK_NAMES | bare if bare else frozenset(), made)
    return ServerAccess(LOOPBACK_NAMES | bare | {_in_url(host)}, made)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    try:
        return host.lower() == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def why_refused(
    method: str, headers: Mapping[str, str], access: ServerAccess
) -> AccessRefusal | None:
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


def _why_not_change(headers: Mapping[str, str], host: str) -> AccessRefusal | None:
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


def find_token(headers: Mapping[str, str], access: ServerAccess) -> str:
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


def _refusal(status: int, what: str, which: str, todo: str = "") -> AccessRefusal:
    return AccessRefusal(status, ErrorFacts(what=what, which=which[:200], todo=todo))


class AccessGuard:
    """The outermost layer. Every answer leaves with HEADERS; bodies are held before they are
    passed on, at most MOST_BODY_BYTES of them."""

    def __init__(self, app: ASGIApp, access: ServerAccess) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._answer(scope, receive, _add_headers(send))
        elif scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        else:
            # Nothing here speaks WebSocket: no handshake is taken up.
            await send({"type": "websocket.close"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = why_refused(scope["method"], headers, self._access)
        if refusal is not None:
            await error_answer(refusal.status, refusal.facts)(scope, receive, send)
            return
        if self._access.token and not self._access.is_token(find_token(headers, self._access)):
            await self._log_in(scope)(scope, receive, send)
            return
        if scope["method"] not in SAFE_METHODS:
            body = await _read_body(headers, receive)
            if body is None:
                await _too_large()(scope, receive, send)
                return
            receive = _replay(body, receive)
        await self._app(scope, receive, send)

    def _log_in(self, scope: Scope) -> Response:
        """A page asked for with the right token in its address gets a cookie, and its address
        without the token."""
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in asked if name == "token"), "")
        if scope["method"] != "GET" or not self._access.is_token(given):
            return _ask_for_token()
        rest = urlencode([pair for pair in asked if pair[0] != "token"])
        path = "/" + scope["path"].lstrip("/")
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(
            self._access.cookie,
            self._access.token,
            max_age=_MONTH_S,
            httponly=True,
            samesite="strict",
            secure=scope["scheme"] == "https",
        )
        return answer


def _add_headers(send: Send) -> Send:
    begun = time.perf_counter()

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            # Browsers show it beside each request.
            headers["Server-Timing"] = f"answer;dur={1000 * (time.perf_counter() - begun):.1f}"
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_with_headers


async def _read_body(headers: Headers, receive: Receive) -> bytes | None:
    """The whole body; None when it is too large."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MOST_BODY_BYTES:
        return None
    body = bytearray()
    is_more = True
    while is_more and len(body) <= MOST_BODY_BYTES:
        message = await receive()
        body += message.get("body", b"")
        is_more = message.get("more_body", False)
    return bytes(body) if len(body) <= MOST_BODY_BYTES else None


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting = [body]

    async def receive_body() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return receive_body


def _too_large() -> Response:
    facts = ErrorFacts(what=f"the body has more than {MOST_BODY_BYTES:,} bytes", todo="send less")
    return error_answer(413, facts)


def _ask_for_token() -> Response:
    todo = "open the address that `leadline serve` printed, or send Authorization: Bearer TOKEN"
    answer = error_answer(401, ErrorFacts(what="a token is needed", todo=todo))
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer
