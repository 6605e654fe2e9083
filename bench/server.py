"""Serves the benchmark's web on its own core: nginx, or where that is missing an asyncio server."""

import argparse
import asyncio
import contextlib
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import trustme
import uvloop

from bench.website import address

START_TIMEOUT_S = 10.0
POLL_S = 0.02

_NGINX = """worker_processes 1;
daemon off;
pid {scratch}/nginx.pid;
error_log {scratch}/error.log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    types {{ text/html html; text/plain txt; }}
    default_type text/html;
    charset utf-8;
    sendfile on;
    tcp_nopush on;
    tcp_nodelay on;
    keepalive_requests 1000000;
    open_file_cache max=100000 inactive=600s;
    open_file_cache_valid 600s;
    client_body_temp_path {scratch}/body;
    proxy_temp_path {scratch}/proxy;
    fastcgi_temp_path {scratch}/fastcgi;
    uwsgi_temp_path {scratch}/uwsgi;
    scgi_temp_path {scratch}/scgi;
    server {{
{listens}
{certificate}
        server_name _;
        root {folder}/$host;
    }}
}}
"""


@contextlib.contextmanager
def on_cores(cores: set[int]) -> Iterator[None]:
    """Children started inside run on these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextlib.contextmanager
def serving(
    folder: Path, scratch: Path, hosts: int, port: int, cores: set[int], scheme: str = "http"
) -> Iterator[str]:
    """Serve `folder`, a directory per host, while inside; yields the server's name."""
    is_tls = scheme == "https"
    nginx = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    name = "nginx" if nginx else "asyncio"
    command = (
        _nginx_command(nginx, folder, scratch, hosts, port, is_tls=is_tls)
        if nginx
        else _own_command(folder, scratch, hosts, port, is_tls=is_tls)
    )
    _refuse_taken(port)
    with on_cores(cores):
        process = subprocess.Popen(command, cwd=Path(__file__).parents[1])
    try:
        _await_port(port, process)
        yield name
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _nginx_command(
    nginx: str, folder: Path, scratch: Path, hosts: int, port: int, *, is_tls: bool
) -> list[str]:
    tls = " ssl" if is_tls else ""
    listens = "\n".join(f"        listen {address(host)}:{port}{tls};" for host in range(hosts))
    certificate = _name_certificate(scratch) if is_tls else ""
    config = scratch / "nginx.conf"
    user = "user root;\n" if os.geteuid() == 0 else ""
    config.write_text(
        user
        + _NGINX.format(scratch=scratch, listens=listens, folder=folder, certificate=certificate)
    )
    return [nginx, "-c", str(config), "-p", str(scratch), "-e", str(scratch / "error.log")]


def _own_command(folder: Path, scratch: Path, hosts: int, port: int, *, is_tls: bool) -> list[str]:
    command = [sys.executable, "-m", "bench.server", str(folder), str(hosts), str(port)]
    if not is_tls:
        return command
    certificate, key = _write_certificate(scratch)
    return [*command, "--certificate", str(certificate), "--key", str(key)]


def _write_certificate(scratch: Path) -> tuple[Path, Path]:
    """Files of a certificate of the benchmark's own, and of its key."""
    issued = trustme.CA().issue_cert(address(0))
    certificate, key = scratch / "certificate.pem", scratch / "key.pem"
    issued.cert_chain_pems[0].write_to_path(certificate)
    issued.private_key_pem.write_to_path(key)
    return certificate, key


def _name_certificate(scratch: Path) -> str:
    """The lines of nginx that use one."""
    certificate, key = _write_certificate(scratch)
    return (
        f"        ssl_certificate {certificate};\n"
        f"        ssl_certificate_key {key};\n        ssl_session_cache off;"
    )


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((address(0), port)) == 0


def _refuse_taken(port: int) -> None:
    if _is_open(port):
        raise SystemExit(f"port {port} is taken; choose another with --port")


def _await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not _is_open(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"the server did not open port {port}")
        time.sleep(POLL_S)


class FileProtocol(asyncio.Protocol):
    """Answers GETs from files on one keep-alive connection; pipelined requests in order."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rest = b""
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)  # uvloop's is no subclass

    def data_received(self, data: bytes) -> None:
        *complete, self._rest = (self._rest + data).split(b"\r\n\r\n")
        for request in complete:
            self._transport.write(answer(self._folder, request))


def answer(folder: Path, request: bytes) -> bytes:
    """The response to one request head; hosts are directories, as loopback addresses."""
    lines = request.decode("latin-1").split("\r\n")
    path = lines[0].split(" ")[1].partition("?")[0]
    host = next((line[5:].strip() for line in lines[1:] if line[:5].lower() == "host:"), "")
    name = host.partition(":")[0]
    file = folder / name / (path + "index.html" if path.endswith("/") else path)[1:]
    if ".." in path or not file.is_file():
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    body = file.read_bytes()
    kind = "text/plain" if path.endswith(".txt") else "text/html"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}; charset=utf-8\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def serve(
    folder: Path, hosts: int, port: int, certificate: Path | None, key: Path | None
) -> None:
    loop = asyncio.get_running_loop()
    addresses = [address(host) for host in range(hosts)]
    tls = None
    if certificate is not None:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
    server = await loop.create_server(
        lambda: FileProtocol(folder), addresses, port, backlog=1024, ssl=tls
    )
    await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("hosts", type=int)
    parser.add_argument("port", type=int)
    parser.add_argument("--certificate", type=Path, help="serve over TLS with this one")
    parser.add_argument("--key", type=Path)
    options = parser.parse_args()
    uvloop.run(serve(options.folder, options.hosts, options.port, options.certificate, options.key))


if __name__ == "__main__":
    main()
