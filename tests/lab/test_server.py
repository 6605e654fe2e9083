"""The lab's server: HTTP as it should be, faults that are real, and an orderly end."""

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.http import Request
from leadline.errors import ConfigError, LeadlineError
from leadline_lab.server.running import serve_forever, serving, serving_apart
from leadline_lab.server.server import Limits, listen
from leadline_lab.server.wire import (
    MAX_BODY_BYTES,
    MAX_HEAD_BYTES,
    Ask,
    RefusedError,
    RequestBuffer,
)
from tests.lab.small_world import REPLIES, SmallWorld, echo, get, open_small_world, url_of
from tests.web.rig import fetching

LIMITS = Limits(hold_s=0.05, delay_s=0.02, idle_s=60.0)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(SmallWorld(), limits=LIMITS) as port:
        yield port


def converse(port: int, *pieces: bytes) -> bytes:
    """All that comes back until the server closes; the last request must ask for that."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=60)) as connection:
        for piece in pieces:
            connection.sendall(piece)
        parts = []
        while part := connection.recv(65_536):
            parts.append(part)
    return b"".join(parts)


def ask(target: str, *lines: str, method: str = "GET", close: bool = True) -> bytes:
    end = ("Connection: close",) if close else ()
    return "\r\n".join(
        (f"{method} {target} HTTP/1.1", "Host: a.test", *lines, *end, "", "")
    ).encode()


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def body_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


# Requests from bytes


def asks(*pieces: bytes) -> list[Ask]:
    buffer = RequestBuffer()
    found = []
    for piece in pieces:
        buffer.feed(piece)
        while (whole := buffer.next()) is not None:
            found.append(whole)
    return found


STREAM = (
    ask("/a?x=1", close=False)
    + b"\r\n"
    + ask("/form", "Content-Length: 5", "Content-Type: text/x", method="POST", close=False)
    + b"q=1&r"
    + ask("/form", "Transfer-Encoding: chunked", method="POST", close=False)
    + b"3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n"
    + ask("http://b.test:80/c/../d#e", "Referer: http://a.test/a", method="HEAD")
)


@given(st.lists(st.integers(0, len(STREAM)), max_size=20))
def test_requests_are_the_same_however_the_bytes_are_cut(cuts: list[int]) -> None:
    ends = sorted({0, *cuts, len(STREAM)})
    found = asks(*(STREAM[a:b] for a, b in pairwise(ends)))
    assert [whole.request for whole in found] == [
        Request(url_of("http://a.test/a?x=1")),
        Request(url_of("http://a.test/form"), "POST", b"q=1&r", "text/x"),
        Request(url_of("http://a.test/form"), "POST", b"abc0123456789"),
        Request(url_of("http://b.test/d"), referrer=url_of("http://a.test/a")),
    ]
    assert [(whole.method, whole.keeps) for whole in found] == [
        ("GET", True),
        ("POST", True),
        ("POST", True),
        ("HEAD", False),
    ]


def test_a_session_id_reaches_the_world() -> None:
    assert asks(ask("/p;jsessionid=1?PHPSESSID=2&utm_source=3"))[0].request.url == (
        "http://a.test/p;jsessionid=1?PHPSESSID=2&utm_source=3"
    )


HOST = b"Host: a.test\r\n"
POST = b"POST / HTTP/1.1\r\n" + HOST
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
REFUSED = {
    b"nonsense\r\n\r\n": 400,
    b"GET /\r\n\r\n": 400,
    b"GET / HTTP/1.1\r\n\r\n": 400,
    b"GET / HTTP/1.0\r\n\r\n": 400,
    b"GET  / HTTP/1.1\r\n" + HOST + b"\r\n": 400,
    b"get / HTTP/1.1\r\n" + HOST + b"\r\n": 400,
    b"GET /\xc3\xbc HTTP/1.1\r\n" + HOST + b"\r\n": 400,
    b"GET a HTTP/1.1\r\n" + HOST + b"\r\n": 400,
    b"GET ftp://a.test/ HTTP/1.1\r\n" + HOST + b"\r\n": 400,
    b"GET http:/// HTTP/1.1\r\n" + HOST + b"\r\n": 400,
    b"GET / HTTP/1.1\r\nHost: a test\r\n\r\n": 400,
    b"GET / HTTP/1.1\r\nHost: a.test/b\r\n\r\n": 400,
    b"GET / HTTP/1.1\r\nHost: u@a.test\r\n\r\n": 400,
    b"GET / HTTP/1.1\r\nHost:\r\n\r\n": 400,
    b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n": 400,
    b"GET / HTTP/1.1\r\n" + HOST + b" folded\r\n\r\n": 400,
    b"GET / HTTP/1.1\r\n" + HOST + b"A : b\r\n\r\n": 400,
    b"GET / HTTP/1.1\r\n" + HOST + b"no colon\r\n\r\n": 400,
    b"GET / HTTP/1.1\r\n" + HOST + b"A: b\nC: d\r\n\r\n": 400,
    b"GET / HTTP/1.1\r\n" + HOST + b"A: b\0\r\n\r\n": 400,
    b"GET / HTTP/2.0\r\n" + HOST + b"\r\n": 505,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n": 505,
    b"CONNECT a.test:443 HTTP/1.1\r\n" + HOST + b"\r\n": 501,
    b"PUT / HTTP/1.1\r\n" + HOST + b"\r\n": 501,
    POST + b"Content-Length: x\r\n\r\n": 400,
    POST + b"Content-Length: -1\r\n\r\n": 400,
    POST + b"Content-Length: +1\r\n\r\n": 400,
    POST + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\n": 400,
    POST + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n": 400,
    POST + b"Content-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1): 413,
    POST + b"Content-Length: 99999999999999999999\r\n\r\n": 413,
    POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n": 501,
    CHUNKED + b"\r\n": 400,
    CHUNKED + b"0x1\r\na\r\n": 400,
    CHUNKED + b"-1\r\na\r\n": 400,
    CHUNKED + b"1\r\nab\r\n": 400,
    CHUNKED + b"0\r\nTrailer: x\r\n\r\n": 400,
    CHUNKED + b"%x\r\n" % (MAX_BODY_BYTES + 1): 413,
    CHUNKED + b"1;" + b"x" * 300: 400,
    CHUNKED + b"1\r\na\r\n" * 500_000: 413,
    b"GET / HTTP/1.1\r\nA: " + b"x" * MAX_HEAD_BYTES: 431,
}


@pytest.mark.parametrize("wire", REFUSED, ids=lambda wire: repr(wire[-60:]))
def test_what_is_no_valid_request_is_refused(wire: bytes) -> None:
    with pytest.raises(RefusedError) as caught:
        asks(wire)
    assert caught.value.status == REFUSED[wire]


@given(st.binary(max_size=300))
def test_any_bytes_are_requests_or_refused(wire: bytes) -> None:
    try:
        asks(b"GET / HTTP/1.1\r\nHost: a.test\r\n" + wire + b"\r\n\r\n")
    except RefusedError as error:
        assert 400 <= error.status < 600  # noqa: PT017 (either outcome keeps the claim)


def test_a_refused_request_is_told_why_and_ends_the_connection(port: int) -> None:
    answer = converse(port, b"nonsense\r\n\r\n" + ask("/a"))
    assert answer == (
        b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n"
        b"content-length: 16\r\nconnection: close\r\n\r\nno request line\n"
    )


# Answers


def test_an_answer_is_the_reply_and_its_length_and_nothing_else(port: int) -> None:
    answer = converse(port, ask("/cookie", close=False) + ask("/a"))
    assert answer.startswith(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\nset-cookie: a=1\r\n"
        b"set-cookie: b=2\r\ncontent-length: 6\r\n\r\n<p>eatHTTP/1.1 200 OK\r\n"
    )


def test_a_head_has_no_body(port: int) -> None:
    whole = converse(port, ask("/"))
    head = converse(port, ask("/", method="HEAD"))
    assert head == whole[: -len(REPLIES["/"].body)]


def test_requests_sent_ahead_are_answered_in_order(port: int) -> None:
    sent = [ask(path, close=False) for path in ("/a", "/slow", "/empty", "/broken")]
    answer = converse(port, b"".join(sent) + ask("/"))
    assert [line for line in answer.split(b"\r\n") if line.startswith(b"HTTP/1.1 200")]
    found = [
        answer.find(mark) for mark in (b"http://a.test/a<", b"at last", b" 204 ", b"oops", b"home")
    ]
    assert found == sorted(found)
    assert min(found) > 0


def test_an_old_client_gets_its_answer_and_the_end(port: int) -> None:
    answer = converse(port, b"GET /a HTTP/1.0\r\nHost: a.test\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_proxy_request_is_answered_for_its_url(port: int) -> None:
    answer = converse(port, ask("http://c.test/echo?x=1"))
    assert body_of(answer).decode() == echo(get("/echo?x=1", "c.test"))


def test_a_form_is_sent_by_length_or_in_chunks(port: int) -> None:
    kind = "Content-Type: application/x-www-form-urlencoded"
    by_length = converse(port, ask("/echo", kind, "Content-Length: 3", method="POST"), b"q=1")
    chunked = converse(
        port, ask("/echo", kind, "Transfer-Encoding: chunked", method="POST"),
        b"1\r\nq\r\n", b"2\r\n=1\r\n0\r\n\r\n",
    )  # fmt: skip
    assert by_length == chunked
    assert body_of(chunked).endswith(b"q=1")


def test_a_client_that_waits_to_be_told_is_told(port: int) -> None:
    head = ask("/echo", "Content-Length: 3", "Expect: 100-continue", method="POST")
    with closing(socket.create_connection(("127.0.0.1", port), timeout=60)) as connection:
        connection.sendall(head)
        assert connection.recv(1_000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"q=1")
        assert connection.recv(1_000).startswith(b"HTTP/1.1 200")


def test_a_client_that_does_not_read_is_waited_for(port: int) -> None:
    wire = ask("/large", close=False) * 20 + ask("/a")
    with closing(socket.create_connection(("127.0.0.1", port), timeout=60)) as connection:
        connection.sendall(wire)
        assert status_of(converse(port, ask("/a"))) == 200
        size = 0
        while part := connection.recv(1 << 20):
            size += len(part)
    assert size > 20_000_000


def test_a_connection_that_rests_too_long_is_closed() -> None:
    with (
        serving(SmallWorld(), limits=Limits(idle_s=0.05)) as port,
        closing(socket.create_connection(("127.0.0.1", port), timeout=60)) as connection,
    ):
        connection.sendall(ask("/a", close=False))
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
        assert connection.recv(1) == b""


# Faults


def test_a_reset_connection_is_reset(port: int) -> None:
    with pytest.raises(ConnectionResetError):
        converse(port, ask("/reset"))


def test_an_unknown_host_gets_no_connection(port: int) -> None:
    with pytest.raises(ConnectionResetError):
        converse(port, b"GET / HTTP/1.1\r\nHost: nobody.invalid\r\n\r\n")


def test_silence_is_held_no_longer_than_allowed(port: int) -> None:
    began = time.monotonic()
    with pytest.raises(ConnectionResetError):
        converse(port, ask("/timeout"))
    assert time.monotonic() - began >= LIMITS.hold_s


def test_a_cut_body_ends_in_its_middle(port: int) -> None:
    answer = converse(port, ask("/cut"))
    body = REPLIES["/cut"].body
    assert f"content-length: {len(body)}\r\n".encode() in answer
    assert body_of(answer) == body[: len(body) // 2]


def test_a_slow_answer_is_really_late_but_not_beyond_the_limit(port: int) -> None:
    began = time.monotonic()
    assert status_of(converse(port, ask("/slow"))) == 200
    assert time.monotonic() - began >= LIMITS.delay_s


# The whole


def test_the_front_page_names_seeds_and_ways_in(port: int) -> None:
    page = converse(port, ask("/").replace(b"a.test", f"localhost:{port}".encode()))
    assert status_of(page) == 200
    assert b'href="http://book0.test/?a=1&amp;b=2"' in page
    assert f'--set \'web.resolve={{"*" = "127.0.0.1:{port}"}}\''.encode() in page
    other = converse(port, ask("/x").replace(b"a.test", f"127.0.0.1:{port}".encode()))
    assert status_of(other) == 404


async def test_it_serves_as_a_proxy_of_the_live_fetcher(port: int) -> None:
    web: dict[str, Any] = {"proxy": f"http://127.0.0.1:{port}"}
    async with fetching(None, web=web, lookup=_knows_nobody) as fetcher:
        response = await fetcher.fetch(get("/a?x=1", "somewhere.test"))
    assert response.url == "http://somewhere.test/a?x=1"
    assert b"somewhere.test/a?x=1" in response.body


def _knows_nobody(host: str) -> list[str]:
    raise OSError(host)


def test_it_listens_on_loopback_unless_told_otherwise() -> None:
    with listen() as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def children() -> set[int | None]:
    return {child.pid for child in multiprocessing.active_children()}


def test_processes_share_a_port_and_end_with_the_block() -> None:
    before = children()
    with serving_apart(open_small_world, jobs=2) as port:
        assert len(children() - before) == 2
        answers = {converse(port, ask("/a")) for _ in range(20)}
    assert children() == before
    assert len(answers) == 1
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=60)


def _fails() -> SmallWorld:
    raise ValueError("no such world")


def test_a_world_that_cannot_be_opened_is_reported(capfd: pytest.CaptureFixture[str]) -> None:
    before = children()
    with pytest.raises(LeadlineError, match="ended before"), serving_apart(_fails):
        pass
    assert children() == before
    assert "no such world" in capfd.readouterr().err


def test_an_address_that_is_taken_is_a_config_error() -> None:
    with serving(SmallWorld()) as port, pytest.raises(ConfigError, match=str(port)):
        serve_forever(open_small_world, port=port)


SERVE = """
import sys
from leadline_lab.server.running import serve_forever
from tests.lab.small_world import open_small_world
if __name__ == "__main__":
    say = lambda address: print(address, flush=True)
    serve_forever(open_small_world, jobs=int(sys.argv[1]), on_start=say)
"""


def start(jobs: int, tmp_path: Path) -> "subprocess.Popen[str]":
    script = tmp_path / "serve.py"
    script.write_text(SERVE)
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, str(script), str(jobs)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def port_of(server: "subprocess.Popen[str]") -> int:
    assert server.stdout is not None
    return int(server.stdout.readline().rpartition(":")[2])


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_in_order_when_told_to(tmp_path: Path, jobs: int, number: signal.Signals) -> None:
    with start(jobs, tmp_path) as server:
        assert status_of(converse(port_of(server), ask("/a"))) == 200
        server.send_signal(number)
        # Its processes share its output, which ends with the last of them.
        server.communicate(timeout=120)
        assert server.returncode == 0


def test_its_processes_do_not_outlive_it(tmp_path: Path) -> None:
    with start(2, tmp_path) as server:
        port_of(server)
        server.kill()
        server.communicate(timeout=120)


def test_a_world_is_opened_where_it_is_served() -> None:
    with serving_apart(partial(open_small_world)) as port:
        assert status_of(converse(port, ask("/a"))) == 200
