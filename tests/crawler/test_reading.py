"""Whatever a page does to the process that reads it, it costs one page."""

import asyncio
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from leadline.core.http import Request, Response
from leadline.core.ports import Critic
from leadline.core.store import Store
from leadline.core.url import DEFAULT_RULES, Site, Url
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.reader_processes import ReaderProcesses, ReadingLimits
from leadline.crawler.reading import InlineReader, SupervisedReader
from leadline.crawler.store_calls import DirectCalls
from leadline.crawler.trials import TrialFetcher
from leadline.errors import UnreadablePageError
from leadline.page.markup_guard import is_quick_to_parse
from leadline.page.parse import DEFAULT_LIMITS
from leadline.store import open_store
from leadline.store.memory import MemoryStore
from leadline.topics import TopicCritic, open_topic
from tests.crawler.harmful import HARMS, HarmfulCritic, SleepWork

TIGHT = ReadingLimits(seconds=0.5, memory_mb=100, wall_factor=240.0)
"""By the clock two minutes: a busy machine ends nobody who only computes."""
HASTY = ReadingLimits(seconds=10.0, memory_mb=100, wall_factor=0.25)
"""Only for who waits: by the clock 2.5 s."""
REASONS = {
    "kill": "ended by signal 9",
    "abort": "ended by signal 11",
    "exit": "ended with status 3",
    "leave": "ended with status 1",
    "spin": "more than 0.5 s of processor time",
    "sleep": "waited for more than 2.5 s",
    "bloat": "more than 100 MB",
    "raise": "ValueError: a page that its reader cannot take",
}
HTML = (("content-type", "text/html; charset=utf-8"),)
COSTLY = b"<title>costly</title>" + b"<p>word <a href=/x>link</a>" * 20_000


def respond(name: str, title: str = "harmless") -> Response:
    body = f"<title>{title}</title><p>some words</p>".encode()
    return Response(Url(f"http://a.test/{name}"), 200, HTML, body, 0.0)


def costly(name: str = "costly") -> Response:
    return Response(Url(f"http://a.test/{name}"), 200, HTML, COSTLY, 0.0)


@contextmanager
def reading(
    critic: Critic, store: Store | None = None, limits: ReadingLimits = TIGHT, processes: int = 1
) -> Iterator[SupervisedReader]:
    losses = ReaderLosses(store or MemoryStore(), DirectCalls(), time.time)
    inline = InlineReader(critic, DEFAULT_RULES, DEFAULT_LIMITS)
    reader = SupervisedReader(inline, None, limits, losses, processes)
    try:
        yield reader
    finally:
        reader.close()


def find_children(process_id: int) -> set[int]:
    """Ids of the processes that a process has started."""
    found = Path(f"/proc/{process_id}/task").glob("*/children")
    return {int(number) for task in found for number in task.read_text().split()}


async def why_unread(reader: SupervisedReader, response: Response) -> str:
    with pytest.raises(UnreadablePageError) as caught:
        await reader.read(response)
    assert caught.value.url == response.url
    return caught.value.reason


async def test_whatever_a_page_does_to_its_reader_the_next_one_is_read() -> None:
    with reading(HarmfulCritic()) as reader:
        for harm in HARMS:
            if harm == "sleep":
                continue
            why = await why_unread(reader, respond(harm, f"harm {harm}"))
            assert re.search(REASONS[harm], why)
            assert (await reader.read(respond("fine"))).page.title == "harmless"


async def test_a_page_that_waits_for_ever_costs_its_own_visit() -> None:
    with reading(HarmfulCritic(), limits=HASTY) as reader:
        why = await why_unread(reader, respond("sleep", "harm sleep"))
        assert re.search(REASONS["sleep"], why)
        assert (await reader.read(respond("fine"))).page.title == "harmless"


async def test_pages_beside_one_that_ends_its_process_are_read() -> None:
    async def read(number: int) -> str:
        title = "harm kill" if number % 5 == 0 else f"page {number}"
        try:
            return (await reader.read(respond(str(number), title))).page.title
        except UnreadablePageError:
            return "lost"

    with reading(HarmfulCritic(), processes=2) as reader:
        titles = await asyncio.gather(*map(read, range(20)))
    assert titles == ["lost" if n % 5 == 0 else f"page {n}" for n in range(20)]


async def test_a_page_that_two_readers_were_lost_over_is_quarantined_for_all_runs(
    tmp_path: Path,
) -> None:
    path, deadly = str(tmp_path / "crawl.leadline"), respond("deadly", "harm exit")
    events: list[tuple[str, str]] = []
    for why in ("status 3", "status 3", "quarantined: 2 readers were lost over it"):
        store = open_store(path)
        with reading(HarmfulCritic(), store) as reader:
            assert why in await why_unread(reader, deadly)
            assert "ValueError" in await why_unread(reader, respond("odd", "harm raise"))
        events = [(event.kind, event.subject) for event in store.reader.events()]
        store.close()
    lost = ("reader-lost", deadly.url)
    assert events == [lost, lost, ("quarantined", deadly.url)]


async def test_pages_of_bounded_cost_are_read_here_and_others_elsewhere() -> None:
    assert not is_quick_to_parse(COSTLY)
    with reading(TopicCritic(open_topic("book", ()))) as reader:
        # Only a page that was read here still has its words.
        assert (await reader.read(respond("fine"))).words is not None
        assert (await reader.read(costly())).words is None


