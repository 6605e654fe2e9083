"""From a response to all that is known of its page, in this process or in others."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

import msgspec
import numpy as np
import xxhash

from leadline.core.crawl import FeatureRows, Judgement, LinkFeatures
from leadline.core.http import Response
from leadline.core.page import Page
from leadline.core.ports import Critic
from leadline.core.url import Site, Url, UrlRules, site_of
from leadline.crawler.page_journal import PageJournal
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.reader_processes import ReaderProcesses, ReadingLimits
from leadline.errors import UnreadablePageError
from leadline.learn.link_features import link_rows
from leadline.page.markup_guard import is_quick_to_parse
from leadline.page.parse import PageLimits, parse_page
from leadline.page.words import PageWords
from leadline.topics.critic import TopicCritic

_WEIGHED_PAGES, _WEIGH_EVERY = 4, 8
"""Pages of a site whose holdings are all weighed, and of the later ones every eighth: its forms are
judged by the mean, and weighing takes a fifteenth of a crawl. On 27 real sites (SWDE) the mean is
off by 0.06 log-odds on average after any page from the sixth on."""
_MOST_SITES = 50_000
"""Whose pages are counted for that."""
_SHORT_TEXT_CHARS = 200
"""Pages with less text than this are not compared: frames and redirect stubs look alike."""


class PageReading(msgspec.Struct, frozen=True):
    """A page, what the critic says of it, and the hash of its text (0: too short).

    Features are made from `words` where the page was read here; a page read in
    another process brings `rows` for all its links instead.
    """

    page: Page
    judgement: Judgement
    digest: int
    words: PageWords | None = None
    rows: bytes = b""

    def features(self, spec: LinkFeatures | None, positions: list[int]) -> FeatureRows:
        """Feature rows of the links at `positions`."""
        if spec is None:
            return np.zeros((len(positions), 0), np.int32)
        if self.words is None:
            return np.frombuffer(self.rows, np.int32).reshape(-1, spec.words)[positions]
        return link_rows(spec, self.words, [self.page.links[p] for p in positions])


Answer = tuple[bytes, Url, str]
"""Body, URL and content type."""

Packed = tuple[Page, Judgement, int, bytes]
"""A reading on its way between processes."""


class PageReader(Protocol):
    """Reads responses; `close` ends its processes."""

    async def read(self, response: Response) -> PageReading:
        """Raises UnreadablePageError, and nothing else, for a page that cannot be read."""
        ...

    def judge(self, page: Page, words: PageWords) -> Judgement:
        """What its critic says of a page that was read and changed since."""
        ...

    def close(self) -> None: ...


_TURNS = 4
"""An answer passes through a few turns of the event loop before it is whole."""


class InlineReader:
    """Reads in the crawl's own process.

    Responses that are there at the same time are read together, step by step:
    parsing ten pages and then numbering the words of ten keeps each step's
    code and tables in the processor's cache, which is worth a third of the time.
    """

    def __init__(
        self,
        critic: Critic,
        rules: UrlRules,
        limits: PageLimits,
        *,
        is_checked: bool = False,
        journal: PageJournal | None = None,
    ) -> None:
        """`is_checked`: it is given nothing to `read` but what is quick to parse. `journal`
        outlives this process, should a page end it."""
        self._is_checked = is_checked
        self._journal = journal
        self._critic = critic
        self._rules = rules
        self._limits = limits
        self._waiting: list[tuple[Response, asyncio.Future[PageReading]]] = []
        self._weighed: dict[Site, int] = {}
        """By site, pages with forms that may be searchable."""

    async def read(self, response: Response) -> PageReading:
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._read_after, _TURNS)
        answer: asyncio.Future[PageReading] = loop.create_future()
        self._waiting.append((response, answer))
        return await answer

    def _read_after(self, turns: int) -> None:
        """Let more answers come in for some turns of the event loop, then read them."""
        if turns:
            asyncio.get_running_loop().call_soon(self._read_after, turns - 1)
        else:
            self._read_waiting()

    def _read_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        answers = [(asked.body, asked.url, asked.header("content-type")) for asked, _ in waiting]
        if self._journal is not None:
            self._journal.begin([asked.url for asked, _ in waiting])
        try:
            readings: list[PageReading | UnreadablePageError] = [*self.read_all(answers)]
        except Exception:  # noqa: BLE001 - of any page: which one it was, reading each alone tells
            readings = [self.read_alone(answer) for answer in answers]
        if self._journal is not None:
            self._journal.end()
        for (_, future), reading in zip(waiting, readings, strict=True):
            if future.cancelled():
                continue
            if isinstance(reading, UnreadablePageError):
                future.set_exception(reading)
            else:
                future.set_result(reading)

    def read_alone(self, answer: Answer) -> PageReading | UnreadablePageError:
        """One answer as a page, judged, or why it cannot be read."""
        try:
            return self.read_all([answer])[0]
        except Exception as error:  # noqa: BLE001 - whatever a page does to the reader, it costs its visit
            return UnreadablePageError(answer[1], f"{type(error).__name__}: {error}"[:300])

    def read_all(self, answers: Sequence[Answer]) -> list[PageReading]:
        """Each answer as a page, judged."""
        pages = [
            parse_page(
                body, url, kind, rules=self._rules, limits=self._limits, is_checked=self._is_checked
            )
            for body, url, kind in answers
        ]
        words = [PageWords(page) for page in pages]
        critic = self._critic
        # Step by step too, as far as ours has steps.
        judgements = (
            self._judge_by_topic(critic, pages, words)
            if isinstance(critic, TopicCritic)
            else [critic.judge(page, of_page) for page, of_page in zip(pages, words, strict=True)]
        )
        digests = [hash_text(page) for page in pages]
        return [
            PageReading(*parts) for parts in zip(pages, judgements, digests, words, strict=True)
        ]

    def _judge_by_topic(
        self, critic: TopicCritic, pages: Sequence[Page], words: Sequence[PageWords]
    ) -> list[Judgement]:
        relevances = [critic.topic.relevance(of_page) for of_page in words]
        judgements = []
        for page, of_page, relevance in zip(pages, words, relevances, strict=True):
            site = site_of(page.url)
            before = self._weighed.get(site, 0)
            weighs = before < _WEIGHED_PAGES or before % _WEIGH_EVERY == 0
            judgement = critic.judge(page, of_page, relevance, weighs_records=weighs)
            if any(form.evidence is not None for form in judgement.forms):
                if len(self._weighed) >= _MOST_SITES:
                    self._weighed.clear()
                self._weighed[site] = before + 1
            judgements.append(judgement)
        return judgements

    @property
    def critic(self) -> Critic:
        return self._critic

    def make_work(self, spec: LinkFeatures | None) -> "PageWork":
        """The same for another process."""
        return PageWork(self._critic, self._rules, self._limits, spec)

    def judge(self, page: Page, words: PageWords) -> Judgement:
        return self._critic.judge(page, words)

    def use_critic(self, critic: Critic) -> None:
        """Judge by this one from the next page on."""
        self._critic = critic

    def close(self) -> None:
        """Nothing to end."""


def hash_text(page: Page) -> int:
    """A hash of the visible text, never 0; 0 when there is too little to tell pages apart."""
    text = "".join(page.leaves)
    if len(text) < _SHORT_TEXT_CHARS:
        return 0
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "replace")) >> 1 or 1


SAMPLE = (
    b"<!doctype html><html><head><title>Books</title></head><body><h1>All the books</h1>"
    + b"<p>Every book in the library can be found by its title, its author or its subject.</p>" * 9
    + b"<ul><li><a href=/books/1>The first</a></li><li><a href=/books/2>The second</a></li></ul>"
    b"<form action=/search><label>Title <input name=title></label><button>Search</button></form>"
    b"</body></html>"
)
"""A page of the usual parts: who has read one has loaded all models."""


class PageWork:
    """Reads a page in a process of its own; features are made there for all its links."""

    def __init__(
        self, critic: Critic, rules: UrlRules, limits: PageLimits, spec: LinkFeatures | None
    ) -> None:
        self._inline = InlineReader(critic, rules, limits)
        self._spec = spec

    def warm_up(self) -> None:
        # Whatever a critic makes of this page, it will make of others: their visits tell.
        self._inline.read_alone((SAMPLE, Url("http://sample.invalid/"), "text/html"))

    def __call__(self, job: bytes) -> bytes:
        (reading,) = self._inline.read_all([decode_answer(job)])
        rows = b""
        if self._spec is not None and reading.words is not None:
            rows = link_rows(self._spec, reading.words, reading.page.links).tobytes()
        return encode((reading.page, reading.judgement, reading.digest, rows))


encode = msgspec.msgpack.Encoder().encode
decode_answer = msgspec.msgpack.Decoder(Answer).decode
_decode_packed = msgspec.msgpack.Decoder(Packed).decode


class SupervisedReader:
    """Reads each page where it can do no harm.

    Pages whose cost is bounded by their size are read in the crawl's own process, if the critic is
    ours: nothing is known of what another one does. All others are read in processes that may die
    (`crawler/reader_processes.py`), and so are those over which a crawl's own process has ended
    (`crawler/page_journal.py`). Whatever a page does to its reader, it costs its visit and the
    crawl goes on; a page that readers were lost over twice is not read again.
    """

    def __init__(
        self,
        inline: InlineReader,
        spec: LinkFeatures | None,
        limits: ReadingLimits,
        losses: ReaderLosses,
        processes: int = 1,
    ) -> None:
        """With one process, what can be is read in this one."""
        self._inline = inline
        self._spec = spec
        self._losses = losses
        self._processes = ReaderProcesses(inline.make_work(spec), limits, processes)
        self._has_many = processes > 1
        self._is_critic_ours = is_ours(inline.critic)

    @property
    def critic(self) -> Critic:
        return self._inline.critic

    def judge(self, page: Page, words: PageWords) -> Judgement:
        return self._inline.judge(page, words)

    def use_critic(self, critic: Critic) -> None:
        """Judge by this one from the next page on."""
        self._inline.use_critic(critic)
        self._processes.use(self._inline.make_work(self._spec))

    async def read(self, response: Response) -> PageReading:
        if why := await self._losses.why_not(response.url):
            raise UnreadablePageError(response.url, why)
        if (
            self._is_critic_ours
            and not self._has_many
            and not self._losses.is_suspect(response.url)
            and is_quick_to_parse(response.body)
        ):
            return await self._inline.read(response)
        job = encode((response.body, response.url, response.header("content-type")))
        result = await self._processes.run(job)
        if result.is_lost:
            await self._losses.add(response.url, result.failure)
        if result.failure:
            raise UnreadablePageError(response.url, result.failure)
        page, judgement, digest, rows = _decode_packed(result.answer)
        return PageReading(page, judgement, digest, rows=rows)

    def close(self) -> None:
        self._processes.close()


def is_ours(critic: Critic) -> bool:
    """Whether a critic takes time linear in a page: ours do, of others nothing is known."""
    return type(critic) is TopicCritic
