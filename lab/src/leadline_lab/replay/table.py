"""All replays of a collection, and the table they make."""

from collections.abc import Callable, Iterator, Sequence
from statistics import mean

from msgspec import Struct, structs

from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.replay.collections import Collection
from leadline_lab.replay.judging import TopicJudge, lessons_of
from leadline_lab.replay.running import (
    BASELINE,
    CHARGED,
    CONTENDERS,
    GATED,
    Ground,
    Replay,
    replay,
)
from leadline_lab.replay.web import StoredWeb

_SHELF_BYTES = 1 << 30
_GATED = ", gate"
_POINTS = 20
"""Of a curve, kept for drawing."""


class Row(Struct, frozen=True):
    """One crawl in the table."""

    collection: str
    web: str
    target: str
    is_charged: bool
    targets: int
    """Pages about the target in the web."""
    replay: Replay


def rows_of(
    collection: Collection, targets: Sequence[str] = (), say: Callable[[Row], None] | None = None
) -> list[Row]:
    """Every target in every web, with misses out of scope and with misses charged."""
    webs = _webs(collection)
    lessons = lessons_of(collection.lessons)
    shelves = {name: MemoryShelf(_SHELF_BYTES) for name in webs}
    found = []
    for target in targets or collection.targets:
        judge = TopicJudge(lessons, target)
        grounds = {
            name: Ground(web, target, judge, shelves[name], is_charged=False)
            for name, web in webs.items()
        }
        for row in _rows(collection.name, grounds):
            found.append(row)
            if say is not None:
                say(row)
    return found


def _webs(collection: Collection) -> dict[str, StoredWeb]:
    found = {}
    for name, pages in collection.webs.items():
        others = [part for other, part in collection.webs.items() if other != name]
        beside = [page for part in (*others, collection.lessons) for page in part]
        found[name] = StoredWeb(pages, beside)
    return found


def _rows(collection: str, grounds: dict[str, Ground]) -> Iterator[Row]:
    for name, held in grounds.items():
        elsewhere = next(one for title, one in grounds.items() if title != name)
        charged = structs.replace(held, is_charged=True)
        for ground, contenders in ((held, CONTENDERS), (charged, CHARGED)):
            for contender in contenders:
                done = replay(ground, contender, elsewhere)
                yield Row(collection, name, ground.target, ground.is_charged, ground.targets, done)


def summary(rows: Sequence[Row]) -> list[dict[str, object]]:
    """For each collection, charge and contender: means over webs and targets, and how much less
    is lost than by the baseline that follows the same links."""
    groups: dict[tuple[str, bool, str], list[Row]] = {}
    for row in rows:
        key = (row.collection, row.is_charged, row.replay.contender)
        groups.setdefault(key, []).append(row)
    base = {
        (row.replay.contender, *_unit(row)): row.replay
        for row in rows
        if row.replay.contender in (BASELINE.name, GATED.name)
    }
    return [
        {
            "collection": collection,
            "misses_charged": is_charged,
            "strategy": contender,
            **_means(group, [base[_base_of(row), *_unit(row)] for row in group]),
        }
        for (collection, is_charged, contender), group in groups.items()
    ]


def _base_of(row: Row) -> str:
    """The baseline that follows the same links."""
    return GATED.name if row.replay.contender.endswith(_GATED) else BASELINE.name


def _means(group: Sequence[Row], base: Sequence[Replay]) -> dict[str, float]:
    done = [row.replay for row in group]
    early, loss = mean(one.early_loss for one in done), mean(one.loss for one in done)
    return {
        "early_loss": round(early, 4),
        "change_of_early_loss": round(early / mean(one.early_loss for one in base) - 1, 4),
        "loss": round(loss, 4),
        "change_of_loss": round(loss / mean(one.loss for one in base) - 1, 4),
        "recall": round(mean(one.recall for one in done), 4),
        "misses": round(mean(one.misses for one in done), 4),
        "better": sum(a.recall > b.recall for a, b in zip(done, base, strict=True)),
        "worse": sum(a.recall < b.recall for a, b in zip(done, base, strict=True)),
        "crawls": len(done),
    }


def _unit(row: Row) -> tuple[str, str, str, bool]:
    return row.collection, row.web, row.target, row.is_charged


def curve_of(replay: Replay) -> list[tuple[int, int]]:
    """Pages and targets among them, at a few points."""
    step = max(1, len(replay.curve) // _POINTS)
    points = [*replay.curve[::step], replay.curve[-1]]
    return [(point.pages, point.on_topic) for point in points]
