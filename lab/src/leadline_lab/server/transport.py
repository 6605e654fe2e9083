"""What both ways to a world share, so that they bring the same bytes."""

from typing import Protocol

from leadline.core.http import Request
from leadline_lab.reply import Reply

RESET = "reset"
TIMEOUT = "timeout"
CUT = "cut"
"""The faults a world may ask for; any other means that no connection comes about."""

_BODILESS = frozenset({204, 304})


class Answering(Protocol):
    """A web: any URL of any host has an answer, a function of the request and the time."""

    def answer(self, request: Request, now: float) -> Reply: ...


def has_body(reply: Reply, method: str) -> bool:
    """Whether a body goes with the answer, be it an empty one."""
    return method != "HEAD" and reply.status not in _BODILESS


def headers_sent(reply: Reply) -> tuple[tuple[str, str], ...]:
    """The headers as they are transferred."""
    if reply.status in _BODILESS:
        return reply.headers
    return (*reply.headers, ("content-length", str(len(reply.body))))
