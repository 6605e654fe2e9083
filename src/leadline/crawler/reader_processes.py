"""Processes that read under a limit of time and memory, and that may die of what they read.

One piece of work is under way per process, so that a death tells which one it was. The limits are
the kernel's: C code that never returns to Python is ended as well. `crawler/reading.py` reads pages
this way, `crawler/trials.py` tries out the answers of harvests.

What is started is a keeper, which loads the models once and works in a fork of itself. When the
fork is over, the next one takes milliseconds, where loading takes a second or more: a site that
ends one reader after the other slows a crawl down no further than its own pages.
"""

import asyncio
import gc
import mmap
import os
import pickle
import resource
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import NoReturn, Protocol

from msgspec import Struct


class Work(Protocol):
    """What a process does with its jobs. Picklable; what it raises costs one job only."""

    def warm_up(self) -> None:
        """Load what is loaded at first use: no page should have to pay for it with its limits."""
        ...

    def __call__(self, job: bytes, /) -> bytes: ...


_GRACE_S = 1.0
"""After which this process ends one that its own timer should have ended."""
START_S = 60.0
"""For importing and loading models, on a busy machine."""
_REASON_CHARS = 300

# The first byte of an answer.
_DONE, _FAILED, _EXHAUSTED, _LOST = b"+", b"-", b"!", b"x"
_SPENT = 75
"""The status of a fork that ends because its memory was used up."""


class ReadingLimits(Struct, frozen=True):
    """What one page may cost its process."""

    seconds: float = 10.0
    """Of processor time."""
    memory_mb: int = 512
    """Beyond what the process has with its models loaded. Linux only."""
    wall_factor: float = 5.0
    """The limit by the clock, in limits of processor time: other programs want their share, and
    who waits without computing is ended as well."""

    @property
    def wall_s(self) -> float:
        return self.seconds * self.wall_factor


class WorkResult(Struct, frozen=True):
    """What came of a job: an answer, or why there is none."""

    answer: bytes = b""
    failure: str = ""
    is_lost: bool = False
    """Whether the process did not survive it, or would have outgrown its limits."""


