"""A fault in C code ends the crawl's own process: the next run reads the page somewhere else."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from leadline.config import load_config
from leadline.core.url import Url
from leadline.crawler.assembly import open_crawl
from leadline.crawler.page_journal import open_page_journal
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.store_calls import DirectCalls
from leadline.store import open_store_view
from leadline.store.memory import MemoryStore
from tests.server.harmful_site import HarmfulSite

ROOT = Path(__file__).resolve().parents[2]
A, B = Url("http://a.test/1"), Url("http://a.test/2")


async def test_a_page_that_ends_the_process_of_a_crawl_costs_one_restart_and_its_own_visit(
    tmp_path: Path,
) -> None:
    # Its page 19 ends the process by a signal, its page 39 with an exit.
    site = HarmfulSite(pages=40, hosts=2, is_costly=False)
    await site.start(0)
    store = str(tmp_path / "crawl.leadline")
    ends: list[int | None] = []
    said = b""
    try:
        while not ends or (ends[-1] != 0 and len(ends) < 5):
            command = ["-m", "tests.e2e.faulty_parser", site.url(0), str(site.port), store]
            child = await asyncio.create_subprocess_exec(
                sys.executable, *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE
            )
            said, _ = await child.communicate()
            ends.append(child.returncode)
    finally:
        await site.stop()
    assert ends[-1] == 0
    assert said.decode().strip() == "nothing left to follow"
    assert sorted(end for end in ends[:-1] if end is not None) in (
        [-signal.SIGKILL, 3],
        # Both were being read when the first of them ended the process.
        [-signal.SIGKILL],
        [3],
    )
    view = open_store_view(store)
    outcomes = sorted((visit.url, visit.outcome) for visit in view.reader.visits())
    named = {event.subject for event in view.reader.events() if event.kind == "reader-lost"}
    view.close()
    told = {True: "unreadable", False: "page"}
    assert outcomes == sorted((site.url(n), told[site.is_harmful(n)]) for n in range(40))
    assert named == {site.url(19), site.url(39)}
    assert "crawl.leadline.reading" not in os.listdir(tmp_path)  # noqa: PTH208 - ASYNC240


def test_a_journal_names_what_was_being_read_when_its_process_ended(tmp_path: Path) -> None:
    path = tmp_path / "crawl.leadline"
    with open_page_journal(path) as journal:
        assert journal is not None
        assert journal.left == ()
        journal.begin([A, B])
        # As the next process finds it.
        with open_page_journal(path) as later:
            assert later is not None
            assert later.left == (A, B)
        journal.begin([A])
        journal.end()
    path.with_name("crawl.leadline.reading").write_bytes(b'["http://a.te')
    with open_page_journal(path) as torn:
        assert torn is not None
        assert torn.left == ()


async def test_a_page_is_blamed_once_however_often_a_crawl_ends_before_it_reads(
    tmp_path: Path,
) -> None:
    path = tmp_path / "crawl.leadline"
    path.with_name("crawl.leadline.reading").write_text(f'["{A}"]\n', "ascii")
    settings = {"seeds": [A], "topic.name": "book", "store.path": str(path)}
    config, _ = load_config(settings=settings)
    async with open_crawl(config):
        left = path.with_name("crawl.leadline.reading").read_text("ascii").partition("\n")[0]
    assert left == ""
    view = open_store_view(str(path))
    kinds = [event.kind for event in view.reader.events()]
    view.close()
    assert kinds.count("reader-lost") == 1


async def test_a_page_read_alone_is_a_loss_and_of_several_none_is() -> None:
    store = MemoryStore()
    losses = ReaderLosses(store, DirectCalls(), lambda: 1.0)
    await losses.blame([A])
    await losses.blame([A, B])
    later = ReaderLosses(store, DirectCalls(), lambda: 2.0)
    assert await later.why_not(B) == ""
    assert later.is_suspect(B)
    await later.blame([A])
    assert await later.why_not(A) == "quarantined: 2 readers were lost over it"
    kinds = [event.kind for event in store.reader.events()]
    assert kinds == ["reader-lost", "process-lost", "reader-lost", "quarantined"]
