"""Replays of stored pages, on a web made up of a few."""

from leadline.core.http import Request
from leadline.core.url import Url
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import Contender
from leadline_lab.replay.collections import Collection, StoredPage
from leadline_lab.replay.judging import TopicJudge, lessons_of
from leadline_lab.replay.running import BASELINE, CHARGED, CONTENDERS, Ground, replay
from leadline_lab.replay.table import curve_of, rows_of, summary
from leadline_lab.replay.web import StoredWeb

TREES = "oak birch maple willow forest leaves bark timber acorn branch "
CARS = "engine wheel brake gearbox driver road fuel motor tyre clutch "


def stored(part: str, number: int, others: int) -> StoredPage:
    """Every third page is about trees; links say what they lead to."""
    about = "trees" if number % 3 == 0 else "cars"
    links = "".join(
        f"<li>{'woodland' if n % 3 == 0 else 'garage'} "
        f"<a href=/{part}/{n}>{'oak tree' if n % 3 == 0 else 'motor car'}</a></li>"
        for n in ((number * 7 + step) % others for step in range(1, 6))
    )
    text = (TREES if about == "trees" else CARS) * 8
    lost = f"<a href=/{part}/lost{number}>nowhere</a>"
    body = f"<html lang=en><title>{about}</title><p>{text} {number}<ul>{links}</ul>{lost}"
    url = Url(f"http://stored.test/{part}/{number}")
    return StoredPage(url, body.encode(), frozenset({about}))


def part(name: str, pages: int) -> tuple[StoredPage, ...]:
    return tuple(stored(name, number, pages) for number in range(pages))


COLLECTION = Collection(
    "made up", part("lessons", 40), {"one": part("one", 240), "two": part("two", 200)}, ("trees",)
)


def ground(*, is_charged: bool = False, name: str = "one") -> Ground:
    web = StoredWeb(COLLECTION.webs[name], COLLECTION.lessons)
    judge = TopicJudge(lessons_of(COLLECTION.lessons), "trees")
    return Ground(web, "trees", judge, MemoryShelf(), is_charged)


def test_a_page_outside_the_store_is_a_miss() -> None:
    web = ground().web
    assert web.answer(Request(Url("http://stored.test/one/0")), 0.0).status == 200
    assert web.answer(Request(Url("http://stored.test/one/lost0")), 0.0).status == 404
    assert web.page(Url("http://stored.test/one/lost0")).kind == "missing"


def test_pages_of_other_parts_are_no_part_of_a_web() -> None:
    web = ground().web
    lesson, lost = COLLECTION.lessons[0].url, Url("http://stored.test/one/lost0")
    assert web.why_not(lesson)
    assert not web.why_not(lost)
    assert web.why_not_held(lost)


def test_seeds_are_about_the_target_and_lead_somewhere() -> None:
    seeds = ground().web.seeds("trees", 5)
    assert len(seeds) == 5
    assert set(seeds) <= set(ground().web.about("trees"))


def test_misses_cost_as_much_as_pages_where_they_are_charged() -> None:
    held = replay(ground(), Contender("breadth_first"))
    charged = replay(ground(is_charged=True), Contender("breadth_first"))
    assert held.misses == 0
    assert charged.misses > 0
    assert charged.pages == held.pages == 200
    assert charged.recall < held.recall


def test_links_that_say_where_they_lead_are_learned() -> None:
    baseline = replay(ground(), BASELINE)
    names = {one.name: one for one in CONTENDERS}
    online = replay(ground(), names["apprentice online"])
    offline = replay(ground(), names["apprentice offline"], ground(name="two"))
    assert online.recall > baseline.recall
    assert offline.early_loss < baseline.early_loss


def test_the_same_replay_is_the_same() -> None:
    assert replay(ground(), BASELINE) == replay(ground(), BASELINE)


def test_every_contender_is_in_the_table() -> None:
    told: list[str] = []
    rows = rows_of(COLLECTION, say=lambda row: told.append(row.replay.contender))
    assert len(rows) == len(told) == 2 * (len(CONTENDERS) + len(CHARGED))
    lines = {(str(r["strategy"]), bool(r["misses_charged"])): r for r in summary(rows)}
    assert lines["baseline", False]["change_of_loss"] == 0
    assert lines["apprentice offline", False]["crawls"] == 2
    assert curve_of(rows[0].replay)[-1][0] == rows[0].replay.pages
