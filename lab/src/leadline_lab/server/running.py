"""Runs the lab's server: in a thread, in processes of its own, or as a command."""

import asyncio
import multiprocessing
import resource
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

import uvloop

from leadline.errors import ConfigError, LeadlineError
from leadline_lab.server.server import Limits, Server, listen
from leadline_lab.server.transport import Answering

LOOPBACK = "127.0.0.1"
_PATIENCE_S = 10.0
"""For a server that was told to end."""
_FILES = 65_536
_SPAWN = multiprocessing.get_context("spawn")

OpenWorld = Callable[[], Answering]
"""Opens a world in the process that serves it; goes there by pickle."""


@contextmanager
def serving(
    world: Answering,
    port: int = 0,
    *,
    host: str = LOOPBACK,
    limits: Limits | None = None,
    now: Callable[[], float] = time.time,
) -> Iterator[int]:
    """Serve a world from a thread of this process; the port. `now` is what the world is told."""
    with listen(host, port) as listener:
        number: int = listener.getsockname()[1]
        end: Future[Callable[[], object]] = Future()
        making = partial(Server, world, limits, now)
        thread = threading.Thread(
            target=_serve_here, args=(making, listener, end), name="lab server", daemon=True
        )
        thread.start()
        stop = end.result()
        try:
            yield number
        finally:
            stop()
            thread.join()


def _serve_here(
    making: Callable[[], Server], listener: socket.socket, end: "Future[Callable[[], object]]"
) -> None:
    async def serve() -> None:
        ended = asyncio.Event()
        server = making()
        await server.start(listener)
        end.set_result(partial(asyncio.get_running_loop().call_soon_threadsafe, ended.set))
        await ended.wait()
        await server.stop()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            runner.run(serve())
        except OSError as error:
            end.set_exception(error)


@contextmanager
def serving_apart(
    open_world: OpenWorld, port: int = 0, *, host: str = LOOPBACK, jobs: int = 1
) -> Iterator[int]:
    """Serve a world from processes of their own, which end with this one; the port.

    Raises OSError when the address cannot be had, LeadlineError when a world cannot be opened.
    """
    with ExitStack() as stack:
        listeners = _listeners(stack, host, port, jobs)
        number: int = listeners[0].getsockname()[1]
        for listener in listeners:
            stack.enter_context(_worker(open_world, listener))
        # Their copies serve; one left here would take connections that nobody answers.
        for listener in listeners:
            listener.close()
        yield number


def serve_forever(
    open_world: OpenWorld,
    host: str = LOOPBACK,
    port: int = 0,
    jobs: int = 1,
    on_start: Callable[[str], None] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM, from this process and `jobs` - 1 more.

    `on_start` is told the address. Raises ConfigError when it cannot be had, and
    LeadlineError when one of the other processes dies.
    """
    with ExitStack() as stack:
        try:
            listeners = _listeners(stack, host, port, jobs)
        except OSError as error:
            raise ConfigError(
                f"cannot serve on {host} port {port}: {error.strerror or error}; choose another"
            ) from error
        workers = [stack.enter_context(_worker(open_world, listener)) for listener in listeners[1:]]
        for listener in listeners[1:]:
            listener.close()
        address = "{}:{}".format(*listeners[0].getsockname()[:2])
        _raise_file_limit()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_serve(open_world(), listeners[0], workers, address, on_start))
        if any(not worker.is_alive() for worker in workers):
            raise LeadlineError("a process of the lab's server died")


def _listeners(stack: ExitStack, host: str, port: int, jobs: int) -> list[socket.socket]:
    shared = jobs > 1
    first = stack.enter_context(listen(host, port, shared=shared))
    number = first.getsockname()[1]
    others = [stack.enter_context(listen(host, number, shared=shared)) for _ in range(jobs - 1)]
    return [first, *others]


async def _serve(
    world: Answering,
    listener: socket.socket,
    workers: list[SpawnProcess],
    address: str,
    on_start: Callable[[str], None] | None,
) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    for worker in workers:
        loop.add_reader(worker.sentinel, ended.set)
    server = Server(world)
    await server.start(listener)
    if on_start is not None:
        on_start(address)
    await ended.wait()
    await server.stop()


@contextmanager
def _worker(open_world: OpenWorld, listener: socket.socket) -> Iterator[SpawnProcess]:
    """A process that serves on a copy of the listener until this block ends."""
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(
        target=_work, args=(open_world, listener, theirs), name="lab server", daemon=True
    )
    with ours:
        with theirs:
            process.start()
        try:
            _await_start(ours)
            yield process
        finally:
            # The end of the pipe tells the process to end, however this one ends.
            ours.close()
            process.join(_PATIENCE_S)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()


def _await_start(link: Connection) -> None:
    try:
        link.recv()
    except EOFError:
        raise LeadlineError(
            "a process of the lab's server ended before it could serve; its own message says why"
        ) from None


def _work(open_world: OpenWorld, listener: socket.socket, link: Connection) -> None:
    # Ctrl-C reaches all processes of a terminal; the first one ends the others in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _raise_file_limit()
    world = open_world()
    with listener, link, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve_linked(world, listener, link))


async def _serve_linked(world: Answering, listener: socket.socket, link: Connection) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    loop.add_reader(link.fileno(), ended.set)
    server = Server(world)
    await server.start(listener)
    link.send("serving")
    await ended.wait()
    loop.remove_reader(link.fileno())
    await server.stop()


def _raise_file_limit() -> None:
    """A crawler keeps a connection per site."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
