"""Sites with databases crawled from their home pages: how deep their search forms really are."""

from collections.abc import Sequence

from msgspec import Struct

from leadline.core.page import Form
from leadline.core.url import Url, site_of
from leadline_lab.calibration.view import Findings, View, mean, share
from leadline_lab.profile import DEPTHS

_MULTIPLYING = frozenset({"calendar", "facets", "endless", "sessions", "loops", "failing", "dead"})
"""Traps that make a breadth-first crawl endless or full of gaps: such sites are left out here."""


class Walk(Struct):
    """What a breadth-first crawl of one site met."""

    depths: dict[int, int]
    """By an interface's number in its site: the links to the first page that shows it."""
    forms: dict[int, Form]
    pages: int = 0
    is_cut: bool = False
    """The limit of pages came first."""


def measure_walks(view: View) -> Findings:
    walks = []
    for site in _deep_sites(view):
        planned = {
            i.number: i.depth for i in view.plan(site).interfaces if i.schema and not i.is_scripted
        }
        walks.append((walk(view, site, frozenset(planned), view.effort.walked_pages), planned))
    return _compared(walks)


def _compared(walks: Sequence[tuple[Walk, dict[int, int]]]) -> Findings:
    found = [
        (planned[number], depth)
        for walked, planned in walks
        for number, depth in walked.depths.items()
        if number in planned
    ]
    wanted = sum(len(planned) for _, planned in walks)
    cut = sum(len(p) - len(p.keys() & w.depths.keys()) for w, p in walks if w.is_cut)
    forms = [w.forms[number] for w, planned in walks for number in planned if number in w.forms]
    pmf = [share(sum(depth == at for _, depth in found), len(found)) for at in range(len(DEPTHS))]
    figures = {
        "walked_interfaces": float(len(found)),
        "walked_within_3": sum(pmf[:4]),
        "walked_beyond_5": share(sum(depth > 5 for _, depth in found), len(found)),
        "walked_differs": share(sum(plan != depth for plan, depth in found), len(found)),
        "walked_shallower": share(sum(plan > depth for plan, depth in found), len(found)),
        "walked_never_met": share(wanted - len(found) - cut, wanted),
        "walked_cut": share(cut, wanted),
        "walked_pages_mean": mean([walked.pages for walked, _ in walks]),
        "post_share": share(sum(form.method == "post" for form in forms), len(forms)),
    }
    figures |= {f"walked_depth_{at}": value for at, value in enumerate(pmf)}
    return Findings(figures, {"depth_walked": pmf})


def _deep_sites(view: View) -> list[int]:
    draw = view.draw("walked")
    spans = [p for p in view.world.census.populations if p.schemas]
    ends = [sum(p.sites for p in spans[: at + 1]) for at in range(len(spans))]
    found: list[int] = []
    while len(found) < view.effort.walked:
        at = draw.below(ends[-1])
        place = next(n for n, end in enumerate(ends) if at < end)
        site = spans[place].first + at - ends[place] + spans[place].sites
        if _MULTIPLYING.isdisjoint(view.plan(site).traps):
            found.append(site)
    return found


def walk(view: View, site: int, wanted: frozenset[int], limit: int) -> Walk:
    """Level by level inside the site, until every wanted form was met or nothing is left."""
    home = view.url(site, 0)
    walked = Walk({}, {})
    level, known = [home], {home}
    for depth in range(len(DEPTHS)):
        following: list[Url] = []
        for url in level:
            if walked.pages >= limit:
                walked.is_cut = True
                return walked
            following += _visit(view, url, depth, walked, known)
        if wanted <= walked.depths.keys():
            break
        level = following
    return walked


def _visit(view: View, url: Url, depth: int, walked: Walk, known: set[Url]) -> list[Url]:
    """The links of a page that lead on inside its site."""
    walked.pages += 1
    page = view.fetch(url)
    if page is None:
        return []
    for form in page.forms:
        number = view.truth.form(form)
        if number is not None:
            own = view.truth.interface(number).number
            walked.depths.setdefault(own, depth)
            walked.forms.setdefault(own, form)
    inside = dict.fromkeys(k.target for k in page.links if site_of(k.target) == site_of(url))
    new = [target for target in inside if target not in known]
    known.update(new)
    return new
