"""The crawl as a whole, over real HTTP on loopback."""

import asyncio
import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from leadline.config import Config
from leadline.core.crawl import Budget, Counts
from leadline.core.url import Url
from leadline.crawler.assembly import crawl_async, open_crawl
from leadline.errors import ConfigError
from tests.server.good import GoodSite, gaps
from tests.server.wire import Ask, LoopbackServer, answer_bytes

MakeConfig = Callable[..., Config]


def paid_for(counts: Counts) -> int:
    return counts.visits - counts.outcomes.get("robots", 0)


PATIENCE_S = 120.0
"""For what must come, on a machine that does much else."""


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - what is waited for happens inside the crawl
            await asyncio.sleep(0.01)


async def test_every_page_is_visited_once(config: MakeConfig, site: GoodSite) -> None:
    async with open_crawl(config()) as (crawl, store):
        assert await crawl.run() == "nothing left to follow"
        visits = list(store.reader.visits())
    pages = [visit.url for visit in visits if visit.outcome == "page"]
    assert sorted(pages) == sorted(site.town.url(n) for n in range(site.town.pages))
    asked = Counter((entry.host, entry.path) for entry in site.log)
    assert max(asked.values()) == 1
    assert {visit.outcome for visit in visits} == {"page", "robots"}


async def test_forms_are_kept_once_with_where_they_were_found(config: MakeConfig) -> None:
    async with open_crawl(config()) as (crawl, store):
        await crawl.run()
        forms = list(store.reader.forms())
        paths = [store.pages.path(form.visit) for form in forms]
    searches = [form for form in forms if form.judged.searchable >= 0.5]
    assert {form.site for form in searches} == {f"site{n}.test" for n in range(4)}
    assert len(searches) == 4
    assert all(path[0].url == "http://site0.test/" for path in paths)
    assert all(form.judged.why for form in forms)


async def test_the_same_crawl_twice_is_the_same(config: MakeConfig) -> None:
    orders = []
    for _ in range(2):
        async with open_crawl(config(crawl__concurrency=1, strategy__name="random")) as (
            crawl,
            store,
        ):
            await crawl.run()
            orders.append([visit.url for visit in store.reader.visits()])
    assert orders[0] == orders[1]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"budget__pages": 7}, "budget: pages"),
        ({"budget__forms": 2}, "budget: forms"),
        ({"budget__bytes": 3000}, "budget: bytes"),
        ({"budget__seconds": 0.3, "politeness__delay_s": 0.2}, "budget: seconds"),
    ],
)
async def test_budgets_end_a_crawl(
    config: MakeConfig, change: dict[str, float], reason: str
) -> None:
    result = await crawl_async(config(**change))
    assert result.reason == reason
    if "budget__pages" in change:
        assert paid_for(result.counts) == 7


async def test_a_stopped_crawl_goes_on_where_it_was(config: MakeConfig, tmp_path: Path) -> None:
    store = str(tmp_path / "c.leadline")
    first = await crawl_async(config(store__path=store, budget__pages=20))
    second = await crawl_async(config(store__path=store, seeds=[]))
    assert paid_for(first.counts) == 20
    assert second.reason == "nothing left to follow"
    assert second.counts.pages == 60


async def test_another_strategy_goes_on_with_what_was_passed_over(
    config: MakeConfig, tmp_path: Path
) -> None:
    early = {"strategy__name": "baseline_sc", "strategy__max_pages": 2}
    first = await crawl_async(config(**early, strategy__fallback=""))
    assert first.reason == "nothing left to follow"
    assert first.counts.pages < 20
    store = str(tmp_path / "c.leadline")
    both = config(**early, strategy__fallback="breadth_first", store__path=store)
    second = await crawl_async(both)
    assert second.reason == "nothing left to follow"
    assert second.counts.pages == 60
    async with open_crawl(both) as (_, kept):
        kinds = Counter(event.kind for event in kept.reader.events())
        told = [event.subject for event in kept.reader.events() if event.kind == "fallback"]
    assert told == ["breadth_first"]
    assert kinds["started"] == 2


async def test_a_crawl_cut_off_under_its_fallback_resumes_with_it(
    config: MakeConfig, tmp_path: Path
) -> None:
    store = str(tmp_path / "c.leadline")
    settings = {
        "strategy__name": "baseline_sc", "strategy__max_pages": 2,
        "strategy__fallback": "breadth_first", "store__path": store,
    }  # fmt: skip
    await crawl_async(config(**settings, budget__pages=30))
    result = await crawl_async(config(**settings, seeds=[]))
    assert result.counts.pages == 60
    async with open_crawl(config(**settings)) as (_, kept):
        assert sum(event.kind == "fallback" for event in kept.reader.events()) == 1


async def test_a_strategy_named_after_the_fallback_of_another_is_the_one_that_runs(
    config: MakeConfig, tmp_path: Path
) -> None:
    store = str(tmp_path / "c.leadline")
    early = {"strategy__name": "baseline_sc", "strategy__max_pages": 2, "store__path": store}
    await crawl_async(config(**early, strategy__fallback="breadth_first", budget__pages=30))
    named = config(store__path=store, strategy__name="random", strategy__fallback="breadth_first")
    async with open_crawl(named) as (crawl, _):
        assert crawl.strategy.name == "random"


async def test_other_settings_hold_when_a_crawl_goes_on(config: MakeConfig, tmp_path: Path) -> None:
    store = str(tmp_path / "c.leadline")
    await crawl_async(config(store__path=store, budget__pages=10))
    changed = config(store__path=store, seeds=[], scope__deny=["site1.test"], crawl__concurrency=2)
    async with open_crawl(changed) as (crawl, kept):
        await crawl.run()
        later = list(kept.reader.visits())[10:]
    assert later
    found_later = [visit for visit in later if visit.site == "site1.test"]
    assert len(found_later) < 10


async def test_pause_takes_nothing_new_and_resume_goes_on(
    config: MakeConfig, site: GoodSite
) -> None:
    async with open_crawl(config(crawl__concurrency=2, politeness__delay_s=0.02)) as (crawl, store):
        running = asyncio.create_task(crawl.run())
        await until(lambda: store.reader.counts().visits >= 5)
        crawl.pause()
        await until(lambda: not crawl.under_way)
        asked = len(site.log)
        await asyncio.sleep(0.2)
        assert len(site.log) == asked
        crawl.resume(structs.replace(crawl.plan, budget=Budget(pages=asked + 5)))
        assert await running == "budget: pages"


async def test_stop_finishes_what_is_under_way(config: MakeConfig) -> None:
    async with open_crawl(config(politeness__delay_s=0.05)) as (crawl, store):
        running = asyncio.create_task(crawl.run())
        await until(lambda: store.reader.counts().visits >= 5)
        crawl.stop("enough")
        assert await running == "enough"
        assert [event.detail for event in store.reader.events()][-1] == "enough"


async def test_a_cancelled_run_gives_its_leases_back(config: MakeConfig, tmp_path: Path) -> None:
    store = str(tmp_path / "c.leadline")
    async with open_crawl(config(store__path=store, politeness__delay_s=0.05)) as (crawl, kept):
        running = asyncio.create_task(crawl.run())
        await until(lambda: kept.reader.counts().visits >= 5)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    result = await crawl_async(config(store__path=store, seeds=[]))
    assert result.counts.pages == 60


async def test_sites_are_asked_one_request_at_a_time_with_a_pause(
    config: MakeConfig, site: GoodSite
) -> None:
    await crawl_async(config(politeness__delay_s=0.03, budget__pages=30))
    assert min(gap for each in gaps(site.log).values() for gap in each) >= 0.03


async def test_worker_processes_find_the_same(config: MakeConfig) -> None:
    found = []
    for workers in (1, 2):
        result = await crawl_async(config(crawl__parse_processes=workers))
        found.append((result.counts.pages, result.counts.forms, result.counts.known))
    assert found[0] == found[1]


async def test_denied_sites_and_files_are_skipped_with_the_reason(config: MakeConfig) -> None:
    settings = {"scope__deny": ["site1.test"], "store__path": ":memory:"}
    async with open_crawl(config(**settings)) as (crawl, store):
        await crawl.run()
        found = store.reader.candidate(Url("http://site1.test/"))
        assert found is not None
        assert found[1].skip == "its site is denied"
        assert all(visit.site != "site1.test" for visit in store.reader.visits())


async def test_what_was_fetched_can_be_archived(config: MakeConfig, tmp_path: Path) -> None:
    result = await crawl_async(config(archive__folder=str(tmp_path), budget__pages=5))
    (archive,) = list(tmp_path.glob("*.warc.gz"))  # noqa: ASYNC240
    responses = gzip.decompress(archive.read_bytes()).count(b"WARC-Type: response")
    assert responses == result.counts.pages


