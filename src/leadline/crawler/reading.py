"""From a response to all that is known of its page, in this process or in others."""

import asyncio
import multiprocessing
import pickle
import signal
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import msgspec
import numpy as np
import xxhash

from leadline.core.crawl import FeatureRows, Judgement, LinkFeatures
from leadline.core.http import Response
from leadline.core.page import Page
from leadline.core.ports import Critic
from leadline.core.url import Url, UrlRules
from leadline.errors import UnreadablePageError
from leadline.learn.link_features import link_rows
from leadline.page.parse import PageLimits, parse_page
from leadline.page.words import PageWords

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

    def __init__(self, critic: Critic, rules: UrlRules, limits: PageLimits) -> None:
        self._critic = critic
        self._rules = rules
        self._limits = limits
        self._waiting: list[tuple[Response, asyncio.Future[PageReading]]] = []

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
        try:
            readings: list[PageReading | UnreadablePageError] = [*self.read_all(answers)]
        except Exception:  # noqa: BLE001 - of any page: which one it was, reading each alone tells
            readings = [self.read_alone(answer) for answer in answers]
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
            parse_page(body, url, kind, rules=self._rules, limits=self._limits)
            for body, url, kind in answers
        ]
        words = [PageWords(page) for page in pages]
        return [
            PageReading(page, self._critic.judge(page, of_page), hash_text(page), of_page)
            for page, of_page in zip(pages, words, strict=True)
        ]

    @property
    def critic(self) -> Critic:
        return self._critic

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


class ProcessReader:
    """Reads in `workers` processes; features are made there for all links."""

    def __init__(self, inline: InlineReader, spec: LinkFeatures | None, workers: int) -> None:
        self._make_pool = partial(
            ProcessPoolExecutor,
            workers,
            multiprocessing.get_context("spawn"),
            _start_worker,
            (inline, spec),
        )
        self._pool = self._make_pool()
        self._suspects = asyncio.Lock()
        self._decoder = msgspec.msgpack.Decoder(Packed)
        self._critic = inline.critic
        self._folder = TemporaryDirectory(prefix="leadline-")
        self._version = 0

    @property
    def critic(self) -> Critic:
        return self._critic

    def judge(self, page: Page, words: PageWords) -> Judgement:
        return self._critic.judge(page, words)

    def use_critic(self, critic: Critic) -> None:
        """Judge by this one from the next page on. Each process reads it once, from a file: with
        every page it would be megabytes."""
        self._critic = critic
        self._version += 1
        self._place().write_bytes(pickle.dumps(critic))

    def _place(self) -> Path:
        return Path(self._folder.name) / f"critic-{self._version}"

    async def read(self, response: Response) -> PageReading:
        pool = self._pool
        try:
            return await self._read(pool, response)
        except BrokenProcessPool:
            # One of the pages under way killed its process; each is read again with no other
            # suspect beside it, so that the one that kills again is known.
            async with self._suspects:
                self._replace(pool)
                pool = self._pool
                try:
                    return await self._read(pool, response)
                except BrokenProcessPool as error:
                    self._replace(pool)
                    raise UnreadablePageError(response.url, "its reader's process died") from error

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        """A pool that lost a process takes no more work."""
        if self._pool is broken:
            broken.shutdown(wait=False, cancel_futures=True)
            self._pool = self._make_pool()

    async def _read(self, pool: ProcessPoolExecutor, response: Response) -> PageReading:
        loop = asyncio.get_running_loop()
        packed = await loop.run_in_executor(
            pool,
            _work,
            (response.body, response.url, response.header("content-type")),
            str(self._place()) if self._version else "",
        )
        page, judgement, digest, rows = self._decoder.decode(packed)
        return PageReading(page, judgement, digest, rows=rows)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._folder.cleanup()


_inline: InlineReader
_spec: LinkFeatures | None
_critic_file = ""
_encode = msgspec.msgpack.Encoder().encode


def _start_worker(inline: InlineReader, spec: LinkFeatures | None) -> None:
    global _inline, _spec
    # Ctrl-C reaches the whole process group; only the crawl decides when its readers end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _inline, _spec = inline, spec


def _work(answer: Answer, critic_file: str) -> bytes:
    global _critic_file
    if critic_file != _critic_file:
        # Written by the crawl that started this process, in a folder of its own.
        _inline.use_critic(pickle.loads(Path(critic_file).read_bytes()))  # noqa: S301
        _critic_file = critic_file
    reading = _inline.read_alone(answer)
    if isinstance(reading, UnreadablePageError):
        raise reading
    rows = b""
    if _spec is not None and reading.words is not None:
        rows = link_rows(_spec, reading.words, reading.page.links).tobytes()
    return _encode((reading.page, reading.judgement, reading.digest, rows))
