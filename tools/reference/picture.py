"""docs/images/architecture.svg: which packages there are, and what flows between them."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 1190, 610
_ROW = 64
"""Height of a box."""
_STYLE = (
    "svg{background:#fff} text{font-family:system-ui,sans-serif;text-anchor:middle;fill:#1b2733} "
    ".name{font-size:17px;font-weight:600} .what{font-size:13px;fill:#52606d} "
    ".flow{font-size:12px;fill:#0b6e75} .start{text-anchor:start} .end{text-anchor:end} "
    ".stage{fill:#eef6f7;stroke:#0b6e75;stroke-width:1.5} "
    ".loop{fill:#fdf3e1;stroke:#b7791f;stroke-width:1.5} "
    ".ground{fill:#f3f4f6;stroke:#6b7280;stroke-width:1.5} "
    ".line{stroke:#1b2733;stroke-width:1.5;fill:none}"
)
_HEAD = (
    '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" '
    'markerHeight="8" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="#1b2733"/>'
    "</marker></defs>"
)


class Box(NamedTuple):
    """One package, or two that stand together."""

    name: str
    what: str
    x: int
    y: int
    width: int = 150
    kind: str = "stage"


class Flow(NamedTuple):
    """What goes from one place to another, and where its words stand."""

    path: str
    words: str
    x: int
    y: int
    side: str = ""
    both: bool = False


BOXES = (
    Box("frontier", "what next", 20, 60),
    Box("web", "the outside", 250, 60),
    Box("page", "bytes to page", 480, 60),
    Box("topics, forms", "the critic", 710, 60),
    Box("strategies", "which links", 940, 60),
    Box("store", "links, pages, inbox", 20, 250),
    Box(
        "crawler",
        "one loop: lease, fetch, read, judge, decide, deliver, learn",
        250,
        250,
        610,
        "loop",
    ),
    Box("learn, extraction", "models, features", 940, 250),
    Box("views, records, job", "ui, api, parts, scrapy", 20, 400, 200),
    Box("backlinks", "who points here", 250, 400),
    Box("harvester", "inside one database", 480, 400, 380),
    Box("lab, testing", "a web with known truth, and laws", 940, 400, 230),
    Box(
        "core",
        "the words all speak: Url, Page, Link, Form, Visit, Query, Record, and the ports; "
        "config, plugins and errors beside it",
        20,
        515,
        1150,
        "ground",
    ),
)
FLOWS = (
    Flow("M172 92 L246 92", "1 lease", 210, 84),
    Flow("M402 92 L476 92", "2 response", 440, 84),
    Flow("M632 92 L706 92", "3 page", 670, 84),
    Flow("M862 92 L936 92", "4 scores", 900, 84),
    Flow("M960 124 L840 246", "5 ranked links", 880, 180, "end"),
    Flow("M250 282 L174 282", "6 delivery", 210, 274),
    Flow("M1015 126 L1015 248", "7 lessons", 1023, 192, "start", both=True),
    Flow("M45 314 L45 396", "8 forms, why", 53, 350, "start"),
    Flow("M145 398 L145 318", "orders, labels", 153, 372, "start"),
    Flow("M95 250 L95 128", "waiting links", 103, 192, "start"),
    Flow("M325 316 L325 398", "backlink queries", 333, 362, "start", both=True),
    Flow("M670 316 L670 398", "queries, answers, records", 678, 362, "start", both=True),
    Flow("M325 248 L325 128", "requests", 333, 192, "start"),
)


def render_picture() -> str:
    """The whole picture."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" role="img" aria-label="How crawls and harvests flow through the '
        f'packages">\n<style>{_STYLE}</style>\n{_HEAD}',
        f'<text class="name" x="{WIDTH // 2}" y="32">One turn of the crawl, and what joins it'
        "</text>",
    ]
    for box in BOXES:
        parts += _box(box)
    for flow in FLOWS:
        parts += _flow(flow)
    return "\n".join([*parts, "</svg>\n"])


def _box(box: Box) -> Iterator[str]:
    middle = box.x + box.width // 2
    yield (
        f'<rect class="{box.kind}" x="{box.x}" y="{box.y}" width="{box.width}" '
        f'height="{_ROW}" rx="8"/>'
    )
    yield f'<text class="name" x="{middle}" y="{box.y + 26}">{escape(box.name)}</text>'
    yield f'<text class="what" x="{middle}" y="{box.y + 46}">{escape(box.what)}</text>'


def _flow(flow: Flow) -> Iterator[str]:
    back = ' marker-start="url(#head)"' if flow.both else ""
    yield f'<path class="line" d="{flow.path}" marker-end="url(#head)"{back}/>'
    name = f"flow {flow.side}".strip()
    yield f'<text class="{name}" x="{flow.x}" y="{flow.y}">{escape(flow.words)}</text>'
