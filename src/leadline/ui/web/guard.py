"""Stands before the application: refuses strangers, bounds bodies, and sets the headers that keep
what was crawled from acting."""

from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from leadline.ui.web.access import (
    MOST_BODY_BYTES,
    SAFE_METHODS,
    Access,
    Refusal,
    token_in,
    why_refused,
)
from leadline.ui.web.errors import ErrorFacts, error_answer

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


class Guard:
    """The outermost layer. Every answer leaves with HEADERS; bodies are held before they are
    passed on, at most MOST_BODY_BYTES of them."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._answer(scope, receive, _with_headers(send))
        elif scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        else:
            # Nothing here speaks WebSocket: no handshake is taken up.
            await send({"type": "websocket.close"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = why_refused(scope["method"], headers, self._access)
        if refusal is not None:
            await _refused(refusal)(scope, receive, send)
            return
        if self._access.token and not self._access.is_token(token_in(headers, self._access)):
            await self._log_in(scope)(scope, receive, send)
            return
        if scope["method"] not in SAFE_METHODS:
            body = await _body(headers, receive)
            if body is None:
                await _too_large()(scope, receive, send)
                return
            receive = _replayed(body, receive)
        await self._app(scope, receive, send)

    def _log_in(self, scope: Scope) -> Response:
        """A page asked for with the right token in its address gets a cookie, and its address
        without the token."""
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in asked if name == "token"), "")
        if scope["method"] != "GET" or not self._access.is_token(given):
            return _unauthorised()
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


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending


async def _body(headers: Headers, receive: Receive) -> bytes | None:
    """The whole body; None when it is too large."""
    told = headers.get("content-length", "0")
    if not told.isdecimal() or int(told) > MOST_BODY_BYTES:
        return None
    body = bytearray()
    is_more = True
    while is_more and len(body) <= MOST_BODY_BYTES:
        message = await receive()
        body += message.get("body", b"")
        is_more = message.get("more_body", False)
    return bytes(body) if len(body) <= MOST_BODY_BYTES else None


def _replayed(body: bytes, receive: Receive) -> Receive:
    waiting = [body]

    async def replaying() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return replaying


def _refused(refusal: Refusal) -> Response:
    return error_answer(refusal.status, refusal.facts)


def _too_large() -> Response:
    facts = ErrorFacts(what=f"the body has more than {MOST_BODY_BYTES:,} bytes", todo="send less")
    return error_answer(413, facts)


def _unauthorised() -> Response:
    todo = "open the address that `leadline serve` printed, or send Authorization: Bearer TOKEN"
    answer = error_answer(401, ErrorFacts(what="a token is needed", todo=todo))
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer
