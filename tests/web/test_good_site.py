"""The good site is what other tests take it for: connected, logged, runnable on its own."""

import asyncio
import sys
from pathlib import Path

from leadline.core.http import Request
from tests.server.good import Entry, Town, gaps, read_log
from tests.web.rig import WEB, fetching, url_of

ROOT = Path(__file__).parents[2]


def test_every_page_can_be_reached_from_the_first() -> None:
    town = Town(pages=200, hosts=5)
    by_url = {town.url(n): n for n in range(200)}
    seen, waiting = {0}, [0]
    while waiting:
        for url in town.links(waiting.pop()):
            if by_url[url] not in seen:
                seen.add(by_url[url])
                waiting.append(by_url[url])
    assert len(seen) == 200
    assert sum(town.has_search_form(n) for n in range(200)) == 40


def test_overlapping_requests_show_as_negative_gaps() -> None:
    log = [Entry("a", "GET", "/1", 0.0, 2.0), Entry("a", "GET", "/2", 1.0, 3.0)]
    assert gaps(log) == {"a": [-1.0]}


async def test_it_runs_as_a_process_of_its_own(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.server.good", "--pages", "20", "--hosts", "2"),
        *("--delay-log", str(log), "--lifetime-s", "30"),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        port = int(await process.stdout.readline())
        web = {**WEB, "resolve": {"*": f"127.0.0.1:{port}"}}
        async with fetching(None, web=web) as fetcher:
            response = await fetcher.fetch(Request(url_of(Town(20, 2).url(7))))
    finally:
        process.terminate()
        await process.wait()
    assert response.body.decode() == Town(20, 2).html(7)
    assert [entry.path for entry in read_log(log)] == ["/robots.txt", "/page/7"]
