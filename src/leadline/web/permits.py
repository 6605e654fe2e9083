"""Whether a request may leave now: for those who may ask a site only for some time."""

from typing import Protocol

from leadline.core.url import Site, Url


class Permits(Protocol):
    """Asked before each request: redirects, retries and robots.txt too. Raises FetchError."""

    async def obtain(self, site: Site, url: Url) -> None:
        """Get the right to ask the site, if there is none yet. Comes before its turn is waited
        for."""
        ...

    def check(self, site: Site, url: Url) -> None:
        """Raise LeaseOverError unless the right still holds. Comes when the request leaves."""
        ...


class Unlimited:
    """The permits of who has the Web to himself."""

    async def obtain(self, site: Site, url: Url) -> None:
        """Anything may be asked."""

    def check(self, site: Site, url: Url) -> None:
        """At any time."""


UNLIMITED = Unlimited()
