"""Each trap: how many sites have it, and a proof by requests that it catches."""

import re
from collections.abc import Callable

from leadline.core.http import Request
from leadline.core.page import Page
from leadline.core.url import Url
from leadline_lab.calibration.view import Findings, View, share
from leadline_lab.profile import Traps
from leadline_lab.reply import Reply
from leadline_lab.sites.hosts import MIRROR

_CHOICES = 10
_STEPS = 12
"""Pages without end that are asked for one after another."""
_TRIED = 60
"""Pages of a site that fails now and then."""
_FAILURES = frozenset({500, 502, 503})
_NOWHERE = "/no-such-page-here-4711"

_marked = re.compile(rb"""(?i)href=["']?/[^"'\s>]*[?&]\w+=[0-9a-f]{16}\b""").findall

Proof = Callable[[View, int], bool]


def measure_traps(view: View) -> Findings:
    plans = view.plans
    figures = {}
    for name, prove in _PROOFS.items():
        caught = [plan.site for plan in plans if name in plan.traps]
        # What fails or never answers proves nothing about another trap.
        others = {"dead", "failing"} - {name}
        usable = [site for site in caught if others.isdisjoint(view.plan(site).traps)]
        tried = usable[: view.effort.proofs]
        figures[f"trap_{name}"] = share(len(caught), len(plans))
        figures[f"proof_{name}"] = share(sum(prove(view, site) for site in tried), len(tried))
    return Findings(figures)


def _ask(view: View, url: str) -> Reply:
    return view.world.answer(Request(Url(url)))


def _root(view: View, site: int) -> str:
    return view.world.estate(site).root


def _goes_on(view: View, page: Page | None, is_step: Callable[[str], bool]) -> bool:
    """Whether links that look alike lead to ever new pages."""
    known: set[str] = set()
    for _ in range(_STEPS):
        new = [k.target for k in page.links if is_step(k.target)] if page else []
        new = [target for target in new if target not in known]
        if not new:
            return False
        known.add(new[-1])
        page = view.fetch(new[-1])
    return True


def _list_page(view: View, site: int) -> Url:
    """The last list page of the site's largest section."""
    plan = view.plan(site)
    section = max(range(len(plan.sections)), key=lambda at: plan.sections[at].lists)
    return view.url(site, plan.list_page(section, plan.sections[section].lists - 1))


def _calendar(view: View, site: int) -> bool:
    return _goes_on(view, view.fetch(view.url(site, 0)), lambda url: "/calendar/" in url)


def _facets(view: View, site: int) -> bool:
    """Many choices on a list, and many again beside each of them."""
    start = _list_page(view, site)
    for _ in range(2):
        page = view.fetch(start)
        found = [link.target for link in page.links if _is_narrowed(link.target)] if page else []
        if len(set(found)) < _CHOICES:
            return False
        start = found[0]
    return True


def _is_narrowed(url: str) -> bool:
    return "color=" in url or "sort=" in url or "year=" in url


def _endless(view: View, site: int) -> bool:
    """Pages after the last one, each of which links to the next."""
    estate = view.world.estate(site)
    at = estate.plan.sections[0].lists
    for index in range(at, at + _STEPS):
        page = view.fetch(Url(estate.root + estate.paths.list_page(0, index)))
        following = estate.root + estate.paths.list_page(0, index + 1)
        if page is None or not any(_is_page(link.target, following) for link in page.links):
            return False
    return True


def _is_page(url: str, wanted: str) -> bool:
    """Whether a link leads to a page, be it with a session."""
    return url == wanted or url.startswith((f"{wanted}?", f"{wanted}&"))


def _sessions(view: View, site: int) -> bool:
    """Links that carry a session, in the bytes: the parser may know how to drop it."""
    body = _ask(view, f"{_root(view, site)}/").body
    return len(_marked(body)) > 1


def _mirror(view: View, site: int) -> bool:
    url = view.url(site, 0)
    copy = url.replace("://", f"://{MIRROR}", 1)
    page, other = view.fetch(url), view.fetch(Url(copy))
    return page is not None and other is not None and page.leaves == other.leaves


def _soft_404(view: View, site: int) -> bool:
    return _ask(view, _root(view, site) + _NOWHERE).status == 200


def _loops(view: View, site: int) -> bool:
    path = "/go/1"
    for _ in range(_STEPS):
        reply = _ask(view, _root(view, site) + path)
        if reply.status != 302:
            return False
        path = reply.header("location")
    return True


def _slow(view: View, site: int) -> bool:
    return _ask(view, view.url(site, 0)).delay_s >= 1


def _failing(view: View, site: int) -> bool:
    pages = min(_TRIED, view.plan(site).pages)
    replies = [_ask(view, view.url(site, number)) for number in range(pages)]
    return any(reply.status in _FAILURES for reply in replies)


def _dead(view: View, site: int) -> bool:
    return bool(_ask(view, view.url(site, 0)).fault)


def _robots(view: View, site: int) -> bool:
    text = _ask(view, f"{_root(view, site)}/robots.txt").body.decode()
    return any(line.startswith("Disallow: /") for line in text.splitlines())


_PROOFS: dict[str, Proof] = {
    "calendar": _calendar,
    "sessions": _sessions,
    "facets": _facets,
    "endless": _endless,
    "mirror": _mirror,
    "soft_404": _soft_404,
    "loops": _loops,
    "slow": _slow,
    "failing": _failing,
    "dead": _dead,
    "robots": _robots,
}
TRAPS = tuple(Traps.__struct_fields__)