async def test_the_critic_of_somebody_else_judges_in_a_process_that_may_die() -> None:
    with reading(HarmfulCritic()) as reader:
        assert (await reader.read(respond("fine"))).words is None


async def test_a_corrected_critic_needs_no_folder_for_temporary_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TMPDIR", "/nowhere")
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    with reading(TopicCritic(open_topic("book", ())), processes=2) as reader:
        await reader.read(respond("fine"))
        reader.use_critic(HarmfulCritic())
        assert "ValueError" in await why_unread(reader, respond("odd", "harm raise"))


async def test_a_process_that_cannot_be_started_costs_one_page_and_no_quarantine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    with reading(HarmfulCritic(), store) as reader:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", "/nowhere/python")
            assert "no process to read it in" in await why_unread(reader, respond("fine"))
        await reader.read(respond("fine"))
    assert not list(store.reader.events())


class UnreadableCritic(HarmfulCritic):
    """Cannot be loaded in another process."""

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return int, ("no number",)


async def test_a_critic_that_cannot_be_loaded_is_named_in_the_reason() -> None:
    with reading(UnreadableCritic()) as reader:
        assert "ValueError: invalid literal" in await why_unread(reader, respond("fine"))


async def test_cancelling_ends_the_process_that_is_under_way(tmp_path: Path) -> None:
    place = tmp_path / "pipe"
    os.mkfifo(place)
    processes = ReaderProcesses(SleepWork(place), ReadingLimits(seconds=600.0))
    job = asyncio.create_task(processes.run(b""))
    with await asyncio.to_thread(place.open) as told:
        assert await asyncio.to_thread(told.readline) == "begun\n"
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)
        # Nothing more comes when the process is over, and not before.
        assert await asyncio.to_thread(told.read) == ""
    processes.close()


async def test_a_process_that_ended_while_it_had_nothing_to_do_costs_no_page() -> None:
    others = find_children(os.getpid())
    with reading(HarmfulCritic()) as reader:
        await reader.read(respond("fine"))
        (keeper,) = find_children(os.getpid()) - others
        (fork,) = find_children(keeper)
        os.kill(fork, signal.SIGKILL)
        # The keeper ends after its fork, and stays a child of ours until the reader looks.
        await asyncio.to_thread(os.waitid, os.P_PID, keeper, os.WEXITED | os.WNOWAIT)
        await reader.read(respond("fine"))
        assert keeper not in find_children(os.getpid())


async def test_closing_ends_the_process_that_is_under_way(tmp_path: Path) -> None:
    place = tmp_path / "pipe"
    os.mkfifo(place)
    processes = ReaderProcesses(SleepWork(place), ReadingLimits(seconds=600.0))
    job = asyncio.create_task(processes.run(b""))
    with await asyncio.to_thread(place.open) as told:
        assert await asyncio.to_thread(told.readline) == "begun\n"
        processes.close()
        assert (await job).is_lost
        assert await asyncio.to_thread(told.read) == ""


class Web:
    """One costly answer."""

    def __init__(self) -> None:
        self.is_closed = False

    async def fetch(self, request: Request) -> Response:
        return costly(request.url.rpartition("/")[2])

    def ready_at(self, _site: Site) -> float:
        return 0.0

    def delay_of(self, _site: Site) -> float:
        return 0.0

    async def close(self) -> None:
        self.is_closed = True


async def test_answers_of_harvests_that_take_too_long_are_refused_before_they_are_read() -> None:
    store, request = MemoryStore(), Request(Url("http://a.test/costly"))
    losses = ReaderLosses(store, DirectCalls(), time.time)
    web = Web()
    for seconds, why in ((0.01, "more than 0.0"), (0.01, "more than 0.0"), (9.0, "quarantined")):
        fetcher = TrialFetcher(web, ReadingLimits(seconds), losses)
        with pytest.raises(UnreadablePageError, match=why) as caught:
            await fetcher.fetch(request)
        assert caught.value.requests == 1
        await fetcher.close()
    assert web.is_closed
    assert [event.kind for event in store.reader.events()][-1] == "quarantined"


async def test_costly_answers_of_harvests_that_can_be_read_are_handed_on() -> None:
    fetcher = TrialFetcher(Web(), ReadingLimits(), None)
    assert (await fetcher.fetch(Request(Url("http://a.test/x")))).body == COSTLY
    await fetcher.close()


def test_of_a_site_that_is_known_every_eighth_page_is_weighed_for_what_it_holds() -> None:
    reader = InlineReader(TopicCritic(open_topic("book")), DEFAULT_RULES, DEFAULT_LIMITS)
    search = b"<title>t</title><form action=/s><input name=q><button>Search</button></form>"
    answers = [(search, Url(f"http://a.test/{n}"), "text/html") for n in range(17)]
    is_weighed = [reading.judgement.records is not None for reading in reader.read_all(answers)]
    assert is_weighed == [n < 4 or n % 8 == 0 for n in range(17)]
    other = (search, Url("http://b.test/"), "text/html")
    assert reader.read_all([other])[0].judgement.records is not None
