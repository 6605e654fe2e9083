"""HTTP/1.1 as the lab's server speaks it: requests from bytes, answers to bytes. No I/O.

Strict on purpose: what a careful server would refuse is refused, so that a crawler
that writes bad requests is found out here and not on somebody's site.
"""

import re
from http import HTTPStatus

from msgspec import Struct
from msgspec.structs import replace

from leadline.core.http import Request
from leadline.core.url import Url, UrlRules, canonical
from leadline_lab.reply import Reply
from leadline_lab.server.transport import CUT, has_body, headers_sent

MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = 1024 * 1024
_MAX_CHUNKED_BYTES = 2 * MAX_BODY_BYTES
"""A chunked body with its framing: chunks of single bytes are refused before they are many."""
_MAX_LINE_BYTES = 256
"""Of a chunk's size and extensions, and of a trailer."""
METHODS = frozenset({"GET", "HEAD", "POST"})
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
AS_ASKED = UrlRules(frozenset(), drop_path_session=False)
"""A server gets the session ids it gave out back; it is for the client to drop them."""

_LINE = re.compile(r"([A-Z]{1,20}) ([\x21-\x7e]+) HTTP/(\d)\.(\d)").fullmatch
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+").fullmatch
_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?").fullmatch
_STRAY = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n").search
_SINGLE = frozenset({"host", "content-length", "transfer-encoding"})
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


