"""What goes over the wire, reduced to what a crawl needs."""

from msgspec import Struct

from leadline.core.url import Url


class Request(Struct, frozen=True, gc=False):
    """One thing to ask a site for."""

    url: Url
    method: str = "GET"
    body: bytes = b""
    content_type: str = ""
    """Of the body."""
    referrer: Url | None = None
    accept: tuple[str, ...] = ()
    """Content types whose bodies are read; empty: those of the fetcher's settings."""
    is_session: bool = False
    """Part of a visit with a state: redirects are followed as the site wrote them, with the
    parameters that crawls cut from links, and cookies go back to the site that set them."""
    is_meant: bool = False
    """A person named this URL: it is asked for even if that looks as if it changed something."""
    patience_s: float | None = None
    """Longest wait for the site's turn; None, or more than they allow: as the fetcher's settings
    say."""
    max_requests: int | None = None
    """What it may cost, redirects and robots.txt included; None without limit. Beyond that it fails
    with BudgetSpentError. With 0 nothing is sent, and the error tells whether robots.txt, as far as
    it is known, forbids it."""


class Hop(Struct, frozen=True, gc=False):
    """One redirect on the way."""

    url: Url
    status: int
    location: str


class Response(Struct, frozen=True, gc=False):
    """A complete answer, redirects followed, content decoded from its transfer packing."""

    url: Url
    """Where the answer came from, after redirects."""
    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in lower case, in the order received."""
    body: bytes
    """Unpacked (gzip, deflate, br, zstd)."""
    at: float
    """Wall-clock second when it was complete."""
    elapsed_s: float = 0.0
    hops: tuple[Hop, ...] = ()
    requests: int = 1
    """Requests spent: redirects, retries and robots.txt included."""
    size_bytes: int = 0
    """Bytes of the body as transferred."""

    def header(self, name: str) -> str:
        """The first header of that lower-case name, or ''."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def content_type(self) -> str:
        """The media type in lower case without parameters, or ''."""
        return self.header("content-type").partition(";")[0].strip().lower()
