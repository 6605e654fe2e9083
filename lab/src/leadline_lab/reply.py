"""What a site of the lab answers, whichever way it is asked."""

from msgspec import Struct


class Reply(Struct, frozen=True):
    """One answer, redirects not followed. The same bytes from both transports."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case; content-length is the transport's."""
    body: bytes = b""
    fault: str = ""
    """'' for an answer; `reset`: the connection is cut instead; `timeout`: nothing ever comes;
    `cut`: it ends in the middle of the body."""
    delay_s: float = 0.0
    """How long the site takes. A server waits; the in-process fetcher only reports it."""

    def header(self, name: str) -> str:
        """The first header of that lower-case name, or ''."""
        return next((value for key, value in self.headers if key == name), "")