async def test_nothing_to_start_from_is_an_error(config: MakeConfig) -> None:
    with pytest.raises(ConfigError, match="no seeds"):
        await crawl_async(config(seeds=[]))
    with pytest.raises(ConfigError, match="ftp://x"):
        await crawl_async(config(seeds=["ftp://x"]))


class OddSite(LoopbackServer):
    """Redirects, repeats, failures and a site that is busy at first."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def answer(self, ask: Ask, writer: asyncio.StreamWriter) -> bool:
        self.asked.append(ask.path)
        writer.write(self.reply(ask.path))
        await writer.drain()
        return True

    def reply(self, path: str) -> bytes:
        same = "<p>" + "The same words on several pages of the site. " * 8
        pages = {
            "/": "<a href=/one>1</a><a href=/two>2</a><a href=/to-one>3</a><a href=/gone>4</a>"
            "<a href=/busy>5</a><a href=/to-new>6</a>",
            "/one": same,
            "/two": same,
            "/new": "<p>new",
        }
        if path == "/robots.txt":
            return answer_bytes("", kind="text/plain")
        if path in ("/to-one", "/to-new"):
            location = f"Location: {path.replace('to-', '')}\r\n"
            return answer_bytes("", status="302 Found", extra=location)
        if path == "/busy" and self.asked.count("/busy") == 1:
            return answer_bytes("", status="503 Busy", extra="Retry-After: 0\r\n")
        if path in pages or path == "/busy":
            return answer_bytes(pages.get(path, "<p>free again"))
        return answer_bytes("gone", status="404 Not Found")


async def test_redirects_repeats_and_failures_are_outcomes(config: MakeConfig) -> None:
    odd = OddSite()
    await odd.start(0)
    settings = {"seeds": ["http://odd.test/"], "web__resolve": {"*": f"127.0.0.1:{odd.port}"}}
    async with open_crawl(config(**settings)) as (crawl, store):
        await crawl.run()
        outcomes = {
            visit.url.removeprefix("http://odd.test"): visit for visit in store.reader.visits()
        }
    await odd.stop()
    assert outcomes["/gone"].outcome == "http-404"
    assert outcomes["/to-one"].outcome == "duplicate"
    assert outcomes["/to-new"].final_url == "http://odd.test/new"
    assert {outcomes["/one"].outcome, outcomes["/two"].outcome} == {"page", "duplicate"}
    assert outcomes["/busy"].outcome == "page"


async def test_a_site_that_keeps_failing_is_left(config: MakeConfig) -> None:
    settings = {
        "seeds": [f"http://nowhere.test/{n}" for n in range(6)],
        "web__resolve": {"*": "127.0.0.1:9"},
        "robots__obey": False,
        "crawl__max_site_failures": 2,
        "politeness__first_backoff_s": 0,
    }
    async with open_crawl(config(**settings)) as (crawl, store):
        await crawl.run()
        (state,) = store.reader.sites()
        visits = list(store.reader.visits())
    assert "2 failures in a row" in state.closed
    assert [visit.outcome for visit in visits] == ["connection", "connection"]


class MappedSite(OddSite):
    """Has a page that only its sitemap names."""

    def reply(self, path: str) -> bytes:
        here = "http://odd.test"
        if path == "/robots.txt":
            return answer_bytes(f"Sitemap: {here}/index.xml", kind="text/plain")
        if path == "/index.xml":
            listed = f"<sitemapindex><sitemap><loc>{here}/map.xml</loc></sitemap></sitemapindex>"
            return answer_bytes(listed, kind="application/xml")
        if path == "/map.xml":
            listed = f"<urlset><url><loc>{here}/hidden</loc></url></urlset>"
            return answer_bytes(listed, kind="application/xml")
        return answer_bytes("<p>a page")


@pytest.mark.parametrize("is_asked", [False, True])
async def test_sitemaps_are_read_when_asked(config: MakeConfig, is_asked: bool) -> None:
    async with MappedSite() as mapped:
        settings = {
            "seeds": ["http://odd.test/"],
            "web__resolve": {"*": f"127.0.0.1:{mapped.port}"},
            "scope__sitemaps": is_asked,
        }
        await crawl_async(config(**settings))
    assert ("/hidden" in mapped.asked) == is_asked
