"""Which URLs and links may be followed, and the candidates that a page's links become. No I/O.

The loop, the Scrapy integration and the lab choose links by this alike.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct, structs

from leadline.core.crawl import (
    LIKELY,
    Candidate,
    ExtraUrl,
    FeatureRows,
    PageView,
    Priority,
    Skip,
    Skipped,
)
from leadline.core.page import Link, Page
from leadline.core.state_change import ChangeJudge, is_assent, says_anything
from leadline.core.url import (
    Site,
    Url,
    UrlRules,
    canonical,
    host_of,
    registered_domain,
    site_of,
)
from leadline.page.words import words_around

EXCLUDED = "excluded by order"
_SITES = 50_000
"""Sites whose answers are remembered."""
NOFOLLOW = "nofollow"
_SKIPPED = Priority(0, 0.0, "")
FALLBACK_KEY = "second-wind"
"""Under which the store keeps which fallback strategy followed which first one."""
_WHY = "passed over before; relevance of its page"


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
        allow_changes: Collection[str] = (),
    ) -> None:
        self._allow = frozenset(name.lower() for name in allow)
        self._deny = frozenset(name.lower() for name in deny)
        self._endings = frozenset(f".{name.lower().lstrip('.')}" for name in skip_extensions)
        self.why_harmful = ChangeJudge(allow_changes).why_harmful
        """Why asking for a URL, by a link with these words, could change something; or ''."""
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
        return EXCLUDED if self._excluded and self._excluded & _name_variants(site) else ""

    def _of_site(self, site: Site) -> str:
        names = _name_variants(site)
        if names & self._excluded:
            return EXCLUDED
        if names & self._deny:
            return "its site is denied"
        if self._allow and not names & self._allow:
            return "its site is not among those allowed"
        return ""


@lru_cache(maxsize=_SITES)
def _name_variants(site: Site) -> frozenset[str]:
    """What a site may be called: itself, its host, its registered domain."""
    host = host_of(site)
    return frozenset({site, host, registered_domain(host)})


def _harmless(_url: Url, _text: str, _title: str = "", _beside: str = "") -> str:
    return ""


def _not_excluded(_site: Site) -> str:
    return ""


class LinkRules(Struct, frozen=True):
    """What holds for every link whatever the strategy."""

    why_not: Callable[[Url], str]
    """The scope's reason against a URL, or ''."""
    max_depth: int = 20
    obey_nofollow: bool = True
    why_excluded: Callable[[Site], str] = _not_excluded
    """Why a site is to be asked no more, whatever waits there; or ''."""
    why_harmful: Callable[..., str] = _harmless
    """Why asking for a URL, by a link of this text and title, with this before it, could change
    something; or ''."""


class LinkChoice(Struct, frozen=True):
    """Which links of a page go to the strategy, and why others do not."""

    positions: list[int]
    sites: tuple[Site, ...]
    refused: list[tuple[int, str]]


def distinct_links(links: Sequence[Link]) -> list[int]:
    """Positions of the first link to each target; a later one with an anchor beats one without."""
    first: dict[Url, int] = {}
    for position, link in enumerate(links):
        before = first.setdefault(link.target, position)
        if before != position and link.anchor and not links[before].anchor:
            first[link.target] = position
    return list(first.values())


def choose_links(page: Page, positions: Sequence[int], depth: int, rules: LinkRules) -> LinkChoice:
    """Sort unknown links into those that may be followed and those that may not."""
    here = site_of(page.url)
    is_nofollow, is_deep = rules.obey_nofollow and page.is_nofollow, depth + 1 > rules.max_depth
    chosen: list[int] = []
    sites: list[Site] = []
    refused: list[tuple[int, str]] = []
    for position in positions:
        link = page.links[position]
        site = site_of(link.target)
        if is_nofollow or (link.nofollow and rules.obey_nofollow):
            why = NOFOLLOW
        elif is_deep and site == here:
            why = f"deeper than {rules.max_depth} links inside its site"
        else:
            why = _why_not(page, link, rules)
        if why:
            refused.append((position, why))
        else:
            chosen.append(position)
            sites.append(site)
    return LinkChoice(chosen, tuple(sites), refused)


