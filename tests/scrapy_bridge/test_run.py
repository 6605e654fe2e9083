"""Real Scrapy runs, in processes of their own, on a small web over HTTP."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec import Struct

import leadline
from leadline.scrapy.middleware import ALL
from tests.ui import small_web

ROOT = Path(__file__).parents[2]
SEEDS = ["http://portal.demo/"]
PAGES = 150
BOOKSHOPS = small_web.THEMES[0].sites
OTHERS = [site for theme in small_web.THEMES[1:] for site in theme.sites]
ONE_AT_A_TIME = {"CONCURRENT_REQUESTS": 1, "CLOSESPIDER_PAGECOUNT": PAGES}
BREADTH_FIRST = {
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
}
RANKED = {
    "SPIDER_MIDDLEWARES": {"leadline.scrapy.LeadlineMiddleware": 950},
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    "LEADLINE_TOPIC": "book",
}
QUEUE = {"SCHEDULER_PRIORITY_QUEUE": "leadline.scrapy.RankedQueue"}
BY_NUMBER = {"SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue"}
"""Scrapy's own queue that heeds priorities across sites."""


class Ran(Struct, frozen=True):
    """What a run left behind."""

    urls: list[str]
    stats: dict[str, int | str]
    err: str

    def found(self, pages: int = PAGES) -> int:
        """Sites about books whose search form was met, by the truth of this web."""
        met = [urlsplit(url) for url in self.urls[:pages]]
        hosts = {(str(url.hostname).partition(".")[0], url.path) for url in met}
        return sum((site, small_web.search_path(site)) in hosts for site in BOOKSHOPS)


def answer(host: str, path: str) -> small_web.Answer | None:
    """The small web, and a portal that knows two bookshops among many other sites."""
    if (host, path) != ("portal.demo", "/"):
        return small_web.answer(host, path)
    sites = [*OTHERS[:9], *BOOKSHOPS[:2], *OTHERS[9:]]
    items = "".join(f'<li><a href="http://{site}.demo/">{site}</a></li>' for site in sites)
    return small_web.Answer(f"<html lang=en><title>Our town</title><ul>{items}</ul>")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_web, "LATENCY_S", (0.0, 0.0))
        with small_web.serving(answer) as number:
            yield number


def run(folder: Path, port: int, **settings: object) -> Ran:
    out = folder / "urls.txt"
    arguments = (str(out), json.dumps(SEEDS), json.dumps({**ONE_AT_A_TIME, **settings}))
    done = subprocess.run(
        [sys.executable, "-m", "tests.scrapy_bridge.spider", *arguments],
        cwd=ROOT,
        env={**os.environ, "http_proxy": f"http://127.0.0.1:{port}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    urls = out.read_text("utf-8").split() if out.exists() else []
    return Ran(urls, json.loads(done.stdout), done.stderr)


@pytest.mark.floors
def test_relevant_forms_are_found_earlier_than_breadth_first(tmp_path: Path, port: int) -> None:
    for name in ("plain", "queue", "numbers"):
        (tmp_path / name).mkdir()
    plain = run(tmp_path / "plain", port, **BREADTH_FIRST, **BY_NUMBER)
    queue = run(tmp_path / "queue", port, **RANKED, **QUEUE)
    numbers = run(tmp_path / "numbers", port, **RANKED, **BY_NUMBER)
    assert queue.found() >= 2 * plain.found() > 0
    assert numbers.found() >= 2 * plain.found()
    assert int(queue.stats["leadline/requests_ranked"]) > PAGES


def test_the_queue_ranks_sites_and_the_store_holds_a_crawl_like_any_other(
    tmp_path: Path, port: int
) -> None:
    forms, store = tmp_path / "forms.jsonl", tmp_path / "books.leadline"
    feed = {"format": "jsonlines", "item_classes": ["leadline.scrapy.FoundForm"]}
    ran = run(
        tmp_path,
        port,
        **RANKED,
        **QUEUE,
        CONCURRENT_REQUESTS=8,
        LEADLINE_STORE=str(store),
        LEADLINE_EMIT_FORMS=True,
        # A strategy that skips links; the default skips none.
        LEADLINE_STRATEGY="sitewise",
        LEADLINE_DROP_SKIPPED=True,
        FEEDS={str(forms): feed},
    )
    items = [json.loads(line) for line in forms.read_text("utf-8").splitlines()]
    with leadline.open_store(store) as opened:
        listed = {form.signature: form for form in opened.forms()}
        assert set(listed) == {item["signature"] for item in items}
        assert len(listed) == int(ran.stats["leadline/forms"]) > 0
        assert opened.counts.visits == ran.stats["leadline/pages"]
        assert opened.settings["strategy"]["name"] == "sitewise"
        assert opened.stopped == ran.stats["finish_reason"] == "closespider_pagecount"
        pages = [form.page for form in listed.values()]
        visit = next(visit for visit in opened.visits() if visit.url in pages)
        path = opened.store.pages.path(visit.id)
    assert path[0].url in SEEDS
    assert len(path) > 1
    assert int(ran.stats["leadline/requests_dropped"]) > 0


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({**QUEUE}, "add leadline.scrapy.LeadlineMiddleware to SPIDER_MIDDLEWARES"),
        ({**RANKED, "LEADLINE_TOPIC": "boks"}, "unknown topic 'boks'; did you mean 'book'?"),
    ],
)
def test_a_wrong_setting_says_so_before_anything_is_fetched(
    tmp_path: Path, port: int, settings: dict[str, object], said: str
) -> None:
    ran = run(tmp_path, port, **settings)
    assert said in ran.err
    assert ran.urls == []


def test_the_guide_tells_every_setting_and_name() -> None:
    guide = (ROOT / "docs" / "guides" / "scrapy.md").read_text("utf-8")
    assert [name for name in ALL if f"`{name}`" not in guide] == []
    for name in ("LeadlineMiddleware", "RankedQueue", "FoundForm"):
        assert f"leadline.scrapy.{name}" in guide
