"""What pages need besides their model: the same facts in the shape of a chart or a table."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from pydantic import BaseModel

from leadline.ui.web.models import Comparison, CurvePoint, EventRow, Learned, Overview, Sample
from leadline.ui.web.wording import NONE, count, decimal, falling, size, thinned

_MOST_QUEUES = 4
"""Named in a sentence; the table has all of them."""
_ROWS = 21
Told = tuple[str, str, str]
"""What, of the left and of the right store."""


def plain(models: Iterable[BaseModel]) -> list[dict[str, object]]:
    """As JSON has them."""
    return [model.model_dump(mode="json") for model in models]


def run_starts(overview: Overview) -> list[int]:
    """After how many pages each run began."""
    starts, pages = [], 0
    for run in overview.runs:
        starts.append(pages)
        pages += run.pages
    return starts


def queue_names(samples: Sequence[Sample]) -> list[str]:
    """All queues of all moments, in order of first sight."""
    return list(dict.fromkeys(name for sample in samples for name in sample.queues))


def queue_words(sample: Sample) -> str:
    """The fullest queues of a moment in words."""
    full = [(name, number) for name, number in falling(sample.queues) if number]
    told = [f"{count(number)} in {name}" for name, number in full[:_MOST_QUEUES]]
    rest = len(full) - len(told)
    return ", ".join(told) + (f" and {rest} more queues" if rest > 0 else "")


def grouped(events: Sequence[EventRow]) -> list[tuple[EventRow, int]]:
    """Events of one kind about one subject that follow each other, as the latest of them."""
    groups = groupby(events, key=attrgetter("kind", "subject"))
    return [(found[0], len(found)) for found in (list(group) for _, group in groups)]


def spaces(learned: Learned) -> list[str]:
    """Where words stood, in order of first sight."""
    return list(dict.fromkeys(name for one in learned.iterations for name in one.features))


def both(comparison: Comparison) -> dict[str, object]:
    """For the chart of two curves."""
    sides = (comparison.left, comparison.right)
    return {"stores": [{"name": side.store.name, "curve": plain(side.curve)} for side in sides]}


def forms_after(curve: Sequence[CurvePoint], pages: int) -> int | None:
    """Forms found by then; None when the crawl never came so far."""
    if not curve or curve[-1].pages < pages:
        return None
    at = bisect_right(curve, pages, key=attrgetter("pages"))
    return curve[at - 1].forms if at else 0


def both_rows(comparison: Comparison) -> list[tuple[int, int | None, int | None]]:
    """Forms of both after the same numbers of pages."""
    left, right = comparison.left.curve, comparison.right.curve
    most = max((point.pages for point in (*left[-1:], *right[-1:])), default=0)
    steps: list[int] = thinned(range(most + 1), _ROWS)
    return [(pages, forms_after(left, pages), forms_after(right, pages)) for pages in steps]


def figures(comparison: Comparison) -> list[Told]:
    """The main figures of both, written out."""
    return [
        (left[0], left[1], right[1])
        for left, right in zip(_told(comparison.left), _told(comparison.right), strict=True)
    ]


def _told(side: Overview) -> list[tuple[str, str]]:
    counts, store = side.counts, side.store
    return [
        ("strategy", store.strategy or NONE),
        ("topic", store.topic or NONE),
        ("state", f"{store.state}{', ' + store.reason if store.reason else ''}"),
        ("relevant forms", count(store.forms)),
        ("pages read", count(store.pages)),
        ("forms per 100 pages, in all", decimal(side.rate_in_all, 1)),
        ("forms per 100 pages, lately", decimal(side.rate, 1)),
        ("sites with forms", count(counts.get("deep_sites"))),
        ("sites visited", count(counts.get("sites"))),
        ("requests", count(counts.get("requests"))),
        ("failed visits", count(counts.get("failed"))),
        ("read in all", size(counts.get("bytes", 0))),
        ("records drawn up", count(store.records)),
    ]