def _why_not(page: Page, link: Link, rules: LinkRules) -> str:
    # What has words is judged when its turn comes: most links never have one. Titles are not kept,
    # and speak for links without words.
    if (
        link.title
        and not says_anything(link.anchor)
        and (why := rules.why_harmful(link.target, link.anchor, link.title))
    ):
        return why
    if is_assent(link.anchor):
        # What it agrees to stands on this page alone.
        beside = page.text_before(link)
        if why := rules.why_harmful(link.target, link.anchor, "", beside):
            return why
    return rules.why_not(link.target)


def make_candidates(
    view: PageView, verdicts: Sequence[Priority | Skip], refused: Sequence[tuple[int, str]]
) -> list[Candidate]:
    """Everything the page adds to what is known."""
    page = view.page
    here = site_of(page.url)
    rows = _split_rows(view.features) if view.features.size else [b""] * len(verdicts)
    found = [
        _make_candidate(view, number, verdict, here, row)
        for number, (verdict, row) in enumerate(zip(verdicts, rows, strict=True))
    ]
    for position, why in refused:
        link = page.links[position]
        found.append(_make_skipped(view, link, site_of(link.target), why))
    return found


def _split_rows(rows: FeatureRows) -> list[bytes]:
    """Each row as it is stored; cut from one copy, which is five times as quick as row by row."""
    width = rows.shape[1] * rows.itemsize
    data = rows.tobytes()
    return [data[place * width : (place + 1) * width] for place in range(len(rows))]


def _make_candidate(
    view: PageView, number: int, verdict: Priority | Skip, here: Site, row: bytes
) -> Candidate:
    link, site = view.links[number], view.sites[number]
    if isinstance(verdict, Skip):
        return _make_skipped(view, link, site, verdict.why)
    before, after = words_around(view.page, link)
    # By position: naming the fields takes twice as long.
    return Candidate(
        link.target,
        site,
        verdict,
        view.candidate.depth + 1 if site == here else 0,
        view.id,
        link.anchor,
        f"{' '.join(before)}\t{' '.join(after)}",
        link.tag_path,
        row,
    )


def make_extra_candidate(view: PageView, extra: ExtraUrl) -> Candidate:
    """What a strategy wants visited beside the links it was shown."""
    here = site_of(view.page.url)
    site = site_of(extra.url)
    if extra.link is None:
        return Candidate(extra.url, site, extra.priority, parent=view.id)
    row = view.features[extra.link].tobytes() if view.features.size else b""
    like = _make_candidate(view, extra.link, extra.priority, here, row)
    return structs.replace(like, url=extra.url, site=site, depth=0)


def _make_skipped(view: PageView, link: Link, site: Site, why: str) -> Candidate:
    return Candidate(link.target, site, _SKIPPED, parent=view.id, anchor=link.anchor, skip=why)


def parse_seed(text: str, rules: UrlRules) -> Url | None:
    """The canonical URL of a seed as people write it; None for what is none."""
    return canonical(text if "://" in text else f"http://{text}", rules=rules)


def make_seed(url: Url) -> Candidate:
    """A URL the user vouches for: before all others."""
    return Candidate(url, site_of(url), Priority(0, 1.0, "seed"))


def name_succession(first: str, fallback: str) -> bytes:
    """The value under FALLBACK_KEY: a later crawl with another first strategy begins with it."""
    return f"{first} {fallback}".encode()


def retry_skipped(skipped: Iterable[Skipped], rules: LinkRules) -> Iterator[Candidate]:
    """Links of pages on the topic that may be followed, ranked as best-first crawling does.

    Features were not kept of links that nobody wanted.
    """
    for link in skipped:
        candidate = link.candidate
        is_allowed = candidate.skip != NOFOLLOW and candidate.depth <= rules.max_depth
        if is_allowed and link.relevance >= LIKELY and not rules.why_not(candidate.url):
            priority = Priority(0, link.relevance, _WHY)
            yield structs.replace(candidate, priority=priority, skip="")