class RefusedError(Exception):
    """The bytes are no request that is answered here; the connection ends after saying so."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(status, reason)
        self.status = status
        self.reason = reason


class Ask(Struct, frozen=True):
    """A whole request."""

    request: Request
    """As a site sees it: a HEAD is a GET."""
    method: str
    keeps: bool
    """Whether the connection stays open afterwards."""


class Head(Struct, frozen=True):
    """A request without its body."""

    request: Request
    method: str
    keeps: bool
    length: int | None
    """Bytes of the body; None: chunked."""
    expects_continue: bool


def read_head(head: bytes) -> Head:
    """The head of a request, without its last empty line. Raises RefusedError."""
    if _STRAY(head):
        raise RefusedError(400, "control characters in the head")
    first, *lines = head.decode("latin-1").split("\r\n")
    line = _LINE(first)
    if line is None:
        raise RefusedError(400, "no request line")
    method, target, major, minor = line.groups()
    if major != "1":
        raise RefusedError(505, "only HTTP/1.1 is spoken here")
    fields = _fields(lines)
    if method not in METHODS:
        raise RefusedError(501, f"{method} is not answered here")
    referrer = fields.get("referer", "")
    request = Request(
        _url(target, fields.get("host"), minor),
        "GET" if method == "HEAD" else method,
        b"",
        fields.get("content-type", ""),
        canonical(referrer, "", AS_ASKED) if referrer else None,
    )
    expects = fields.get("expect", "").lower() == "100-continue"
    return Head(request, method, _keeps(fields, minor), _length(fields), expects)


def _fields(lines: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not _NAME(name):
            raise RefusedError(400, "a header line without a name")
        name = name.lower()
        if name in _SINGLE and name in fields:
            raise RefusedError(400, f"{name} twice")
        fields[name] = value.strip(" \t")
    return fields


def _url(target: str, host: str | None, minor: str) -> Url:
    """Of either form a target may have: a path on the named host, or what a proxy is asked for."""
    if host is None and minor != "0":
        raise RefusedError(400, "no Host")
    if host and not _HOST(host):
        raise RefusedError(400, "no valid Host")
    if target.startswith("/"):
        if not host:
            raise RefusedError(400, "no Host")
        target = f"http://{host}{target}"
    elif not target.lower().startswith(("http://", "https://")):
        raise RefusedError(400, "neither a path nor an http URL is asked for")
    url = canonical(target, "", AS_ASKED)
    if url is None:
        raise RefusedError(400, "no valid URL is asked for")
    return url


def _keeps(fields: dict[str, str], minor: str) -> bool:
    said = fields.get("connection") or fields.get("proxy-connection", "")
    return minor != "0" and "close" not in said.lower()


def _length(fields: dict[str, str]) -> int | None:
    coding = fields.get("transfer-encoding")
    length = fields.get("content-length")
    if coding is not None:
        if length is not None:
            raise RefusedError(400, "two lengths of one body")
        if coding.lower() != "chunked":
            raise RefusedError(501, "only chunked bodies are read here")
        return None
    if length is None:
        return 0
    if not (length.isascii() and length.isdecimal()):
        raise RefusedError(400, "no valid Content-Length")
    if len(length) > 12 or int(length) > MAX_BODY_BYTES:
        raise RefusedError(413, f"bodies of up to {MAX_BODY_BYTES} bytes are read here")
    return int(length)


class RequestBuffer:
    """Bytes in, whole requests out, however the bytes are cut. Bounded in memory and time."""

    __slots__ = ("_body", "_buffer", "_head", "_looked", "_taken", "wants_continue")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._looked = 0
        self._head: Head | None = None
        self._body = bytearray()
        self._taken = 0
        self.wants_continue = False
        """Whether a client waits to be told to send its body."""

    def feed(self, received: bytes) -> None:
        self._buffer += received

    def __len__(self) -> int:
        """Bytes that wait."""
        return len(self._buffer)

    def next(self) -> Ask | None:
        """The next whole request; None until it has come. Raises RefusedError."""
        head = self._head or self._take_head()
        if head is None:
            return None
        self._head = head
        is_whole = self._take_chunks() if head.length is None else self._take_body(head.length)
        self.wants_continue = not is_whole and head.expects_continue and not self._buffer
        if not is_whole:
            return None
        request = head.request
        if self._body:
            request = replace(request, body=bytes(self._body))
            self._body = bytearray()
        self._head = None
        self._taken = 0
        return Ask(request, head.method, head.keeps)

    def _take_head(self) -> Head | None:
        buffer = self._buffer
        # RFC 9112 2.2: empty lines before a request are passed over.
        while buffer.startswith(b"\r\n"):
            del buffer[:2]
            self._looked = 0
        end = buffer.find(b"\r\n\r\n", max(0, self._looked - 3))
        if end > MAX_HEAD_BYTES or (end < 0 and len(buffer) > MAX_HEAD_BYTES):
            raise RefusedError(431, f"the head is longer than {MAX_HEAD_BYTES} bytes")
        if end < 0:
            self._looked = len(buffer)
            return None
        head = read_head(bytes(buffer[:end]))
        del buffer[: end + 4]
        self._looked = 0
        return head

    def _take_body(self, length: int) -> bool:
        if not length:
            return True
        if len(self._buffer) < length:
            return False
        self._body += self._buffer[:length]
        del self._buffer[:length]
        return True

    def _take_chunks(self) -> bool:
        at = 0
        buffer = self._buffer
        is_whole = False
        while not is_whole and (end := _line_end(buffer, at)) >= 0:
            size = _chunk_size(bytes(buffer[at:end]))
            if len(self._body) + size > MAX_BODY_BYTES or self._taken + at > _MAX_CHUNKED_BYTES:
                raise RefusedError(413, f"bodies of up to {MAX_BODY_BYTES} bytes are read here")
            after = end + 2 + size
            if len(buffer) < after + 2:
                break
            if buffer[after : after + 2] != b"\r\n":
                raise RefusedError(400, "no valid chunk")
            self._body += buffer[end + 2 : after]
            at = after + 2
            is_whole = not size
        self._taken += at
        del buffer[:at]
        return is_whole


def _line_end(buffer: bytearray, at: int) -> int:
    end = buffer.find(b"\r\n", at, at + _MAX_LINE_BYTES)
    if end < 0 and len(buffer) - at >= _MAX_LINE_BYTES:
        raise RefusedError(400, "no valid chunk")
    return end


def _chunk_size(line: bytes) -> int:
    """Trailers are not accepted, so that the last chunk is one like the others."""
    digits = line.partition(b";")[0].strip(b" \t")
    if not digits or len(digits) > 8 or digits.strip(b"0123456789abcdefABCDEF"):
        raise RefusedError(400, "no valid chunk size")
    return int(digits, 16)


def wire_of(reply: Reply, method: str, keeps: bool = True) -> bytes:
    """An answer as it is sent: the reply's own headers and its length, no more.

    A reply whose fault is `cut` ends in the middle of the body it announces.
    """
    lines = [f"HTTP/1.1 {reply.status} {_PHRASES.get(reply.status, '')}\r\n"]
    body = reply.body if has_body(reply, method) else b""
    headers = headers_sent(reply)
    if reply.fault == CUT and has_body(reply, method):
        headers = (*reply.headers, ("content-length", str(max(1, len(body)))))
        body = body[: len(body) // 2]
    lines += [f"{name}: {value}\r\n" for name, value in headers]
    lines.append("\r\n" if keeps else "connection: close\r\n\r\n")
    return "".join(lines).encode() + body


def refusal(error: RefusedError) -> bytes:
    """What a request gets that is none."""
    headers = (("content-type", "text/plain; charset=utf-8"),)
    reply = Reply(error.status, headers, f"{error.reason}\n".encode())
    return wire_of(reply, "GET", keeps=False)
