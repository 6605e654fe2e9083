"""What HTTP costs the lab's server per request, beside the same served by aiohttp.

    python bench/lab_server.py [--requests 20000] [--size 20000] [--profile demo]

Clients in a process of their own ask over keep-alive connections for a blank page, and for
pages of a world if one is named; the processor time of the server's process is divided by
their number.
"""

import argparse
import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from aiohttp import web

from leadline.core.http import Request
from leadline.core.url import Url
from leadline.errors import FetchError
from leadline.page import parse_page
from leadline_lab.profile import profile_named
from leadline_lab.reply import Reply
from leadline_lab.server.fetcher import LabFetcher
from leadline_lab.server.running import serving
from leadline_lab.server.transport import Answering
from leadline_lab.world import World

CONNECTIONS = 16
HEADERS = (
    "User-Agent: leadline/0.1.0 (+https://example.org/leadline-bot)\r\n"
    "Accept: text/html, application/xhtml+xml, */*;q=0.1\r\n"
    "Accept-Encoding: gzip, deflate, br, zstd\r\n\r\n"
)


class Blank:
    """A world of one page."""

    def __init__(self, size: int) -> None:
        self.reply = Reply(200, (("content-type", "text/html; charset=utf-8"),), b"x" * size)

    def answer(self, request: Request, now: float) -> Reply:  # noqa: ARG002 (the signature)
        return self.reply


@contextmanager
def aiohttp_serving(world: Answering) -> Iterator[int]:
    """The same world by aiohttp.web, in a thread."""
    import uvloop

    async def answer(request: web.BaseRequest) -> web.Response:
        url = Url(f"http://{request.host}{request.path_qs}")
        reply = world.answer(Request(url), time.time())
        return web.Response(status=reply.status, body=reply.body, headers=dict(reply.headers))

    async def start() -> web.ServerRunner:
        runner = web.ServerRunner(web.Server(answer))
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        return runner

    loop = uvloop.new_event_loop()
    runner = loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield runner.addresses[0][1]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(runner.cleanup())
        loop.close()


def invented(requests: int) -> list[str]:
    return [f"http://site{n % 97}.test/topic/page-{n}?id={n}" for n in range(requests)]


def reachable(world: Answering, seeds: list[Url], requests: int) -> list[str]:
    """URLs of a world, breadth first; without sites that are slow or fail on purpose."""
    found = dict.fromkeys(seeds)
    good: list[str] = []
    for url in seeds:
        reply = world.answer(Request(url), 0.0)
        if reply.status != 200 or reply.delay_s:
            continue
        good.append(url)
        page = parse_page(reply.body, url, reply.header("content-type"))
        new = [link.target for link in page.links if link.target not in found]
        found |= dict.fromkeys(new)
        seeds += dict.fromkeys(new)
        if len(good) >= requests:
            break
    return good


async def ask(port: int, urls: list[str]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for url in urls:
        host, slash, path = url.removeprefix("http://").partition("/")
        writer.write(f"GET {slash}{path} HTTP/1.1\r\nHost: {host}\r\n{HEADERS}".encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
    writer.close()


async def ask_all(port: int, urls: list[str]) -> None:
    await asyncio.gather(*(ask(port, urls[n::CONNECTIONS]) for n in range(CONNECTIONS)))


def cost_us(opening: AbstractContextManager[int], urls: list[str]) -> tuple[float, float]:
    """Microseconds of processor time and of wall time per request."""
    with opening as port:
        began, cpu = time.perf_counter(), time.process_time()
        command = [sys.executable, __file__, "--client", str(port)]
        subprocess.run(command, check=True, input="\n".join(urls), text=True)
        return (
            (time.process_time() - cpu) / len(urls) * 1e6,
            (time.perf_counter() - began) / len(urls) * 1e6,
        )


def fetch_cost_us(world: Answering, urls: list[str]) -> float:
    """Microseconds of processor time per fetch in this process, robots.txt included."""
    fetcher = LabFetcher(world)

    async def fetch_all() -> None:
        for url in urls:
            with suppress(FetchError):
                await fetcher.fetch(Request(Url(url)))

    cpu = time.process_time()
    asyncio.run(fetch_all())
    return (time.process_time() - cpu) / len(urls) * 1e6


def answer_cost_us(world: Answering, urls: list[str]) -> float:
    """Microseconds of processor time the world itself takes."""
    requests = [Request(Url(url)) for url in urls]
    cpu = time.process_time()
    for request in requests:
        world.answer(request, 0.0)
    return (time.process_time() - cpu) / len(urls) * 1e6


def compare(name: str, world: Answering, urls: list[str]) -> None:
    print(f"{name}: {len(urls)} requests, {answer_cost_us(world, urls):.0f} us to make an answer")
    servers: dict[str, Callable[[Answering], AbstractContextManager[int]]] = {
        "lab server": serving,
        "aiohttp.web": aiohttp_serving,
    }
    for server, opening in servers.items():
        cpu, wall = cost_us(opening(world), urls)
        print(f"  {server}: {cpu:.0f} us of processor time, {wall:.0f} us of wall time a request")
    print(f"  in process: {fetch_cost_us(world, urls):.0f} us a fetch")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--size", type=int, default=20_000, help="bytes of the blank page")
    parser.add_argument("--profile", default="", help="serve a world as well")
    parser.add_argument("--client", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.client:
        asyncio.run(ask_all(options.client, sys.stdin.read().split("\n")))
        return
    compare("blank", Blank(options.size), invented(options.requests))
    if options.profile:
        world = World(profile_named(options.profile), 1)
        urls = reachable(world, list(world.seeds("book", 10)), min(4_000, options.requests))
        compare(options.profile, world, urls)


if __name__ == "__main__":
    main()
