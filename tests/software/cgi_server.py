"""Puts a CGI program on HTTP, beside a page that links to it: `python cgi_server.py PORT PROGRAM`.
A third argument is a file with another page than that of packages.

Knows GET and POST, which is all that forms send. One request at a time; requests are logged to
stderr in the common format.
"""

import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import urlsplit

PROGRAM_PATH = "/cgi-bin/search"
_FRONT = f"""<!DOCTYPE html><title>Packages</title><h1>A collection of software packages</h1>
<p>Every package has a name and a description. <a href="{PROGRAM_PATH}">Search the packages</a>
"""


class Gateway(BaseHTTPRequestHandler):
    """Answers for the front page and the program; everything else is not found."""

    program = ""
    front = _FRONT

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("content-length", 0))))

    def _answer(self, body: bytes) -> None:
        path = urlsplit(self.path).path
        if path == PROGRAM_PATH or path.startswith(f"{PROGRAM_PATH}/"):
            self._run(body)
        elif path == "/":
            self._send(200, "text/html; charset=utf-8", self.front.encode())
        else:
            self._send(404, "text/plain", b"There is no such page.")

    def _run(self, body: bytes) -> None:
        done = subprocess.run(
            [self.program], input=body, env=self._variables(body), capture_output=True, check=True
        )
        head, _, page = done.stdout.replace(b"\r\n", b"\n", 20).partition(b"\n\n")
        lines = (line.split(":", 1) for line in head.decode("latin-1").splitlines())
        headers = {name.strip().lower(): value.strip() for name, value in lines}
        status = int(headers.get("status", "200").split()[0])
        self._send(status, headers.get("content-type", "text/html"), page)

    def _variables(self, body: bytes) -> dict[str, str]:
        return os.environ | {
            "GATEWAY_INTERFACE": "CGI/1.1",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REQUEST_METHOD": self.command,
            "SCRIPT_NAME": PROGRAM_PATH,
            "PATH_INFO": urlsplit(self.path).path.removeprefix(PROGRAM_PATH),
            "HTTP_HOST": self.headers.get("host", ""),
            "QUERY_STRING": urlsplit(self.path).query,
            "CONTENT_TYPE": self.headers.get("content-type", ""),
            "CONTENT_LENGTH": str(len(body)) if body else "",
        }

    def _send(self, status: int, kind: str, page: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


if __name__ == "__main__":
    Gateway.program = sys.argv[2]
    if len(sys.argv) > 3:
        Gateway.front = Path(sys.argv[3]).read_text(encoding="utf-8")
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Gateway).serve_forever()
