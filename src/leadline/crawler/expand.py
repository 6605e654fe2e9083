"""From a page to the candidates it brings: which links, ranked how, skipped why. No I/O."""

from collections.abc import Callable, Sequence

from msgspec import Struct, structs

from leadline.core.crawl import Candidate, ExtraUrl, FeatureRows, PageView, Priority, Skip
from leadline.core.page import Link, Page
from leadline.core.url import Site, Url, UrlRules, canonical, site_of
from leadline.page.words import around

NOFOLLOW = "nofollow"
_SKIPPED = Priority(0, 0.0, "")


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


class Choice(Struct, frozen=True):
    """Which links of a page go to the strategy, and why others do not."""

    positions: list[int]
    sites: tuple[Site, ...]
    refused: list[tuple[int, str]]


def distinct(links: Sequence[Link]) -> list[int]:
    """Positions of the first link to each target; a later one with an anchor beats one without."""
    first: dict[Url, int] = {}
    for position, link in enumerate(links):
        before = first.setdefault(link.target, position)
        if not links[before].anchor and link.anchor:
            first[link.target] = position
    return list(first.values())


def choose(page: Page, positions: Sequence[int], depth: int, rules: LinkRules) -> Choice:
    """Sort unknown links into those that may be followed and those that may not."""
    here = site_of(page.url)
    chosen: list[int] = []
    sites: list[Site] = []
    refused: list[tuple[int, str]] = []
    for position in positions:
        link = page.links[position]
        site = site_of(link.target)
        why = _why_not(page, link, depth + 1 if site == here else 0, rules)
        if why:
            refused.append((position, why))
        else:
            chosen.append(position)
            sites.append(site)
    return Choice(chosen, tuple(sites), refused)


def _why_not(page: Page, link: Link, depth: int, rules: LinkRules) -> str:
    if rules.obey_nofollow and (link.nofollow or page.is_nofollow):
        return NOFOLLOW
    if depth > rules.max_depth:
        return f"deeper than {rules.max_depth} links inside its site"
    return rules.why_not(link.target)


def candidates(
    view: PageView, verdicts: Sequence[Priority | Skip], refused: Sequence[tuple[int, str]]
) -> list[Candidate]:
    """Everything the page adds to what is known."""
    page = view.page
    here = site_of(page.url)
    rows = view.features
    found = [
        _candidate(view, number, verdict, here, rows) for number, verdict in enumerate(verdicts)
    ]
    for position, why in refused:
        link = page.links[position]
        found.append(_skipped(view, link, site_of(link.target), why))
    return found


def _candidate(
    view: PageView, number: int, verdict: Priority | Skip, here: Site, rows: FeatureRows
) -> Candidate:
    link, site = view.links[number], view.sites[number]
    if isinstance(verdict, Skip):
        return _skipped(view, link, site, verdict.why)
    before, after = around(view.page, link)
    return Candidate(
        url=link.target,
        site=site,
        priority=verdict,
        depth=view.candidate.depth + 1 if site == here else 0,
        parent=view.id,
        anchor=link.anchor,
        around=f"{' '.join(before)}\t{' '.join(after)}",
        tag_path=link.tag_path,
        features=rows[number].tobytes() if rows.size else b"",
    )


def extra_candidate(view: PageView, extra: ExtraUrl) -> Candidate:
    """What a strategy wants visited beside the links it was shown."""
    here = site_of(view.page.url)
    site = site_of(extra.url)
    if extra.link is None:
        return Candidate(extra.url, site, extra.priority, parent=view.id)
    like = _candidate(view, extra.link, extra.priority, here, view.features)
    return structs.replace(like, url=extra.url, site=site, depth=0)


def _skipped(view: PageView, link: Link, site: Site, why: str) -> Candidate:
    return Candidate(link.target, site, _SKIPPED, parent=view.id, anchor=link.anchor, skip=why)


def seed_url(text: str, rules: UrlRules) -> Url | None:
    """The canonical URL of a seed as people write it; None for what is none."""
    return canonical(text if "://" in text else f"http://{text}", rules=rules)


def seed(url: Url) -> Candidate:
    """A URL the user vouches for: before all others."""
    return Candidate(url, site_of(url), Priority(0, 1.0, "seed"))
