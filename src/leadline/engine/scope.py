"""Which URLs may be followed at all."""

from collections.abc import Collection
from functools import lru_cache

from leadline.core.url import Site, Url, host_of, registered_domain, site_of


class Scope:
    """Answers with '' or the reason why not. Cheap: site answers are remembered."""

    def __init__(
        self,
        *,
        allow: Collection[str] = (),
        deny: Collection[str] = (),
        skip_extensions: Collection[str] = (),
    ) -> None:
        self._allow = frozenset(name.lower() for name in allow)
        self._deny = frozenset(name.lower() for name in deny)
        self._endings = frozenset(f".{name.lower().lstrip('.')}" for name in skip_extensions)
        self._site_reason = lru_cache(maxsize=50_000)(self._of_site)

    def why_not(self, url: Url) -> str:
        """The reason not to follow `url`, or ''."""
        reason = self._site_reason(site_of(url))
        if reason:
            return reason
        dot = url.rfind(".", url.rfind("/") + 1)
        if dot > 0 and url[dot:].lower() in self._endings:
            return f"{url[dot:].lower()} files hold no page"
        return ""

    def _of_site(self, site: Site) -> str:
        host = host_of(site)
        names = {site, host, registered_domain(host)}
        if names & self._deny:
            return "its site is denied"
        if self._allow and not names & self._allow:
            return "its site is not among those allowed"
        return ""
