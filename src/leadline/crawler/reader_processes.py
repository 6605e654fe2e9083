"""Processes that read under a limit of time and memory, and that may die of what they read.

One piece of work is under way per process, so that a death tells which one it was. The limits are
the kernel's: C code that never returns to Python is ended as well. `crawler/reading.py` reads pages
this way, and tries out the answers of harvests.
"""

import asyncio
import os
import pickle
import resource
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Protocol

from msgspec import Struct


class Work(Protocol):
    """What a process does with its jobs. Picklable; what it raises costs one job only."""

    def warm_up(self) -> None:
        """Load what is loaded at first use: no page should have to pay for it with its limits."""
        ...

    def __call__(self, job: bytes) -> bytes: ...


WALL_FACTOR = 5.0
"""The limit by the clock, in limits of processor time: other programs want their share, and who
waits without computing is ended as well."""
_GRACE_S = 1.0
"""After which this process ends one that its own timer should have ended."""
START_S = 60.0
"""For importing and loading models, on a busy machine."""
_REASON_CHARS = 300

# The first byte of a message to a process, and of its answers.
_WORK, _JOB = b"W", b"J"
_DONE, _FAILED, _EXHAUSTED = b"+", b"-", b"!"


class ReadingLimits(Struct, frozen=True):
    """What one page may cost its process."""

    seconds: float = 10.0
    """Of processor time."""
    memory_mb: int = 512
    """Beyond what the process has with its models loaded. Linux only."""


class WorkResult(Struct, frozen=True):
    """What came of a job: an answer, or why there is none."""

    answer: bytes = b""
    failure: str = ""
    is_lost: bool = False
    """Whether the process did not survive it, or would have outgrown its limits."""


class ReaderProcesses:
    """Up to `size` processes, each started when it is needed.

    States of a process: at rest, at work, over. One that dies, overruns its time or its memory is
    over, and the next job gets another. `run` raises nothing for whatever a job does.
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
                return WorkResult(failure=f"no process to read it in: {error or 'it ended'}")
            finally:
                if process is not None and process not in self._at_rest:
                    self._end(process)

    async def _prepare(self) -> "_ReaderProcess":
        """A process that has loaded the work. Raises OSError or EOFError."""
        process = self._at_rest.pop() if self._at_rest else _ReaderProcess(self._limits)
        self._all.add(process)
        if process.version == self._version:
            return process
        if not self._packed:
            self._packed = pickle.dumps(self._work)
        version = self._version
        try:
            answer = await self._ask(process, _WORK + self._packed, START_S)
        except BaseException:
            self._end(process)
            raise
        if answer[:1] != _DONE:
            self._end(process)
            raise OSError(answer[1:].decode("utf-8", "replace"))
        process.version = version
        return process

    async def _finish(self, process: "_ReaderProcess", job: bytes) -> WorkResult:
        wall_s = self._limits.seconds * WALL_FACTOR
        try:
            answer = await self._ask(process, _JOB + job, wall_s + _GRACE_S)
        except (OSError, EOFError):
            status = process.wait()
            return WorkResult(failure=_explain_end(status, self._limits, wall_s), is_lost=True)
        kind, rest = answer[:1], answer[1:]
        if kind == _EXHAUSTED:
            failure = f"it takes more than {self._limits.memory_mb} MB to read"
            return WorkResult(failure=failure, is_lost=True)
        self._at_rest.append(process)
        if kind == _FAILED:
            return WorkResult(failure=rest.decode("utf-8", "replace"))
        return WorkResult(rest)

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


def _explain_end(status: int, limits: ReadingLimits, wall_s: float) -> str:
    if -status == signal.SIGPROF:
        return f"it takes more than {limits.seconds:g} s of processor time to read"
    if -status == signal.SIGALRM:
        return f"its reader waited for more than {wall_s:g} s"
    how = f"by signal {-status}" if status < 0 else f"with status {status}"
    return f"its reader's process ended {how}"


class _ReaderProcess:
    """A process and the channel to it. `ask` blocks its thread, the others do not."""

    def __init__(self, limits: ReadingLimits) -> None:
        self.version = -1
        """Of the work that it has loaded."""
        self._channel, theirs = Pipe()
        # A process of `multiprocessing` would import the program's main module again, and run
        # whatever stands there unguarded: nobody who starts a crawl expects that.
        code = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from {__name__} import serve; serve({theirs.fileno()}, {limits.seconds!r}, "
            f"{limits.memory_mb!r})"
        )
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own code and numbers
                [sys.executable, "-c", code],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                # Ctrl-C reaches the whole group; only the crawl decides when its readers end.
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

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> int:
        """The status of a process that was killed or whose channel broke: it is over at once."""
        if not self._channel.closed:
            self._channel.close()
        try:
            return self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


# In the process


def serve(channel_fd: int, seconds: float, memory_mb: int) -> None:
    """Answer messages until the channel is closed: the whole life of a process."""
    channel = Connection(channel_fd)
    work: Work | None = None
    while True:
        try:
            message = memoryview(channel.recv_bytes())
        except EOFError:
            return
        if message[:1] == _WORK:
            signal.setitimer(signal.ITIMER_REAL, START_S)
            work, reply = _load(message[1:])
            _set_timers(0.0)
            _limit_memory(memory_mb)
        elif work is not None:
            _set_timers(seconds)
            reply = _do(work, bytes(message[1:]))
            _set_timers(0.0)
        else:
            reply = _FAILED + b"a job came before its work"
        channel.send_bytes(reply)
        if reply[:1] == _EXHAUSTED:
            return


def _load(packed: memoryview) -> tuple[Work | None, bytes]:
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


def _set_timers(seconds: float) -> None:
    """Have the kernel end this process after `seconds` of work, or WALL_FACTOR as many in all."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * WALL_FACTOR)


def _limit_memory(memory_mb: int) -> None:
    """RLIMIT_DATA counts what was written to or may be, unlike RLIMIT_AS, which also counts
    libraries and files that are mapped. Elsewhere than on Linux it counts too little to matter."""
    if not sys.platform.startswith("linux"):
        return
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[5])
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = pages * resource.getpagesize() + (memory_mb << 20)
    resource.setrlimit(resource.RLIMIT_DATA, (soft if hard < 0 else min(soft, hard), hard))
