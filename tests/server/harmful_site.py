"""Known pages of which every twentieth harms the process that reads it."""

import asyncio
from collections import Counter

from tests.server.wire import Ask, LoopbackServer, answer_bytes

EVERY = 20
HARMS = ("kill", "exit", "spin", "sleep", "bloat")
COSTLY = b"<ul>" + b"<li><p>word <a href=/x>link</a>" * 120_000
"""Markup that takes a large part of a second to read."""


class HarmfulSite(LoopbackServer):
    """Pages 0 to `pages` on `hosts` hosts; every twentieth is harmful and leads nowhere."""

    def __init__(self, pages: int, hosts: int, *, is_costly: bool) -> None:
        super().__init__()
        self.pages, self.hosts, self.is_costly = pages, hosts, is_costly
        self.harmless = [n for n in range(pages) if not self.is_harmful(n)]
        self.asked: Counter[str] = Counter()

    def is_harmful(self, n: int) -> bool:
        return n % EVERY == EVERY - 1

    def url(self, n: int) -> str:
        return f"http://site{n % self.hosts}.test/page/{n}"

    async def answer(self, ask: Ask, writer: asyncio.StreamWriter) -> bool:
        if ask.path == "/robots.txt":
            writer.write(answer_bytes("", kind="text/plain"))
        else:
            self.asked[f"http://{ask.host}{ask.path}"] += 1
            writer.write(self.page(int(ask.path.removeprefix("/page/"))))
        await writer.drain()
        return True

    def page(self, n: int) -> bytes:
        if self.is_harmful(n):
            harm = HARMS[n // EVERY % len(HARMS)]
            head = f"<title>harm {harm}</title><p>page {n} of {self.pages}</p>".encode()
            return answer_bytes((head + COSTLY if self.is_costly else head).decode())
        # A tree of the harmless pages; each has the harmful one before it, if there is one.
        place = self.harmless.index(n)
        near = self.harmless[2 * place + 1 : 2 * place + 3]
        near += [n + 1] if n + 1 < self.pages and self.is_harmful(n + 1) else []
        links = "".join(f'<li><a href="{self.url(m)}">page {m}</a></li>' for m in near)
        words = " ".join(f"word{n * k % 997}" for k in range(60))
        return answer_bytes(f"<title>Page {n}</title><p>{words}</p><ul>{links}</ul>")