class ReaderProcesses:
    """Up to `size` processes, each started when it is needed.

    States of a process: at rest, at work, over. One that dies, overruns its time or its memory is
    replaced before the next job. `run` raises nothing for whatever a job does.
    """

    def __init__(self, work: Work, limits: ReadingLimits, size: int = 1) -> None:
        self._work = work
        self._packed = b""
        self._version = 0
        self._limits = limits
        self._places = asyncio.Semaphore(size)
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="leadline-reader")
        self._at_rest: list[_ReaderProcess] = []
        self._all: set[_ReaderProcess] = set()

    def use(self, work: Work) -> None:
        """Do this from the next job on."""
        self._work, self._packed = work, b""
        self._version += 1

    async def run(self, job: bytes) -> WorkResult:
        async with self._places:
            process: _ReaderProcess | None = None
            try:
                process = await self._prepare()
                return await self._finish(process, job)
            except (OSError, EOFError) as error:
                # No memory for one more, or it died before it was ready: not the job's doing.
                return WorkResult(failure=f"no process to read it in: {str(error) or 'it ended'}")
            finally:
                if process is not None and process not in self._at_rest:
                    self._end(process)

    async def _prepare(self) -> "_ReaderProcess":
        """A process that has loaded the work. Raises OSError or EOFError."""
        while self._at_rest:
            process = self._at_rest.pop()
            if process.version == self._version and not process.is_over():
                return process
            self._end(process)
        if not self._packed:
            self._packed = pickle.dumps(self._work)
        process = _ReaderProcess(self._limits, self._version)
        self._all.add(process)
        answer = b""
        try:
            answer = await self._ask(process, self._packed, START_S)
        finally:
            if answer[:1] != _DONE:
                self._end(process)
        if answer[:1] == _DONE:
            return process
        raise OSError(answer[1:].decode("utf-8", "replace"))

    async def _finish(self, process: "_ReaderProcess", job: bytes) -> WorkResult:
        wall_s = self._limits.wall_s
        try:
            answer = await self._ask(process, job, wall_s + _GRACE_S)
        except (OSError, EOFError):
            # The keeper is over as well, ended by this process or by another.
            failure = f"its reader's process was ended from outside, or after {wall_s:g} s"
            return WorkResult(failure=failure, is_lost=True)
        self._at_rest.append(process)
        kind, rest = answer[:1], answer[1:]
        if kind == _DONE:
            return WorkResult(rest)
        if kind == _FAILED:
            return WorkResult(failure=rest.decode("utf-8", "replace"))
        if kind == _LOST:
            return WorkResult(failure=_explain_end(int(rest), self._limits), is_lost=True)
        failure = f"it takes more than {self._limits.memory_mb} MB to read"
        return WorkResult(failure=failure, is_lost=True)

    async def _ask(self, process: "_ReaderProcess", message: bytes, limit_s: float) -> bytes:
        """The answer to a message. Raises OSError or EOFError when the process is over before."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(limit_s, process.kill)
        try:
            return await loop.run_in_executor(self._threads, process.ask, message)
        except asyncio.CancelledError:
            # The thread waits for an answer until the process is over.
            process.kill()
            raise
        finally:
            timer.cancel()

    def _end(self, process: "_ReaderProcess") -> None:
        self._all.discard(process)
        process.kill()
        process.wait()

    def close(self) -> None:
        """End all processes, at work or not."""
        for process in self._all:
            process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for process in self._all:
            process.wait()
        self._all.clear()
        self._at_rest.clear()


def _explain_end(status: int, limits: ReadingLimits) -> str:
    if -status == signal.SIGPROF:
        return f"it takes more than {limits.seconds:g} s of processor time to read"
    if -status == signal.SIGALRM:
        return f"its reader waited for more than {limits.wall_s:g} s"
    how = f"by signal {-status}" if status < 0 else f"with status {status}"
    return f"its reader's process ended {how}"


class _ReaderProcess:
    """A keeper with its fork, and the channel to them. Only `ask` blocks its thread."""

    def __init__(self, limits: ReadingLimits, version: int) -> None:
        self.version = version
        """Of the work that it does."""
        self._channel, theirs = Pipe()
        # A process of `multiprocessing` would import the program's main module again, and run
        # whatever stands there unguarded: nobody who starts a crawl expects that.
        code = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from {__name__} import serve; serve({theirs.fileno()}, {limits.seconds!r}, "
            f"{limits.memory_mb!r}, {limits.wall_factor!r})"
        )
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own code and numbers
                [sys.executable, "-c", code],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                # A group of its own: it is ended as a whole, and Ctrl-C does not reach it. Only
                # the crawl decides when its readers end.
                start_new_session=True,
                # Threads of linear algebra reserve memory by the hundred megabytes.
                env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            )
        except BaseException:
            self._channel.close()
            raise
        finally:
            theirs.close()

    def ask(self, message: bytes) -> bytes:
        self._channel.send_bytes(message)
        return self._channel.recv_bytes()

    def is_over(self) -> bool:
        """Of a process at rest, which has nothing to say but that its channel is closed."""
        return self._channel.poll()

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def wait(self) -> None:
        """After `kill`, it is over at once."""
        self._channel.close()
        self._process.wait()


# In the process


def serve(channel_fd: int, seconds: float, memory_mb: int, wall_factor: float) -> None:
    """The whole life of a keeper, which ends with its channel."""
    with suppress(EOFError, OSError):
        _keep_forks(Connection(channel_fd), ReadingLimits(seconds, memory_mb, wall_factor))


def _keep_forks(channel: Connection, limits: ReadingLimits) -> None:
    """Load the work and see to it that there is a fork doing it."""
    signal.setitimer(signal.ITIMER_REAL, START_S)
    work, reply = _load(channel.recv_bytes())
    channel.send_bytes(reply)
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    if work is None:
        return
    # Nothing of what is there is garbage; collecting would only copy memory that forks share.
    gc.freeze()
    # Shared with the forks. One that dies at work has read its job whole and sent nothing, so the
    # channel can be used; at any other moment it may hold half a message.
    at_work = mmap.mmap(-1, 1)
    while True:
        fork = os.fork()
        if fork == 0:
            _work_and_exit(channel, work, at_work, limits)
        status = os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1])
        if at_work[0]:
            at_work[0] = 0
            channel.send_bytes(_LOST + b"%d" % status)
        elif status != _SPENT:
            return


def _work_and_exit(
    channel: Connection, work: Work, at_work: mmap.mmap, limits: ReadingLimits
) -> NoReturn:
    """Do one job after the other until the channel is closed: the whole life of a fork."""
    status = 1
    try:
        _limit_memory(limits.memory_mb)
        reply = b""
        while reply[:1] != _EXHAUSTED:
            job = channel.recv_bytes()
            at_work[0] = 1
            _set_timers(limits.seconds, limits.wall_s)
            reply = _do(work, job)
            _set_timers(0.0, 0.0)
            at_work[0] = 0
            channel.send_bytes(reply)
        status = _SPENT
    except (EOFError, OSError):
        status = 0
    finally:
        # Whatever was raised, by an exit that a critic asked for too: what follows is the keeper's.
        os._exit(status)


def _load(packed: bytes) -> tuple[Work | None, bytes]:
    try:
        # Written by the process that started this one.
        work: Work = pickle.loads(packed)  # noqa: S301
        work.warm_up()
    except Exception as error:  # noqa: BLE001 - whatever it is, the crawl has to hear of it
        return None, _FAILED + _describe(error)
    return work, _DONE


def _do(work: Work, job: bytes) -> bytes:
    try:
        return _DONE + work(job)
    except MemoryError:
        return _EXHAUSTED
    except Exception as error:  # noqa: BLE001 - whatever a page does to its reader, it costs its visit
        return _FAILED + _describe(error)


def _describe(error: Exception) -> bytes:
    return f"{type(error).__name__}: {error}"[:_REASON_CHARS].encode("utf-8", "replace")


def _set_timers(seconds: float, wall_s: float) -> None:
    """Have the kernel end this process after `seconds` of work, or `wall_s` in all."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, wall_s)


def _limit_memory(memory_mb: int) -> None:
    """RLIMIT_DATA counts what was written to or may be, unlike RLIMIT_AS, which also counts
    libraries and files that are mapped. Elsewhere than on Linux it counts too little to matter."""
    if not sys.platform.startswith("linux"):
        return
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[5])
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = pages * resource.getpagesize() + (memory_mb << 20)
    resource.setrlimit(resource.RLIMIT_DATA, (soft if hard < 0 else min(soft, hard), hard))
