"""Which URLs may be followed at all."""

from collections.abc import Collection
from functools import lru_cache

from leadline.core.url import Site, Url, host_of, registered_domain, site_of

EXCLUDED = "excluded by order"
_SITES = 50_000
"""Sites whose answers are remembered."""


class Scope:
    """Answers with '' or the reason why not. Cheap: site answers are remembered.

    Sites may be excluded while a crawl runs; they stay excluded.
    """

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
        self._excluded: frozenset[str] = frozenset()
        self._site_reason = lru_cache(maxsize=_SITES)(self._of_site)

    def why_not(self, url: Url) -> str:
        """The reason not to follow `url`, or ''."""
        reason = self._site_reason(site_of(url))
        if reason:
            return reason
        dot = url.rfind(".", url.rfind("/") + 1)
        if dot > 0 and url[dot:].lower() in self._endings:
            return f"{url[dot:].lower()} files hold no page"
        return ""

    def exclude(self, names: Collection[str]) -> None:
        """Follow nothing more to these hosts or registered domains."""
        self._excluded |= {name.lower() for name in names}
        self._site_reason.cache_clear()

    @property
    def excludes(self) -> bool:
        """Whether any site is excluded."""
        return bool(self._excluded)

    def why_excluded(self, site: Site) -> str:
        """EXCLUDED for a site that is, or ''."""
        return EXCLUDED if self._excluded and self._excluded & _names(site) else ""

    def _of_site(self, site: Site) -> str:
        names = _names(site)
        if names & self._excluded:
            return EXCLUDED
        if names & self._deny:
            return "its site is denied"
        if self._allow and not names & self._allow:
            return "its site is not among those allowed"
        return ""


@lru_cache(maxsize=_SITES)
def _names(site: Site) -> frozenset[str]:
    """What a site may be called: itself, its host, its registered domain."""
    host = host_of(site)
    return frozenset({site, host, registered_domain(host)})
