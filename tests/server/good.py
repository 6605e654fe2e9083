"""A well-behaved small web with known pages, links and forms, which logs every request.

Run alone: python -m tests.server.good --port 0 --pages 200 --hosts 5 --log FILE --lifetime-s 60
"""

import argparse
import asyncio
import itertools
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.server.wire import Ask, LoopbackServer, answer_bytes

ROBOTS = "User-agent: *\nDisallow: /private/\n"
WORDS = ("book", "novel", "author", "library", "title", "shelf", "reader", "press")


@dataclass(frozen=True, slots=True)
class Entry:
    """One request; times are of the monotonic clock, which all processes share."""

    host: str
    method: str
    path: str
    start: float
    end: float
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Town:
    """The pages: page n stands on host n mod hosts and links to the pages of its tree and ring."""

    pages: int = 200
    hosts: int = 5

    def host(self, n: int) -> str:
        return f"site{n % self.hosts}.test"

    def url(self, n: int) -> str:
        path = "/" if n < self.hosts else f"/page/{n}"
        return f"http://{self.host(n)}{path}"

    def links(self, n: int) -> list[str]:
        """All pages can be reached from page 0."""
        near = [2 * n + 1, 2 * n + 2, (7 * n + 3) % self.pages]
        return [self.url(m) for m in near if m < self.pages and m != n]

    def has_search_form(self, n: int) -> bool:
        return n % 5 == 4

    def has_login_form(self, n: int) -> bool:
        return n % 7 == 6

    def html(self, n: int) -> str:
        words = " ".join(WORDS[(n * 31 + i * i) % len(WORDS)] for i in range(40))
        links = "".join(f'<li><a href="{url}">page at {url}</a></li>' for url in self.links(n))
        private = '<a href="/private/secret">do not follow</a>' if n % 10 == 0 else ""
        forms = (SEARCH_FORM if self.has_search_form(n) else "") + (
            LOGIN_FORM if self.has_login_form(n) else ""
        )
        return (
            f"<!doctype html><html lang=en><head><title>Page {n}</title></head><body>"
            f"<h1>Page {n}</h1><p>{words}</p><ul>{links}</ul>{private}{forms}</body></html>"
        )


SEARCH_FORM = (
    '<form action="/search" method="get"><label for=q>Search the catalogue</label>'
    '<input type=text name=q id=q><input type=submit value="Search"></form>'
)
LOGIN_FORM = (
    '<form action="/login" method="post"><input name=user><input type=password name=password>'
    '<input type=submit value="Log in"></form>'
)


class GoodSite(LoopbackServer):
    """Serves a Town for any Host header. `log` and the log file hold each request, in order."""

    def __init__(
        self,
        pages: int = 200,
        hosts: int = 5,
        *,
        robots: str = ROBOTS,
        log_file: Path | None = None,
        latency_s: float = 0.0,
        hold_file: Path | None = None,
    ) -> None:
        super().__init__()
        self.town = Town(pages, hosts)
        self.robots = robots
        self.log: list[Entry] = []
        self._latency_s = latency_s
        self._hold_file = hold_file
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._log_fd = os.open(log_file, flags, 0o644) if log_file else None

    async def stop(self) -> None:
        await super().stop()
        if self._log_fd is not None:
            os.close(self._log_fd)
            self._log_fd = None

    async def answer(self, ask: Ask, writer: asyncio.StreamWriter) -> bool:
        start = time.monotonic()
        if self._latency_s:
            await asyncio.sleep(self._latency_s)
        while self._hold_file is not None and self._hold_file.exists():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        reply = self.page(ask)
        # Noted before the last byte leaves: the client cannot come back earlier than that.
        self._note(Entry(ask.host, ask.method, ask.target, start, time.monotonic(), _agent(ask)))
        writer.write(reply)
        await writer.drain()
        return True

    def page(self, ask: Ask) -> bytes:
        """The whole answer, a function of the request alone."""
        if ask.path == "/robots.txt":
            return answer_bytes(self.robots, kind="text/plain")
        if ask.path == "/search":
            return answer_bytes(f"<title>Results</title><p>no results for {ask.target}</p>")
        n = self._number(ask)
        if n is None:
            return answer_bytes("<title>Not found</title>", status="404 Not Found")
        return answer_bytes(self.town.html(n))

    def _number(self, ask: Ask) -> int | None:
        if ask.path == "/":
            name = ask.host.partition(".")[0].removeprefix("site")
            return int(name) if name.isdecimal() and int(name) < self.town.pages else 0
        text = ask.path.removeprefix("/page/")
        if not text.isdecimal() or int(text) >= self.town.pages:
            return None
        return int(text)

    def _note(self, entry: Entry) -> None:
        self.log.append(entry)
        if self._log_fd is not None:
            os.write(self._log_fd, json.dumps(asdict(entry)).encode() + b"\n")


def _agent(ask: Ask) -> str:
    return ask.headers.get("user-agent", "")


def read_log(path: Path) -> list[Entry]:
    """The entries another process wrote; a line still being written is left out."""
    lines = path.read_bytes().split(b"\n")[:-1]
    return [Entry(**json.loads(line)) for line in lines]


def gaps(log: list[Entry]) -> dict[str, list[float]]:
    """Per host, the seconds from each answer to the next request; negative when they overlap."""
    by_host: dict[str, list[Entry]] = {}
    for entry in sorted(log, key=lambda entry: entry.start):
        by_host.setdefault(entry.host, []).append(entry)
    return {
        host: [later.start - earlier.end for earlier, later in itertools.pairwise(entries)]
        for host, entries in by_host.items()
    }


async def _serve(options: argparse.Namespace) -> None:
    site = GoodSite(
        options.pages,
        options.hosts,
        robots=ROBOTS + options.robots_extra.replace("\\n", "\n"),
        log_file=options.log,
        latency_s=options.latency_s,
        hold_file=options.hold,
    )
    await site.start(options.port)
    print(site.port, flush=True)  # noqa: T201 (the caller reads it)
    try:
        await asyncio.sleep(options.lifetime_s)
    finally:
        await site.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--hosts", type=int, default=5)
    parser.add_argument("--log", "--delay-log", type=Path, default=None)
    parser.add_argument("--latency-s", type=float, default=0.0)
    parser.add_argument("--lifetime-s", type=float, default=60.0)
    parser.add_argument("--hold", type=Path, default=None, help="answer nothing while it exists")
    parser.add_argument("--robots-extra", default="", help="further robots.txt lines")
    asyncio.run(_serve(parser.parse_args()))


if __name__ == "__main__":
    main()
