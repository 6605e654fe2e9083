"""What catches a crawler: pages without end, one page under many names, redirects in circles."""

import re

from leadline_lab.draw import Draw, key_of
from leadline_lab.markup.model import Anchor, Block, Grid, Heading, Links, PageModel, Prose
from leadline_lab.sites.estate import Estate
from leadline_lab.sites.plan import Place

_FACETS = {
    "color": ("red", "blue", "green", "black", "white"),
    "sort": ("price", "name", "date", "rating"),
    "price": ("0-10", "10-50", "50-100", "100-500"),
    "year": ("2021", "2022", "2023", "2024", "2025"),
}
_MOST_FACETS = 2
"""Chosen together by links; a URL may name more."""
_LOOP = 40
_FIRST_YEAR, _LAST_YEAR = 1900, 2199
_months = re.compile(r"^/calendar/(\d{4})/(\d{1,2})(?:/(\d{1,2}))?$").match
_go = re.compile(r"^/go/(\d{1,4})$").match
_hrefs = re.compile(rb"""(?i)(href=["']?)(/[^"'\s>#]*)""")


def snares(estate: Estate, place: Place, draw: Draw, variant: int) -> list[Block]:
    """The links on a page by which its site's traps are entered."""
    traps = estate.plan.traps
    found: list[Block] = []
    if "calendar" in traps and place.role in {"home", "list", "item"}:
        found.append(Links("list", (Anchor("/calendar/2026/11", "Calendar"),)))
    if "loops" in traps and draw.chance(500):
        found.append(Links("list", (Anchor(f"/go/{draw.below(_LOOP)}", "More"),)))
    if "facets" in traps and place.role == "list":
        facets = _facet_links(estate, place, variant)
        found += [Links("tags", facets)] if facets else []
    return found


def _facet_links(estate: Estate, place: Place, variant: int) -> tuple[Anchor, ...]:
    chosen = _chosen(variant)
    if len(chosen) >= _MOST_FACETS:
        return ()
    path = estate.paths.list_page(place.section, place.index)
    anchors = []
    for name, values in _FACETS.items():
        for number, value in enumerate(values):
            if chosen.get(name) != number:
                href = _with_facets(path, {**chosen, name: number})
                anchors.append(Anchor(href, value))
    return tuple(anchors)


def _with_facets(path: str, chosen: dict[str, int]) -> str:
    pairs = [f"{name}={_FACETS[name][chosen[name]]}" for name in _FACETS if name in chosen]
    return f"{path}{'&' if '?' in path else '?'}{'&'.join(pairs)}"


def take_facets(query: str) -> tuple[str, int]:
    """A query without its facets, and the number of their combination."""
    left, chosen = [], {}
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name in _FACETS and value in _FACETS[name]:
            chosen[name] = _FACETS[name].index(value)
        else:
            left.append(pair)
    return "&".join(left), _variant(chosen)


def _variant(chosen: dict[str, int]) -> int:
    number = 0
    for name, values in _FACETS.items():
        number = number * (len(values) + 1) + chosen.get(name, -1) + 1
    return number


def _chosen(variant: int) -> dict[str, int]:
    chosen = {}
    for name in reversed(_FACETS):
        variant, place = divmod(variant, len(_FACETS[name]) + 1)
        if place:
            chosen[name] = place - 1
    return chosen


def take_session(query: str, name: str) -> tuple[str, str]:
    """A query without its session, and the session."""
    left = [pair for pair in query.split("&") if not pair.startswith(f"{name}=")]
    taken = [pair for pair in query.split("&") if pair.startswith(f"{name}=")]
    return "&".join(left), taken[0].partition("=")[2][:32] if taken else ""


def add_session(estate: Estate, body: bytes, whole: str, session: str) -> bytes:
    """The page with a session in every link of its own; one site in four changes it each time."""
    key = estate.plan.key
    if not session or key & 3 == 0:
        session = f"{key_of(key, 'session', whole, session):016x}"
    mark = f"{estate.paths.session}={session}".encode()

    def longer(found: re.Match[bytes]) -> bytes:
        before, href = found.groups()
        return bytes(before + href + (b"&" if b"?" in href else b"?") + mark)

    return _hrefs.sub(longer, body)


def calendar_page(estate: Estate, path: str) -> PageModel | None:
    """A month of links to days, or a day; None when the path is no date."""
    found = _months(path)
    if not found:
        return None
    year, month, day = int(found[1]), int(found[2]), int(found[3] or 0)
    if not (_FIRST_YEAR <= year <= _LAST_YEAR and 1 <= month <= 12 and day <= 28):
        return None
    key = key_of(estate.plan.key, path)
    sentences = estate.voice.sentences(key, estate.plan.population.topic, 10)
    prose = Prose(tuple((sentence,) for sentence in sentences))
    name = f"{year}-{month:02d}" + (f"-{day:02d}" if day else "")
    blocks: tuple[Block, ...] = (Heading(name, 1), prose, *_months_around(year, month))
    if not day:
        blocks = (Heading(name, 1), _days(year, month), prose, *_months_around(year, month))
    return PageModel(f"{name} - {estate.name}", blocks)


def _days(year: int, month: int) -> Grid:
    days = [(Anchor(f"/calendar/{year}/{month}/{day}", str(day)),) for day in range(1, 29)]
    return Grid(tuple(tuple(days[at : at + 7]) for at in range(0, 28, 7)))


def _months_around(year: int, month: int) -> tuple[Links]:
    count = year * 12 + month - 1
    anchors = []
    for other, text in ((count - 1, "Previous month"), (count + 1, "Next month")):
        anchors.append(Anchor(f"/calendar/{other // 12}/{other % 12 + 1}", text))
    return (Links("pager", tuple(anchors)),)


def loop_step(path: str) -> str:
    """Where a redirect without end leads next; '' when the path is none."""
    found = _go(path)
    return f"/go/{(int(found[1]) * 3 + 7) % _LOOP}" if found else ""


def robots_text(estate: Estate) -> str:
    """What the site forbids: nothing, some folders, its searches, or everything."""
    lines = ["User-agent: *"]
    draw = Draw(key_of(estate.plan.key, "robots"))
    if "robots" not in estate.plan.traps:
        lines.append("Disallow:")
    elif draw.chance(120):
        lines.append("Disallow: /")
    else:
        folders = [estate.paths.list_page(n, 0) for n in range(len(estate.plan.sections))]
        fixed = [estate.paths.page(estate.plan.place(1 + n)) for n in range(len(estate.plan.fixed))]
        lines += [f"Disallow: {path}" for path in draw.some(folders, 1)]
        lines += [f"Disallow: {path}" for path in draw.some(fixed, draw.below(4))]
        for number, _ in enumerate(estate.plan.interfaces):
            if draw.chance(400):
                lines.append(f"Disallow: {estate.paths.action(number)}")
        for number in estate.plan.page_of.values():
            if draw.chance(300):
                lines.append(f"Disallow: {estate.paths.page(estate.plan.place(number))}")
    if draw.chance(60):
        lines.append("Crawl-delay: 2")
    return "\n".join(lines) + "\n"
